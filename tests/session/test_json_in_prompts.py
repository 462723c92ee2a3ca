"""A tool's dict that the caller writes into a message as JSON is the same content as the dict."""

import json

import pytest

import explainkit as ek

FORECAST = {
    "city": "Oslo",
    "temp": 12,
    "wind": 4.5,
    "sky": "grå himmel",
    "note": 'a "fine"\nday',
    "days": [{"day": "Mon", "high": 9}, {"day": "Tue", "high": 11}],
    "sure": True,
    "more": None,
}
HOTELS = {"city": "Oslo", "hotels": [{"name": "Fjord", "stars": 4}, {"name": "Rica", "stars": 3}]}
SPELLINGS = [
    {},
    {"indent": 2},
    {"ensure_ascii": False},
    {"sort_keys": True, "separators": (",", ":")},
    {"indent": "\t", "ensure_ascii": False, "sort_keys": True},
]


@ek.link(kind="tool")
def forecast(city):
    return FORECAST


@ek.link(kind="tool")
def hotels(place):
    return HOTELS


@ek.link(kind="tool")
def page():
    return {"text": "Oslo is full.\nBergen is not.", "id": 3}


@ek.link(kind="tool")
def collect(notes):
    return list(notes)


@ek.link(kind="model")
def chat(messages, says):
    return says()


@ek.link(kind="model")
def complete(prompt):
    return "In Oslo it is 12 degrees, stay at Fjord."


def loop(says="In Oslo it is 12 degrees.", write=json.dumps, between=False):
    """A tool loop as people write it by hand: the result goes into a message as JSON."""
    with ek.trace("loop") as run:
        messages = [{"role": "user", "content": "How warm is the capital?"}]
        chat(messages, lambda: "CALL forecast")
        results = [forecast("capital")] + ([hotels("capital")] if between else [])
        messages += [{"role": "tool", "content": write(result)} for result in results]
        ek.answer(chat(messages, lambda: says))
    return run


def sources(run, words):
    """The tool outputs from which the prompt carries words, with their paths."""
    hops = run.backtrack(span=words).hops
    return {
        (hop.source.label, hop.source.path, hop.source.text)
        for hop in hops
        if hop.target.slot in ("messages", "prompt") and hop.source.label.startswith("output of")
    }


@pytest.mark.parametrize("options", SPELLINGS, ids=str)
def test_short_leaves_lead_through_the_prompt_to_the_tool_that_gave_them(options):
    run = loop(write=lambda result: json.dumps(result, **options))
    assert sources(run, "Oslo") == {("output of forecast", "/city", "Oslo")}
    assert sources(run, "12") == {("output of forecast", "/temp", "12")}


@pytest.mark.parametrize("options", SPELLINGS, ids=str)
def test_the_prompt_shows_the_tool_for_every_character_of_its_json(options):
    written = json.dumps(FORECAST, **options)
    prompt = loop(write=lambda result: json.dumps(result, **options)).prompt()
    assert "".join(segment.text for segment in prompt.segments) == prompt.text
    start = prompt.text.index(written)
    inside = [each for each in prompt.segments if start <= each.start < start + len(written)]
    assert {(each.name, each.grade) for each in inside} == {("output of forecast", "value")}
    paths = {each.text: each.origin.path for each in inside if each.origin.path}
    assert (paths["Oslo"], paths["12"], paths["4.5"]) == ("/city", "/temp", "/wind")
    assert (paths["Mon"], paths["9"], paths["11"]) == (
        "/days/0/day",
        "/days/0/high",
        "/days/1/high",
    )
    sky = next(each for each in inside if each.origin.path == "/sky")
    assert sky.origin.text == "grå himmel"


def test_words_that_the_json_spells_with_escapes_are_read_as_a_whole_leaf():
    run = loop(says="Expect a grå himmel over town.")
    found = run.backtrack(span="grå himmel")
    assert ("output of forecast", "/sky", "grå himmel") in sources(run, "grå himmel")
    read = next(hop for hop in found.hops if hop.verb == "read")
    assert read.source.text == json.dumps("grå himmel")[1:-1]


def test_each_of_two_results_with_equal_parts_is_told_from_the_other():
    run = loop(says="Fjord in Oslo has 4 stars.", between=True)
    assert sources(run, "Fjord") == {("output of hotels", "/hotels/0/name", "Fjord")}
    assert sources(run, "Oslo") == {
        ("output of forecast", "/city", "Oslo"),
        ("output of hotels", "/city", "Oslo"),
    }


def test_json_alone_or_after_a_label_in_a_text_prompt_counts():
    for form in ("{}", "Forecast:\n```json\n{}\n```\nAnswer briefly."):
        with ek.trace("f-string") as run:
            ek.answer(complete(form.replace("{}", json.dumps(forecast("capital"), indent=1))))
        assert sources(run, "Oslo") == {("output of forecast", "/city", "Oslo")}
        segments = run.prompt().segments
        assert {each.name for each in segments if each.text in ("12", "Mon", "Tue")} == {
            "output of forecast"
        }


def test_one_item_of_a_result_and_a_result_in_an_envelope_count():
    with ek.trace("items") as run:
        first = hotels("capital")["hotels"][0]
        text = json.dumps({"status": "ok", "data": FORECAST}) + "\n" + json.dumps(first)
        forecast("capital")
        ek.answer(complete(text))
    assert sources(run, "Oslo") == {("output of forecast", "/city", "Oslo")}
    assert sources(run, "Fjord") == {("output of hotels", "/hotels/0/name", "Fjord")}


def test_json_that_says_something_else_is_not_linked():
    def changed(result):
        return json.dumps({**result, "temp": 13})

    run = loop(write=changed)
    names = {each.name for each in run.prompt().segments if '"temp": ' in each.text}
    assert names == {"unknown"}


def test_a_text_link_that_renders_the_result_stands_between():
    render = ek.link(lambda result: json.dumps(result, indent=2), name="render")
    run = loop(write=render)
    found = sources(run, "Oslo")
    assert found == {("output of render", "", "Oslo")}
    tools = {hop.source.path for hop in run.backtrack(span="Oslo").hops if hop.verb == "carried"}
    assert "/city" in tools


def test_who_had_the_words_first_is_the_tool_and_the_prompt_only_carries_them():
    run = loop(write=lambda result: json.dumps(result, separators=(",", ":")))
    found = run.backtrack(span="12")
    assert [(each.label, each.path) for each in found.introducers] == [
        ("output of forecast", "/temp")
    ]
    assert "messages of chat #2" in {each.label for each in found.carriers}


def test_words_beside_an_escaped_line_end_are_found():
    run = loop(says="It is a day out.")
    assert {hop.source.path for hop in run.backtrack(span="day").hops if hop.verb == "read"}
    with ek.trace("lines") as lines:
        ek.answer(chat([{"role": "tool", "content": json.dumps(page())}], lambda: "Go to Bergen."))
    assert sources(lines, "Bergen") == {
        ("output of page", "/text", "Oslo is full.\nBergen is not.")
    }


def test_a_plain_leaf_among_escaped_ones_is_read_at_its_exact_words():
    run = loop(says="It is a himmel.")
    reads = [hop.source.text for hop in run.backtrack(span="himmel").hops if hop.verb == "read"]
    assert reads == ["himmel"]


def test_hostile_json_in_a_text_costs_nothing_and_breaks_nothing():
    for bad in ("[" * 5000, '{"a": 1, "a": 2}', '["\\ud83d"]', "[NaN, 1e999]", "{" * 50 + "}" * 50):
        with ek.trace("bad") as run:
            ek.answer(complete(f"{json.dumps(forecast('capital'))}\n{bad}"))
        assert "".join(each.text for each in run.prompt().segments) == run.prompt().text
        assert sources(run, "Oslo") == {("output of forecast", "/city", "Oslo")}


def test_a_container_that_extends_another_is_known_as_a_whole():
    with ek.trace("grows") as run:
        notes = []
        for text in ("first of the notes", "second of the notes", "a third", "Oslo"):
            notes = collect([*notes, {"text": text, "size": len(text)}])
        ek.answer(complete(json.dumps(notes)))
    segments = [each for each in run.prompt().segments if each.text in ("Oslo", "7")]
    assert [each.origin.path for each in segments] == ["/2/size", "/3/text"]
    assert {each.grade for each in run.prompt().segments} == {"value"}
