"""Functions that cannot be called as they will be, and factories without their parentheses."""

import functools

import pytest

from explainkit.errors import AgentError
from explainkit.flow import agents
from explainkit.flow.agents import (
    Agent,
    admit,
    after_call,
    allow,
    ask_person,
    before_call,
    by_rule,
    fall_back,
    go_on,
    piece,
    retry,
    tool,
)
from explainkit.flow.checks import CheckResult
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered

from .agent_runs import Listening, call, ended, told


def nothing():
    return None


def one(first):
    return None


def two(first, second):
    return None


def three(first, second, third):
    return None


class Looks:
    name = "looks"

    def check_message(self, message):
        return admit()


class Judges:
    id = "judges"

    def check(self, value):
        return CheckResult("passed")


class Passes:
    id = "passes"

    def check(self, value, context):
        return CheckResult("passed")


def agent(**parts):
    return Agent(ScriptedModel(["Hello."]), **parts)


@pytest.mark.parametrize(
    ("make", "part", "called", "taken"),
    [
        (lambda: agent(policy=one), "Agent(policy=one)", "call, situation", "first"),
        (
            lambda: agent(policy=three),
            "Agent(policy=three)",
            "call, situation",
            "first, second, third",
        ),
        (
            lambda: agent(middleware=[Looks()]),
            "Agent(middleware=...): check_message of looks",
            "message, phase",
            "message",
        ),
        (
            lambda: agent(validator=[Passes(), Judges()]),
            "Agent(validator=...): check of judges",
            "value, context",
            "value",
        ),
        (lambda: by_rule(nothing), "by_rule(nothing)", "situation", ""),
        (lambda: by_rule(two, name="late"), "by_rule(late)", "situation", "first, second"),
        (lambda: before_call(nothing, go_on()), "before_call(nothing, ...)", "attempt", ""),
        (lambda: after_call(two, go_on()), "after_call(two, ...)", "attempt", "first, second"),
        (lambda: piece("fare", two), 'piece("fare", function)', "situation", "first, second"),
    ],
)
def test_a_function_of_the_wrong_arity_is_told_when_it_is_built(make, part, called, taken):
    with pytest.raises(AgentError) as caught:
        make()
    assert str(caught.value) == (
        f"{part}: it is called with ({called}), and takes ({taken}). "
        f"Give a function of {called.replace(', ', ' and ')}."
    )


def test_a_middleware_without_its_parentheses_is_told_when_it_is_built():
    with pytest.raises(AgentError, match=r"takes \(self, message, phase\)"):
        agent(middleware=[Full])


class Full:
    def check_message(self, message, phase):
        return admit()


class Callable:
    def __call__(self, proposed, situation, *, more=0):
        return allow()


@pytest.mark.parametrize(
    "policy",
    [
        lambda *given: allow(),
        lambda proposed, situation, more=0: allow(),
        functools.partial(lambda limit, proposed, situation: allow(), 50),
        Callable(),
    ],
)
def test_a_function_that_can_take_it_fits(policy):
    model = ScriptedModel([call("one", first=1), "Done."])
    outcome, _ = ended(Agent(model, tools=[one], policy=policy))
    assert outcome == Answered("Done.")


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (lambda: "free", "free"),
        (lambda situation: f"call {situation.iteration}", "call 0"),
        (lambda *, fare="free": fare, "free"),
        (lambda **more: str(more), "{}"),
    ],
)
def test_a_function_of_a_piece_is_given_the_situation_when_it_takes_one(function, given):
    model = Listening("Hello.")
    ended(Agent(model, context=[piece("fare", function)]))
    assert model.prompts[0][0] == {"role": "system", "content": given}


@pytest.mark.parametrize("kind", [TimeoutError, (TimeoutError, OSError), int])
def test_a_type_before_a_call_is_refused_with_what_is_taken(kind):
    with pytest.raises(AgentError, match="a rule needs a function of the attempt"):
        before_call(kind, fall_back("x"))
    with pytest.raises(AgentError, match="use after_call for types of errors"):
        before_call(TimeoutError, fall_back("x"))


@pytest.mark.parametrize(
    "when", [3, "TimeoutError", int, (), (TimeoutError, int), KeyboardInterrupt]
)
def test_what_is_neither_function_nor_error_is_refused_after_a_call(when):
    said = "a rule needs a function of the attempt, or types of errors"
    with pytest.raises(AgentError, match=said):
        after_call(when, retry())


MAKERS = [each for each in agents.__all__ if each[0].islower()]


@pytest.mark.parametrize("name", MAKERS)
def test_what_makes_a_part_is_no_tool(name):
    maker = getattr(agents, name)
    with pytest.raises(AgentError) as caught:
        agent(tools=[maker])
    assert f"{name} was given as a tool" in str(caught.value)
    assert f"Call it, {name}(...)" in str(caught.value)
    with pytest.raises(AgentError, match=rf'piece\("extra", slot="tools"\): {name} was given'):
        piece("extra", [maker], slot="tools")


def test_with_its_parentheses_it_is_one():
    assert ended(agent(tools=[ask_person(), tool(one)]))[0] == Answered("Hello.")


def test_a_function_of_ones_own_may_be_called_like_one_that_makes_a_part():
    def piece(number: int) -> str:
        return f"piece {number}"

    model = Listening(call("piece", number=3), "Done.")
    ended(Agent(model, tools=[piece]))
    assert told(model) == ["piece 3"]


@pytest.mark.parametrize("value", [{"name": "x"}, "x", [one, 3]])
def test_a_piece_that_holds_no_tool_is_named(value):
    with pytest.raises(AgentError, match=r'piece\("extra", slot="tools"\): tool\(.*no function'):
        piece("extra", value, slot="tools")


@pytest.mark.parametrize("timeout", ["5", 0, -1, True, float("nan"), float("inf"), [5]])
def test_a_time_limit_that_is_none_is_refused(timeout):
    with pytest.raises(AgentError, match=r'tool\("one", timeout=.*\): give seconds above 0'):
        tool(one, timeout=timeout)
