"""A client whose calls are recorded: every call is one link, and the caller notices nothing."""

import asyncio
import json

import pytest
from pydantic import BaseModel

import explainkit as ek
from explainkit.flow.models import OpenAIModel
from tests.adapters.clients.recording import KEY, all_text, links, only, output, rows, run_of, slots
from tests.flow.models_clients.protocols import (
    SPENT,
    USAGE,
    call,
    called,
    chat,
    message,
    response,
    said,
    text_block,
    tool_use,
)
from tests.flow.models_clients.server import Hold, ModelServer, Reply

openai = pytest.importorskip("openai", reason="the extra openai is not installed")
anthropic = pytest.importorskip("anthropic", reason="the extra anthropic is not installed")

ASK = [{"role": "user", "content": "Say good day."}]
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


@pytest.fixture
def client(server):
    with openai.OpenAI(base_url=server.url, api_key=KEY, max_retries=0) as made:
        yield ek.instrument(made)


@pytest.fixture
def claude(server):
    with anthropic.Anthropic(base_url=server.url, api_key=KEY, max_retries=0) as made:
        yield ek.instrument(made)


def ask(client, **more):
    return client.chat.completions.create(model="small", messages=ASK, **more)


def ask_claude(client, **more):
    return client.messages.create(model="small", messages=ASK, max_tokens=9, **more)


def test_a_chat_call_is_a_model_link_with_what_was_sent_and_what_came(server, client):
    server.add(chat("Good day."))
    system = {"role": "system", "content": "Be kind."}
    run = run_of(
        lambda: client.chat.completions.create(
            model="small",
            messages=[system, *ASK],
            tools=[TOOL],
            temperature=0,
            stop=["!"],
        )
    )
    opened, closed = only(run)
    assert opened["name"] == "small"
    assert opened["attrs"] == {"api": "chat.completions", "parameters": {"temperature": 0}}
    assert slots(run, opened) == {"messages": [system, *ASK], "tools": [TOOL], "stop": ["!"]}
    assert list(slots(run, opened))[:2] == ["messages", "tools"]
    assert closed["status"] == "answered"
    assert output(run, closed) == "Good day."
    facts = {"model": "small-2024", "finish_reason": "stop", "usage": USAGE}
    assert closed["attrs"] == facts
    assert run.answer == "Good day."


def test_a_call_of_the_responses_api_is_a_model_link(server, client):
    server.add(Reply(response(said("Good day."))))
    run = run_of(
        lambda: client.responses.create(model="small", input="Say it.", instructions="Be kind.")
    )
    opened, closed = only(run)
    assert slots(run, opened) == {"system": "Be kind.", "messages": "Say it."}
    assert output(run, closed) == "Good day."
    assert closed["attrs"]["status"] == "completed"


def test_a_call_of_anthropic_is_a_model_link(server, claude):
    server.add(message(text_block("Good "), text_block("day.")))
    run = run_of(lambda: ask_claude(claude, system="Be kind."))
    opened, closed = only(run)
    assert slots(run, opened) == {"system": "Be kind.", "messages": ASK}
    assert opened["attrs"] == {"api": "messages", "parameters": {"max_tokens": 9}}
    assert output(run, closed) == "Good day."
    facts = {"model": "small-2024", "stop_reason": "end_turn", "usage": SPENT}
    assert closed["attrs"] == facts


def test_a_reply_with_calls_is_recorded_whole(server, client, claude):
    calls = [call("a", "look", '{"where": "cellar"}'), call("b", "wait", "")]
    blocks = [text_block("I look."), tool_use("a", "look", {"where": "cellar"})]
    items = [called("a", "look", "{}"), called("b", "wait", "{}")]
    server.add(chat(None, calls=calls), message(*blocks), Reply(response(*items)))

    def work():
        ask(client)
        ask_claude(claude)
        client.responses.create(model="small", input=ASK)

    outputs = [output(run, closed) for run in [run_of(work)] for _, closed in links(run)]
    assert outputs[0]["tool_calls"] == calls
    assert outputs[0]["content"] is None
    assert outputs[1] == {"role": "assistant", "content": blocks}
    assert outputs[2] == items


def test_a_reply_that_thinks_keeps_the_thoughts_beside_its_text(server, claude):
    thought = {"type": "thinking", "thinking": "They greet.", "signature": "s"}
    server.add(message(thought, text_block("Good day.")))
    run = run_of(lambda: ask_claude(claude))
    _, closed = only(run)
    assert output(run, closed) == "Good day."
    raw = run.recording.values.object(closed["attrs"]["raw"])
    assert raw["content"] == [thought, text_block("Good day.")]


def test_several_choices_are_all_the_output(server, client):
    reply = chat("Good day.")
    second = {"role": "assistant", "content": "Hello."}
    reply.body["choices"].append({"index": 1, "message": second, "finish_reason": "stop"})
    server.add(reply)
    run = run_of(lambda: ask(client, n=2))
    assert [each["content"] for each in output(run, only(run)[1])] == ["Good day.", "Hello."]


def test_async_clients_are_recorded(server):
    async def work():
        async with (
            openai.AsyncOpenAI(base_url=server.url, api_key=KEY) as one,
            anthropic.AsyncAnthropic(base_url=server.url, api_key=KEY) as other,
        ):
            await ask(ek.instrument(one))
            await ask_claude(ek.instrument(other))

    server.add(chat("Good day."), message(text_block("Hello.")))
    run = run_of(work)
    assert [output(run, closed) for _, closed in links(run)] == ["Good day.", "Hello."]


def test_what_the_caller_gets_is_what_the_client_gives(server, client):
    server.add(chat("Good day."), chat("Good day."))
    outside = ask(client)
    inside = []
    run_of(lambda: inside.append(ask(client)))
    assert inside == [outside]
    assert type(inside[0]) is type(outside)
    assert [request.body for request in server.requests] == [server.requests[0].body] * 2


def test_outside_a_run_nothing_is_recorded(server, client):
    server.add(chat("Good day."), chat("Hello."))
    ask(client)
    run = run_of(lambda: None)
    ask(client)
    assert links(run) == []


def test_the_client_stays_the_same_and_a_second_time_changes_nothing(server, client):
    assert ek.instrument(client) is client
    server.add(chat("Good day."))
    run = run_of(lambda: ask(client))
    only(run)


def test_recording_can_be_taken_back_and_put_in_again(server, client):
    server.add(chat("One."), chat("Two."))

    def work():
        assert ek.uninstrument(client) is client
        ask(client)
        ek.instrument(client)
        ask(client)

    run = run_of(work)
    assert output(run, only(run)[1]) == "Two."


def test_resources_that_were_used_before_are_recorded_too(server):
    server.add(chat("Before."), chat("After."), chat("Raw."))
    with openai.OpenAI(base_url=server.url, api_key=KEY) as made:
        ask(made)
        raw = made.chat.completions.with_raw_response
        ek.instrument(made)
        run = run_of(lambda: [ask(made), raw.create(model="small", messages=ASK).parse()])
    assert [output(run, closed) for _, closed in links(run)] == ["After.", "Raw."]


def test_copies_with_other_options_are_recorded(server, client, claude):
    server.add(chat("One."), message(text_block("Two.")))

    def work():
        ask(client.with_options(timeout=5))
        ask_claude(claude.copy(timeout=5))

    run = run_of(work)
    assert len(links(run)) == 2


def test_a_retried_call_is_one_link(server, client):
    busy = Reply({"error": {"message": "busy"}}, status=429, headers={"retry-after-ms": "1"})
    server.add(busy, chat("At last."))
    run = run_of(lambda: ask(client.with_options(max_retries=1)))
    assert output(run, only(run)[1]) == "At last."
    assert len(server.requests) == 2


def test_an_error_is_recorded_and_raised_as_it_is(server, client, claude):
    server.add(
        Reply({"error": {"message": "it broke"}}, status=500),
        Reply({"type": "error", "error": {"message": "it broke"}}, status=529),
        Hold(),
    )

    def work():
        with pytest.raises(openai.InternalServerError, match="it broke"):
            ask(client)
        with pytest.raises(anthropic.APIStatusError, match="it broke"):
            ask_claude(claude)
        with pytest.raises(openai.APITimeoutError):
            ask(client, timeout=0.2)

    run = run_of(work)
    closed = [closed for _, closed in links(run)]
    assert [each["status"] for each in closed] == ["error"] * 3
    assert "it broke" in str(run.recording.values.tagged(closed[0]["error"]))
    assert all("output" not in each for each in closed)


def test_a_cancelled_call_is_cancelled(server):
    async def work():
        async with openai.AsyncOpenAI(base_url=server.url, api_key=KEY) as made:
            task = asyncio.create_task(ask(ek.instrument(made)))
            await asyncio.to_thread(server.arrived.wait, 20)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    server.add(Hold())
    run = run_of(work)
    assert only(run)[1]["status"] == "cancelled"


def test_keys_and_headers_are_never_recorded(server, client, claude, tmp_path):
    server.add(
        chat("Good day."),
        message(text_block("Hello.")),
        Reply({"error": {"message": "no"}}, status=401),
    )

    def work():
        ask(client, extra_headers={"x-tenant": "a-tenant-nobody-may-read"})
        ask_claude(claude)
        with pytest.raises(openai.AuthenticationError):
            ask(client)

    text = all_text(run_of(work), tmp_path)
    assert server.requests[0].headers["x-tenant"] == "a-tenant-nobody-may-read"
    assert KEY in json.dumps(server.requests[0].headers)
    assert KEY not in text
    assert "nobody-may-read" not in text


def test_a_raw_response_that_is_there_is_recorded_and_left_to_the_caller(server, client):
    server.add(chat("Good day."))
    got = []
    run = run_of(
        lambda: got.append(
            client.chat.completions.with_raw_response.create(model="small", messages=ASK)
        )
    )
    assert got[0].parse().choices[0].message.content == "Good day."
    assert output(run, only(run)[1]) == "Good day."


def test_a_raw_response_that_only_the_caller_reads_is_said_to_be_missing(server, client):
    server.add(chat("Good day."))

    def work():
        streaming = client.chat.completions.with_streaming_response
        with streaming.create(model="small", messages=ASK) as raw:
            assert "Good day." in raw.read().decode()

    run = run_of(work)
    opened, closed = only(run)
    assert closed["status"] == "answered"
    assert "output" not in closed
    (lost,) = rows(run, "lost")
    assert lost["parent"] == opened["seq"]
    assert "the caller reads the raw response" in lost["reason"]


class Greeting(BaseModel):
    """What a parsed reply is."""

    words: str


def test_a_parsed_reply_is_recorded_as_the_model_said_it(server, client):
    server.add(chat('{"words": "Good day."}'))
    got = []
    run = run_of(
        lambda: got.append(
            client.beta.chat.completions.parse(
                model="small", messages=ASK, response_format=Greeting
            )
        )
    )
    assert got[0].choices[0].message.parsed == Greeting(words="Good day.")
    opened, closed = only(run)
    assert output(run, closed) == '{"words": "Good day."}'
    assert "words" in str(slots(run, opened)["response_format"])


PARSING = {
    "responses": lambda client: client.responses.parse(
        model="small", input=ASK, text_format=Greeting
    ),
    "messages": lambda client: client.messages.parse(
        model="small", messages=ASK, max_tokens=9, output_format=Greeting
    ),
}


@pytest.mark.parametrize("kind", ["responses", "messages"])
def test_other_parsed_replies_are_recorded_as_the_model_said_them(server, client, claude, kind):
    user = claude if kind == "messages" else client
    if not hasattr(getattr(user, kind), "parse"):
        pytest.skip(f"this version has no {kind}.parse")
    words = '{"words": "Good day."}'
    server.add(message(text_block(words)) if kind == "messages" else Reply(response(said(words))))
    got = []
    run = run_of(lambda: got.append(PARSING[kind](user)))
    parsed = got[0].parsed_output if kind == "messages" else got[0].output_parsed
    assert parsed == Greeting(words="Good day.")
    opened, closed = only(run)
    assert output(run, closed) == words
    assert "words" in str(slots(run, opened))


def test_a_client_made_from_another_is_recorded(server):
    server.add(chat("Good day."))
    with openai.AzureOpenAI(azure_endpoint=server.url, api_key=KEY, api_version="1") as azure:
        run = run_of(lambda: ask(ek.instrument(azure)))
    assert "/deployments/small/" in server.requests[0].path
    assert output(run, only(run)[1]) == "Good day."


def test_calls_at_the_same_time_stand_in_the_links_that_make_them(server):
    async def work():
        async with openai.AsyncOpenAI(base_url=server.url, api_key=KEY) as made:
            ek.instrument(made)

            @ek.link
            async def greet(name):
                messages = [{"role": "user", "content": name}]
                await made.chat.completions.create(model=name, messages=messages)

            await asyncio.gather(*map(greet, "abc"))

    server.add(*(chat(text) for text in ("One.", "Two.", "Three.")))
    run = run_of(work)
    outer = {slots(run, opened)["name"]: opened["seq"] for opened, _ in links(run, "function")}
    assert {opened["name"]: opened["parent"] for opened, _ in links(run)} == outer
    assert {closed["status"] for _, closed in links(run)} == {"answered"}


def test_the_beta_of_anthropic_is_recorded(server, claude):
    server.add(message(text_block("Good day.")))
    run = run_of(lambda: claude.beta.messages.create(model="small", messages=ASK, max_tokens=9))
    assert output(run, only(run)[1]) == "Good day."


def test_messages_that_come_from_a_generator_reach_the_server_and_the_record(server, claude):
    server.add(message(text_block("Good day.")))
    run = run_of(
        lambda: claude.messages.create(model="small", messages=(each for each in ASK), max_tokens=9)
    )
    assert server.requests[0].body["messages"] == ASK
    assert slots(run, only(run)[0])["messages"] == ASK


def test_a_reply_that_is_no_message_is_recorded_as_it_is(server, client):
    server.add(Reply("<html>Welcome</html>"))
    run = run_of(lambda: ask(client))
    assert output(run, only(run)[1]) == "<html>Welcome</html>"


def test_other_endpoints_are_left_alone(server, client):
    item = {"object": "embedding", "index": 0, "embedding": [0.5]}
    server.add(Reply({"object": "list", "data": [item], "model": "m", "usage": USAGE}))
    run = run_of(lambda: client.embeddings.create(model="m", input="Hi", encoding_format="float"))
    assert rows(run, "link_opened") == []


def test_a_call_stands_inside_the_link_that_makes_it(server, client):
    @ek.link
    def greet():
        return ask(client).choices[0].message.content

    server.add(chat("Good day."))
    run = run_of(greet)
    ((outer, _),) = links(run, "function")
    assert only(run)[0]["parent"] == outer["seq"]


def test_a_model_of_ours_is_recorded_once_by_whoever_asks_it(server):
    async def work():
        async with openai.AsyncOpenAI(base_url=server.url, api_key=KEY) as made:
            model = OpenAIModel("small", client=ek.instrument(made))

            @ek.link(kind="model", name="desk")
            async def desk(prompt):
                return (await model.complete(prompt)).text

            await desk("Say good day.")
            await model.complete("Say hello.")

    server.add(chat("Good day."), chat("Hello."))
    run = run_of(work)
    assert [opened["name"] for opened, _ in links(run)] == ["desk", "small"]


@pytest.mark.parametrize("thing", [object(), "client", openai, OpenAIModel])
def test_what_is_no_client_is_refused_with_the_way_to_record_it(thing):
    with pytest.raises(TypeError, match=r'@ek\.link\(kind="model"\)'):
        ek.instrument(thing)


def test_a_fault_of_the_recorder_never_reaches_the_caller(server, client, monkeypatch):
    def broken(*_):
        raise RuntimeError("our own fault")

    monkeypatch.setattr("explainkit.adapters.clients.recorded_calls.sent_in", broken)
    server.add(chat("Good day."))
    with ek.trace("talk", strict=False) as run:
        assert ask(client).choices[0].message.content == "Good day."
    assert rows(run, "run_ended")[0]["suppressed"] == 1
