"""Scripted and callable models, and what all embedded models share."""

import asyncio

import pytest

from explainkit.errors import (
    ModelWaitsError,
    NoTextError,
    PromptError,
    ReplyError,
    ScriptExhaustedError,
)
from explainkit.flow.models import (
    CallableModel,
    Completion,
    Message,
    Model,
    ScriptedModel,
    StreamingModel,
    ToolCall,
    ToolSpec,
    Usage,
    as_messages,
    prompt_text,
)

CALL = ToolCall(id="call_1", name="lookup", arguments={"city": "Oslo", "days": 2})


def collect(model, prompt):
    async def run():
        return [chunk async for chunk in model.stream(prompt)]

    return asyncio.run(run())


def test_a_script_gives_its_replies_in_order_and_then_says_that_it_is_used_up():
    model = ScriptedModel(["one", "two"])
    assert [model("a"), model("b")] == ["one", "two"]
    with pytest.raises(ScriptExhaustedError, match="script of 2 replies is used up"):
        model("c")


def test_a_script_raises_its_exceptions_and_goes_on():
    model = ScriptedModel([TimeoutError("slow"), KeyError, "after"])
    with pytest.raises(TimeoutError, match="slow"):
        model("a")
    with pytest.raises(KeyError):
        model("a")
    assert model("a") == "after"


def test_one_text_is_one_reply_not_its_characters():
    assert ScriptedModel("whole")("a") == "whole"


def test_tool_calls_come_alone_in_lists_and_in_completions():
    whole = Completion(text="I look.", tool_calls=(CALL,), usage=Usage(input_tokens=9))
    model = ScriptedModel([CALL, [CALL, CALL], whole])
    assert model.complete_sync("weather in Oslo").tool_calls == (CALL,)
    assert model.complete_sync("weather in Oslo").tool_calls == (CALL, CALL)
    assert model.complete_sync("weather in Oslo") is whole


def test_asking_for_text_when_a_tool_was_called_names_the_tool():
    with pytest.raises(NoTextError, match="lookup"):
        ScriptedModel([CALL])("a")


@pytest.mark.parametrize("reply", [3, None, {}, [], ["a"], object()])
def test_what_is_no_reply_is_refused_with_its_value(reply):
    with pytest.raises(ReplyError, match="cannot reply with"):
        CallableModel(lambda _prompt: reply)("a")


def test_a_function_is_asked_with_the_prompt_as_it_was_passed():
    messages = [{"role": "user", "content": "Hi"}]
    seen = []
    CallableModel(lambda prompt: seen.append(prompt) or "ok")(messages)
    assert seen[0] is messages


def test_a_function_with_a_tools_parameter_gets_the_tools():
    tool = ToolSpec(name="lookup")
    model = CallableModel(lambda _prompt, tools=(): ToolCall(id="1", name=tools[0].name))
    assert model.complete_sync("a", tools=[tool]).tool_calls[0].name == "lookup"


def test_an_async_function_that_does_not_wait_answers_inside_a_running_loop():
    async def echo(prompt):
        return prompt

    async def cell():
        return CallableModel(echo)("hello")

    assert asyncio.run(cell()) == "hello"


def test_a_function_that_waits_needs_await_and_says_so():
    async def slow(prompt):
        await asyncio.sleep(0)
        return prompt

    model = CallableModel(slow)
    with pytest.raises(ModelWaitsError, match=r"await model\.complete"):
        model("a")
    assert asyncio.run(model.complete("a")).text == "a"


@pytest.mark.parametrize("text", ["", " ", "one", "two  words\n and more ", "\ud800 x"])
def test_chunks_joined_are_the_text_and_the_last_one_holds_the_usage(text):
    chunks = collect(ScriptedModel([text]), "three words here")
    assert "".join(chunk.text for chunk in chunks) == text
    assert [chunk.usage for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
    assert chunks[-1].usage == Usage(input_tokens=3, output_tokens=len(text.split()))


def test_a_stream_hands_over_tool_calls():
    assert collect(ScriptedModel([CALL]), "a")[-1].tool_calls == (CALL,)


def test_the_embedded_models_fit_the_protocols():
    for model in (ScriptedModel(["a"]), CallableModel(str)):
        assert isinstance(model, Model)
        assert isinstance(model, StreamingModel)


def test_messages_are_read_from_every_usual_shape():
    raw = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "lookup", "arguments": '{"city": "Oslo"}'},
            }
        ],
    }
    texts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    parts = {"role": "user", "content": texts}
    read = as_messages([raw, parts, Message("tool", "12", tool_call_id="c1")])
    assert read[0].tool_calls == (ToolCall(id="c1", name="lookup", arguments={"city": "Oslo"}),)
    assert prompt_text([raw, parts, Message("tool", "12")]) == "\nab\n12"


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        (7, "not int"),
        (b"bytes", "not bytes"),
        (["text"], "Message 0 is str"),
        ([{"content": "a"}], "role 'None'"),
        ([{"role": "user", "content": {"a": 1}}], "holds more than text"),
        ([{"role": "user", "content": [{"type": "image"}]}], "holds more than text"),
        ([{"role": "assistant", "tool_calls": [{}]}], "has no name"),
        (
            [{"role": "assistant", "tool_calls": [{"name": "f", "arguments": "[1]"}]}],
            "no JSON object",
        ),
    ],
)
def test_a_prompt_of_another_shape_is_refused_with_what_to_pass(prompt, words):
    with pytest.raises(PromptError, match=words):
        as_messages(prompt)
