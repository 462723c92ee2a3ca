"""Random conversations in every dialect: all of it is kept, in place, in linear space."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.adapters import detect, open_foreign
from explainkit.adapters.dialects.pointer import at, join, parent
from explainkit.adapters.identity import content_key, distinct
from explainkit.adapters.importing import import_run
from tests.adapters.imports import (
    FIXTURES,
    check_laws,
    imported_data,
    leaf,
    links,
    rows,
    size,
    slot,
)

WORDS = st.text(min_size=1, max_size=40).filter(lambda text: text.strip())
KEYS = st.text("abcdef/~$", min_size=1, max_size=4)
ARGS = st.dictionaries(KEYS, st.text(max_size=12) | st.integers(-99, 99), max_size=3)
STEP = st.one_of(
    st.tuples(st.just("user"), WORDS),
    st.tuples(st.just("said"), WORDS),
    st.tuples(st.just("call"), ARGS, WORDS),
)
TALK = st.lists(STEP, min_size=1, max_size=8)


def openai(talk):
    for number, step in enumerate(talk):
        if step[0] == "call":
            function = {"name": "look", "arguments": json.dumps(step[1])}
            yield {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
            }
            yield {"role": "tool", "tool_call_id": f"c{number}", "content": step[2]}
        else:
            yield {"role": {"user": "user", "said": "assistant"}[step[0]], "content": step[1]}


def anthropic(talk):
    for number, step in enumerate(talk):
        if step[0] == "call":
            yield {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": f"c{number}", "name": "look", "input": step[1]},
                ],
            }
            yield {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": f"c{number}",
                        "content": [{"type": "text", "text": step[2]}],
                    }
                ],
            }
        else:
            yield {
                "role": {"user": "user", "said": "assistant"}[step[0]],
                "content": [{"type": "text", "text": step[1]}],
            }


def responses(talk):
    for number, step in enumerate(talk):
        if step[0] == "call":
            yield {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look."}]}
            yield {
                "type": "function_call",
                "call_id": f"c{number}",
                "name": "look",
                "arguments": json.dumps(step[1]),
            }
            yield {"type": "function_call_output", "call_id": f"c{number}", "output": step[2]}
        elif step[0] == "user":
            yield {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": step[1]}],
            }
        else:
            yield {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": step[1]}],
            }


def langchain(talk):
    for number, step in enumerate(talk):
        if step[0] == "call":
            calls = [{"id": f"c{number}", "name": "look", "args": step[1]}]
            yield {"type": "ai", "data": {"content": "", "tool_calls": calls}}
            yield {
                "lc": 1,
                "id": ["langchain", "ToolMessage"],
                "kwargs": {"content": step[2], "tool_call_id": f"c{number}"},
            }
        else:
            yield {"type": {"user": "human", "said": "ai"}[step[0]], "content": step[1]}


def gemini(talk):
    for step in talk:
        if step[0] == "call":
            call = {"name": "look", "args": step[1]}
            yield {"role": "model", "parts": [{"functionCall": call}]}
            result = {"name": "look", "response": {"result": step[2]}}
            yield {"role": "function", "parts": [{"functionResponse": result}]}
        else:
            yield {"role": {"user": "user", "said": "model"}[step[0]], "parts": [{"text": step[1]}]}


DIALECTS = [openai, anthropic, responses, langchain, gemini]


@pytest.mark.parametrize("dialect", DIALECTS)
@given(TALK)
def test_everything_said_is_kept_in_place(dialect, talk):
    source = list(dialect(talk))
    imp = imported_data(source)
    recording = imp.recording
    check_laws(recording)
    assert (imp.report.skipped, imp.report.dangling) == ((), ())
    places = [row["source_index"] for row in rows(recording, "event", "link_opened")]
    assert set(places) <= set(range(len(source)))
    asked = [recording.values.shown(row["value"]) for row in rows(recording, "event")]
    assert asked == [step[1] for step in talk if step[0] == "user"]
    tools = links(recording, "tool")
    assert len(tools) == sum(step[0] == "call" for step in talk)
    for (opened, closed), step in zip(tools, (s for s in talk if s[0] == "call"), strict=True):
        assert closed["status"] == "answered"
        for name, value in step[1].items():
            given_slot = slot(opened, name)
            assert recording.values.object(given_slot["value"]) == value
            [origin] = given_slot["from"]
            assert str(value) in str(leaf(recording, origin)) or isinstance(value, str)
    for opened, _ in links(recording, "model"):
        if opened["inputs"]:
            read = recording.values.object(slot(opened, "messages")["value"])
            assert read == source[: opened["source_index"]]


@given(TALK)
def test_one_content_one_recording(talk):
    source = list(openai(talk))
    first, second = (
        import_run(detect(json.loads(json.dumps(source))), 0, file="x.json") for _ in range(2)
    )
    assert list(first.recording.lines()) == list(second.recording.lines())
    assert first.recording.run == f"chat-{content_key(source)}"


@pytest.mark.parametrize(
    "name",
    ["openai_tools.json", "anthropic.json", "group_chat.json", "tau_results.json", "gemini.json"],
)
def test_one_file_one_recording(name):
    path = FIXTURES / name
    for first, second in zip(open_foreign(path), open_foreign(path), strict=True):
        assert list(first.recording.lines()) == list(second.recording.lines())


def long_chat(turns):
    for number in range(turns):
        yield {"role": "user", "content": f"question {number} about " + "the same matter " * 20}
        yield {"role": "assistant", "content": f"reply {number} on " + "the same matter " * 20}


def group_chat(turns):
    history = [
        {
            "role": "assistant",
            "name": f"agent{number % 3}",
            "content": f"step {number} " + "x " * 90,
        }
        for number in range(turns)
    ]
    return {"question": "?", "history": history}


@pytest.mark.parametrize("make", [lambda n: list(long_chat(n)), group_chat])
def test_records_grow_linearly(make):
    small, middle, large = (size(imported_data(make(n)).recording) for n in (50, 100, 200))
    assert large - middle < 2.1 * (middle - small)


def test_a_chat_reads_its_runs_only_when_asked(tmp_path):
    path = tmp_path / "many.json"
    talk = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
    path.write_text(json.dumps([talk] * 50))
    found = iter(open_foreign(path))
    assert next(found).recording.run != next(found).recording.run


@given(st.lists(st.sampled_from(["a", "b", "a~2", "a~3", "a~2~2"]), max_size=12))
def test_ids_stay_apart(words):
    made = distinct(words)
    assert len(set(made)) == len(words)
    firsts = {word: words.index(word) for word in words}
    assert all(made[index] == word for word, index in firsts.items())


@given(st.lists(st.text("ab/~0", min_size=1, max_size=4) | st.integers(0, 2), max_size=4))
def test_pointers_lead_back(tokens):
    value = "leaf"
    for token in reversed(tokens):
        value = [value] * 3 if isinstance(token, int) else {token: value}
    path = join("", *tokens)
    assert at(value, path) == "leaf"
    if tokens:
        assert parent(path) == (join("", *tokens[:-1]), str(tokens[-1]))
