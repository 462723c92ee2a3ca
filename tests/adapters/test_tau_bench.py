"""tau-bench results: many runs in a file, the reward as a verdict, the reference beside it."""

import json

import pytest

from explainkit.adapters import open_foreign
from explainkit.errors import UnknownRecordError
from tests.adapters.imports import FIXTURES, check_laws, imported, imported_data, leaf, links, rows

FILE = FIXTURES / "tau_results.json"


def test_ids_name_domain_task_and_trial():
    found = open_foreign(FILE)
    assert found.count == len(found) == 3
    assert [name.rpartition("-")[0] for name in found.ids] == [
        "tau-railway-3-trial-0",
        "tau-railway-3-trial-1",
        "tau-4-trial-0",
    ]


def test_a_run_is_read_by_position_id_or_unfinished_id():
    found = open_foreign(FILE)
    by_id = found.read(found.ids[1]).recording
    assert by_id.run == found.ids[1]
    assert found.read("tau-railway-3-trial-1").recording.run == by_id.run
    assert list(found.read(1).recording.lines()) == list(by_id.lines())


@pytest.mark.parametrize("run", [3, -1, "tau-railway-3", "nothing", ""])
def test_a_run_that_is_not_there(run):
    with pytest.raises(UnknownRecordError, match=r"tau_results\.json"):
        open_foreign(FILE).read(run)


def test_every_run_obeys_the_laws():
    for imp in open_foreign(FILE):
        check_laws(imp.recording)


def test_reward_is_the_verdict_on_the_last_words_of_the_model():
    failed, passed = imported(FILE.name, 0).recording, imported(FILE.name, 1).recording
    [answer] = rows(failed, "answer")
    assert leaf(failed, answer["uses"][0]) == "I put you on 4A."
    [verdict] = rows(failed, "verdict")
    assert (verdict["status"], verdict["judge"]) == ("failed", "tau-bench reward")
    assert (failed.passing, passed.passing) == ("failing", "passing")


def test_reference_and_hidden_instruction_are_notes_and_no_evidence():
    recording = imported(FILE.name).recording
    notes = [row["text"] for row in rows(recording, "note")]
    assert notes[0].startswith("reference actions: ")
    assert notes[1].startswith("hidden instruction of the simulated user: You are Ida.")
    texts = [recording.values.shown(digest) for digest in recording.values.digests]
    assert not any("aisle seat and never" in text or "swap_seat" in text for text in texts)


def test_the_question_is_what_the_user_opened_with():
    recording = imported(FILE.name).recording
    [start] = rows(recording, "run_started")
    assert recording.values.text(start["question"]) == "Hello, I want another seat."


def test_a_run_without_words_is_judged_by_its_link_and_without_anything_not_at_all():
    calls = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    silent = {"reward": 1.0, "traj": [{"role": "assistant", "content": None, "tool_calls": calls}]}
    recording = imported_data(silent).recording
    [verdict] = rows(recording, "verdict")
    assert verdict["link"] == links(recording, "model")[0][0]["seq"]
    imp = imported(FILE.name, 2)
    assert rows(imp.recording, "verdict") == []
    assert "judges nothing" in str(imp.report)


@pytest.mark.parametrize(
    ("reward", "status"),
    [(1, "passed"), (0.5, "failed"), (None, "unavailable"), (True, "unavailable")],
)
def test_reward_words(reward, status):
    run = {"reward": reward, "traj": [{"role": "assistant", "content": "Done."}]}
    assert rows(imported_data(run).recording, "verdict")[0]["status"] == status


def test_equal_results_keep_different_ids():
    run = json.loads(FILE.read_text("utf-8"))[0]
    from explainkit.adapters import detect

    assert len(set(detect([run, run, run]).ids)) == 3
