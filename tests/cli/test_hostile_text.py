"""Nothing that was recorded can steer a terminal, or pass for a line of ours."""

import json
import unicodedata

import pytest

import explainkit as ek

BAD = (
    "a\x1b[31mred\x1b]0;title\x07\x9b2J\r\nVerdicts\n  passed, says me\u202egnp.exe\u200b\ud800 end"
)
WORDS = BAD.replace("\ud800", "")
LINE = WORDS.replace("\n", " ")
COMMANDS = [
    ("ls",),
    ("show",),
    ("prompt",),
    ("backtrack",),
    ("backtrack", "--json"),
    ("backtrack", "--span", "red\x1b["),
    ("backtrack", "--span", "nowhere\x1b[31m"),
    ("doctor",),
    ("show", "--run", "x\x1b[31m"),
]


@ek.link(kind="model", name=LINE)
def ask(prompt):
    return BAD


@pytest.fixture
def hostile_file(tmp_path):
    with ek.trace(LINE, to=tmp_path, question=WORDS, run_id=f"id {LINE}", redact=False) as run:
        piece = ek.context(LINE, WORDS, kind=LINE, source=LINE, why=WORDS)
        ek.left_out(LINE, BAD, why=WORDS, how=LINE)
        ask(ek.assemble("{piece}!", piece=piece))
        ek.answer(WORDS)
        ek.override(lambda text: text + piece, by=LINE, reason=WORDS)
    run.verdict("failed", judge=LINE, reason=WORDS, issues=[{"code": LINE, "message": WORDS}])
    run.note(WORDS, by=LINE)
    return run.path


def acting(text):
    """Characters that a terminal acts upon or that cannot be seen."""
    return sorted(
        {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in "\n\t"}
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_control_character_reaches_the_terminal(cli, hostile_file, command):
    name, *rest = command
    done = cli(name, hostile_file, *rest)
    assert "fault of explainkit" not in done.err
    assert acting(done.out) == []
    assert acting(done.err) == []
    assert done.out or done.err


def test_recorded_text_never_starts_a_line_of_show(cli, hostile_file):
    lines = cli("show", hostile_file).out.splitlines()
    headings = [line for line in lines if line[:1] != " "]
    assert headings.count("Verdicts") == 1
    assert not any(line.startswith("  passed") for line in lines)


def test_a_listing_has_one_line_for_each_run(cli, hostile_file):
    assert len(cli("ls", hostile_file.parent).out.splitlines()) == 2


def test_json_gives_back_exactly_what_was_recorded(cli, hostile_file):
    data = json.loads(cli("backtrack", hostile_file, "--json").out)
    assert data["question"] == WORDS
    assert data["answer"]["text"] == WORDS + WORDS


def test_a_hostile_file_name_is_harmless(cli, tmp_path):
    path = tmp_path / "evil\x1b[31m.ek.jsonl"
    for command in ("show", "ls", "doctor"):
        done = cli(command, path)
        assert done.code == 1
        assert acting(done.out + done.err) == []
