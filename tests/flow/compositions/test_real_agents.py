"""Real Agents as children, driven to each verdict by their own rules, policy, middleware, gate."""

import pytest

from explainkit.errors import VerdictError
from explainkit.flow.agents import (
    Agent,
    after_call,
    ask_person,
    deny,
    fail_fast,
    halt,
    tool,
)
from explainkit.flow.checks import CheckResult
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    when,
    workflow,
)
from explainkit.flow.models import ScriptedModel, ToolCall
from explainkit.flow.outcomes import Answered, Failed, Paused, Refused
from tests.flow.compositions.scripts import error_of, last_note, outcome, played, through_json


def refund(amount: int) -> str:
    """Pay money back."""
    return f"paid {amount}"


class Denying:
    name = "denying"

    def check_message(self, message, phase):
        del message, phase
        return deny("a card number")


class Failing:
    id = "failing"

    def check(self, value, context):
        del value, context
        return CheckResult("failed")


CALL = ToolCall(id="", name="refund", arguments={"amount": 80})
ASK = ToolCall(id="", name="ask_person", arguments={"question": "Which order?"})
REFUSING = {
    "reliability-fail-fast": (
        [TimeoutError("slow")],
        {"rules": [after_call(TimeoutError, fail_fast("outage"))]},
    ),
    "policy-halt": ([CALL], {"policy": lambda call, standing: halt("no refunds")}),
    "message-denied": (["Hi."], {"middleware": [Denying()]}),
    "unsupported-values": (["It is 99."] * 2, {"evidence_gate": "rails"}),
    "consent-pending": ([CALL], {"tools": [tool(refund, consent="x")], "can_ask": False}),
    "answer-validation": (["Hi."], {"validator": Failing()}),
}


class Counting(ScriptedModel):
    """A scripted model that counts its calls."""

    calls = 0

    async def complete(self, prompt, *, tools=()):
        self.calls += 1
        return await super().complete(prompt, tools=tools)


def refusing(kind, name="Agent"):
    replies, settings = REFUSING[kind]
    return Agent(ScriptedModel(replies), **({"tools": [refund]} | settings), name=name)


def after():
    """An Agent that must not be asked, and its model."""
    model = Counting(["never"] * 9)
    return Agent(model, name="after"), model


def same(given):
    return given


def no(_):
    return False


def yes(_):
    return True


LINEAR = {
    "sequence": lambda child, after, n: Sequence(*[same] * n, child, after),
    "workflow": lambda child, after, n: workflow(*[same] * n, child, after),
    "conditional": lambda child, after, n: Conditional(
        *[when(no, after)] * n, when(yes, child), when(yes, after), default=after
    ),
    "loop": lambda child, after, n: Loop(Sequence(*[same] * n, child, after), for_at_most=3),
}
WIDE = {
    "parallel": lambda child, after: Parallel({"a": child, "b": same}, merge=after),
    "graph": lambda child, after: graph({"a": child, "b": after}, [("a", "b")]),
}


@pytest.mark.parametrize("nesting", [1, 2, 6])
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("shape", LINEAR)
@pytest.mark.parametrize("kind", REFUSING)
def test_a_verdict_ends_the_whole_and_no_other_model_is_asked(kind, shape, position, nesting):
    later, model = after()
    whole = LINEAR[shape](refusing(kind), later, position)
    for number in range(1, nesting):
        outer = list(LINEAR)[number % len(LINEAR)]
        whole = LINEAR[outer](whole, later, position)
    found, recording = played(whole, "Pay it back.")
    assert isinstance(found, Refused)
    assert found.verdict.kind == kind
    assert model.calls == 0
    [row] = [row for row in recording.rows("verdict") if row.get("terminal")]
    assert row["terminal"] == kind
    assert recording.status == "verdict"


@pytest.mark.parametrize("shape", WIDE)
@pytest.mark.parametrize("kind", REFUSING)
def test_a_verdict_fails_its_branch_and_nothing_later_starts(kind, shape):
    later, model = after()
    found, _ = played(Sequence(WIDE[shape](refusing(kind), later), later), "Pay it back.")
    assert isinstance(found, Failed)
    assert {error.verdict.kind for error in found.error.exceptions} == {kind}
    assert model.calls == 0


@pytest.mark.parametrize("kind", REFUSING)
def test_the_composed_error_is_that_of_the_agent_alone_with_its_path(kind):
    alone = error_of(refusing(kind), "Pay it back.")
    composed = error_of(Sequence(Conditional(when(lambda _: True, refusing(kind)))), "Pay it back.")
    assert isinstance(alone, VerdictError)
    assert type(composed) is type(alone)
    assert str(composed) == str(alone)
    assert composed.verdict == alone.verdict
    assert last_note(composed) == "in Sequence[1] > Conditional.1 > Agent"


def test_the_answer_of_one_agent_is_the_declared_input_of_the_next():
    whole = Sequence(
        Agent(ScriptedModel(["half of the fare"]), name="first"),
        Agent(ScriptedModel(["It is half of the fare."]), name="second"),
    )
    found, recording = played(whole, "How much?")
    assert found == Answered("It is half of the fare.")
    links = {row["seq"]: row["name"] for row in recording.rows("link_opened")}
    closing = {row["seq"]: links[row["link"]] for row in recording.rows("link_closed")}
    [second] = [row for row in recording.rows("link_opened") if row["name"] == "second"]
    [place] = second["inputs"][0]["from"]
    assert (closing[place["seq"]], place["slot"]) == ("first", "output")


def test_a_question_pauses_the_whole_and_its_answer_goes_to_the_agent_that_asked():
    def whole():
        asking = Agent(ScriptedModel([ASK, "A7 is paid back."]), tools=[ask_person()])
        other = Agent(ScriptedModel(["ok"]), name="other")
        return Sequence(Parallel({"a": asking, "b": other}), lambda by: by)

    found = outcome(whole(), "Pay it back.")
    assert isinstance(found, Paused)
    asking = Agent(ScriptedModel(["A7 is paid back."]), tools=[ask_person()])
    never = Agent(ScriptedModel([]), name="other")
    again = Sequence(Parallel({"a": asking, "b": never}), lambda by: by)
    ended = outcome(again, "It is A7.", resume=through_json(found.checkpoint))
    assert ended == Answered({"a": "A7 is paid back.", "b": "ok"})
