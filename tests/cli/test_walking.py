"""`explainkit backtrack` walks from the shell, as text, JSON and a page."""

import json

import pytest

from tests.cli.conftest import ANSWER, QUESTION

WORDS = "half of the fare"
KEYS = """run question answer span hops contexts shortlist coverage unsupported left_out lost
overrides verdicts""".split()


def test_the_walk_names_the_context(cli, run_file):
    done = cli("backtrack", run_file, "--span", WORDS)
    assert (done.code, done.err) == (0, "")
    assert "campaign-note" in done.out
    assert "memory/2025-12" in done.out
    assert "redactor" in done.out


def test_json_has_exactly_the_promised_keys(cli, run_file):
    done = cli("backtrack", run_file, "--span", WORDS, "--json")
    assert (done.code, done.err) == (0, "")
    data = json.loads(done.out)
    assert list(data) == KEYS
    assert data["run"] == "claim-1"
    assert data["question"] == QUESTION
    assert list(data["answer"]) == ["text", "version", "inferred"]
    assert data["answer"] == {"text": ANSWER, "version": 2, "inferred": False}
    for hop in data["hops"]:
        assert list(hop) == ["verb", "seq", "grade", "src", "dst"]
        for end in ("src", "dst"):
            assert list(hop[end])[:6] == ["seq", "slot", "path", "start", "end", "text"]
    for row in data["shortlist"]:
        assert list(row) == ["rank", "tied", "seq", "source_index", "actor", "reasons"]
    assert data["hops"]
    assert data["shortlist"]


def test_json_is_indented_utf8_and_the_same_every_time(shell, run_file):
    first = shell("backtrack", run_file, "--json", PYTHONHASHSEED="1")
    again = shell("backtrack", run_file, "--json", PYTHONHASHSEED="2", LC_ALL="C")
    assert (first.code, first.err) == (0, "")
    assert first.out == again.out
    assert first.out.startswith('{\n  "run": "claim-1",\n')
    assert json.loads(first.out)["run"] == "claim-1"


def test_text_is_the_same_every_time(shell, run_file):
    first = shell("backtrack", run_file, PYTHONHASHSEED="1")
    again = shell("backtrack", run_file, PYTHONHASHSEED="2")
    assert first.code == 0
    assert first == again


def test_an_unknown_span_offers_the_nearest(cli, run_file):
    done = cli("backtrack", run_file, "--span", "half of the fair")
    assert (done.code, done.out) == (1, "")
    assert WORDS in done.err


@pytest.mark.parametrize("grade", ["declared", "value", "exposure", "order"])
def test_every_grade_can_be_asked_for(cli, run_file, grade):
    order = ["declared", "value", "exposure", "order"]
    done = cli("backtrack", run_file, "--span", WORDS, "--grade", grade, "--json")
    assert done.code == 0
    allowed = order[: order.index(grade) + 1]
    assert {hop["grade"] for hop in json.loads(done.out)["hops"]} <= set(allowed)


def test_an_unknown_grade_is_wrong_usage(cli, run_file):
    done = cli("backtrack", run_file, "--grade", "maybe")
    assert (done.code, done.out) == (2, "")
    assert "exposure" in done.err


def test_a_page_is_written_beside_the_text(cli, run_file, tmp_path):
    page = tmp_path / "claim.html"
    done = cli("backtrack", run_file, "--span", WORDS, "--html", page)
    assert done.code == 0
    assert "campaign-note" in done.out
    assert str(page) in done.err
    assert "Content-Security-Policy" in page.read_text("utf-8")


def test_a_page_never_replaces_the_run(cli, run_file):
    before = run_file.read_bytes()
    done = cli("backtrack", run_file, "--html", run_file)
    assert done.code == 1
    assert "is the run itself" in done.err
    assert run_file.read_bytes() == before


def test_a_page_into_a_missing_folder_is_an_error(cli, run_file, tmp_path):
    done = cli("backtrack", run_file, "--html", tmp_path / "no" / "claim.html")
    assert done.code == 1
    assert "No such file or directory" in done.err


def test_a_cut_file_walks_its_prefix_and_fails(cli, cut_file):
    done = cli("backtrack", cut_file, "--json")
    assert done.code == 1
    assert list(json.loads(done.out)) == KEYS
    assert "the line is cut" in done.err


def test_a_foreign_run_walks(cli, tau_file):
    done = cli("backtrack", tau_file, "--run", 3, "--json")
    assert done.code == 0
    data = json.loads(done.out)
    assert list(data) == KEYS
    assert any(row["source_index"] is not None for row in data["shortlist"])


def test_the_slot_of_another_answer_can_be_walked_from(cli, run_file):
    done = cli("backtrack", run_file, "--slot", "nowhere")
    assert done.code != 0
    assert "has no answer slot 'nowhere'" in done.err
    assert cli("backtrack", run_file, "--slot", "answer").out == cli("backtrack", run_file).out
