"""A verdict stands whatever its reason is made of: strange words never turn it into an error."""

import enum

import pytest

from explainkit.errors import AgentError
from explainkit.flow.agents import Agent, after_call, deny, fail_fast, halt
from explainkit.flow.agents.reliability import FailFast
from explainkit.flow.models import Completion, ScriptedModel
from explainkit.flow.outcomes import Refused

from .agent_runs import call, ended, terminal

LONE = "\ud800"


class Word(enum.Enum):
    TIMEOUT = "timeout"


class Unreadable:
    def __repr__(self):
        raise RuntimeError("no repr")


def look_up(order: int) -> str:
    "Look an order up."
    return f"order {order}"


def halting(reply, decision):
    return Agent(ScriptedModel([reply]), tools=[look_up], policy=lambda call, context: decision)


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        (halt(f"no {LONE}"), f"no {LONE}"),
        (halt(Word.TIMEOUT), "<Word.TIMEOUT: 'timeout'>"),
        (halt("no", tell_model=7), "no"),
    ],
)
def test_a_halt_stands_whatever_its_words_are(decision, reason):
    outcome, run = ended(halting(call("look_up", order=7), decision))
    assert isinstance(outcome, Refused)
    assert outcome.verdict.reason == reason
    assert terminal(run) == [("policy-halt", "agent")]


def test_a_halt_stands_behind_a_reply_without_a_form_in_utf_8():
    reply = Completion(text=f"I look {LONE}", tool_calls=(call("look_up", order=7),))
    outcome, _ = ended(halting(reply, halt("no")))
    assert isinstance(outcome, Refused)
    assert [each["role"] for each in outcome.verdict.history] == ["user", "assistant", "tool"]
    assert outcome.verdict.history[1]["content"] == f"I look {LONE}"


def test_a_reason_without_a_repr_is_described():
    outcome, _ = ended(halting(call("look_up", order=7), halt(Unreadable())))
    assert outcome.verdict.kind == "policy-halt"
    assert "repr raised RuntimeError" in outcome.verdict.reason


def test_a_rule_that_fails_fast_for_a_strange_reason_does_so():
    rule = after_call(ValueError, FailFast(Word.TIMEOUT, None))
    outcome, run = ended(Agent(ScriptedModel([ValueError(f"x {LONE}")]), rules=[rule]))
    assert (outcome.verdict.fail_kind, outcome.verdict.reason) == (
        "<Word.TIMEOUT: 'timeout'>",
        "None",
    )
    assert terminal(run) == [("reliability-fail-fast", "agent")]


@pytest.mark.parametrize("given", [{"kind": Word.TIMEOUT}, {"kind": "slow", "reason": None}])
def test_fail_fast_takes_texts(given):
    with pytest.raises(AgentError, match=r"fail_fast\((kind|reason)=.*\): give a text"):
        fail_fast(**given)


class Nameless:
    @property
    def name(self):
        raise RuntimeError("no name")

    def check_message(self, message, phase):
        return deny(Unreadable())


def test_a_middleware_without_a_readable_name_or_reason_denies():
    outcome, run = ended(Agent(ScriptedModel(["Hello."]), middleware=[Nameless()]))
    assert outcome.verdict.middleware == "Nameless"
    assert terminal(run) == [("message-denied", "agent")]
