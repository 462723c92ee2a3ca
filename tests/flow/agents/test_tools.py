"""Tools: what a model is told of them, and every way in which a call can go wrong."""

import asyncio
import contextvars
import dataclasses
import threading
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from explainkit.errors import AgentError, AgentStuckError
from explainkit.flow.agents import Agent, tool
from explainkit.flow.checks import OperationContext
from explainkit.flow.clocks import ManualClock
from explainkit.flow.models import Completion, ScriptedModel, ToolCall
from explainkit.flow.outcomes import Answered
from explainkit.tracing import link

from .agent_runs import Listening, call, closes, ended, inputs, rows, told


class Trip(BaseModel):
    city: str
    nights: int = 1


def said(function, /, *, reply=None, **arguments):
    """What the model is told after one call of a function, and the record."""
    made = function if not callable(function) else tool(function)
    model = Listening(reply or call(made.name, **arguments), "done")
    outcome, run = ended(Agent(model, tools=[made]))
    assert outcome == Answered("done")
    return told(model)[-1], run


def test_the_schema_is_read_off_the_type_hints():
    def book(
        trip: Trip,
        when: Annotated[str, Field(description="ISO date")],
        by: Literal["rail", "air"] = "rail",
        *,
        seats: int | None = None,
    ):
        """Book a trip.

        At once.
        """

    spec = tool(book).spec
    assert spec.description == "Book a trip.\n\nAt once."
    assert spec.parameters["required"] == ["trip", "when"]
    assert spec.parameters["properties"]["when"]["description"] == "ISO date"
    assert spec.parameters["properties"]["by"]["enum"] == ["rail", "air"]
    assert spec.parameters["additionalProperties"] is False


def test_arguments_arrive_as_their_types():
    def book(trip: Trip, nights: int):
        assert isinstance(trip, Trip)
        return [trip.city, trip.nights, nights + 1]

    assert said(book, trip={"city": "Rome"}, nights="2")[0] == '["Rome", 1, 3]'


def test_parameters_may_be_named_like_anything():
    def odd(_hidden: int, model_config: str, copy: int = 3):
        return [_hidden, model_config, copy]

    assert said(odd, _hidden=1, model_config="x")[0] == '[1, "x", 3]'


def test_a_tool_may_be_async_and_take_the_context():
    seen = []

    async def look(context: OperationContext, word: str):
        seen.append(context.app)
        return word

    model = Listening(call("look", word="x"), "done")
    ended(Agent(model, tools=[look], app="mine"))
    assert seen == ["mine"]
    assert told(model) == ["x"]
    assert "context" not in tool(look).spec.parameters["properties"]


def test_a_sync_tool_runs_in_a_thread_with_the_context_variables():
    here = contextvars.ContextVar("here", default="no")
    here.set("yes")
    main = threading.get_ident()

    @link
    def inner():
        return "inner"

    def look():
        assert threading.get_ident() != main
        inner()
        return here.get()

    text, run = said(look)
    assert text == "yes"
    (opened,) = rows(run, "link_opened", type="tool")
    assert [row["parent"] for row in rows(run, "link_opened", name="inner")] == [opened["seq"]]


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("as it is", "as it is"),
        (None, "null"),
        (Trip(city="Rome"), '{"city": "Rome", "nights": 1}'),
        ((1, "zwölf"), '[1, "zwölf"]'),
    ],
)
def test_a_result_is_told_as_text_or_json(output, text):
    assert said(tool(lambda: output, name="look"))[0] == text


def test_a_tool_that_raises_is_told_and_recorded():
    def look():
        raise ValueError("no such order 4711")

    text, run = said(look)
    assert text == "Error: ValueError: no such order 4711"
    (closed,) = closes(run, "tool")
    assert closed["status"] == "error"
    assert "no such order 4711" in run.recording.values.shown(closed["error"])


@dataclasses.dataclass
class Opaque:
    inner: object


@pytest.mark.parametrize("output", [object(), {1: 2}, float("nan"), b"x", {1}, Opaque(object())])
def test_a_result_without_json_form_is_an_error_that_says_so(output):
    text, run = said(tool(lambda: output, name="look"))
    assert text.startswith('Error: The tool "look" gave something without JSON form')
    (closed,) = closes(run, "tool")
    assert closed["status"] == "error"
    assert "output" in closed


def test_a_generator_is_not_consumed():
    def numbers():
        yield 1
        raise AssertionError("consumed")

    assert "without JSON form" in said(numbers)[0]


def test_a_tool_that_mutates_its_input_changes_only_its_copy():
    def rude(items: list[int], more: dict):
        items.append(99)
        more["x"] = 1
        return len(items)

    model = Listening(call("rude", items=[1], more={}), call("rude", items=[1], more={}), "done")
    _, run = ended(Agent(model, tools=[rude]))
    assert told(model) == ["2", "2"]
    for row in rows(run, "link_opened", type="tool"):
        assert inputs(run, row) == {"items": [1], "more": {}}
    first = model.prompts[-1][1]["tool_calls"][0]
    assert first["arguments"] == {"items": [1], "more": {}}


def test_what_a_tool_gave_does_not_change_with_the_object_later():
    kept = {"n": 1}

    def look():
        kept["n"] += 1
        return kept

    model = Listening(call("look"), call("look"), "done")
    ended(Agent(model, tools=[look]))
    assert told(model) == ['{"n": 2}', '{"n": 3}']


@pytest.mark.parametrize("awaits", [True, False])
def test_a_tool_past_its_time_limit_is_an_error(awaits):
    clock = ManualClock()
    release = threading.Event()
    cancelled = []

    async def slow():
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    def stuck():
        release.wait(20)

    async def run():
        model = Listening(call("slow"), "done")
        made = tool(slow if awaits else stuck, name="slow", timeout=5)
        running = asyncio.ensure_future(Agent(model, tools=[made], clock=clock).outcome("x"))
        await clock.advance(5)
        return await running, model

    outcome, model = asyncio.run(run())
    release.set()
    assert outcome == Answered("done")
    assert told(model) == ["Error: The tool ran past its time limit of 5 s."]
    assert cancelled == [True] * awaits


def test_a_tool_in_time_is_not_disturbed_by_its_limit():
    assert said(tool(lambda: 7, name="look", timeout=60))[0] == "7"


def test_an_unknown_tool_is_told_with_what_there_is():
    text, run = said(tool(lambda: 1, name="look"), reply=call("loook", word="x"))
    assert text == 'Error: There is no tool "loook". The tools are: look.'
    (opened,) = rows(run, "link_opened", type="tool")
    assert (opened["name"], inputs(run, opened)) == ("loook", {"word": "x"})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "city: Field required"),
        ({"city": "Rome", "more": 1}, "more: Extra inputs are not permitted, not 1"),
        ({"city": ["Rome"]}, "city: Input should be a valid string"),
    ],
)
def test_invalid_arguments_are_told_with_their_place(arguments, words):
    def fare(city: str):
        raise AssertionError("called")

    text, run = said(fare, **arguments)
    assert text.startswith('Error: The arguments of "fare" do not fit: ')
    assert words in text
    assert [row["status"] for row in closes(run, "tool")] == ["error"]


@pytest.mark.parametrize("sent", ["{", "[1]", 7, [1], {"x": float("nan")}, {1: 2}, b"x"])
def test_arguments_that_are_no_json_object_are_told_and_kept(sent):
    reply = Completion(tool_calls=(ToolCall(id="", name="look", arguments=sent),))
    text, run = said(tool(lambda: 1, name="look"), reply=reply)
    assert text.startswith('Error: The call of "look" cannot be read')
    (opened,) = rows(run, "link_opened", type="tool")
    assert [each["slot"] for each in opened["inputs"]] == ["arguments"]


def test_arguments_may_be_the_text_of_a_json_object():
    reply = Completion(tool_calls=(ToolCall(id="", name="look", arguments='{"n": 2}'),))

    def look(n: int):
        return n

    assert said(look, reply=reply)[0] == "2"


def test_a_call_repeated_without_end_fails():
    model = Listening(*[call("look")] * 20)
    outcome, run = ended(Agent(model, tools=[tool(lambda: "same", name="look")], name="clerk"))
    assert isinstance(outcome.error, AgentStuckError)
    assert '"clerk"' in str(outcome.error)
    assert '"look"' in str(outcome.error)
    assert model.calls == 6
    assert run.status == "error"


def test_a_call_repeated_until_something_changes_is_no_fault():
    left = iter(range(10))
    model = Listening(*[call("look")] * 10, "done")
    outcome, _ = ended(Agent(model, tools=[tool(lambda: next(left), name="look")]))
    assert outcome == Answered("done")


def test_unknown_tools_without_end_fail():
    model = Listening(*[call(f"tool{n}") for n in range(20)])
    outcome, _ = ended(Agent(model))
    assert isinstance(outcome.error, AgentStuckError)
    assert model.calls == 5


def test_calls_of_one_reply_are_made_in_order():
    seen = []

    def note(n: int):
        seen.append(n)

    model = Listening([call("note", n=1), call("note", n=2)], "done")
    ended(Agent(model, tools=[note]))
    assert seen == [1, 2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: tool(3),
        lambda: tool(lambda: 1),
        lambda: tool(len, name="a b"),
        lambda: tool(lambda *args: 1, name="x"),
        lambda: tool(lambda a, /: 1, name="x"),
        lambda: tool(lambda: 1, name="x", timeout=0),
        lambda: tool(_takes_lock),
        lambda: tool(_unknown_hint),
    ],
)
def test_what_cannot_be_offered_is_refused(make):
    with pytest.raises(AgentError):
        make()


def _takes_lock(lock: threading.Lock):
    del lock


def _unknown_hint(x: "NoSuchType"):  # noqa: F821
    del x


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(min_size=1), JSON, max_size=3), JSON)
def test_whatever_a_model_sends_the_run_ends_in_order(arguments, output):
    reply = Completion(tool_calls=(ToolCall(id="", name="look", arguments=arguments),))
    model = ScriptedModel([reply, "done"])
    outcome, run = ended(Agent(model, tools=[tool(lambda: output, name="look")]))
    assert outcome == Answered("done")
    assert run.status == "answered"
