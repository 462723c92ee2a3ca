"""Policies: a call is allowed, denied back to the model, or halts the run before it is made."""

import pytest

from explainkit.errors import AgentError, PolicyHaltError
from explainkit.flow.agents import Agent, allow, deny, halt
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered, Failed
from explainkit.flow.verdicts import verdict_from_json

from .agent_runs import Listening, call, closes, ended, inputs, rows, terminal, told, value


class Ledger:
    """Tools that note that they were called."""

    def __init__(self):
        self.made = []

    def read(self, order: str) -> str:
        self.made.append(("read", order))
        return f"order {order}: paid"

    def refund(self, order: str, euros: int) -> str:
        self.made.append(("refund", order, euros))
        return "refunded"


def agent_of(model, policy):
    ledger = Ledger()
    return Agent(model, tools=[ledger.read, ledger.refund], policy=policy), ledger


def test_an_allowed_call_is_made():
    agent, ledger = agent_of(ScriptedModel([call("read", order="7"), "ok"]), lambda c, s: allow())
    outcome, run = ended(agent)
    assert outcome == Answered("ok")
    assert ledger.made == [("read", "7")]
    (closed,) = closes(run, "policy")
    assert value(run, closed["output"]) == {"decision": "allow"}


def test_a_denied_call_is_not_made_and_the_model_is_told():
    def small(call, situation):
        return deny("over 100 euros") if call.arguments.get("euros", 0) > 100 else allow()

    model = Listening(call("refund", order="7", euros=500), "sorry")
    agent, ledger = agent_of(model, small)
    outcome, run = ended(agent)
    assert outcome == Answered("sorry")
    assert ledger.made == []
    assert told(model) == ["Denied: over 100 euros"]
    (opened,) = rows(run, "link_opened", type="policy")
    assert opened["name"] == "small"
    assert inputs(run, opened)["call"]["arguments"] == {"order": "7", "euros": 500}
    assert rows(run, "link_opened", type="tool") == []


def test_a_halt_ends_the_run_before_the_call_and_no_model_is_called():
    async def guard(call, situation):
        if call.name != "refund":
            return allow()
        assert [each["name"] for each in situation.sequence] == ["read"]
        return halt("refunds are frozen", tell_model="Refunds are frozen today.")

    guard.id = "refund-guard"
    model = Listening(
        call("read", order="7"),
        [call("refund", order="7", euros=90), call("read", order="8")],
        "never",
    )
    agent, ledger = agent_of(model, guard)
    outcome, run = ended(agent, "Refund order 7.")
    verdict = outcome.verdict
    assert ledger.made == [("read", "7")]
    assert model.calls == 2
    assert (verdict.reason, verdict.checker, verdict.iteration) == (
        "refunds are frozen",
        "refund-guard",
        2,
    )
    assert [(each["name"], each["arguments"]) for each in verdict.sequence] == [
        ("read", {"order": "7"}),
        ("refund", {"order": "7", "euros": 90}),
    ]
    roles = [each["role"] for each in verdict.history]
    assert roles == ["user", "assistant", "tool", "assistant", "tool", "tool"]
    assert verdict.history[4]["content"] == "Refunds are frozen today."
    assert verdict.history[4]["tool_call_id"] == verdict.sequence[-1]["id"]
    assert terminal(run) == [("policy-halt", "agent")]
    (recorded,) = [row for row in rows(run, "verdict") if row.get("terminal")]
    assert verdict_from_json(recorded["detail"]) == verdict


def test_the_error_of_a_halt_is_raised():
    agent, _ = agent_of(ScriptedModel([call("read", order="7")]), lambda c, s: halt("no"))
    with pytest.raises(PolicyHaltError, match='halted the run before the call of "read": no'):
        agent.run_sync("x")


def test_a_policy_that_raises_makes_no_call():
    def broken(call, situation):
        raise LookupError("no table")

    agent, ledger = agent_of(ScriptedModel([call("read", order="7")]), broken)
    outcome, run = ended(agent)
    assert isinstance(outcome.error, LookupError)
    assert ledger.made == []
    assert [row["status"] for row in closes(run, "policy")] == ["error"]


@pytest.mark.parametrize("given", [True, None, "allow"])
def test_a_policy_that_does_not_decide_makes_no_call(given):
    agent, ledger = agent_of(ScriptedModel([call("read", order="7")]), lambda c, s: given)
    outcome, _ = ended(agent)
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, AgentError)
    assert '"read"' in str(outcome.error)
    assert ledger.made == []


def test_a_policy_cannot_change_a_call():
    def rude(call, situation):
        call.arguments["euros"] = 1
        situation.messages[0]["content"] = "changed"
        return allow()

    model = Listening(call("refund", order="7", euros=90), "ok")
    agent, ledger = agent_of(model, rude)
    ended(agent, "Go.")
    assert ledger.made == [("refund", "7", 90)]
    assert model.prompts[1][0]["content"] == "Go."


def test_a_policy_is_not_asked_about_a_call_that_cannot_be_made():
    asked = []
    model = Listening(call("reed", order="7"), call("read", orders="7"), "ok")
    agent, _ = agent_of(model, lambda c, s: asked.append(c) or allow())
    ended(agent)
    assert asked == []


def test_a_denied_call_repeated_without_end_fails():
    model = Listening(*[call("read", order="7")] * 20)
    agent, _ = agent_of(model, lambda c, s: deny("no"))
    outcome, _ = ended(agent)
    assert type(outcome.error).__name__ == "AgentStuckError"
    assert model.calls < 10
