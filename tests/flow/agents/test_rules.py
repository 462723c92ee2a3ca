"""Reliability rules: the first that matches decides, bounded, and a cancellation is no failure."""

import asyncio

import pytest

from explainkit.errors import AgentError, ReliabilityFailFastError
from explainkit.flow.agents import (
    Agent,
    after_call,
    before_call,
    fail_fast,
    fall_back,
    go_on,
    retry,
)
from explainkit.flow.models import Completion, ScriptedModel
from explainkit.flow.outcomes import Answered, Exhausted, Failed

from .agent_runs import Listening, call, closes, ended, rows, terminal

SLOW = TimeoutError("no reply in 30 s")


def decisions(run):
    return [
        (row["options"], row.get("results"), row.get("chosen")) for row in rows(run, "decision")
    ]


def test_a_call_is_tried_again_as_often_as_the_rule_says():
    model = Listening(SLOW, SLOW, "Here.")
    outcome, run = ended(Agent(model, rules=[after_call(TimeoutError, retry(2))]))
    assert outcome == Answered("Here.")
    assert [row["status"] for row in closes(run, "model")] == ["error", "error", "answered"]
    assert decisions(run) == [
        (["TimeoutError: retry"], [True], "TimeoutError: retry"),
        (["TimeoutError: retry"], [True], "TimeoutError: retry"),
        (["TimeoutError: retry"], [False], None),
    ]


def test_a_retry_that_is_used_up_lets_the_next_rule_decide():
    model = Listening(SLOW, SLOW, "never")
    rules = [after_call(TimeoutError, retry(1)), after_call(OSError, fail_fast("outage", "Wait."))]
    outcome, run = ended(Agent(model, rules=rules))
    verdict = outcome.verdict
    assert (verdict.fail_kind, verdict.phase, verdict.attempt) == ("outage", "post-decide", 2)
    assert (verdict.error_kind, verdict.error_message) == ("TimeoutError", "no reply in 30 s")
    assert (verdict.provider, verdict.reason) == ("listening", "Wait.")
    assert model.calls == 2
    assert decisions(run)[-1][1] == ["used up", True]
    assert terminal(run) == [("reliability-fail-fast", "agent")]


def test_retries_count_anew_for_each_reply():
    model = Listening(SLOW, call("look"), SLOW, "done")

    def look():
        return 1

    outcome, _ = ended(Agent(model, tools=[look], rules=[after_call(TimeoutError, retry(1))]))
    assert outcome == Answered("done")


def test_another_model_is_tried_for_one_reply():
    first = Listening(SLOW, "first again")
    other = Listening(call("look"))

    def look():
        return 1

    rules = [after_call(TimeoutError, retry(model=other))]
    assert ended(Agent(first, tools=[look], rules=rules))[0] == Answered("first again")
    assert other.calls == 1


def test_falling_back_on_a_model_is_for_the_rest_of_the_run():
    first, other = Listening(SLOW, "first"), Listening(call("look"), "other")

    def look():
        return 1

    rules = [after_call(TimeoutError, fall_back(model=other))]
    outcome, run = ended(Agent(first, tools=[look], rules=rules))
    assert outcome == Answered("other")
    assert first.calls == 1
    assert rows(run, "decision")[0]["chosen"] == "TimeoutError: fall back on another model"


@pytest.mark.parametrize("given", ["We are closed.", {"closed": True}, None, ""])
def test_falling_back_on_a_value_answers_with_it(given):
    model = Listening(SLOW)
    outcome, run = ended(Agent(model, rules=[after_call(TimeoutError, fall_back(given))]))
    assert outcome == Answered(given)
    assert run.answer == given
    assert rows(run, "answer")[0].get("uses", []) == []


def test_a_rule_before_the_call_ends_the_run_without_it():
    model = Listening("never")
    rule = before_call(lambda attempt: len(attempt.messages) == 1, fail_fast("too long"))
    outcome, run = ended(Agent(model, rules=[rule]))
    assert (outcome.verdict.phase, outcome.verdict.attempt) == ("pre-check", 1)
    assert outcome.verdict.error_kind is None
    assert model.calls == 0
    assert run.status == "verdict"


def test_a_rule_before_the_call_may_choose_another_model_or_a_value():
    first, other = Listening("first"), Listening("other")
    always = lambda attempt: True  # noqa: E731
    assert ended(Agent(first, rules=[before_call(always, fall_back(model=other))]))[0] == (
        Answered("other")
    )
    assert ended(Agent(first, rules=[before_call(always, fall_back("value"))]))[0] == (
        Answered("value")
    )
    assert first.calls == 0


def test_the_first_match_decides_and_the_rest_is_not_asked():
    asked = []
    rules = [
        after_call(lambda attempt: attempt.completion is not None, go_on(), name="fine"),
        after_call(lambda attempt: asked.append(1), fail_fast("never"), name="strict"),
    ]
    outcome, run = ended(Agent(ScriptedModel(["x"]), rules=rules))
    assert outcome == Answered("x")
    assert asked == []
    assert decisions(run) == [(["fine: go on", "strict: fail fast"], [True, None], "fine: go on")]


def test_a_reply_can_be_refused_by_its_content_and_asked_for_again():
    rule = after_call(lambda attempt: attempt.completion.text == "hm", retry(3))
    model = Listening("hm", "hm", "Here.")
    outcome, _ = ended(Agent(model, rules=[rule]))
    assert outcome == Answered("Here.")
    assert all(len(prompt) == 1 for prompt in model.prompts)


def test_go_on_lets_an_error_stand():
    outcome, _ = ended(Agent(Listening(SLOW), rules=[after_call(TimeoutError, go_on())]))
    assert outcome == Failed(SLOW)


def test_the_budget_of_calls_counts_tries():
    model = Listening(*[SLOW] * 9)
    outcome, _ = ended(Agent(model, rules=[after_call(TimeoutError, retry(9))], max_calls=4))
    assert outcome == Exhausted(None)
    assert model.calls == 4


def test_a_rule_that_raises_fails_the_run_and_says_which():
    def broken(attempt):
        raise LookupError("no table")

    outcome, run = ended(Agent(Listening("x"), rules=[before_call(broken, go_on())]))
    assert isinstance(outcome.error, LookupError)
    assert decisions(run) == [(["broken: go on"], ["raised LookupError"], None)]


def test_a_rule_that_awaits_is_refused():
    async def later(attempt):
        return True

    outcome, _ = ended(Agent(Listening("x"), rules=[before_call(later, go_on())]))
    assert isinstance(outcome.error, AgentError)
    assert '"later"' in str(outcome.error)


def test_a_cancellation_is_never_tried_again():
    model = Listening(asyncio.CancelledError())
    agent = Agent(model, rules=[after_call(lambda attempt: True, retry(5))])
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(agent.outcome("x"))
    assert model.calls == 1


def test_the_error_of_the_verdict_is_raised():
    with pytest.raises(ReliabilityFailFastError) as caught:
        Agent(Listening(SLOW), rules=[after_call(TimeoutError, fail_fast("outage"))]).run_sync("x")
    assert caught.value.fail_kind == "outage"


def test_a_reply_without_anything_can_be_met_by_a_rule():
    def empty(attempt):
        return attempt.completion is not None and attempt.completion.text is None

    model = Listening(Completion())
    assert ended(Agent(model, rules=[after_call(empty, fall_back("closed"))]))[0] == (
        Answered("closed")
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: retry(0),
        lambda: retry(101),
        lambda: retry(True),
        lambda: retry(model="gpt"),
        lambda: fall_back(),
        lambda: fall_back("x", model=ScriptedModel([])),
        lambda: fall_back(model=3),
        lambda: before_call(lambda a: True, retry()),
        lambda: before_call(3, go_on()),
        lambda: after_call(asyncio.CancelledError, retry()),
        lambda: after_call((), retry()),
        lambda: after_call(TimeoutError, "retry"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(make):
    with pytest.raises(AgentError):
        make()
