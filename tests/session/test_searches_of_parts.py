"""Where no whole context flips the answer, items of lists and results of steps are tried."""

import asyncio
import random

import pytest

import explainkit as ek
from explainkit.errors import InterventionError
from explainkit.flow.agents import Agent, tool
from explainkit.flow.models import CallableModel, ToolCall
from explainkit.flow.models.embedded import as_completion

HALF, NOTHING = "Half is paid back.", "Nothing is paid back."


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return HALF if "alpha" in str(prompt) else NOTHING


@ek.link(kind="retrieval")
def search(question):
    return ["a beta piece", "an alpha piece", "another piece"]


@ek.link(kind="tool")
def fare(zone):
    return {"zone": zone, "fare": 80}


@ek.link(kind="model", deterministic=True)
def tell(prompt):
    return "It is 80 euros." if "80" in prompt else "I do not know."


@ek.link(kind="model", deterministic=True)
def always(prompt):
    return HALF


def made(answer):
    """A run of a function, traced under its name."""
    ek.traced(answer.__name__)(answer)("What now?")
    return ek.last()


def hits(question):
    tone, law = ek.context("tone", "Be kind."), ek.context("law", "The law.")
    return ask(ek.assemble("{a} {b} {c}", a=tone, b=law, c="\n".join(search(question))))


def hits_alone(question):
    return ask("\n".join(search(question)))


def table(question):
    tone = ek.context("tone", "Be kind.")
    return tell(ek.assemble("{t} {f}", t=tone, f=str(fare(3))))


def twice(question):
    note, tone = ek.context("note", "An alpha note."), ek.context("tone", "Be kind.")
    return ask(ek.assemble("{a} {b} {c}", a=note, b=tone, c="\n".join(search(question))))


ALPHA = "item 2 of search (“an alpha piece”)"
FIRST = "item 1 of search (“a beta piece”)"
THIRD = "item 3 of search (“another piece”)"


@pytest.mark.parametrize(
    ("answer", "items", "says"),
    [
        (hits, (ALPHA,), "and then items and results of steps were tried"),
        (hits_alone, (ALPHA,), "No whole context can be removed"),
        (table, ("fare",), "an empty result instead of what it gave flips the answer"),
        (twice, ("note", ALPHA), "removing fewer of them is not shown to"),
    ],
)
def test_items_and_results_are_found_where_whole_contexts_are_not(answer, items, says):
    run = made(answer)
    found = run.smallest_cause()
    assert found.items == items
    assert found.is_minimal
    assert found.whatif.word == "cause"
    assert found.whatif in found.whatifs
    assert says in repr(found)
    assert len(found.whatifs) == len(list(run.recording.rows("finding")))


def fare_of(zone: str) -> dict:
    """The fare of a zone."""
    return {"zone": zone, "fare": 80}


def hours(place: str) -> str:
    """When a place is open."""
    return "Open until 22:00."


def asked(messages):
    """Asks two tools, and says what one of them gave."""
    said = [str(each["content"]) for each in messages if each["role"] == "tool"]
    if said:
        return "It costs 80 euros." if "80" in " ".join(said) else "I do not know the fare."
    calls = {"fare_of": {"zone": "3"}, "hours": {"place": "desk"}}
    return [ToolCall(id=name, name=name, arguments=given) for name, given in calls.items()]


def desk(*, deterministic=True):
    model = CallableModel(asked, deterministic=deterministic)
    return Agent(model, "Be kind.", tools=[fare_of, hours], name="desk")


def test_the_tool_that_gave_an_agent_the_wrong_fact_is_found_by_its_result():
    desk().run_sync("What does zone 3 cost?")
    found = ek.last().smallest_cause()
    assert found.items == ("fare_of",)
    assert found.whatif.after == "I do not know the fare."
    assert found.whatif.interventions[0].startswith("swap the result of fare_of")
    assert (
        "others were not tried: hours alone; that tools were offered (tool fare_of, tool"
        in repr(found)
    )


def test_it_is_found_in_a_loop_too_and_beside_a_judge():
    async def main():
        await desk().run("What does zone 3 cost?")
        return await ek.last().smallest_cause_async(judge=lambda said: "80" not in said)

    assert asyncio.run(main()).items == ("fare_of",)


def test_a_step_of_another_agent_is_found():
    @ek.link(kind="model", deterministic=True)
    def research(prompt):
        return "The alpha rule holds."

    @ek.link(kind="agent")
    def look_into(task):
        return research(task)

    def letter(question):
        tone = ek.context("tone", "Be kind.")
        return ask(ek.assemble("{t} {r}", t=tone, r=look_into("the rules")))

    assert made(letter).smallest_cause().items == ("look_into",)


def test_a_step_that_gives_the_whole_prompt_or_the_answer_is_no_part():
    @ek.link
    def build(parts):
        return " ".join(parts)

    @ek.link
    def polish(text):
        return f"{text} Thanks."

    def letter(question):
        tone = ek.context("tone", "Be kind.")
        return polish(ask(build([tone, *search(question)])))

    found = made(letter).smallest_cause()
    assert found.items == (ALPHA,)
    said = " ".join(each for one in found.whatifs for each in one.interventions)
    assert "build" not in said
    assert "polish" not in said


def test_where_nothing_is_found_it_is_said_what_was_tried_and_why_it_ended():
    def letter(question):
        tone, _ = ek.context("tone", "Be kind."), ek.context("limit", 7)
        law = ek.context("law", "The law.")
        ek.left_out("page 9", "More rules.", why="rank 9")
        hit = "\n".join(search(question))
        return always(ek.assemble("{t} {l} {f} {s}", t=tone, l=law, f=str(fare(3)), s=hit))

    run = made(letter)
    found = run.smallest_cause()
    assert (found.items, found.whatif, found.stopped) == ((), None, None)
    lines = found.lines()
    assert lines[0].startswith("No set was found: removing everything gives not shown")
    assert "2 whole contexts (tone, law): all together, 2 of them alone" in lines[1]
    assert f"items of lists and results of steps (tone, law, {FIRST}, {ALPHA}, " in lines[1]
    assert f"{found.reruns} re-runs and {found.calls} calls" in lines[2]
    assert lines[2].endswith("It ended as all of these had been tried.")
    assert any("run.whatif(restore='page 9')" in line for line in lines)
    assert any("run.whatif(replace={'limit': ...})" in line for line in lines)
    tried = [set(each) for each in found.to_frame()["removed"]]
    assert len(tried) == len(found.whatifs) - 5  # of these, five were orders
    assert {"fare"} in tried
    assert {FIRST, ALPHA, THIRD, "fare", "tone", "law"} in tried


def test_a_budget_that_ends_in_the_parts_is_said():
    found = made(hits).smallest_cause(budget=12)
    assert found.stopped == "budget"
    assert any("an alpha piece" in each for each in found.items)
    assert not found.is_minimal
    assert "The budget was used up after" in repr(found)
    assert "It ended as all" not in repr(found)


def test_chance_convicts_no_part():
    for seed in range(8):
        chance = random.Random(seed)

        @ek.link(kind="model")
        def moody(prompt, chance=chance):
            return HALF if chance.random() < 0.7 else NOTHING

        def letter(question, moody=moody):
            tone = ek.context("tone", "Be kind.")
            hit = "\n".join(search(question))
            return moody(ek.assemble("{t} {s}", t=tone, s=hit))

        assert made(letter).smallest_cause(budget=600).items == ()


def test_a_run_without_contexts_and_steps_is_refused_as_before():
    def letter(question):
        return always(question)

    with pytest.raises(InterventionError, match="no context that can be removed"):
        made(letter).smallest_cause()


def test_the_search_of_a_run_without_contexts_is_shown_and_exported():
    found = made(hits_alone).smallest_cause()
    assert ALPHA in found._repr_html_()
    assert found.to_frame()["removed"].iloc[0] == (FIRST, ALPHA, THIRD)
    assert str(found).startswith(f"{ALPHA}: removing it flips the answer")


def converter(messages):
    """Multiplies what it was told with a tool, and says the product, whatever it is."""
    said = [str(each["content"]) for each in messages if each["role"] == "tool"]
    if not said:
        return ToolCall(id="1", name="multiply", arguments={"a": 120, "b": 2})
    return f"It costs {said[-1]} euros."


def multiply(a: int, b: int) -> int:
    """Multiply two numbers."""
    return a * b


def test_a_tool_without_which_the_program_breaks_is_no_cause():
    Agent(
        CallableModel(converter, deterministic=True), "Be kind.",
        tools=[tool(multiply, deterministic=True)], name="desk",
    ).run_sync("What do two nights cost?")  # fmt: skip
    run = ek.last()
    found = run.whatif(remove="tool multiply")
    assert found.word == "inconclusive"
    assert "the model still called 'multiply', which it was not offered any more" in str(found)
    assert "swap=" in str(found)
    search = run.smallest_cause()
    assert search.items == ("multiply",)
    roles = run.cause_roles()
    assert "that tools were offered (tool multiply)" in repr(roles)
    only = run.smallest_cause(["tool multiply"])
    assert only.items == ()
    assert "Without tool multiply: the model still called 'multiply'" in repr(only)


class Offered:
    """Says whether it could look something up, and never does."""

    deterministic = True

    async def complete(self, prompt, *, tools=()):
        return as_completion("I can look it up." if tools else "I cannot.", prompt)


def test_that_a_tool_was_offered_is_tried_last():
    Agent(Offered(), "Be kind.", tools=[multiply], name="desk").run_sync("Well?")
    found = ek.last().smallest_cause()
    assert found.items == ("tool multiply",)
    assert (found.whatif.word, found.whatif.after) == ("cause", "I cannot.")
    removed = list(found.to_frame()["removed"])
    assert removed[0] == ("instructions",)
    assert removed[-1] == ("tool multiply",)

    model = CallableModel(lambda said: "Yes." if "kind" in str(said) else "No.", deterministic=True)
    Agent(model, "Be kind.", tools=[multiply], name="desk").run_sync("Well?")
    found = ek.last().smallest_cause()
    assert found.items == ("instructions",)
    assert found.lines()[-1] == (
        "This is one such set; others were not tried: that tools were offered (tool multiply)."
    )


@ek.link(kind="model", deterministic=True)
def tell_of(question, passages):
    return HALF if any("alpha" in each for each in passages) else NOTHING


@ek.link(kind="model", deterministic=True)
def tell_more(fares):
    return "It is 80 euros." if fares and fares["fare"] == 80 else "I do not know."


def handed_on(question):
    return tell_of(question + ek.context("tone", "Be kind."), search(question))


def handed_alone(question):
    return tell_more(fare(3))


def prompt_of_a_step(question):
    @ek.link
    def prompt(tone, law):
        return f"alpha {tone} {law}"

    return ask(prompt(ek.context("tone", "Be kind."), ek.context("law", "The law.")))


def test_results_that_are_handed_on_as_they_are_are_searched():
    found = made(handed_on).smallest_cause()
    assert found.items == ("item 2 of search (“an alpha piece”)",)
    assert made(handed_alone).smallest_cause().items == ("fare",)


def test_a_prompt_that_a_step_made_is_not_taken_away():
    assert made(prompt_of_a_step).smallest_cause().items == ()
