"""A tool call or a pick says what was offered, which were twins, and which words favour it."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import AgentError, UnknownRecordError
from explainkit.flow import check_tools, define_event, final, invoke, machine, state, to
from explainkit.flow.actors import ScriptedAgent, agent
from explainkit.flow.agents import Agent, on_request, piece, tool
from explainkit.flow.models import ScriptedModel, ToolCall, ToolSpec


def refund(order: str) -> str:
    """Pay the fare of an order back to the customer."""
    return "done"


def cancel(order: str) -> str:
    """Pay the fare of an order back to the customer and cancel it."""
    return "done"


def weather(city: str) -> str:
    """Weather in a city."""
    return "sunny"


def call(name, **arguments):
    return ToolCall(id="", name=name, arguments=arguments)


def desk(*replies, tools=(refund, cancel, weather), **more):
    instructions = "The fare is paid back when a train was late."
    return Agent(ScriptedModel(replies), instructions, tools=tools, name="desk", **more)


def ran(runner, given="Pay order 7 back."):
    runner.run_sync(given)
    return ek.last()


def test_what_was_offered_is_told_with_its_descriptions_and_contexts():
    run = ran(desk(call("cancel", order="7"), "It is done."))
    choice = run.choice()
    assert [each.name for each in choice.offered] == ["refund", "cancel", "weather"]
    assert choice.chosen.description == cancel.__doc__
    assert choice.chosen.parameters == ("order",)
    assert run.recording.raw(choice.chosen.seq)["name"] == "tool cancel"


def test_the_twin_is_named_with_the_words_that_both_have():
    choice = ran(desk(call("cancel", order="7"), "It is done.")).choice()
    (twin,) = choice.twins
    assert twin.names == ("cancel", "refund")
    assert choice.shared == ("pay", "fare", "order", "back", "customer")
    assert "twin      refund: 5 of 6 words are the same: pay, fare, order" in repr(choice)


def test_one_that_is_like_no_other_has_no_twin():
    choice = ran(desk(call("weather", city="Oslo"), "It is sunny."), "Sun in Oslo?").choice()
    assert choice.twins == ()
    assert choice.shared == ()
    assert "favoured  by no word of the prompt" in repr(choice)


def test_words_of_the_prompt_that_favour_it_are_named_with_who_holds_them():
    choice = ran(desk(call("refund", order="7"), "Done.")).choice()
    found = {each.word: each for each in choice.favoured_by}
    assert set(found) == {"pay", "fare", "order", "back"}
    assert found["fare"].sources == ("context instructions",)
    assert found["pay"].sources == ("user message 1",)
    assert found["back"].sources == ("context instructions", "user message 1")
    assert choice.words == {"refund": 4, "cancel": 4, "weather": 0}
    assert not any(each.only for each in choice.favoured_by)


def test_words_that_only_the_chosen_one_has_come_first():
    run = ran(desk(call("cancel", order="7"), "Done."), "Please cancel order 7 and pay it back.")
    first = run.choice().favoured_by[0]
    assert (first.word, first.only) == ("cancel", True)
    assert "'cancel' in user message 1, which no other option has" in repr(run.choice())


def test_every_choice_of_a_run_is_found_by_its_link():
    run = ran(desk(call("weather", city="Oslo"), call("refund", order="7"), "Done."))
    tools = [row["seq"] for row in run.recording.rows("link_opened") if row["type"] == "tool"]
    models = [row["seq"] for row in run.recording.rows("link_opened") if row["type"] == "model"]
    assert [run.choice(seq).name for seq in tools] == ["weather", "refund"]
    assert [run.choice(seq).name for seq in models[:2]] == ["weather", "refund"]
    assert run.choice("weather").link == models[0]
    assert run.choice().name == "refund"
    for seq in (models[2], next(run.recording.rows("context"))["seq"]):
        with pytest.raises(UnknownRecordError, match="no choice of a model"):
            run.choice(seq)


def test_calls_of_one_reply_and_without_arguments_are_told_apart():
    def ping() -> str:
        """Say whether the line is open."""
        return "open"

    class Both:
        async def complete(self, prompt, *, tools=()):
            from explainkit.flow.models import Completion

            if prompt[-1]["role"] == "tool":
                return Completion(text="Done.")
            return Completion(tool_calls=(call("ping"), call("weather", city="Oslo")))

    run = ran(Agent(Both(), tools=[ping, weather]))
    assert run.choice("ping").name == "ping"
    assert run.choice("weather").name == "weather"
    assert run.choice("ping").link == run.choice("weather").link


def test_a_tool_that_was_not_offered_is_said_to_be_none():
    run = ran(desk(call("pay_back", order="7"), "I cannot."))
    choice = run.choice()
    assert choice.chosen is None
    assert "pay_back was called, and it was not offered" in repr(choice)


EVENTS = [
    define_event("approve", "Grant the claim of the customer for money."),
    define_event("deny", "Refuse the claim of the customer for money."),
]


def picked(actor):
    clerk = machine(
        "desk",
        initial="open",
        events=EVENTS,
        actors={"clerk": actor},
        states={
            "open": state(invoke=invoke("clerk"), on={"approve": to("done"), "deny": to("done")}),
            "done": final(),
        },
    )
    clerk.run_sync()
    return ek.last()


def test_a_pick_of_an_event_is_a_choice_too():
    model = ScriptedModel([call("approve")])
    run = picked(agent(model=model, instructions="Grant money when the train was late."))
    choice = run.choice(int(run.picks["seq"][0]))
    assert (choice.name, [each.name for each in choice.offered]) == (
        "approve",
        ["approve", "deny"],
    )
    assert {each.word for each in choice.favoured_by} >= {"grant", "money"}
    assert choice.twins[0].shared == ("claim", "customer", "money")
    assert run.choice("approve").link == choice.link


def test_a_pick_that_no_model_made_is_refused():
    run = picked(ScriptedAgent(["approve"]))
    with pytest.raises(UnknownRecordError, match="no model called a tool"):
        run.choice()
    with pytest.raises(UnknownRecordError, match="no choice of a model"):
        run.choice("approve")


def test_a_loaded_run_says_the_same(tmp_path):
    run = ran(desk(call("cancel", order="7"), "It is done."))
    loaded = ek.load(run.save(tmp_path / "run.ek.jsonl"))
    assert repr(loaded.choice()) == repr(run.choice())


def test_tools_in_the_form_of_a_provider_are_read():
    @ek.link(kind="model")
    def complete(messages, tools):
        return {"role": "assistant", "tool_calls": [{"function": {"name": "refund"}}]}

    with ek.trace("provider") as run:
        complete(
            [{"role": "user", "content": "Pay order 7 back."}],
            [
                {"type": "function", "function": {"name": "refund", "description": "Pay back."}},
                {"type": "function", "function": {"name": "cancel"}},
            ],
        )
    choice = run.choice()
    assert choice.chosen.description == "Pay back."
    assert [each.word for each in choice.favoured_by] == ["pay", "back"]
    assert "cancel: has no description" in repr(choice)


def test_what_is_shown_is_escaped():
    hostile = tool(weather, description="<script>alert(1)</script> \u202e sun")
    choice = ran(desk(call("weather", city="Oslo"), "Done.", tools=[hostile])).choice()
    assert "<script>" not in choice._repr_html_()
    assert "\u202e" not in repr(choice)
    assert "they show no cause" in choice._repr_html_()


def deciding(messages, tools):
    """Calls the first tool whose description has a word of the question in it."""
    if messages[-1]["role"] == "tool":
        return f"{messages[-2]['tool_calls'][0]['name']} was called."
    asked = set(messages[-1]["content"].casefold().split())
    for each in tools:
        if asked & set(each.description.casefold().split()):
            arguments = dict.fromkeys(each.parameters["properties"], "7")
            return ToolCall(id="", name=each.name, arguments=arguments)
    return "None fits."


class Deciding:
    deterministic = True

    async def complete(self, prompt, *, tools=()):
        from explainkit.flow.models.embedded import as_completion

        return as_completion(deciding(prompt, tools), prompt)


def test_a_what_if_changes_a_description_and_the_choice_with_it():
    run = ran(Agent(Deciding(), tools=[refund, cancel, weather]), "pay please")
    assert run.answer == "refund was called."
    found = run.whatif(replace={("tool refund", "Pay"): "Give"})
    assert (found.word, found.after) == ("cause", "cancel was called.")
    assert found.run.choice().name == "cancel"
    assert run.whatif(replace={"tool refund": "Give it."}).after == "cancel was called."
    assert run.whatif(remove="tool refund").after == "cancel was called."
    assert run.whatif(replace={("tool weather", "a city"): "town"}).word == "not shown"


class Granting:
    """Picks the event whose description has the word Grant in it."""

    deterministic = True

    async def complete(self, prompt, *, tools=()):
        from explainkit.flow.models.embedded import as_completion

        name = next((each.name for each in tools if "Grant" in each.description), tools[-1].name)
        return as_completion(call(name), prompt)


def test_a_what_if_changes_the_description_of_an_event_and_the_pick_with_it():
    run = picked(agent(model=Granting()))
    told = [
        {"name": "approve", "description": "Send the money."},
        {"name": "deny", "description": "Grant nothing."},
    ]
    found = run.whatif(edit={"clerk model": {"tools": told}})
    assert [list(each.picks["event"]) for each in (run, found.run)] == [["approve"], ["deny"]]
    assert [each.description for each in found.run.choice().offered] == [
        "Send the money.",
        "Grant nothing.",
    ]


def test_a_catalogue_is_checked_before_any_run():
    found = check_tools([refund, cancel, weather])
    assert found.names == ("refund", "cancel", "weather")
    assert [pair.names for pair in found.twins] == [("refund", "cancel")]
    assert found.twins[0].shared == ("pay", "fare", "order", "back", "customer")
    assert not found.is_clear
    assert "refund and cancel are described alike: 5 of 6 words" in str(found)


def test_tools_without_a_description_of_their_own_are_named():
    def pay_back(order: str) -> str:
        return "done"

    def find_fare(city: str) -> str:
        """Find the fare."""
        return "done"

    found = check_tools([pay_back, find_fare, weather])
    assert found.missing == ("pay_back", "find_fare")
    assert str(found).splitlines()[0] == "pay_back has no description of its own."


def test_a_catalogue_takes_functions_tools_specs_events_and_agents():
    offered = [
        tool(refund, name="one"),
        ToolSpec(name="two", description="Sun and moon."),
        EVENTS[0],
    ]
    assert check_tools(offered).names == ("one", "two", "approve")
    asked = piece("rules", "Pay late trains.", trigger=on_request(), description="What is paid.")
    found = check_tools(desk(context=[asked]))
    assert found.names == ("refund", "cancel", "weather", "rules")
    assert check_tools([weather]).is_clear
    assert str(check_tools([weather])) == "1 tool: no twins, and each has a description."


def test_a_name_that_stands_twice_is_named():
    found = check_tools(
        [ToolSpec(name="pay", description=each) for each in ("Money back.", "A fine.")]
    )
    assert found.repeated == ("pay",)


@pytest.mark.parametrize("given", [3, "refund", None, {1: 2}])
def test_what_is_no_catalogue_is_refused(given):
    with pytest.raises(AgentError, match="give a list of tools"):
        check_tools(given)


def test_what_is_no_tool_is_refused():
    with pytest.raises(AgentError):
        check_tools([3])


def test_a_choice_is_read_while_a_loop_runs():
    async def asked():
        await desk(call("refund", order="7"), "Done.").run("Pay order 7 back.")
        return ek.last().choice().name

    assert asyncio.run(asked()) == "refund"
