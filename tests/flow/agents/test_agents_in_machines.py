"""Agents of machines with pieces, rules, policy and middleware; their verdicts end the machine."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import (
    ChartError,
    MessageDeniedError,
    PolicyHaltError,
    ReliabilityFailFastError,
)
from explainkit.flow.actors import agent, fail
from explainkit.flow.agents import (
    Agent,
    after_call,
    allow,
    deny,
    fail_fast,
    halt,
    on_request,
    piece,
    retry,
)
from explainkit.flow.compositions import Sequence
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered, Failed, Refused
from explainkit.flow.statecharts import define_event, final, invoke, machine, state, to

from .agent_runs import Listening, Refusing, call, closes, rows, sound, terminal

LOOK = define_event("look", "Look at it.")
FINISHED = define_event("finished", "Say that it is done.")


def chart(model, *, on=None, **settings):
    return machine(
        "desk",
        events=[LOOK, FINISHED],
        actors={"clerk": agent(model=model, **settings), "fail": fail()},
        initial="working",
        on=on or {},
        states={
            "working": state(
                invoke=invoke("clerk", input={"prompt": "Do it."}),
                on={"look": to(".ready"), "finished": to("done")},
                initial="ready",
                states={"ready": state()},
            ),
            "done": final(),
            "failed": state(invoke=invoke("fail", input={"reason": "gave up"})),
        },
    )


def ended(machine_):
    return asyncio.run(machine_.outcome()), sound(ek.last())


def test_pieces_reach_the_model_of_a_turn():
    model = Listening(call("skill"), call("finished"))
    pieces = [piece("tariff", "No refund."), piece("skill", "Say please.", trigger=on_request())]
    outcome, run = ended(chart(model, instructions="Be brief.", context=pieces))
    assert isinstance(outcome, Answered)
    assert model.prompts[1][0]["content"] == "Be brief.\n\nNo refund.\n\nSay please."
    assert model.tools[0] == ["look", "finished", "skill"]
    names = [row["name"] for row in rows(run, "context")]
    assert names == ["instructions", "tariff", "prompt", "skill"]


def test_a_rule_tries_again():
    model = Listening(TimeoutError("slow"), call("finished"))
    outcome, _ = ended(chart(model, rules=[after_call(TimeoutError, retry())]))
    assert isinstance(outcome, Answered)


def test_a_denied_pick_is_told_and_not_made():
    def policy(asked, situation):
        return deny("not now") if asked.name == "look" else allow()

    model = Listening(call("look"), call("finished"))
    outcome, run = ended(chart(model, policy=policy))
    assert isinstance(outcome, Answered)
    assert model.prompts[1][-1]["content"] == "Denied: not now"
    assert "look" not in [row["name"] for row in rows(run, "event")]
    assert [row["name"] for row in rows(run, "link_opened", type="policy")] == ["policy"] * 2


VERDICTS = {
    "reliability": (
        [TimeoutError("slow")],
        {"rules": [after_call(TimeoutError, fail_fast("outage"))]},
        ReliabilityFailFastError,
    ),
    "halt": ([call("look")], {"policy": lambda c, s: halt("frozen")}, PolicyHaltError),
    "denied": (
        ["The vault is open."],
        {"middleware": [Refusing("output", "vault")]},
        MessageDeniedError,
    ),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict_of_a_turn_is_that_of_the_machine(name):
    replies, settings, error = VERDICTS[name]
    model = Listening(*replies, *[call("finished")] * 3)
    outcome, run = ended(chart(model, **settings))
    assert isinstance(outcome, Refused)
    assert model.calls == 1
    assert run.status == "verdict"
    assert [row["status"] for row in closes(run, "machine")] == ["verdict"]
    assert terminal(run) == [(outcome.verdict.kind, "agent")]
    with pytest.raises(error) as caught:
        chart(ScriptedModel(replies), **settings).run_sync()
    assert caught.value.verdict.kind == outcome.verdict.kind
    alone = asyncio.run(Agent(ScriptedModel(replies), **settings, tools=[look]).outcome("x"))
    assert type(alone.verdict) is type(outcome.verdict)


def look():
    return 1


def test_a_run_that_ended_on_a_verdict_can_be_done_again(tmp_path):
    replies, settings, _ = VERDICTS["halt"]
    whole = chart(ScriptedModel(replies), **settings)
    asyncio.run(whole.outcome(to=tmp_path))
    (path,) = tmp_path.glob("*.ek.jsonl")
    replay = whole.replay(path)
    assert replay.difference is None


@pytest.mark.parametrize("name", VERDICTS)
def test_a_chart_may_handle_the_fault_of_a_verdict(name):
    replies, settings, _ = VERDICTS[name]
    model = Listening(*replies)
    outcome, run = ended(chart(model, on={"agent.fault": to(".done")}, **settings))
    assert isinstance(outcome, Answered)
    assert len(terminal(run)) == 1
    assert run.status == "answered"


def test_the_verdict_goes_through_a_composition_around_the_machine():
    replies, settings, error = VERDICTS["halt"]
    with pytest.raises(error) as caught:
        Sequence(chart(ScriptedModel(replies), **settings), len).run_sync()
    assert "Sequence[1] > desk" in caught.value.__notes__[-1]


def test_a_denied_reply_is_nowhere_in_the_run_of_the_machine(tmp_path):
    replies, settings, _ = VERDICTS["denied"]
    _, run = ended(chart(ScriptedModel(replies), **settings))
    run.save(tmp_path / "run.ek.jsonl")
    assert b"vault" not in (tmp_path / "run.ek.jsonl").read_bytes()
    assert rows(run, "lost", what="denied")


def test_other_faults_stay_errors():
    outcome, _ = ended(chart(ScriptedModel([TimeoutError("slow")])))
    assert isinstance(outcome, Failed)


@pytest.mark.parametrize("settings", [{"rules": [3]}, {"context": ["x"]}, {"middleware": [len]}])
def test_what_is_not_well_built_is_a_chart_error(settings):
    with pytest.raises(ChartError):
        agent(model=ScriptedModel([]), **settings)
