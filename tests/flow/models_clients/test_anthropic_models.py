"""AnthropicModel against a server of our own: what is sent, what comes back, what goes wrong."""

import asyncio

import pytest

from explainkit.errors import ReplyError
from explainkit.flow.models import (
    AnthropicModel,
    Chunk,
    Completion,
    Message,
    StreamingModel,
    ToolCall,
    ToolSpec,
    Usage,
)
from tests.flow.models_clients.protocols import (
    input_deltas,
    message,
    message_stream,
    text_block,
    text_deltas,
    tool_use,
)
from tests.flow.models_clients.server import Hold, ModelServer, Reply

anthropic = pytest.importorskip("anthropic", reason="the extra anthropic is not installed")

LOOK = ToolSpec(name="look.around", description="Look.")
USAGE = Usage(input_tokens=11, output_tokens=5)


def client_of(server, **settings):
    return anthropic.AsyncAnthropic(
        base_url=server.url, api_key="key-of-a-test", **{"max_retries": 0} | settings
    )


def asked(server, prompt, *, tools=(), settings=None, **options):
    async def run():
        async with client_of(server, **settings or {}) as client:
            model = AnthropicModel("small", client=client, **options)
            return await model.complete(prompt, tools=tools)

    return asyncio.run(run())


def streamed(server, prompt, *, tools=()):
    async def run():
        async with client_of(server) as client:
            model = AnthropicModel("small", client=client)
            return [each async for each in model.stream(prompt, tools=tools)]

    return asyncio.run(run())


def test_a_text_goes_out_as_one_user_message_and_comes_back_with_its_usage():
    with ModelServer(message(text_block("Good "), text_block("day."))) as server:
        completion = asked(server, "Say good day.", max_tokens=50, stop_sequences=["."])
    assert completion == Completion(text="Good day.", usage=USAGE)
    assert server.requests[0].path == "/v1/messages"
    assert server.requests[0].body == {
        "model": "small",
        "messages": [{"role": "user", "content": "Say good day."}],
        "max_tokens": 50,
        "stop_sequences": ["."],
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
        Message("developer", "Answer now."),
        Message("user", "Well?"),
        Message("assistant", ""),
    ]
    with ModelServer(message(text_block("Dark there."))) as server:
        asked(server, prompt, tools=[LOOK])
    sent = server.requests[0].body
    assert sent["system"] == "Be brief.\n\nAnswer now."
    assert sent["messages"] == [
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": [
                tool_use("a", "look_around", {"where": "cellar"}),
                tool_use("b", "wait", {}),
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "Dark."},
                {"type": "tool_result", "tool_use_id": "b", "content": ""},
                {"type": "text", "text": "Well?"},
            ],
        },
    ]
    schema = {"type": "object", "properties": {}}
    assert sent["tools"] == [
        {"name": "look_around", "description": "Look.", "input_schema": schema}
    ]


def test_calls_come_back_under_the_names_that_the_tools_have():
    blocks = (
        {"type": "thinking", "thinking": "Where is it?", "signature": "s"},
        text_block("I look."),
        tool_use("a", "look_around", {"where": "cellar"}),
    )
    with ModelServer(message(*blocks, stop="tool_use")) as server:
        completion = asked(server, "Look.", tools=[LOOK])
    assert completion.text == "I look."
    assert completion.tool_calls == (
        ToolCall(id="a", name="look.around", arguments={"where": "cellar"}),
    )


def test_tokens_of_a_cache_are_part_of_the_input():
    reply = message(text_block("Yes."))
    reply.body["usage"] = {
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_read_input_tokens": 10,
        "cache_creation_input_tokens": 100,
    }
    with ModelServer(reply) as server:
        assert asked(server, "Hm?").usage == Usage(input_tokens=111, output_tokens=2)


@pytest.mark.parametrize("body", ["<html>Welcome</html>", {"detail": "no"}])
def test_a_server_that_speaks_something_else_is_an_error_that_shows_it(body):
    with ModelServer(Reply(body)) as server, pytest.raises(ReplyError, match="holds no message"):
        asked(server, "Hello?")


def test_the_clients_own_settings_retry_a_full_server():
    busy = Reply(
        {"type": "error", "error": {"type": "rate_limit_error", "message": "busy"}},
        status=429,
        headers={"retry-after-ms": "1"},
    )
    with ModelServer(busy, message(text_block("At last."))) as server:
        assert asked(server, "Now?", settings={"max_retries": 1}).text == "At last."
    assert len(server.requests) == 2


def test_errors_of_the_client_pass_through_as_it_raises_them():
    broken = Reply({"type": "error", "error": {"message": "it broke"}}, status=500)
    with ModelServer(broken, Hold()) as server:
        with pytest.raises(anthropic.InternalServerError, match="it broke"):
            asked(server, "Now?")
        with pytest.raises(anthropic.APITimeoutError):
            asked(server, "Now?", settings={"timeout": 0.2})


def test_a_stream_joins_to_the_text_of_the_whole_reply():
    with ModelServer(message_stream(text_deltas("Good ", "day."))) as server:
        chunks = streamed(server, "Say good day.")
    assert chunks == [Chunk(text="Good "), Chunk(text="day."), Chunk(usage=USAGE)]
    assert server.requests[0].body["stream"] is True


def test_streamed_calls_are_whole_in_the_last_chunk():
    blocks = (
        text_deltas("I look."),
        input_deltas("a", "look_around", '{"where": ', '"cellar"}'),
        input_deltas("b", "wait"),
    )
    with ModelServer(message_stream(*blocks, stop="tool_use")) as server:
        chunks = streamed(server, "Look.", tools=[LOOK])
    assert chunks[-1].tool_calls == (
        ToolCall(id="a", name="look.around", arguments={"where": "cellar"}),
        ToolCall(id="b", name="wait", arguments={}),
    )


def test_a_call_that_the_limit_of_tokens_cut_off_is_an_error():
    blocks = input_deltas("a", "look_around", '{"where": "cel')
    with (
        ModelServer(message_stream(blocks, stop="max_tokens")) as server,
        pytest.raises(ReplyError, match="no JSON object"),
    ):
        streamed(server, "Look.", tools=[LOOK])


def test_a_stream_that_reports_an_error_raises_what_the_client_raises():
    stream = message_stream(text_deltas("Go"))
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}
    stream.events[4:] = [error]
    with ModelServer(stream) as server, pytest.raises(anthropic.APIStatusError, match="overloaded"):
        streamed(server, "Now?")


def test_a_server_of_ones_own_needs_no_key(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)

    async def run(server):
        model = AnthropicModel("small", base_url=server.url)
        async with model.client:
            return await model.complete("Hello?")

    with ModelServer(message(text_block("Hello."))) as server:
        assert asyncio.run(run(server)).text == "Hello."


def test_what_a_model_cannot_use_is_refused_when_it_is_made():
    client = anthropic.Anthropic(api_key="k")
    with client, pytest.raises(TypeError, match=r"Pass anthropic\.AsyncAnthropic"):
        AnthropicModel("small", client=client)
    with pytest.raises(TypeError, match="system="):
        AnthropicModel("small", base_url="http://localhost:1", system="Be brief.")
    assert isinstance(AnthropicModel("small", base_url="http://localhost:1"), StreamingModel)
