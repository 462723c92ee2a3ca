"""Streaming: the records of a run that is awaited, and nothing let out that is denied later."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import MessageDeniedError
from explainkit.flow.agents import Agent, after_call, retry
from explainkit.flow.models import CallableModel, Chunk, Completion, ScriptedModel
from explainkit.flow.outcomes import Answered, Cancelled, Failed

from .agent_runs import Listening, Refusing, call, closes, rows, sound


def look(order: str) -> str:
    return f"order {order}: late"


def streamed(stream):
    """The chunks, and what the stream ended with."""

    async def read():
        found = []
        try:
            async for chunk in stream:
                found += [chunk]
        except Exception as error:
            return found, error
        return found, None

    return asyncio.run(read())


def shape(run):
    """The records without times, ids and versions."""
    skipped = ("at", "run", "versions")
    return [
        {key: item for key, item in row.items() if key not in skipped}
        for row in run.recording.rows()
    ]


def test_the_joined_texts_are_the_answer():
    stream = Agent(ScriptedModel(["The sky is blue."])).stream("Which colour?")
    chunks, error = streamed(stream)
    assert error is None
    assert [chunk.text for chunk in chunks] == ["The ", "sky ", "is ", "blue.", "", ""]
    assert stream.outcome == Answered("The sky is blue.")
    assert [chunk.usage for chunk in chunks[:-1]] == [None] * 5
    assert chunks[-1].usage.output_tokens == 4


def test_the_records_are_those_of_a_run_that_is_awaited():
    def agent():
        return Agent(ScriptedModel([call("look", order="7"), "It is late."]), tools=[look])

    streamed(agent().stream("Order 7?"))
    one = sound(ek.last())
    agent().run_sync("Order 7?")
    assert shape(one) == shape(ek.last())


def test_tool_calls_are_handed_over_as_they_come():
    chunks, _ = streamed(
        Agent(ScriptedModel([call("look", order="7"), "done"]), tools=[look]).stream("x")
    )
    assert [each.name for chunk in chunks for each in chunk.tool_calls] == ["look"]


def test_a_model_that_cannot_stream_gives_one_chunk():
    class Plain:
        async def complete(self, prompt, *, tools=()):
            return Completion(text="all at once")

    chunks, _ = streamed(Agent(Plain()).stream("x"))
    assert [chunk.text for chunk in chunks] == ["all at once", ""]


@pytest.mark.parametrize(
    "settings",
    [
        {"middleware": [Refusing("output", "never")]},
        {"evidence_gate": "guard"},
        {"rules": [after_call(TimeoutError, retry())]},
    ],
)
def test_what_may_be_kept_back_comes_in_one_chunk_at_the_end(settings):
    chunks, _ = streamed(Agent(ScriptedModel(["the sky"]), **settings).stream("x"))
    assert [chunk.text for chunk in chunks] == ["the sky", ""]


def test_nothing_of_a_denied_reply_is_let_out():
    agent = Agent(ScriptedModel(["the vault"]), middleware=[Refusing("output", "vault")])
    chunks, error = streamed(agent.stream("x"))
    assert chunks == []
    assert isinstance(error, MessageDeniedError)
    assert sound(ek.last()).status == "verdict"


def test_an_error_in_the_middle_of_a_stream_ends_it():
    class Broken:
        async def complete(self, prompt, *, tools=()):
            raise AssertionError

        async def stream(self, prompt, *, tools=()):
            yield Chunk(text="half ")
            raise ConnectionError("gone")

    stream = Agent(Broken()).stream("x")
    chunks, error = streamed(stream)
    assert [chunk.text for chunk in chunks] == ["half "]
    assert isinstance(error, ConnectionError)
    assert stream.outcome == Failed(error)
    assert [row["status"] for row in closes(sound(ek.last()), "model")] == ["error"]


class Endless(CallableModel):
    """Says one thing, and then nothing for ever."""

    def __init__(self):
        super().__init__(len)

    async def stream(self, prompt, *, tools=()):
        yield Chunk(text="a")
        await asyncio.Event().wait()


async def first_of(stream):
    """The first chunk; the rest is not asked for."""
    async for chunk in stream:
        return chunk
    raise AssertionError("nothing came")


async def stopped_early(stream):
    chunk = await first_of(stream)
    await stream.aclose()
    return chunk


def test_who_stops_early_cancels_a_run_that_goes_on():
    stream = Agent(Endless()).stream("x")
    assert asyncio.run(stopped_early(stream)).text == "a"
    assert stream.outcome == Cancelled()
    run = sound(ek.last())
    assert run.status == "cancelled"
    assert [row["status"] for row in closes(run, "model")] == ["cancelled"]


def test_who_stops_early_hears_how_it_ended_without_closing_it():
    async def read():
        stream = Agent(Endless()).stream("x")
        await first_of(stream)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others)
        return stream.outcome

    assert asyncio.run(read()) == Cancelled()


def test_a_run_that_had_ended_when_somebody_stopped_stands_as_it_ended():
    chat = Agent(ScriptedModel(["a b c"])).chat()
    stream = chat.stream("x")
    assert asyncio.run(stopped_early(stream)).text == "a "
    assert stream.outcome == Answered("a b c")
    assert sound(chat[0].run).status == "answered"
    assert [message["content"] for message in chat.messages] == ["x", "a b c"]


def test_a_turn_that_goes_on_when_somebody_stops_leaves_the_chat_as_it_was():
    chat = Agent(Endless()).chat()
    asyncio.run(stopped_early(chat.stream("x")))
    assert sound(chat[0].run).status == "cancelled"
    assert chat.messages == []


def test_the_chunks_of_a_run_are_given_once():
    model = Listening("one", "two")
    stream = Agent(model).stream("x")
    streamed(stream)
    chunks, error = streamed(stream)
    assert chunks == []
    assert isinstance(error, RuntimeError)
    assert "asked for before" in str(error)
    assert model.calls == 1
    assert stream.outcome == Answered("one")


def test_a_stream_that_is_closed_before_it_begins_calls_no_model():
    model = Listening("one")
    stream = Agent(model).stream("x")
    asyncio.run(stream.aclose())
    assert stream.outcome == Cancelled()
    assert isinstance(streamed(stream)[1], RuntimeError)
    assert model.calls == 0


def test_a_stream_says_shortly_where_it_stands():
    async def read():
        stream = Agent(Endless()).stream("x")
        said = [repr(stream)]
        await first_of(stream)
        said += [repr(stream)]
        await stream.aclose()
        return [*said, repr(stream)]

    assert asyncio.run(read()) == [
        "Streamed(not begun)",
        "Streamed(it runs)",
        "Streamed(Cancelled())",
    ]
    long = Agent(ScriptedModel(["long " * 999])).stream("x")
    streamed(long)
    assert repr(long).startswith("Streamed(Answered(value='long long")
    assert len(repr(long)) < 120


def test_a_stream_that_says_nothing_is_asked_again_as_a_reply_without_anything():
    chunks, error = streamed(Agent(ScriptedModel([Completion(), "x"])).stream("y"))
    assert error is None
    assert "".join(chunk.text for chunk in chunks) == "x"


def test_a_turn_of_a_chat_can_be_streamed():
    chat = Agent(ScriptedModel(["one", "two"])).chat()
    assert streamed(chat.stream("a"))[1] is None
    chunks, _ = streamed(chat.stream("b"))
    assert "".join(chunk.text for chunk in chunks) == "two"
    assert [m["content"] for m in chat.messages] == ["a", "one", "b", "two"]
    assert rows(chat[1].run, "run_ended")[0]["status"] == "answered"
