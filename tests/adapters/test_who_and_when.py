"""Annotated group chats: speakers, the answer among parting words, labels as verdicts."""

import copy
import json

import pytest

from tests.adapters.imports import (
    FIXTURES,
    check_laws,
    imported,
    imported_data,
    leaf,
    links,
    rows,
    slot,
)

CHAT = json.loads((FIXTURES / "group_chat.json").read_text("utf-8"))


def answer_of(history, **more):
    recording = imported_data({"question": "?", "history": history, **more}).recording
    check_laws(recording)
    found = rows(recording, "answer")
    return recording.values.text(found[0]["value"]) if found else None


@pytest.mark.parametrize("name", ["group_chat.json", "orchestrated.json"])
def test_the_laws_of_records_hold(name):
    check_laws(imported(name).recording)


def test_every_message_is_a_link_of_its_speaker():
    recording = imported("group_chat.json").recording
    found = [(row["type"], row["actor"], row["source_index"]) for row, _ in links(recording)]
    assert found == [
        ("model", "Counter", 0),
        ("tool", "Computer_terminal", 1),
        ("model", "Counter", 2),
        ("model", "Checker", 3),
        ("tool", "Computer_terminal", 4),
        ("model", "Counter", 5),
    ]


def test_the_speaker_may_stand_in_the_role():
    recording = imported("orchestrated.json").recording
    assert [row["actor"] for row, _ in links(recording)] == [
        "Orchestrator",
        "Orchestrator",
        "WebSurfer",
        "Orchestrator",
        "Orchestrator",
    ]
    assert links(recording)[1][0]["attrs"]["role"] == "Orchestrator (-> WebSurfer)"
    assert [row["sender"] for row in rows(recording, "event")] == ["human"]


def test_the_question_is_the_field_and_reaches_the_first_speaker():
    recording = imported("group_chat.json").recording
    [start] = rows(recording, "run_started")
    assert recording.values.text(start["question"]) == CHAT["question"]
    first, _ = links(recording)[0]
    assert slot(first, "question")["from"] == [{"seq": start["seq"], "slot": "question"}]


def test_each_speaker_has_its_own_system_prompt():
    recording = imported("group_chat.json").recording
    checker = next(row for row, _ in links(recording) if row["actor"] == "Checker")
    assert recording.values.text(slot(checker, "system")["value"]) == "You check counts."


def test_the_answer_is_the_last_substantive_step():
    recording = imported("group_chat.json").recording
    [answer] = rows(recording, "answer")
    assert recording.values.text(answer["value"]).startswith("I agree, Skerry has five")
    assert leaf(recording, answer["uses"][0]) == recording.values.text(answer["value"])


def test_a_final_answer_line_is_the_answer():
    recording = imported("orchestrated.json").recording
    [answer] = rows(recording, "answer")
    assert recording.values.text(answer["value"]) == "Rye House"
    assert leaf(recording, answer["uses"][0]) == "Rye House"


@pytest.mark.parametrize(
    "parting",
    [
        {"role": "user", "name": "B", "content": "TERMINATE"},
        {"role": "user", "name": "B", "content": ""},
        {"role": "user", "name": "B", "content": " **TERMINATE.**\n"},
        {"role": "Orchestrator (thought)", "content": "Request satisfied."},
        {"role": "Orchestrator (termination condition)", "content": "Max rounds (30) reached."},
        {
            "role": "user",
            "name": "Computer_terminal",
            "content": "There is no code from the last 1 message for me to execute. Go on.",
        },
        {
            "role": "user",
            "name": "Computer_terminal",
            "content": "exitcode: 0 (execution succeeded)\nCode output: ",
        },
    ],
)
def test_parting_words_are_no_answer(parting):
    said = {"role": "assistant", "name": "A", "content": "It is the third door."}
    assert answer_of([said, parting]) == "It is the third door."


def test_what_a_terminal_printed_can_be_the_answer():
    shown = "exitcode: 0 (execution succeeded)\nCode output: 42\n"
    history = [
        {"role": "assistant", "name": "A", "content": "Run it."},
        {"role": "user", "name": "Computer_terminal", "content": shown},
    ]
    assert answer_of(history) == shown


def test_only_parting_words_leave_no_answer():
    history = [{"role": "assistant", "name": "A", "content": "TERMINATE"}]
    imp = imported_data({"history": history, "is_correct": False})
    assert rows(imp.recording, "answer", "verdict") == []
    assert "no step holds an answer" in imp.report.notes


def test_a_bare_list_of_named_speakers_is_a_group_chat():
    named = imported_data(CHAT["history"])
    assert named.report.format == "who-and-when"
    assert [row["actor"] for row, _ in links(named.recording)][:2] == [
        "Counter",
        "Computer_terminal",
    ]
    asides = [
        {"role": "human", "content": "Where?"},
        {"role": "Planner (-> Walker)", "content": "Go and see."},
        {"role": "Walker", "content": "By the weir."},
    ]
    assert answer_of(asides) == "By the weir."
    assert imported_data(asides).report.format == "who-and-when"
    people = [
        {"role": "user", "name": "ann", "content": "hi"},
        {"role": "assistant", "content": "hello"},
    ]
    assert imported_data(people).report.format == "openai-chat"


def test_labels_become_two_failed_verdicts():
    recording = imported("group_chat.json").recording
    on_answer, on_step = rows(recording, "verdict")
    assert (on_answer["slot"], on_answer["version"], on_answer["status"]) == ("answer", 1, "failed")
    assert {"code": "ground-truth", "message": "4", "path": ""} in on_answer["issues"]
    named = next(row for row, _ in links(recording) if row["source_index"] == 2)
    assert (on_step["link"], on_step["status"]) == (named["seq"], "failed")
    assert on_step["judge"] == "who&when annotators"
    assert on_step["reason"] == "It counted the wreck buoy as a lighthouse."
    assert recording.passing == "failing"


def test_labels_are_no_evidence():
    recording = imported("group_chat.json").recording
    texts = [recording.values.shown(digest) for digest in recording.values.digests]
    assert not any("wreck buoy as a lighthouse" in text or "mistake" in text for text in texts)


def test_the_other_spelling_of_the_ground_truth():
    verdict = rows(imported("orchestrated.json").recording, "verdict")[0]
    assert {"code": "ground-truth", "message": "Crumb & Co", "path": ""} in verdict["issues"]


@pytest.mark.parametrize("step", ["99", "minus one", -1, [2], "9" * 5_000, "²"])
def test_a_step_that_is_not_there_is_a_note(step):
    chat = {**copy.deepcopy(CHAT), "mistake_step": step}
    imp = imported_data(chat)
    assert [row["slot"] for row in rows(imp.recording, "verdict")] == ["answer"]
    [note] = rows(imp.recording, "note")
    assert "which is no step of the record" in note["text"]


def test_a_label_that_names_another_speaker_is_said():
    imp = imported_data({**copy.deepcopy(CHAT), "mistake_agent": "Checker"})
    assert "name 'Checker', but step 2 is by 'Counter'" in str(imp.report)


def test_a_right_answer_passes_and_no_label_judges_nothing():
    bare = {"question": "?", "history": CHAT["history"]}
    assert imported_data(bare).recording.passing == "unlabelled"
    assert imported_data({**bare, "is_correct": True}).recording.passing == "passing"
