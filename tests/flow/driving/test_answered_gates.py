"""A paused machine goes on with what was answered at its Gate, also inside of a composition."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import RefusedError
from explainkit.flow import (
    Answered,
    Parallel,
    Paused,
    Sequence,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)
from explainkit.store.integrity import doctor
from tests.flow.driving.acting import through_json

APPROVE = define_event("approve", input=dict[str, int], audience="external")
REJECT = define_event("reject", audience="external")


def asking(name="desk"):
    return machine(
        name,
        context=lambda given: {"given": given},
        actors={"boss": gate(APPROVE, REJECT)},
        initial="a",
        states={
            "a": state(invoke=invoke("boss"), on={"approve": to("b"), "reject": to("c")}),
            "b": final(output=lambda args: args.event.payload["n"] + args.context["given"]),
            "c": final(output="rejected"),
        },
    )


def paused(runner, given):
    outcome = asyncio.run(runner.outcome(given))
    assert isinstance(outcome, Paused)
    return through_json(outcome.checkpoint)


def test_the_answer_is_given_with_the_checkpoint():
    checkpoint = paused(asking(), 1)
    told = {"event": "approve", "payload": {"n": 7}}
    assert asyncio.run(asking().outcome(told, resume=checkpoint)) == Answered(8)
    assert asyncio.run(asking().run({"event": "reject"}, resume=checkpoint)) == "rejected"


def test_without_an_answer_it_is_paused_again():
    outcome = asyncio.run(asking().outcome(resume=paused(asking(), 1)))
    assert isinstance(outcome, Paused)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("yes", "is no answer at a Gate"),
        ({"event": "aprove"}, 'No Gate takes "aprove". Open: boss \\(approve, reject\\)'),
        ({"event": "approve", "gate": "desk"}, 'No Gate takes "approve"'),
        ({"event": "approve", "n": 7}, "is no answer at a Gate"),
        ({"event": "approve", "payload": {"n": "x"}}, "does not fit"),
    ],
)
def test_what_is_no_answer_is_refused_and_the_record_is_closed(told, why):
    with pytest.raises(RefusedError, match=why):
        asyncio.run(asking().outcome(told, resume=paused(asking(), 1)))
    assert ek.last().status == "cancelled"
    assert not doctor(ek.last().recording)


def test_a_gate_inside_of_a_sequence_is_answered_through_it():
    whole = Sequence(lambda given: given * 10, asking(), lambda given: f"paid {given}")
    told = {"event": "approve", "payload": {"n": 7}}
    assert asyncio.run(whole.outcome(told, resume=paused(whole, 1))) == Answered("paid 17")
    assert not doctor(ek.last().recording)


def test_gates_of_several_branches_are_answered_by_the_branch():
    whole = Parallel({"a": asking("one"), "b": asking("two")}, merge=lambda found: found)
    told = {
        "a": {"event": "approve", "payload": {"n": 1}},
        "b": {"event": "reject"},
    }
    outcome = asyncio.run(whole.outcome(told, resume=paused(whole, 5)))
    assert outcome == Answered({"a": 6, "b": "rejected"})


def test_what_a_machine_is_handed_and_hands_on_is_declared():
    done = machine(
        "m",
        context=lambda given: {"given": given},
        initial="a",
        states={"a": final(output=lambda args: args.context["given"] * 3)},
    )
    whole = Sequence(lambda given: given + 1000, done, lambda given: given + 1)
    assert asyncio.run(whole.run(111)) == 3334
    recording = ek.last().recording
    opened = {row["name"]: row for row in recording.rows("link_opened")}
    given = opened["m"]["inputs"][0]["from"][0]
    assert recording.raw(given["seq"])["kind"] == "link_closed"
    closed = {row["link"]: row["seq"] for row in recording.rows("link_closed")}
    last = max(row["seq"] for row in recording.rows("link_opened"))
    handed = recording.raw(last)["inputs"][0]["from"][0]["seq"]
    assert handed == closed[opened["m"]["seq"]]
    assert not doctor(recording)
