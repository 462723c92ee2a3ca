"""Every end of an Agent, by every way to run it: one status, one verdict, no call after it."""

import asyncio

import pytest

import explainkit as ek
from explainkit.flow.agents import Agent, after_call, ask_person, fail_fast, halt, tool
from explainkit.flow.checks import CheckResult
from explainkit.flow.compositions import Sequence
from explainkit.flow.outcomes import Answered, answer_of

from .agent_runs import Listening, Refusing, call, closes, rows, sound, terminal


def look(n: int) -> int:
    return n


class Failing:
    id = "failing"

    def check(self, value, context):
        return CheckResult("failed")


LOOKS = [call("look", n=n) for n in range(9)]
ENDS = {
    "answered": (["Hi."], {}, None, 1),
    "error": ([TimeoutError("slow")], {}, None, 1),
    "exhausted": (LOOKS, {"max_calls": 2}, None, 2),
    "paused": ([call("ask_person", question="?")], {"tools": [ask_person()]}, None, 1),
    "reliability": (
        [TimeoutError("slow")],
        {"rules": [after_call(TimeoutError, fail_fast("outage"))]},
        "reliability-fail-fast",
        1,
    ),
    "halt": ([LOOKS[0]], {"policy": lambda c, s: halt("no")}, "policy-halt", 1),
    "denied input": (["Hi."], {"middleware": [Refusing("input")]}, "message-denied", 0),
    "denied output": (["Hi."], {"middleware": [Refusing("output")]}, "message-denied", 1),
    "unsupported": (["It is 99."] * 2, {"evidence_gate": "rails"}, "unsupported-values", 2),
    "consent": (
        [LOOKS[0]],
        {"tools": [tool(look, consent="x")], "can_ask": False},
        "consent-pending",
        1,
    ),
    "validation": (["Hi."], {"validator": Failing()}, "answer-validation", 1),
}
STATUS = {"answered": "answered", "error": "error", "exhausted": "exhausted", "paused": "paused"}


def agent_of(name):
    replies, settings, kind, calls = ENDS[name]
    model = Listening(*replies, *["never"] * 3)
    return Agent(model, **({"tools": [look]} | settings)), model, kind, calls


def by_outcome(agent):
    return asyncio.run(agent.outcome("Go.")), ek.last()


def by_chat(agent):
    chat = agent.chat()
    return asyncio.run(chat.outcome("Go.")), chat[0].run


def by_stream(agent):
    return _read(agent.stream("Go.")), ek.last()


def by_streamed_chat(agent):
    chat = agent.chat()
    return _read(chat.stream("Go.")), chat[0].run


def by_sequence(agent):
    return asyncio.run(Sequence(agent).outcome("Go.")), ek.last()


def _read(stream):
    async def read():
        try:
            async for _ in stream:
                pass
        except Exception as error:
            with pytest.raises(type(error)):
                answer_of(stream.outcome)

    asyncio.run(read())
    return stream.outcome


@pytest.mark.parametrize("way", [by_outcome, by_chat, by_stream, by_streamed_chat, by_sequence])
@pytest.mark.parametrize("name", ENDS)
def test_an_end_is_the_same_by_every_way(name, way):
    agent, model, kind, calls = agent_of(name)
    outcome, run = way(agent)
    sound(run)
    assert model.calls == calls
    assert run.status == STATUS.get(name, "verdict")
    assert [row["status"] for row in closes(run, "agent")] == [run.status]
    assert terminal(run) == ([] if kind is None else [(kind, "agent")])
    assert (kind is None) == (getattr(outcome, "verdict", None) is None)
    assert isinstance(outcome, Answered) == (name == "answered")


@pytest.mark.parametrize("name", [name for name, end in ENDS.items() if end[2]])
def test_the_error_of_a_composition_is_that_of_the_agent_alone(name):
    with pytest.raises(Exception) as alone:
        agent_of(name)[0].run_sync("Go.")
    with pytest.raises(Exception) as composed:
        Sequence(Sequence(agent_of(name)[0]), len).run_sync("Go.")
    assert type(alone.value) is type(composed.value)
    assert str(alone.value) == str(composed.value)
    assert alone.value.verdict == composed.value.verdict
    assert rows(ek.last(), "run_ended")[0]["status"] == "verdict"


def test_several_verdicts_stand_in_their_order():
    agent = Agent(Listening("It is 99."), evidence_gate="rails", max_calls=1, validator=Failing())
    outcome, run = by_outcome(agent)
    assert outcome.verdict.kind == "unsupported-values"
    judged = [(row["judge"], row["status"]) for row in rows(run, "verdict") if "slot" in row]
    assert sorted(judged) == [("evidence gate", "failed"), ("failing", "failed")]
