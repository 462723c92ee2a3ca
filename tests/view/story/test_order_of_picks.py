"""A story tells a pick where it was made, and what was read of it after what happened for it."""

import asyncio

import pytest

import explainkit as ek
from explainkit.flow import (
    ScriptedAgent,
    answer,
    define_event,
    final,
    invoke,
    machine,
    python,
    state,
    to,
)
from tests.view.story.test_laws_of_stories import check_linked

AT_ONCE = (answer(lambda args: "well"),)


def ran(*, do=(), at_once=AT_ONCE):
    """A machine whose Agent picks `check`, for which a function runs, `note` and `finished`."""
    chart = machine(
        "fix",
        events=[define_event(name) for name in ("check", "note", "finished")],
        actors={"coder": ScriptedAgent(["check", "note", "finished"]), "lint": python(lambda: 7)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={"finished": to("done"), "note": to(do=list(at_once))},
                initial="ready",
                states={
                    "ready": state(on={"check": to("linting")}),
                    "linting": state(invoke=invoke("lint", on_done=to("ready", do=do))),
                },
            ),
            "done": final(),
        },
    )
    asyncio.run(chart.run())
    return ek.last()


def told(run):
    story = run.story(full=True)
    check_linked(story)
    return [each.text for each in story]


def place(texts, words):
    (found,) = [at for at, text in enumerate(texts) if words in text]
    return found


def test_what_an_agent_read_is_told_after_what_ran_for_its_pick():
    texts = told(ran())
    order = [
        place(texts, "The Agent “coder” picked “check”."),
        place(texts, "“lint” ran and gave 7"),
        place(texts, "“coder” read the last reply to its pick “check”: 7"),
        place(texts, "picked “note”"),
    ]
    assert order == sorted(order)


def test_an_answer_of_the_chart_is_told_once_and_after_what_it_is_made_from():
    texts = told(ran(do=[answer(lambda args: "seven faults")]))
    order = [
        place(texts, "The Agent “coder” picked “check”."),
        place(texts, "“lint” ran and gave 7"),
        place(texts, "put “seven faults” in the place of the reply (lint: 7)"),
    ]
    assert order == sorted(order)
    assert "and “coder” read that of its pick “check”" in texts[order[-1]]
    assert sum("seven faults" in text for text in texts) == 1


def test_a_pick_that_is_answered_at_once_is_one_sentence():
    texts = told(ran(at_once=[answer(lambda args: "noted")]))
    told_of = [text for text in texts if "noted" in text]
    assert told_of == [
        "The Agent “coder” picked “note”; in the end it read “noted” (an answer in the chart)."
    ]


@pytest.mark.parametrize("full", [True, False])
def test_every_record_of_a_pick_opens(full):
    run = ran(do=[answer(lambda args: "seven faults")], at_once=[answer(lambda args: "noted")])
    story = run.story(full=full)
    for row in run.recording.rows("event", "reply", "override"):
        assert story.of(row["seq"])
