"""A run without an answer is walked back from the verdict or error that it ended on."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import SpanNotFoundError, UnknownRecordError
from explainkit.flow import Agent
from explainkit.flow.models import ScriptedModel
from tests.flow.agents.agent_runs import Refusing
from tests.flow.compositions.test_real_agents import CALL, refund
from tests.session.ended_runs import (
    KINDS,
    asking,
    boom,
    letter,
    refused,
    run_of,
    several,
    up,
)

WALKED_FROM = {
    "reliability-fail-fast": "what desk model was given",
    "policy-halt": "the call that was not made",
    "message-denied": 'the message (the middleware "denying" denied it; 7 characters)',
    "unsupported-values": "the answer that was not let out",
    "consent-pending": "the reply with the call that waits for consent",
    "answer-validation": "the answer that was not let out",
}


def kinds(run, back):
    return [run.recording.raw(hop.source.seq)["kind"] for hop in back.hops]


def connected(back):
    """Whether every hop but the first goes on from where an earlier one led to."""
    reached = {(hop.source.seq, hop.source.slot, hop.source.path) for hop in back.hops}
    starts = {(hop.target.seq, hop.target.slot, hop.target.path) for hop in back.hops} - reached
    return len(starts) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_walk_leads_to_the_record_that_the_verdict_came_from(kind):
    run = refused(kind)
    back = run.backtrack()
    assert back.walk.ended == WALKED_FROM[kind]
    assert not back.walk.inferred
    assert [hop.depth for hop in back.hops] == sorted(hop.depth for hop in back.hops)
    first, second = back.hops[:2]
    assert (first.target.label, first.source.label) == (
        "end of sequence letter",
        "end of agent desk",
    )
    assert first.source.text == run.ended_by.message
    assert (first.verb, first.grade, second.grade != "order") == ("carried", "declared", True)
    assert connected(back)
    for text in (back.text(), repr(back), back._repr_html_(), back.to_html(), back.to_dot()):
        assert "desk" in text
        assert "cannot be shown" not in text
    assert back.to_json()["answer"]["ended"] == WALKED_FROM[kind]


def test_a_halted_call_leads_to_the_model_that_proposed_it():
    back = refused("policy-halt").backtrack(span="80")
    assert back.walk.answer[slice(*back.span)] == "80"
    assert [(hop.source.label, hop.grade) for hop in back.hops[:3]] == [
        ("end of agent desk", "declared"),
        ("call of <lambda>", "declared"),
        ("output of desk model", "declared"),
    ]
    assert back.hops[-1].source.label == "output of up"


@pytest.mark.parametrize("kind", KINDS)
def test_no_reply_of_a_model_stands_for_the_answer_of_a_refused_run(kind):
    with pytest.raises(UnknownRecordError, match="has no answer"):
        _ = refused(kind).answer


def test_a_denied_message_leads_to_its_lost_record_and_holds_nothing_of_it():
    run = refused("message-denied")
    back = run.backtrack()
    assert kinds(run, back)[-1] == "lost"
    assert back.walk.answer == ""
    assert "No text is kept of the message" in repr(back)


def test_a_denied_reply_leads_on_to_what_the_model_was_asked():
    agent = Agent(ScriptedModel(["My secret."]), middleware=[Refusing("output")], name="desk")
    run = run_of(letter(agent), "tell me all")
    back = run.backtrack()
    assert [hop.source.label for hop in back.hops[:3]] == [
        "end of agent desk",
        "lost",
        "messages of desk model",
    ]
    assert "output of up" in [hop.source.label for hop in back.hops]
    assert "secret" not in back.text()


def test_unsupported_values_are_marked_in_the_answer_that_was_not_let_out():
    back = refused("unsupported-values").backtrack()
    assert (back.hops[1].source.text, back.walk.answer) == ("99", "It is 99.")


def test_an_error_leads_to_the_link_that_raised_it_and_what_that_was_given():
    run = run_of(letter(boom), "pay 80 euros")
    back = run.backtrack()
    assert [(hop.source.label, hop.grade) for hop in back.hops[:4]] == [
        ("end of function boom", "declared"),
        ("error of boom", "value"),
        ("input of boom", "exposure"),
        ("output of up", "declared"),
    ]
    assert back.walk.answer == "PAY 80 EUROS"
    with pytest.raises(SpanNotFoundError):
        run.backtrack(span="nothing of it")


def test_several_branches_are_all_named_and_the_walk_says_which_one_it_goes_on_from():
    back = run_of(several()).backtrack()
    ends = {hop.source.label for hop in back.hops}
    assert {"end of agent cashier", "end of function boom", "end of loop Loop"} <= ends
    assert any("3 branches ended so" in line for line in back.walk.caps)


def test_a_question_that_waits_leads_to_the_model_that_asks_it():
    back = run_of(asking()).backtrack()
    assert back.walk.answer == "Which order?"
    assert back.hops[-1].source.label == "output of desk model"


def test_an_answer_is_walked_back_as_ever_and_its_own_slot_can_still_be_chosen():
    answered = run_of(letter(up)).backtrack()
    assert answered.walk.ended is None
    assert "ended" not in answered.to_json()["answer"]
    run = refused("unsupported-values")
    link = run.ended_by.link
    chosen = run.backtrack(slot=f"answer:{link}")
    assert (chosen.walk.ended, chosen.answer) == (None, "It is 99.")
    assert "Ended on" not in chosen._repr_html_()


def test_the_saved_run_is_walked_the_same(tmp_path):
    run = refused("policy-halt", to=tmp_path)
    assert ek.load(run.path).backtrack().to_json() == run.backtrack().to_json()


def test_an_agent_that_answered_inside_of_an_open_block_is_no_end():
    async def block():
        with ek.trace("block") as run:
            await Agent(ScriptedModel([CALL, "Paid."]), tools=[refund], name="desk").outcome("x")
        return run

    run = asyncio.run(block())
    assert run.ended_by is None
    assert run.backtrack().answer == "Paid."
