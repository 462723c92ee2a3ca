"""Runners that opened their own run are run again: Agents, compositions, answer flows."""

import asyncio

import pytest

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    Recovery,
    define_answer_flow,
)
from explainkit.flow.agents import Agent, admit, deny, on_request, piece, tool
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    when,
    workflow,
)
from explainkit.flow.models import CallableModel, Completion, ReadingModel, ScriptedModel, ToolCall
from tests.whatif.programs import HALF, executed, reused

CALLS = []


@pytest.fixture(autouse=True)
def no_calls():
    CALLS.clear()


def desk(**more):
    return Agent(
        ReadingModel(),
        "Answer briefly.",
        context=[
            piece("tariff", HALF, kind="document"),
            piece("note", "Our office is in Oslo.", kind="memory"),
        ],
        name="desk",
        **more,
    )


def ran(runner, given):
    runner.run_sync(given)
    return ek.last()


QUESTION = "What do we pay back for 30 minutes?"


def test_a_piece_of_an_agent_is_removed():
    run = ran(desk(), QUESTION)
    found = run.whatif(remove="tariff")
    assert (found.word, found.flips, found.n) == ("cause", (1, 0), 1)
    assert "half" in found.before
    assert executed(found) == ["desk model"]
    assert run.whatif(remove="note").word == "not shown"
    assert run.whatif(replace={("tariff", "half"): "all"}).word == "cause"
    assert found.run.question == QUESTION


def test_the_instructions_are_removed_and_the_agent_asks_without_them():
    found = ran(desk(), QUESTION).whatif(remove="instructions")
    assert "Answer briefly" not in found.run.prompt().text


def test_a_piece_that_stayed_outside_is_let_in():
    agent = Agent(
        ReadingModel(),
        "Answer briefly.",
        context=[piece("tariff", HALF, trigger=on_request())],
        name="desk",
    )
    run = ran(agent, QUESTION)
    assert run.contexts["admitted"].tolist().count(False) == 1
    found = run.whatif(restore="tariff")
    assert (found.word, found.interventions) == ("cause", ("let tariff into the Agent",))
    assert "half" in found.after


def calls_a_tool(prompt, tools=()):
    """Asks for the fare first, then says what the tool gave."""
    told = [each for each in prompt if each["role"] == "tool"]
    if told:
        return f"The fare is {told[-1]['content']}."
    if not any(each.name == "fare_of" for each in tools):
        return "I cannot look that up."
    cheap = any("cheapest" in each.description for each in tools)
    return ToolCall(id="c1", name="fare_of", arguments={"zone": "low" if cheap else "inner city"})


def with_tool(**more):
    def fare_of(zone: str) -> int:
        "The fare of a zone."
        CALLS.append(zone)
        return {"inner city": 12, "low": 3}.get(zone, 99)

    model = CallableModel(calls_a_tool, deterministic=True)
    return Agent(model, "Use tools.", tools=[tool(fare_of, **more)], name="desk")


def test_the_result_of_a_tool_is_swapped_without_calling_it():
    run = ran(with_tool(), "How much?")
    assert (run.answer, CALLS) == ("The fare is 12.", ["inner city"])
    found = run.whatif(swap={"fare_of": 55})
    assert (found.word, found.after) == ("cause", "The fare is 55.")
    assert CALLS == ["inner city"]
    assert executed(found) == ["desk model"]
    assert reused(found) == ["desk model"]  # the first call was given the same


def test_arguments_of_a_tool_are_edited_and_it_runs():
    run = ran(with_tool(), "How much?")
    found = run.whatif(edit={"fare_of": {"zone": "outer ring"}})
    assert (found.word, found.after) == ("cause", "The fare is 99.")
    assert set(CALLS[1:]) == {"outer ring", "inner city"}


def test_a_tool_description_is_changed_or_taken_away():
    run = ran(with_tool(), "How much?")
    found = run.whatif(replace={("tool fare_of", "The fare"): "The cheapest fare"})
    assert (found.word, found.after) == ("cause", "The fare is 3.")
    gone = run.whatif(remove="tool fare_of")
    assert (gone.word, gone.after) == ("cause", "I cannot look that up.")


def test_a_tool_that_is_an_effect_is_not_repeated():
    run = ran(with_tool(effect=True), "How much?")
    assert run.whatif(remove="instructions").word in {"not shown", "cause"}
    assert CALLS == ["inner city"]  # it was given the same, so its result was used
    changed = run.whatif(replace={("tool fare_of", "The fare"): "The cheapest fare"})
    assert changed.reason.startswith("effect fare_of would have to run again. allow_effects=True")
    assert CALLS == ["inner city"]
    allowed = run.whatif(
        replace={("tool fare_of", "The fare"): "The cheapest fare"}, allow_effects=True
    )
    assert (allowed.word, allowed.after) == ("cause", "The fare is 3.")


def test_a_decorated_effect_as_a_tool_is_not_repeated():
    @ek.link(kind="effect")
    def fare_of(zone: str) -> int:
        "The fare of a zone."
        CALLS.append(zone)
        return 12

    agent = Agent(CallableModel(calls_a_tool), "Use tools.", tools=[fare_of], name="desk")
    run = ran(agent, "How much?")
    found = run.whatif(replace={("tool fare_of", "The fare"): "The cheapest fare"})
    assert found.reason.startswith("effect fare_of would have to run again. allow_effects=True")
    assert CALLS == ["inner city"]


def test_a_model_that_is_not_declared_deterministic_is_asked_five_times():
    agent = Agent(
        CallableModel(lambda prompt: "Half." if "half" in str(prompt) else "Nothing."),
        "Answer.",
        context=[piece("tariff", HALF)],
        name="desk",
    )
    found = ran(agent, QUESTION).whatif(remove="tariff")
    assert str(found) == "cause 5/5 vs 0/5, p = 0.008"


def test_a_script_that_is_given_something_else_shows_nothing():
    agent = Agent(ScriptedModel(["Half."]), "Answer.", context=[piece("tariff", HALF)], name="desk")
    found = ran(agent, QUESTION).whatif(remove="tariff")
    assert found.word == "inconclusive"
    assert "'desk model' is a script" in found.reason


def test_an_agent_that_ended_on_a_verdict_is_asked_what_ended_it():
    class Guard:
        def check_message(self, message, phase):
            half = "half" in str(message["content"])
            return deny("no promises") if phase == "output" and half else admit()

    agent = Agent(
        ReadingModel(),
        "Answer.",
        context=[piece("tariff", HALF)],
        middleware=[Guard()],
        name="desk",
    )
    with pytest.raises(ek.ExplainkitError):
        agent.run_sync(QUESTION)
    found = ek.last().whatif(remove="tariff")
    assert found.word == "cause"
    assert "no answer" in repr(found)


def first(text):
    CALLS.append(f"first {text}")
    return f"{text}, once"


def second(text):
    CALLS.append(f"second {text}")
    return f"{text}, twice"


COMPOSITIONS = {
    "sequence": (lambda: Sequence(first, second), "second"),
    "workflow": (lambda: workflow(first, second), "second"),
    "conditional": (lambda: Conditional(when(lambda text: True, second), default=first), "second"),
    "loop": (lambda: Loop(first, until=lambda text: True), "first"),
    "parallel": (lambda: Parallel({"a": first, "b": second}), "second"),
    "graph": (lambda: graph({"a": first, "b": second}, [("a", "b")]), "second"),
}


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_functions_in_compositions_are_supplied_and_reused(name):
    runner, swapped = COMPOSITIONS[name]
    run = ran(runner(), "go")
    before = list(CALLS)
    found = run.whatif(swap={swapped: "something else"})
    assert found.word == "cause"
    assert before == CALLS  # what is supplied is not called, and what is the same is reused
    assert "something else" in str(found.after)
    assert found.run.doctor() == []


def test_a_step_whose_input_changed_runs_again():
    run = ran(Sequence(first, second), "go")
    CALLS.clear()
    found = run.whatif(swap={"first": "other"})
    assert (found.word, found.after) == ("cause", "other, twice")
    assert executed(found) == ["second"]
    assert set(CALLS) == {"second other", "second go, once"}


def test_an_agent_in_a_composition_is_varied_by_its_pieces():
    run = ran(Sequence(lambda text: f"{text}", desk(), lambda text: text.upper()), QUESTION)
    found = run.whatif(remove="tariff")
    assert found.word == "cause"
    assert run.whatif(remove="note").word == "not shown"


def test_an_effect_in_a_branch_that_runs_beside_others_is_held_back():
    @ek.link(kind="effect")
    def mail(text):
        CALLS.append(text)
        return "sent"

    run = ran(Sequence(first, Parallel({"a": mail, "b": second}, merge=dict)), "go")
    CALLS.clear()
    found = run.whatif(swap={"first": "other"})
    assert found.reason.startswith("effect mail would have to run again. allow_effects=True")
    assert "other" not in CALLS


def flow():
    def generate(*, items, **_):
        CALLS.append("generate")
        return {each.id: f"{each.data} is fine" for each in items}

    def check(*, value, **_):
        CALLS.append("check")
        return CheckResult("passed" if "fine" in value else "failed")

    return define_answer_flow(
        AnswerFlowDefinition(
            max_items=4,
            max_repairs=0,
            can_invoke=lambda context: True,
            generate=generate,
            check=check,
            fallback=lambda **_: Recovery(False),
        ),
        name="answers",
    )


def test_the_ports_of_an_answer_flow_are_reused_or_swapped():
    items = [AnswerItem("q1", ["a"], "ready", "one"), AnswerItem("q2", ["a"], "ready", "two")]
    flow().run_sync(input_ids=["a"], items=items)
    run = ek.last()
    assert CALLS == ["generate", "check", "check"]
    found = run.whatif(swap={"generate": {"q1": "one is fine", "q2": "two is bad"}})
    assert found.word == "cause"
    assert [each["status"] for each in found.after] == ["accepted", "blocked"]
    assert ["generate", "check", "check", *["check"] * (len(CALLS) - 3)] == CALLS
    one = run.whatif(swap={"generate": {"q1": "one is fine", "q2": "two is bad"}}, slot="item:q1")
    assert one.word == "not shown"


def test_an_agent_is_awaited_where_a_loop_runs():
    async def main():
        await desk().run(QUESTION)
        return await ek.last().whatif_async(remove="tariff")

    assert asyncio.run(main()).word == "cause"


def test_a_traced_function_that_runs_an_agent_is_varied_by_its_pieces():
    @ek.traced("wraps")
    def program(question):
        return desk().run_sync(question)

    program(QUESTION)
    found = ek.last().whatif(remove="tariff")
    assert (found.word, executed(found)) == ("cause", ["desk model"])


def test_completions_keep_their_tokens_for_the_budget():
    from explainkit.flow.models import Usage

    def costly(prompt):
        return Completion(text=f"Half {len(prompt)}", usage=Usage(input_tokens=10, output_tokens=5))

    agent = Agent(CallableModel(costly), "Answer.", context=[piece("tariff", HALF)], name="desk")
    found = ran(agent, QUESTION).whatif(remove="tariff", budget={"tokens": 40})
    assert found.word == "over budget"
    assert found.trial.spent.tokens == 45


def test_what_a_check_put_in_place_of_a_value_is_held_off():
    def check(*, value, **_):
        return CheckResult("passed", value=value.replace("Ann", "passenger"))

    answers = define_answer_flow(
        AnswerFlowDefinition(
            max_items=1,
            max_repairs=0,
            can_invoke=lambda context: True,
            generate=lambda *, items, **_: {each.id: "Dear Ann, no." for each in items},
            check=check,
            fallback=lambda **_: Recovery(False),
        )
    )
    answers.run_sync(input_ids=["a"], items=[AnswerItem("q1", ["a"], "ready", "one")])
    run = ek.last()
    by = run.overrides["by"].tolist()
    found = run.whatif(hold=by[0], slot="item:q1")
    assert (found.word, found.before) == ("cause", "Dear passenger, no.")
    assert found.after == "Dear Ann, no."


def test_what_a_validator_made_of_an_answer_is_held_off():
    class Tidy:
        id = "tidy"

        def check(self, value, context):
            return CheckResult("passed", value=value.upper())

    agent = Agent(
        ReadingModel(), "Answer.", context=[piece("tariff", HALF)], validator=[Tidy()], name="desk"
    )
    run = ran(agent, QUESTION)
    by = run.overrides["by"].tolist()
    found = run.whatif(hold=by[0])
    assert (found.word, found.before) == ("cause", found.after.upper())
