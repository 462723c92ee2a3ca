"""Slots of picks, picks that were refused, and Gates that a person answered."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import SpanNotFoundError, UnknownRecordError
from explainkit.flow import agent, define_event, final, gate, invoke, machine, state, to
from explainkit.flow.models import ScriptedModel, ToolCall
from tests.flow.driving.acting import events
from tests.session.test_machine_picks import rows, set_answers, shown


def asking(*names):
    """An Agent that asks a person by a Gate, and what it picks."""
    approve = define_event("approve", audience="external")
    model = ScriptedModel([ToolCall(id="", name=name, arguments={}) for name in names])
    return machine(
        "asking",
        events=[*events("ask", "publish", "stop"), approve],
        actors={"writer": agent(model=model), "editor": gate(approve)},
        initial="writing",
        states={
            "writing": state(
                invoke=invoke("writer"),
                on={"stop": to("done")},
                initial="draft",
                states={
                    "draft": state(on={"ask": to("asked")}),
                    "asked": state(invoke=invoke("editor"), on={"approve": to("approved")}),
                    "approved": state(on={"publish": to("draft")}),
                },
            ),
            "done": final(),
        },
    )


def approved(*names):
    """A run in which a person approves what the Agent asks for."""

    async def play():
        running = asking(*names).begin()
        await running.gate("editor")
        running.gates["editor"].send("approve", {})
        await running.outcome()

    asyncio.run(play())
    return ek.last()


def test_a_refused_pick_is_a_row_with_the_reason_that_was_read_and_no_answer():
    run = approved("publish", "ask", "stop")
    refused, asked, stopped = rows(run)
    assert (refused["event"], refused["status"], refused["moved"]) == ("publish", "refused", False)
    assert '"publish" is not accepted now' in refused["read"]
    assert refused["read"] in run.prompt().text
    assert shown(run, "source") == [None, "reply", "receipt"]
    assert shown(run, "slot") == [None, f"pick:{asked['seq']}", f"pick:{stopped['seq']}"]
    assert "writer picked publish: (refused: " in repr(run)


def test_the_slot_of_a_pick_its_seq_and_numbers_out_of_the_table_all_lead_to_its_answer():
    run = approved("ask", "stop")
    slot, seq = run.picks["slot"][0], run.picks["seq"][0]
    walks = [run.backtrack(slot=each).walk for each in (slot, seq, int(seq))]
    assert walks[0] == walks[1] == walks[2]
    assert walks[0].answer == '{"type": "approve"}'
    assert run.backtrack(answer=run.picks["seq"][0] * 0 + 1, slot=slot).walk == walks[0]


@pytest.mark.parametrize("slot", [2.5, None, True, ["pick:1"]])
def test_what_is_no_slot_is_refused_with_what_to_give_instead(slot):
    run = approved("ask", "stop")
    with pytest.raises(TypeError, match=r"slot= takes the name of an answer slot, as in run.picks"):
        run.backtrack(slot=slot)
    with pytest.raises(UnknownRecordError, match="has no answer slot 'pick:99999'"):
        run.backtrack(slot=99999)


def test_words_of_another_answer_are_not_found_but_said_where_they_are():
    run = set_answers("A steady sentence of ours.")
    slot = run.picks["slot"][0]
    with ek.trace("own") as other:
        ek.answer("First words of it.")
        ek.override("Other words.", by="editor")
    with pytest.raises(SpanNotFoundError, match=rf"hold them: slot='{slot}'\."):
        run.backtrack(span="steady sentence")
    with pytest.raises(SpanNotFoundError, match=r"hold them: slot='answer', answer=1\."):
        other.backtrack(span="First words")
    with pytest.raises(SpanNotFoundError) as caught:
        run.backtrack(span="nobody said this")
    assert "Other answers" not in str(caught.value)


def test_a_gate_that_a_person_answered_is_not_shown_as_cancelled():
    run = approved("ask", "stop")
    links = run.links.set_index("name")["status"]
    assert links["editor"] == "answered"
    statuses = {data["name"]: data["status"] for _, data in run.graph().nodes(data=True)}
    assert statuses["editor"] == "answered"


def test_a_gate_that_nobody_answered_is_shown_as_cancelled():
    async def play():
        running = asking("ask").begin()
        await running.gate("editor")
        running.cancel()
        await running.outcome()

    asyncio.run(play())
    assert ek.last().links.set_index("name")["status"]["editor"] == "cancelled"
