"""`explainkit doctor` finds what was changed, and is quiet about what was not."""

import pytest


def test_a_whole_run_is_in_order(cli, run_file):
    done = cli("doctor", run_file)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("claim-1: in order (answered, ")


def test_a_changed_word_is_found(cli, run_file):
    run_file.write_bytes(run_file.read_bytes().replace(b"30 minutes", b"20 minutes"))
    done = cli("doctor", run_file)
    assert done.code == 1
    assert "integrity" in done.out
    assert "problem" in done.out.splitlines()[-1]


@pytest.mark.parametrize("line", [3, 5])
def test_a_deleted_line_is_found(cli, run_file, line):
    lines = run_file.read_bytes().splitlines(keepends=True)
    run_file.write_bytes(b"".join(lines[:line] + lines[line + 1 :]))
    done = cli("doctor", run_file)
    assert done.code == 1
    assert "missing" in done.out


def test_a_cut_file_is_not_in_order(cli, cut_file):
    done = cli("doctor", cut_file)
    assert done.code == 1
    assert "the line is cut" in done.out


def test_an_imported_run_keeps_the_laws(cli, tau_file, tmp_path):
    out = tmp_path / "one.ek.jsonl"
    cli("import", tau_file, "-o", out, "--run", 0)
    done = cli("doctor", out)
    assert done.code == 0
    assert "in order" in done.out


def test_a_foreign_file_says_that_only_its_import_is_checked(cli, tmp_path):
    source = tmp_path / "chat.json"
    source.write_text('[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]')
    done = cli("doctor", source)
    assert done.code == 0
    assert "only its import is checked" in done.err
