"""Each vendor's chat list becomes the same kinds of records."""

import json

import pytest

from explainkit.adapters import detect, open_foreign
from tests.adapters.imports import (
    FIXTURES,
    check_laws,
    held,
    imported,
    imported_data,
    leaf,
    links,
    output,
    rows,
    slot,
    texts_in,
)

CHATS = {
    "openai_tools.json": "openai-chat",
    "openai_pair.json": "openai-chat",
    "responses.json": "openai-responses",
    "anthropic.json": "anthropic",
    "langchain.json": "langchain",
    "gemini.json": "gemini",
}


@pytest.mark.parametrize(("name", "form"), CHATS.items())
def test_the_dialect_is_told_by_its_shape(name, form):
    assert open_foreign(FIXTURES / name).format == form


@pytest.mark.parametrize("name", CHATS)
def test_the_laws_of_records_hold(name):
    check_laws(imported(name).recording)


@pytest.mark.parametrize("name", CHATS)
def test_every_text_of_the_source_is_in_the_recording(name):
    source = json.loads((FIXTURES / name).read_text("utf-8"))
    found = held(imported(name).recording)
    if name == "openai_pair.json":
        source["response"] = source["response"]["choices"][0]["message"]
    for text in texts_in(source):
        assert json.dumps(text, ensure_ascii=False)[1:-1] in found, text


def test_system_is_a_context_user_an_event_assistant_a_model_link():
    recording = imported("openai_tools.json").recording
    [system] = rows(recording, "context")
    assert (system["type"], system["source_index"]) == ("instruction", 0)
    assert [row["source_index"] for row in rows(recording, "event")] == [1, 6]
    assert [row["source_index"] for row, _ in links(recording, "model")] == [2, 5, 7, 9]
    [start] = rows(recording, "run_started")
    assert recording.values.text(start["question"]) == "And on the last ferry back?"


def test_a_model_link_reads_everything_before_it():
    recording = imported("openai_tools.json").recording
    source = json.loads((FIXTURES / "openai_tools.json").read_text("utf-8"))
    for opened, _ in links(recording, "model"):
        messages = recording.values.object(slot(opened, "messages")["value"])
        assert messages == source[: opened["source_index"]]


def test_the_last_model_output_is_the_inferred_answer():
    recording = imported("openai_tools.json").recording
    fold = recording.effective()
    assert fold.inferred
    assert "21:40" in recording.values.text(fold.final.value)


def test_a_response_kept_apart_from_its_request_is_the_answer():
    imp = imported("openai_pair.json")
    [answer] = rows(imp.recording, "answer")
    assert imp.recording.values.text(answer["value"]) == "Green"
    assert leaf(imp.recording, answer["uses"][0]) == "Green"
    assert "1 other candidates" in str(imp.report)


def test_offered_tools_are_contexts_and_a_slot():
    recording = imported("openai_pair.json").recording
    tools = [row for row in rows(recording, "context") if row["slot"] == "tools"]
    assert [(row["name"], row["type"]) for row in tools] == [("lookup", "tool description")]
    [(opened, _)] = links(recording, "model")
    assert slot(opened, "tools")["segments"][0]["origin"]["seq"] == tools[0]["seq"]


def test_an_image_stays_reachable():
    recording = imported("openai_pair.json").recording
    [event] = rows(recording, "event")
    parts = recording.values.object(event["value"])["content"]
    assert parts[1]["image_url"]["url"] == "https://example.org/bottle.png"


def test_items_of_one_reply_are_one_link():
    recording = imported("responses.json").recording
    (first, closed), (second, _) = links(recording, "model")
    assert (first["source_index"], second["source_index"]) == (1, 4)
    kinds = [item["type"] for item in output(recording, closed)]
    assert kinds == ["reasoning", "function_call"]
    [(tool, result)] = links(recording, "tool")
    assert leaf(recording, slot(tool, "port")["from"][0]) == "Port Ann"
    assert output(recording, result) == "high water 06:12 and 18:40"


def test_anthropic_blocks():
    recording = imported("anthropic.json").recording
    [system] = rows(recording, "context")
    assert (system["slot"], recording.values.text(system["value"])) == (
        "system",
        "You keep the seed catalogue.",
    )
    (catalogue, sown), (weather, failed) = links(recording, "tool")
    assert leaf(recording, slot(catalogue, "plant")["from"][0]) == "broad bean"
    assert output(recording, sown) == "sow 5 cm deep, 20 cm apart"
    assert weather["name"] == "weather"
    assert failed["status"] == "error"
    assert recording.values.text(failed["error"]) == "no signal"
    assert recording.values.text(recording.effective().final.value) == "Sow them 2 inches deep."


def test_words_beside_a_tool_result_are_an_event_of_their_own():
    recording = imported("anthropic.json").recording
    texts = [recording.values.text(row["value"]) for row in rows(recording, "event")]
    assert texts == ["How deep do I sow broad beans?", "Please answer in inches."]


def test_langchain_forms_are_unwrapped():
    recording = imported("langchain.json").recording
    [(tool, closed)] = links(recording, "tool")
    assert (tool["name"], output(recording, closed)) == ("price", "31.50 per m2")
    assert leaf(recording, slot(tool, "carpet")["from"][0]) == "Kilim"
    _, last = links(recording, "model")[-1]
    assert last["attrs"]["usage"] == {"input_tokens": 30, "output_tokens": 12}
    raw = recording.values.object(last["attrs"]["raw"])
    assert raw["usage_metadata"]["output_tokens"] == 12


def test_gemini_results_are_tied_by_name_in_order():
    recording = imported("gemini.json").recording
    results = [(opened, output(recording, closed)) for opened, closed in links(recording, "tool")]
    stops = [leaf(recording, slot(opened, "stop")["from"][0]) for opened, _ in results]
    assert stops == ["quarry", "old quarry"]
    assert [result for _, result in results] == [{"line": "14"}, {"line": "14B"}]


def test_unknown_fields_of_the_wrapper_are_kept():
    recording = imported("openai_pair.json").recording
    [start] = rows(recording, "run_started")
    assert recording.values.object(start["source"]["fields"])["temperature"] == 0
    assert start["source"]["file"] == "openai_pair.json"


def test_a_role_that_is_a_tools_name_answers_that_tool():
    data = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "tool_calls": [{"id": "a", "name": "sky", "arguments": "{}"}]},
        {"role": "sky", "content": "clear until dusk"},
        {"role": "referee", "content": "unheard of"},
    ]
    imp = imported_data(data)
    [(_, closed)] = links(imp.recording, "tool")
    assert output(imp.recording, closed) == "clear until dusk"
    assert [row["sender"] for row in rows(imp.recording, "event")] == ["user", "referee"]


def test_times_of_the_source_are_kept_and_none_is_invented():
    data = [
        {"role": "user", "content": "hi", "created_at": "2025-12-01T10:00:00Z"},
        {"role": "assistant", "content": "hello", "timestamp": 1764583201},
        {"role": "user", "content": "bye"},
    ]
    recording = imported_data(data).recording
    assert [row["at"] for row in rows(recording, "event")] == [1764583200 * 10**9, None]
    assert [row["at"] for row in rows(recording, "link_opened")] == [1764583201 * 10**9]


def test_other_wrappings_of_one_conversation():
    plain = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    shared = [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "ho"}]
    for data in (
        {"messages": [plain]},
        {"chat_history": plain},
        {"conversations": shared},
        {"input": "hi", "output": [{"type": "message", "role": "assistant", "content": "ho"}]},
    ):
        recording = imported_data(data).recording
        assert recording.values.text(recording.effective().final.value) == "ho"
        [start] = rows(recording, "run_started")
        assert recording.values.text(start["question"]) == "hi"


def test_many_conversations_in_one_list():
    one = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    reader = detect([{"messages": one}, {"messages": one}])
    assert len(reader.ids) == len(set(reader.ids)) == 2


def test_request_and_response_logs_of_each_vendor():
    ask = [{"role": "user", "content": "How many?"}]
    said = "Seven of them."
    for request, response in (
        ({"messages": ask}, {"choices": [{"message": {"role": "assistant", "content": said}}]}),
        ({"messages": ask}, {"role": "assistant", "content": [{"type": "text", "text": said}]}),
        (
            {"contents": [{"role": "user", "parts": [{"text": "How many?"}]}]},
            {"candidates": [{"content": {"role": "model", "parts": [{"text": said}]}}]},
        ),
        ({"messages": ask}, {"message": {"role": "assistant", "content": said}}),
        ({"messages": ask}, said),
    ):
        recording = imported_data({"request": request, "response": response}).recording
        fold = recording.effective()
        assert recording.values.text(fold.final.value) == said
        assert not fold.inferred
