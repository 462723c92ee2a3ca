"""`explainkit import` writes runs of other tools as files that open like our own."""

import json

import explainkit as ek

CHAT = [
    {"role": "system", "content": "You sell train tickets."},
    {"role": "user", "content": "What does a ticket to Bern cost?"},
    {"role": "assistant", "content": "It costs 42 francs."},
]


def test_one_run_becomes_one_file(cli, tmp_path):
    source, out = tmp_path / "chat.json", tmp_path / "chat.ek.jsonl"
    source.write_text(json.dumps(CHAT), "utf-8")
    done = cli("import", source, "-o", out)
    assert done.code == 0
    assert done.out == f"{out}\n"
    assert "3 messages read" in done.err
    assert ek.load(out).answer == "It costs 42 francs."


def test_one_run_can_go_into_a_folder(cli, tmp_path):
    source = tmp_path / "chat.json"
    source.write_text(json.dumps(CHAT), "utf-8")
    done = cli("import", source, "-o", tmp_path)
    assert done.code == 0
    (info,) = ek.runs(tmp_path)
    assert done.out == f"{info.path}\n"


def test_the_same_import_twice_gives_the_same_bytes(cli, tmp_path):
    source, out = tmp_path / "chat.json", tmp_path / "chat.ek.jsonl"
    source.write_text(json.dumps(CHAT), "utf-8")
    cli("import", source, "-o", out)
    first = out.read_bytes()
    assert cli("import", source, "-o", out).code == 0
    assert out.read_bytes() == first


def test_another_file_is_never_replaced(cli, run_file, tmp_path):
    source = tmp_path / "chat.json"
    source.write_text(json.dumps(CHAT), "utf-8")
    for target in (run_file, source):
        before = target.read_bytes()
        done = cli("import", source, "-o", target)
        assert (done.code, done.out) == (1, "")
        assert "Choose another name" in done.err
        assert target.read_bytes() == before


def test_many_runs_go_into_a_folder(cli, tau_file, tmp_path):
    done = cli("import", tau_file, "-o", tmp_path / "tau")
    assert done.code == 0
    assert len(done.out.splitlines()) == 100
    assert "100 runs written" in done.err
    assert len(ek.runs(tmp_path / "tau")) == 100


def test_many_runs_do_not_go_into_a_file(cli, tau_file, run_file):
    done = cli("import", tau_file, "-o", run_file)
    assert (done.code, done.out) == (1, "")
    assert "is no folder" in done.err


def test_one_of_many_is_chosen(cli, tau_file, tmp_path):
    out = tmp_path / "one.ek.jsonl"
    assert cli("import", tau_file, "-o", out, "--run", 3).code == 0
    assert ek.load(out).id == ek.load(tau_file, run=3).id


def test_a_place_must_be_given(cli, tmp_path):
    done = cli("import", tmp_path / "chat.json")
    assert (done.code, done.out) == (2, "")
    assert "-o" in done.err
