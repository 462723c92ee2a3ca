"""Tools that a recorded client's model called: results are tied to their calls by id."""

import gc
import json

import pytest

import explainkit as ek
from explainkit.adapters.clients import replies_seen
from tests.adapters.clients.recording import KEY, links, only, output, rows, run_of, value
from tests.flow.models_clients.protocols import (
    call,
    called,
    chat,
    message,
    response,
    said,
    text_block,
    tool_use,
)
from tests.flow.models_clients.server import ModelServer, Reply

openai = pytest.importorskip("openai", reason="the extra openai is not installed")
anthropic = pytest.importorskip("anthropic", reason="the extra anthropic is not installed")

ASK = {"role": "user", "content": "What does the gate in Tokyo say?"}
SAYS = "The gate opens at half past five."
LOOK = call("c1", "look", '{"city": "Tokyo"}')


def result(identifier, content):
    return {"role": "tool", "tool_call_id": identifier, "content": content}


def talk(server, *steps, before=None):
    """A run of chat calls; each step gives the messages to add after a reply."""

    def work():
        with openai.OpenAI(base_url=server.url, api_key=KEY, max_retries=0) as client:
            ek.instrument(client)
            messages = [ASK]
            reply = client.chat.completions.create(model="small", messages=messages)
            for step in steps:
                messages += [reply.choices[0].message, *step()]
                reply = client.chat.completions.create(model="small", messages=messages)

    return run_of(work)


def segments(opened):
    (slot,) = (each for each in opened["inputs"] if each["slot"] == "messages")
    return [
        (each["path"], each["start"], each["end"], each["origin"])
        for each in slot.get("segments", ())
    ]


def declared_origin(run, text):
    """Where a text of the last prompt was first recorded, by declared edges alone."""
    prompt = run.prompt()
    start = prompt.text.index(text)
    (segment,) = [each for each in prompt.segments if each.start <= start < each.end]
    assert (segment.text, segment.grade) == (text, "declared")
    return segment.origin.seq


def test_a_result_that_nothing_recorded_is_a_tool_link_tied_by_the_calls_id():
    with ModelServer(chat(None, calls=[LOOK]), chat(SAYS)) as server:
        run = talk(server, lambda: [result("c1", SAYS)])
    (asked, second) = links(run)
    opened, closed = only(run, "tool")
    assert (opened["name"], opened["attrs"]) == ("look", {"call": "c1"})
    (city,) = opened["inputs"]
    place = {"path": "/tool_calls/0/function/arguments", "start": 10, "end": 15}
    assert city["from"] == [{"seq": asked[1]["seq"], "slot": "output", **place}]
    assert value(run, city["value"]) == "Tokyo"
    assert output(run, closed) == SAYS
    carried = {"seq": closed["seq"], "slot": "output", "start": 0, "end": len(SAYS)}
    assert segments(second[0]) == [
        ("", 1, 2, {"seq": asked[1]["seq"], "slot": "output"}),
        ("/2/content", 0, len(SAYS), carried),
    ]


def test_a_result_is_one_tool_link_however_often_it_is_sent():
    follow_up = lambda: [{"role": "user", "content": "Sure?"}]  # noqa: E731
    with ModelServer(chat(None, calls=[LOOK]), chat("Half past."), chat(SAYS)) as server:
        run = talk(server, lambda: [result("c1", SAYS)], follow_up)
    only(run, "tool")
    second, third = (opened for opened, _ in links(run)[1:])
    whole = {"seq": second["seq"], "slot": "messages", "start": 0, "end": 3}
    assert segments(third) == [("", 0, 3, whole)]
    assert declared_origin(run, SAYS) == only(run, "tool")[1]["seq"]


def test_a_tool_that_is_a_link_already_is_pointed_to():
    @ek.link(kind="tool")
    def look(city):
        return f"{city}: {SAYS}"

    with ModelServer(chat(None, calls=[LOOK]), chat(SAYS)) as server:
        run = talk(server, lambda: [result("c1", look("Tokyo"))])
    opened, closed = only(run, "tool")
    assert opened["inputs"][0]["slot"] == "city"
    (*_, origin) = segments(links(run)[1][0])[-1]
    assert origin["seq"] == closed["seq"]


def test_short_or_equal_results_that_are_recorded_are_left_to_their_values():
    @ek.link(kind="tool")
    def wait(seconds):
        return "ok" if seconds < 9 else "waited long enough"

    calls = [call(f"c{n}", "wait", json.dumps({"seconds": n})) for n in (1, 10, 11)]
    with ModelServer(chat(None, calls=calls), chat("Done.")) as server:
        run = talk(server, lambda: [result(f"c{n}", wait(n)) for n in (1, 10, 11)])
    assert len(links(run, "tool")) == 3
    assert [path for path, *_ in segments(links(run)[1][0])] == [""]


def test_parallel_calls_with_equal_results_are_links_of_their_own():
    calls = [call("c1", "look", '{"city": "Tokyo"}'), call("c2", "look", '{"city": "Kyoto"}')]
    with ModelServer(chat(None, calls=calls), chat("Rain.")) as server:
        run = talk(server, lambda: [result("c2", "rain"), result("c1", "rain")])
    made = links(run, "tool")
    cities = [value(run, opened["inputs"][0]["value"]) for opened, _ in made]
    assert cities == ["Kyoto", "Tokyo"]
    given = segments(links(run)[1][0])
    assert [origin["seq"] for path, *_, origin in given if path] == [
        closed["seq"] for _, closed in made
    ]


def test_an_id_that_is_used_again_is_another_call():
    first, second = chat(None, calls=[LOOK]), chat(None, calls=[LOOK])
    with ModelServer(first, second, chat("Done.")) as server:
        run = talk(server, lambda: [result("c1", "It rains.")], lambda: [result("c1", "It snows.")])
    assert [output(run, closed) for _, closed in links(run, "tool")] == ["It rains.", "It snows."]


def test_a_result_of_a_call_that_nobody_made_is_only_a_message():
    with ModelServer(chat("Hm."), chat(SAYS)) as server:
        run = talk(server, lambda: [result("c9", SAYS)])
    assert links(run, "tool") == []
    assert segments(links(run)[1][0]) == []


def test_a_failed_tool_of_anthropic_is_an_error_of_its_link():
    blocks = [tool_use("t1", "look", {"city": "Tokyo"})]
    failed = {"type": "tool_result", "tool_use_id": "t1", "content": SAYS, "is_error": True}
    with (
        ModelServer(message(*blocks, stop="tool_use"), message(text_block("It failed."))) as server,
        anthropic.Anthropic(base_url=server.url, api_key=KEY) as client,
    ):

        def work():
            ek.instrument(client)
            asked = {"model": "small", "max_tokens": 9}
            reply = client.messages.create(messages=[ASK], **asked)
            more = [
                {"role": "assistant", "content": reply.content},
                {"role": "user", "content": [failed]},
            ]
            client.messages.create(messages=[ASK, *more], **asked)

        run = run_of(work)
    opened, closed = only(run, "tool")
    assert closed["status"] == "error"
    assert value(run, closed["error"]) == SAYS
    assert opened["inputs"][0]["from"][0]["path"] == "/content/0/input/city"
    path, start, end, origin = segments(links(run)[1][0])[-1]
    assert (path, start, end) == ("/2/content/0/content", 0, len(SAYS))
    assert (origin["seq"], origin["slot"]) == (closed["seq"], "error")


def test_items_of_the_responses_api_are_tied_by_the_calls_id():
    asked = called("c1", "look", '{"city": "Tokyo"}'), called("c2", "wait", "{}")
    with (
        ModelServer(Reply(response(*asked)), Reply(response(said(SAYS)))) as server,
        openai.OpenAI(base_url=server.url, api_key=KEY) as client,
    ):

        def work():
            ek.instrument(client)
            reply = client.responses.create(model="small", input=[ASK])
            results = [
                {"type": "function_call_output", "call_id": name, "output": text}
                for name, text in (("c1", SAYS), ("c2", "waited"))
            ]
            client.responses.create(model="small", input=[ASK, *reply.output, *results])

        run = run_of(work)
    (look, looked), (_, waited) = links(run, "tool")
    assert look["inputs"][0]["from"][0]["path"] == "/0/arguments"
    given = segments(links(run)[1][0])
    assert [(path, start) for path, start, *_ in given] == [
        ("", 1),
        ("", 2),
        ("/3/output", 0),
        ("/4/output", 0),
    ]
    assert [origin["seq"] for *_, origin in given[2:]] == [looked["seq"], waited["seq"]]


def test_words_of_the_answer_go_back_through_the_tool_to_its_result():
    with ModelServer(chat(None, calls=[LOOK]), chat(f"It says: {SAYS}")) as server:
        run = talk(server, lambda: [result("c1", SAYS)])
    back = run.backtrack(span="half past five")
    assert [(each.seq, each.slot) for each in back.introducers] == [
        (only(run, "tool")[1]["seq"], "output")
    ]
    assert declared_origin(run, SAYS) == only(run, "tool")[1]["seq"]


def test_words_of_the_answer_go_back_to_the_context_in_the_messages():
    rule = "Delays from sixty minutes are paid back within a week."
    with (
        ModelServer(chat("They are paid back within a week.")) as server,
        openai.OpenAI(base_url=server.url, api_key=KEY) as client,
    ):

        def work():
            ek.context("tariff", rule, kind="document", source="tariff.md")
            system = {"role": "system", "content": f"Answer from this.\n{rule}"}
            ek.instrument(client).chat.completions.create(model="small", messages=[system, ASK])

        run = run_of(work, question=ASK["content"])
    back = run.backtrack(span="paid back within a week")
    assert "tariff" in [each.name for each in back.contexts]
    (segment,) = [each for each in run.prompt().segments if each.text == rule]
    assert (segment.name, segment.grade) == ("tariff", "value")
    assert rows(run, "context")[0]["source"] == "tariff.md"


def size(run, tmp_path):
    return len(run.save(tmp_path / f"{rows(run, 'run_ended')[0]['seq']}.ek.jsonl").read_text())


def test_the_record_of_a_long_chat_grows_with_what_is_new(tmp_path):
    sizes = []
    for turns in (20, 40, 80):
        asked = [chat(None, calls=[call(f"c{n}", "look", "{}")]) for n in range(turns)]
        steps = [lambda n=n: [result(f"c{n}", f"{n}: {SAYS}")] for n in range(turns)]
        with ModelServer(*asked, chat(SAYS)) as server:
            run = talk(server, *steps)
        assert len(links(run, "tool")) == turns
        sizes.append(size(run, tmp_path))
    assert sizes[2] - sizes[1] < 2.2 * (sizes[1] - sizes[0])


def test_two_chats_of_one_run_keep_their_own_messages():
    calls = [call("a1", "look", "{}")], [call("b1", "look", "{}")]
    replies = [chat(None, calls=each) for each in calls] + [chat("A."), chat("B.")] * 2
    with (
        ModelServer(*replies) as server,
        openai.OpenAI(base_url=server.url, api_key=KEY) as client,
    ):

        def work():
            ek.instrument(client)
            say = lambda chat: client.chat.completions.create(model="small", messages=chat)  # noqa: E731
            chats = [[{"role": "user", "content": name}] for name in "ab"]
            for each in chats:
                each.append(say(each).choices[0].message)
            for each, name in zip(chats, ("a1", "b1"), strict=True):
                each.append(result(name, f"The result of {name}."))
                say(each)
            for each in chats:
                each.append({"role": "user", "content": "Sure?"})
                say(each)

        run = run_of(work)
    opened = [each["seq"] for each, _ in links(run)]
    assert [segments(each)[0][3]["seq"] for each, _ in links(run)[4:]] == opened[2:4]


def test_a_run_that_is_over_is_let_go():
    with ModelServer(chat(None, calls=[LOOK]), chat(SAYS)) as server:
        run = talk(server, lambda: [result("c1", SAYS)])
    assert list(replies_seen._SEEN) != []
    del run
    run_of(lambda: None)  # the last run is kept for `ek.last()`
    gc.collect()
    assert list(replies_seen._SEEN) == []
