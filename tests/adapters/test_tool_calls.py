"""Results find their calls, whatever the ids are worth."""

from explainkit.adapters.arguments import arguments_of
from explainkit.adapters.turns import Call
from tests.adapters.imports import check_laws, imported, imported_data, leaf, links, output, slot


def call(number, name="look", arguments="{}"):
    return {"id": number, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls):
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def gives(number, text, **more):
    return {"role": "tool", "tool_call_id": number, "content": text, **more}


def pairs(data):
    recording = imported_data(data).recording
    check_laws(recording)
    return [
        (opened["attrs"]["called_at"], closed["status"], output(recording, closed))
        for opened, closed in links(recording, "tool")
        if closed.get("output")
    ]


def test_parallel_calls_answered_out_of_order():
    recording = imported("openai_tools.json").recording
    timetable, rules = links(recording, "tool")[:2]
    assert (timetable[0]["name"], timetable[0]["source_index"]) == ("timetable", 4)
    assert output(recording, rules[1]) == "Dogs need a muzzle on deck B."


def test_arguments_are_declared_to_what_the_model_said():
    recording = imported("openai_tools.json").recording
    opened, _ = links(recording, "tool")[0]
    [origin] = slot(opened, "island")["from"]
    assert origin["path"] == "/tool_calls/0/function/arguments"
    assert leaf(recording, origin) == "Lamb Island"
    assert leaf(recording, slot(opened, "hour")["from"][0]) == "12"
    assert recording.values.object(slot(opened, "hour")["value"]) == 12


def test_invalid_arguments_are_kept_as_a_text_and_said():
    imp = imported("openai_tools.json")
    opened, closed = links(imp.recording, "tool")[2]
    kept = imp.recording.values.text(slot(opened, "arguments")["value"])
    assert kept == '{"island": "Lamb Island", "hour": 22'
    assert output(imp.recording, closed) == "last departure 21:40"
    assert "message 7: the arguments of 'timetable' are not valid JSON" in str(imp.report)


def test_an_id_used_twice_answers_the_nearest_open_call():
    data = [asks(call("a")), gives("a", "first"), asks(call("a")), gives("a", "second")]
    assert pairs(data) == [(0, "answered", "first"), (2, "answered", "second")]
    assert imported_data(data).report.ids_rewritten == 1


def test_an_id_used_twice_while_both_are_open():
    data = [
        asks(call("a")),
        asks(call("a")),
        gives("a", "to the second"),
        gives("a", "to the first"),
    ]
    assert pairs(data) == [(0, "answered", "to the first"), (1, "answered", "to the second")]


def test_equal_ids_in_one_message_are_answered_in_order():
    data = [asks(call("a"), call("a")), gives("a", "one"), gives("a", "two")]
    assert pairs(data) == [(0, "answered", "one"), (0, "answered", "two")]


def test_results_without_an_id_go_by_name_then_by_nearness():
    data = [
        asks(call(None, "sky"), call(None, "sea")),
        {"role": "function", "name": "sea", "content": "calm"},
        {"role": "tool", "content": "grey"},
    ]
    assert pairs(data) == [(0, "answered", "grey"), (0, "answered", "calm")]


def test_an_unanswered_call_is_abandoned_and_the_loss_is_said():
    recording = imported_data([asks(call("a", "sky")), {"role": "user", "content": "?"}]).recording
    [(opened, closed)] = links(recording, "tool")
    assert closed["status"] == "abandoned"
    [lost] = recording.rows("lost")
    assert (lost["parent"], lost["what"]) == (opened["seq"], "dropped")
    assert "no result of the call of sky" in lost["reason"]


def test_a_result_without_a_call_is_an_event_and_dangling():
    imp = imported_data([{"role": "user", "content": "?"}, gives("zz", "from nowhere")])
    assert imp.report.dangling == (1,)
    assert [row["name"] for row in imp.recording.rows("event")] == ["message", "tool result"]
    assert "tool results without a call, at: 1" in str(imp.report)
    check_laws(imp.recording)


def test_a_result_inside_the_models_own_message():
    content = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "eels"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"title": "Eels"}]},
        {"type": "text", "text": "Eels swim."},
    ]
    recording = imported_data([{"role": "assistant", "content": content}]).recording
    check_laws(recording)
    [(opened, closed)] = links(recording, "tool")
    assert (opened["name"], output(recording, closed)) == ("web_search", [{"title": "Eels"}])


def test_a_failed_result_is_an_error():
    data = [asks(call("a")), gives("a", "boom", status="error")]
    [(_, closed)] = links(imported_data(data).recording, "tool")
    assert (closed["status"], closed.get("output")) == ("error", None)


def test_arguments_of_every_kind():
    def slots(written):
        found, problem = arguments_of(Call("c", "f", written, "/input"))
        return [(a.slot, a.value, a.path, a.start, a.end) for a in found], problem

    assert slots(None) == ([], None)
    assert slots({"a/b": [1]}) == ([("a/b", [1], "/input/a~1b", None, None)], None)
    assert slots('{"x": "yy", "n": 7}') == (
        [("x", "yy", "/input", 7, 9), ("n", 7, "/input", 17, 18)],
        None,
    )
    assert slots('{"x": "y", "z": "y"}')[0][0][3:] == (None, None)
    assert slots("[1, 2]") == ([("arguments", [1, 2], "/input", None, None)], None)
    assert slots("[" * 100_000)[1].endswith("kept as a text")
