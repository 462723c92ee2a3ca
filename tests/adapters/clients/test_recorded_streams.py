"""Streams of a recorded client: the caller gets every item, the link what they join to."""

import asyncio
import gc

import pytest

import explainkit as ek
from tests.adapters.clients.recording import KEY, links, only, output, rows, run_of
from tests.flow.models_clients.protocols import (
    USAGE,
    call,
    chat_stream,
    chunk,
    input_deltas,
    message_stream,
    response_stream,
    text_block,
    text_deltas,
    texts,
    tool_use,
)
from tests.flow.models_clients.server import Events, ModelServer

openai = pytest.importorskip("openai", reason="the extra openai is not installed")
anthropic = pytest.importorskip("anthropic", reason="the extra anthropic is not installed")

ASK = [{"role": "user", "content": "Say good day."}]
PIECES = ("Good ", "day.")


def streaming(kind):
    """A server that streams the same words in the protocol of a client of some kind."""
    streams = {
        "chat": chat_stream(*texts(*PIECES)),
        "responses": response_stream(*PIECES),
        "messages": message_stream(text_deltas(*PIECES)),
    }
    return streams[kind]


def started(client, kind, **more):
    if kind == "chat":
        more = {"stream_options": {"include_usage": True}} | more
        return client.chat.completions.create(model="small", messages=ASK, stream=True, **more)
    if kind == "responses":
        return client.responses.create(model="small", input=ASK, stream=True, **more)
    return client.messages.create(model="small", messages=ASK, max_tokens=9, stream=True, **more)


def made(kind, url, *, awaits=False):
    package = anthropic if kind == "messages" else openai
    name = "Anthropic" if kind == "messages" else "OpenAI"
    return getattr(package, f"Async{name}" if awaits else name)(
        base_url=url, api_key=KEY, max_retries=0
    )


KINDS = pytest.mark.parametrize("kind", ["chat", "responses", "messages"])


@KINDS
def test_a_stream_is_handed_on_unchanged_and_recorded_joined(kind):
    with ModelServer(streaming(kind), streaming(kind)) as server, made(kind, server.url) as client:
        plain = list(started(client, kind))
        got = []

        def work():
            stream = started(ek.instrument(client), kind)
            assert isinstance(stream, (openai.Stream, anthropic.Stream))
            got.extend(stream)

        run = run_of(work)
    assert got == plain
    opened, closed = only(run)
    assert opened["attrs"]["stream"] is True
    assert closed["status"] == "answered"
    assert output(run, closed) == "Good day."
    assert closed["attrs"]["model"] == "small-2024"
    assert 5 in closed["attrs"]["usage"].values()
    assert "complete" not in closed["attrs"]


@KINDS
def test_an_async_stream_is_handed_on_unchanged_and_recorded_joined(kind):
    got = []

    async def work(server):
        async with made(kind, server.url, awaits=True) as client:
            plain = [each async for each in await started(client, kind)]
            stream = await started(ek.instrument(client), kind)
            got.extend([each async for each in stream])
            assert got == plain

    with ModelServer(streaming(kind), streaming(kind)) as server:
        run = run_of(lambda: work(server))
    assert len(got) > 2
    assert [output(run, closed) for _, closed in links(run)] == ["Good day."]


def test_streamed_calls_are_recorded_as_whole_calls():
    deltas = [
        {"content": "I look."},
        {"tool_calls": [{"index": 0, **call("a", "look", "")}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"where": '}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '"cellar"}'}}]},
    ]
    blocks = text_deltas("I look."), input_deltas("a", "look", '{"where": ', '"cellar"}')
    with (
        ModelServer(chat_stream(*deltas, finish="tool_calls"), message_stream(*blocks)) as server,
        made("chat", server.url) as one,
        made("messages", server.url) as other,
    ):

        def work():
            list(started(ek.instrument(one), "chat"))
            list(started(ek.instrument(other), "messages"))

        run = run_of(work)
    first, second = (output(run, closed) for _, closed in links(run))
    calls = [call("a", "look", '{"where": "cellar"}')]
    assert first == {"role": "assistant", "content": "I look.", "tool_calls": calls}
    said = [text_block("I look."), tool_use("a", "look", {"where": "cellar"})]
    assert second == {"role": "assistant", "content": said}


HELPERS = {
    "chat": lambda client: client.chat.completions.stream(model="small", messages=ASK),
    "responses": lambda client: client.responses.stream(model="small", input=ASK),
    "messages": lambda client: client.messages.stream(model="small", messages=ASK, max_tokens=9),
}


@KINDS
def test_the_clients_own_stream_helpers_are_recorded(kind):
    with ModelServer(streaming(kind)) as server, made(kind, server.url) as client:
        if not hasattr(getattr(client, "responses", None), "stream") and kind == "responses":
            pytest.skip("this version of openai has no such helper")

        def work():
            with HELPERS[kind](ek.instrument(client)) as stream:
                assert len(list(stream)) > 2

        run = run_of(work)
    _, closed = only(run)
    assert closed["status"] == "answered"
    assert output(run, closed) == "Good day."


@KINDS
def test_a_helper_that_is_left_early_is_a_cancelled_link_with_what_came(kind):
    with ModelServer(streaming(kind)) as server, made(kind, server.url) as client:

        def work():
            with HELPERS[kind](ek.instrument(client)) as stream:
                for event in stream:
                    if "Good " in str(event):
                        break
            (closed,) = rows(ek.last(), "link_closed")
            assert closed["status"] == "cancelled"

        run = run_of(work)
    assert output(run, only(run)[1]) == "Good "


def test_a_stream_that_is_closed_early_is_cancelled_with_what_came():
    with ModelServer(chat_stream(*texts(*PIECES))) as server, made("chat", server.url) as client:

        def work():
            with started(ek.instrument(client), "chat") as stream:
                for each in stream:
                    if each.choices[0].delta.content:
                        break

        run = run_of(work)
    _, closed = only(run)
    assert closed["status"] == "cancelled"
    assert output(run, closed) == "Good "
    assert closed["attrs"]["complete"] is False


def test_a_stream_that_is_dropped_is_cancelled():
    with ModelServer(chat_stream(*texts(*PIECES))) as server, made("chat", server.url) as client:

        def work():
            stream = started(ek.instrument(client), "chat")
            next(stream)
            del stream
            gc.collect()
            ek.event("after", "it")

        run = run_of(work)
    _, closed = only(run)
    assert closed["status"] == "cancelled"
    assert closed["seq"] < rows(run, "event")[0]["seq"]


def test_an_async_stream_that_is_left_early_is_cancelled_with_what_came():
    async def work(server):
        async with (
            made("chat", server.url, awaits=True) as client,
            await started(ek.instrument(client), "chat") as stream,
        ):
            async for each in stream:
                if each.choices[0].delta.content:
                    break

    with ModelServer(chat_stream(*texts(*PIECES))) as server:
        run = run_of(lambda: work(server))
    _, closed = only(run)
    assert closed["status"] == "cancelled"
    assert output(run, closed) == "Good "


def test_a_stream_nobody_reads_is_abandoned_with_its_run():
    with ModelServer(chat_stream(*texts(*PIECES))) as server, made("chat", server.url) as client:
        kept = []
        run = run_of(lambda: kept.append(started(ek.instrument(client), "chat")))
        assert only(run)[1]["status"] == "abandoned"
        assert "".join(each.choices[0].delta.content or "" for each in kept[0] if each.choices)


def test_a_stream_that_outlives_its_run_is_abandoned_with_what_came():
    with ModelServer(chat_stream(*texts(*PIECES))) as server, made("chat", server.url) as client:
        kept = []

        def work():
            kept.append(started(ek.instrument(client), "chat"))
            next(kept[0])
            next(kept[0])

        run = run_of(work)
        rest = [each.choices[0].delta.content for each in kept[0] if each.choices]
    assert rest == ["day.", None]
    _, closed = only(run)
    assert closed["status"] == "abandoned"
    assert output(run, closed) == "Good "


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (Events([chunk({"content": "Good "}), {"error": {"message": "busy"}}]), "APIError"),
        (Events([chunk({"content": "Good "}), 'data: {"choices"\n\n']), "JSONDecodeError"),
        (Events([chunk({"content": "Good "})], cut=True), ""),
    ],
    ids=["error event", "no JSON", "cut connection"],
)
def test_a_stream_that_breaks_is_an_error_with_what_came(broken, error):
    with ModelServer(broken) as server, made("chat", server.url) as client:

        def work():
            with pytest.raises(Exception, match=r".") as caught:
                list(started(ek.instrument(client), "chat"))
            assert error in type(caught.value).__name__

        run = run_of(work)
    _, closed = only(run)
    assert closed["status"] == "error"
    assert output(run, closed) == "Good "
    assert error in str(run.recording.values.tagged(closed["error"]))


def test_a_stream_without_an_end_is_answered_and_marked():
    with (
        ModelServer(Events([chunk({"content": "Good "})])) as server,
        made("chat", server.url) as client,
    ):
        run = run_of(lambda: list(started(ek.instrument(client), "chat")))
    _, closed = only(run)
    assert (closed["status"], closed["attrs"]["complete"]) == ("answered", False)


def test_a_slow_stream_that_times_out_is_an_error_with_what_came():
    slow = chat_stream(*texts(*PIECES), hold_after=2)
    with ModelServer(slow) as server, made("chat", server.url) as client:

        def work():
            with pytest.raises(Exception, match=r"(?i)timed out|timeout"):
                list(started(ek.instrument(client), "chat", timeout=2))

        run = run_of(work)
    _, closed = only(run)
    assert closed["status"] == "error"
    assert output(run, closed) == "Good "


def test_a_task_cancelled_while_it_streams_is_cancelled():
    async def work(server):
        async with made("chat", server.url, awaits=True) as client:
            stream = await started(ek.instrument(client), "chat")
            first = asyncio.Event()

            async def read():
                async for each in stream:
                    if each.choices[0].delta.content:
                        first.set()

            task = asyncio.create_task(read())
            await first.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    with ModelServer(chat_stream(*texts(*PIECES), hold_after=2)) as server:
        run = run_of(lambda: work(server))
    _, closed = only(run)
    assert closed["status"] == "cancelled"
    assert output(run, closed) == "Good "


def test_streams_read_in_turns_are_recorded_apart():
    with (
        ModelServer(chat_stream(*texts("a1 ", "a2")), chat_stream(*texts("b1 ", "b2"))) as server,
        made("chat", server.url) as client,
    ):

        def work():
            one = started(ek.instrument(client), "chat")
            other = started(client, "chat")
            for _ in zip(one, other, strict=True):
                ek.event("between", "it")

        run = run_of(work)
    assert [output(run, closed) for _, closed in links(run)] == ["a1 a2", "b1 b2"]
    assert {row.get("parent") for row in rows(run, "event")} == {None}


def test_usage_is_recorded_when_the_server_tells_it():
    with ModelServer(chat_stream(*texts(*PIECES))) as server, made("chat", server.url) as client:
        run = run_of(lambda: list(started(ek.instrument(client), "chat")))
    assert only(run)[1]["attrs"]["usage"] == USAGE
