"""OpenAIModel against a server of our own: what is sent, what comes back, what goes wrong."""

import asyncio

import pytest

from explainkit.errors import ReplyError
from explainkit.flow.models import (
    Chunk,
    Completion,
    Message,
    Model,
    OpenAIModel,
    StreamingModel,
    ToolCall,
    ToolSpec,
    Usage,
)
from tests.flow.models_clients.protocols import call, chat, chat_stream, chunk, texts
from tests.flow.models_clients.server import Events, Hold, ModelServer, Reply

openai = pytest.importorskip("openai", reason="the extra openai is not installed")

LOOK = ToolSpec(name="look.around", description="Look.", parameters={"type": "object"})
CUT_OFF = 'data: {"choices": [\n\n'


def asked(server, prompt, *, tools=(), settings=None, **options):
    """The completion, from a client that is closed before its loop is."""

    async def run():
        client = openai.AsyncOpenAI(
            base_url=f"{server.url}/v1",
            api_key="key-of-a-test",
            **{"max_retries": 0} | (settings or {}),
        )
        async with client:
            model = OpenAIModel("small", client=client, **options)
            return await model.complete(prompt, tools=tools)

    return asyncio.run(run())


def streamed(server, prompt, *, tools=(), take=None):
    async def run():
        url = f"{server.url}/v1"
        async with openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0) as client:
            chunks = []
            stream = OpenAIModel("small", client=client).stream(prompt, tools=tools)
            async for each in stream:
                chunks.append(each)
                if len(chunks) == take:
                    break
            await stream.aclose()
            return chunks

    return asyncio.run(run())


def test_a_text_goes_out_as_one_user_message_and_comes_back_with_its_usage():
    with ModelServer(chat("Good day.")) as server:
        completion = asked(server, "Say good day.", temperature=0)
    assert completion == Completion(text="Good day.", usage=Usage(input_tokens=11, output_tokens=5))
    assert server.requests[0].path == "/v1/chat/completions"
    assert server.requests[0].body == {
        "model": "small",
        "messages": [{"role": "user", "content": "Say good day."}],
        "temperature": 0,
    }


def test_a_conversation_with_parallel_tools_is_sent_in_the_shape_of_the_api():
    both = (
        ToolCall(id="a", name="look.around", arguments={"where": "cellar"}),
        ToolCall(id="b", name="wait", arguments={}),
    )
    prompt = [
        Message("system", "Be brief."),
        Message("user", "Look."),
        Message("assistant", "", both),
        Message("tool", "Dark.", tool_call_id="a"),
        Message("tool", "", tool_call_id="b"),
    ]
    with ModelServer(chat("Dark there.")) as server:
        asked(server, prompt, tools=[LOOK])
    sent = server.requests[0].body
    assert sent["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                call("a", "look_around", '{"where": "cellar"}'),
                call("b", "wait", "{}"),
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "Dark."},
        {"role": "tool", "tool_call_id": "b", "content": ""},
    ]
    function = {"name": "look_around", "description": "Look.", "parameters": {"type": "object"}}
    assert sent["tools"] == [{"type": "function", "function": function}]


def test_calls_come_back_under_the_names_that_the_tools_have():
    calls = [call("a", "look_around", '{"where": "cellar"}'), call("b", "unheard_of", "")]
    with ModelServer(chat(None, calls=calls)) as server:
        completion = asked(server, "Look.", tools=[LOOK])
    assert completion.text is None
    assert completion.tool_calls == (
        ToolCall(id="a", name="look.around", arguments={"where": "cellar"}),
        ToolCall(id="b", name="unheard_of", arguments={}),
    )


@pytest.mark.parametrize("arguments", ['{"where": "cel', "[1]", "cellar"])
def test_arguments_that_are_no_json_object_are_an_error_that_shows_them(arguments):
    with (
        ModelServer(chat(None, calls=[call("a", "look_around", arguments)])) as server,
        pytest.raises(ReplyError, match=r'"look\.around" with arguments that are no JSON object'),
    ):
        asked(server, "Look.", tools=[LOOK])


def test_an_empty_reply_is_an_empty_text_and_a_refusal_is_its_text():
    refusal = {"role": "assistant", "content": None, "refusal": "I would rather not."}
    refused = chat(None)
    refused.body["choices"][0]["message"] = refusal
    with ModelServer(chat("", usage=None), refused) as server:
        assert asked(server, "Say nothing.") == Completion(text="")
        assert asked(server, "Say it.").text == "I would rather not."


@pytest.mark.parametrize("body", ["<html>Welcome</html>", {"choices": []}, {"detail": "no"}, []])
def test_a_server_that_speaks_something_else_is_an_error_that_shows_it(body):
    with ModelServer(Reply(body)) as server, pytest.raises(ReplyError, match="holds no message"):
        asked(server, "Hello?")


def test_the_clients_own_settings_retry_a_full_server():
    busy = Reply({"error": {"message": "busy"}}, status=429, headers={"retry-after-ms": "1"})
    with ModelServer(busy, chat("At last.")) as server:
        assert asked(server, "Now?", settings={"max_retries": 1}).text == "At last."
    assert len(server.requests) == 2


def test_errors_of_the_client_pass_through_as_it_raises_them():
    broken = Reply({"error": {"message": "it broke"}}, status=500)
    with ModelServer(broken, Hold()) as server:
        with pytest.raises(openai.InternalServerError, match="it broke"):
            asked(server, "Now?")
        with pytest.raises(openai.APITimeoutError):
            asked(server, "Now?", settings={"timeout": 0.2})


def test_a_cancelled_call_is_cancelled():
    async def run(server):
        async with openai.AsyncOpenAI(base_url=server.url, api_key="k") as client:
            task = asyncio.create_task(OpenAIModel("small", client=client).complete("Now?"))
            await asyncio.to_thread(server.arrived.wait, 20)
            task.cancel()
            await task

    with ModelServer(Hold()) as server, pytest.raises(asyncio.CancelledError):
        asyncio.run(run(server))


def test_a_stream_joins_to_the_text_of_the_whole_reply():
    with ModelServer(chat_stream(*texts("Good ", "day."))) as server:
        chunks = streamed(server, "Say good day.")
    usage = Usage(input_tokens=11, output_tokens=5)
    assert chunks == [Chunk(text="Good "), Chunk(text="day."), Chunk(usage=usage)]
    assert server.requests[0].body["stream"] is True


def test_streamed_calls_are_whole_in_the_last_chunk():
    deltas = [
        {"tool_calls": [{"index": 0, **call("a", "look_around", "")}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"where": '}}]},
        {"tool_calls": [{"index": 1, **call("b", "wait", "{}")}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '"cellar"}'}}]},
    ]
    with ModelServer(chat_stream(*deltas, finish="tool_calls")) as server:
        (last,) = streamed(server, "Look.", tools=[LOOK])
    assert last.tool_calls == (
        ToolCall(id="a", name="look.around", arguments={"where": "cellar"}),
        ToolCall(id="b", name="wait", arguments={}),
    )


def test_servers_that_give_every_call_the_same_index_are_understood():
    deltas = [
        {"tool_calls": [{"index": 0, **call(name, "wait", "{}")}]} for name in ("first", "second")
    ]
    with ModelServer(chat_stream(*deltas)) as server:
        (last,) = streamed(server, "Wait twice.")
    assert [each.id for each in last.tool_calls] == ["first", "second"]


def test_a_stream_that_breaks_off_raises_what_the_client_raises():
    error = {"error": {"message": "overloaded"}}
    with ModelServer(
        Events([chunk({"content": "Go"}), error]),
        Events([chunk({"content": "Go"}), CUT_OFF]),
        Events([chunk({"content": "Go"})], cut=True),
    ) as server:
        with pytest.raises(openai.APIError, match="overloaded"):
            streamed(server, "Now?")
        with pytest.raises(ValueError, match="Expecting value"):
            streamed(server, "Now?")
        with pytest.raises(Exception, match=r"(?i)peer closed|connection error"):
            streamed(server, "Now?")


def test_a_reader_that_stops_early_ends_the_stream():
    with ModelServer(chat_stream(*texts("Good ", "day."), hold_after=2)) as server:
        assert streamed(server, "Say good day.", take=1) == [Chunk(text="Good ")]


def test_a_server_of_ones_own_needs_no_key(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)

    async def run(server):
        model = OpenAIModel("small", base_url=server.url)
        async with model.client:
            return await model.complete("Hello?")

    with ModelServer(chat("Hello.")) as server:
        assert asyncio.run(run(server)).text == "Hello."
    with pytest.raises(openai.OpenAIError, match=r"(?i)api_key"):
        OpenAIModel("small")


def test_a_model_is_a_streaming_model_and_shows_no_key():
    model = OpenAIModel("small", base_url="http://localhost:1", api_key="key-of-a-test")
    assert isinstance(model, Model)
    assert isinstance(model, StreamingModel)
    assert repr(model) == "OpenAIModel('small')"


def test_what_a_model_cannot_use_is_refused_when_it_is_made():
    client = openai.OpenAI(api_key="k")
    with client, pytest.raises(TypeError, match=r"Pass openai\.AsyncOpenAI"):
        OpenAIModel("small", client=client)
    with pytest.raises(TypeError, match="stream="):
        OpenAIModel("small", base_url="http://localhost:1", stream=True)
    with pytest.raises(TypeError, match="a client, or base_url"):
        OpenAIModel("small", client=object(), api_key="k")
