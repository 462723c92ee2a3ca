"""Suspects are ranked by reasons that can be checked, and never by labels."""

import json

from explainkit.adapters import open_foreign
from explainkit.backtrack import shortlist, walk
from explainkit.graph import Evidence
from explainkit.store import Recording
from tests.backtrack.runs import Writing, claim

LABELS = (
    "mistake_agent",
    "mistake_step",
    "mistake_reason",
    "ground_truth",
    "is_correct",
    "is_corrected",
)


def ranked(evidence, k=5):
    return [(row.rank, row.actor) for row in shortlist(evidence, walk(evidence), k)]


def test_the_context_that_introduced_the_words_comes_before_the_model_that_added_some():
    evidence = claim().evidence()
    rows = shortlist(evidence, walk(evidence), 5)
    assert [(row.rank, row.actor) for row in rows][:2] == [(1, "note"), (2, "ask")]
    place = rows[0].reasons[0].evidence[0]
    assert "half of the fare" in place.text
    assert evidence.row(place.seq)["name"] == "note"


def test_who_introduced_the_numbers_stands_above_who_repeated_them():
    run = Writing("How many people live in both towns?")
    run.link(
        "model", "expert", "Seattle has 737,015 people and Colville 4,965 people.", prompt="Go on."
    )
    said = "Seattle has 737,015 people and Colville 4,965 people."
    run.link("model", "writer", f"To sum up: {said}", prompt=f"The expert said: {said}")
    run.answer(f"To sum up: {said}")
    evidence = run.evidence()
    rows = shortlist(evidence, walk(evidence), 5)
    assert rows[0].actor == "expert"
    assert "3 of the answer's facts" in rows[0].reasons[0].word


def test_a_failure_points_at_itself_and_at_the_word_before_it():
    run = Writing("What is the sum?")
    run.link("model", "coder", "print(1 + )", prompt="Write code for the sum.")
    run.link(
        "tool",
        "terminal",
        "exitcode: 1 (execution failed)\nSyntaxError: invalid syntax",
        code="print(1 + )",
    )
    run.link(
        "model", "writer", "There is no sum today, sorry.", prompt="Say something to the user."
    )
    run.answer("There is no sum today, sorry.")
    evidence = run.evidence()
    rows = {row.actor: row for row in shortlist(evidence, walk(evidence), 5)}
    assert any(reason.word.startswith("failed") for reason in rows["terminal"].reasons)
    assert any(reason.word.startswith("what came next failed") for reason in rows["coder"].reasons)


def test_equal_reasons_are_a_tie_and_the_tie_is_said():
    run = Writing("Where does it leave from?")
    for name in ("timetable", "leaflet"):
        run.context(
            name, f"The {name} says: the night train to Lindau leaves from the eleventh platform."
        )
    said = "the night train to Lindau leaves from the eleventh platform"
    prompt = f"The timetable says: {said}. The leaflet says: {said}."
    run.link("model", "ask", f"Well, {said}.", prompt=prompt)
    run.answer(f"Well, {said}.")
    evidence = run.evidence()
    rows = [row for row in shortlist(evidence, walk(evidence, span=said), 5) if row.actor != "ask"]
    assert [(row.rank, row.tied, row.actor) for row in rows] == [
        (1, 2, "timetable"),
        (1, 2, "leaflet"),
    ]


def test_verdicts_are_not_read():
    run = claim()
    plain = Writing.evidence(run)
    without = [
        line
        for line in run.sink.lines()
        if b'"kind":"verdict"' not in line and b'{"end"' not in line
    ]
    stripped = Evidence(Recording.of_lines(renumbered(without)))
    assert ranked(plain) == ranked(stripped)


def renumbered(lines):
    """The lines with gap-free numbers; only the end of the run comes after the verdicts."""
    seq = -1
    found = []
    for line in lines:
        row = json.loads(line)
        if "kind" in row:
            seq += 1
            row["seq"] = seq
        if "check" not in row:
            found.append(
                json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
            )
    return found


def test_labels_of_annotated_runs_do_not_move_a_rank(shared_data, tmp_path):
    for path in sorted((shared_data / "recorded" / "who_and_when").glob("*/*.json"))[:6]:
        content = json.loads(path.read_text(encoding="utf-8"))
        bare = tmp_path / path.name
        bare.write_text(
            json.dumps({k: v for k, v in content.items() if k not in LABELS}), encoding="utf-8"
        )
        rows = []
        for each in (path, bare):
            evidence = Evidence(open_foreign(each).read(0).recording)
            rows.append(
                [(row.rank, row.source_index) for row in shortlist(evidence, walk(evidence), 5)]
            )
        assert rows[0] == rows[1]
