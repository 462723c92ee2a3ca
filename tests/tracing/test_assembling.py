"""An assembled prompt is a plain text whose every character has an origin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explainkit as ek

LONG = "A delay of 60 minutes or more: one quarter of the fare is paid back. " * 3


def test_it_formats_as_str_format_does(traced_run):
    with traced_run():
        assert ek.assemble("{a} {b:.2f} {c!r} {{x}}", a="1", b=2, c="q") == "1 2.00 'q' {x}"


def test_segments_say_which_slot_each_stretch_came_from(traced_run, rows, shown):
    with traced_run() as run:
        text = ek.assemble("Rule: {rule}\nQ: {q}", rule=LONG, q="why?")
    opened, done = rows(run, "link_opened")[0], rows(run, "link_closed")[0]
    stored = shown(run, done["output"])
    assert stored == text
    found = {
        each["origin"]["slot"]: stored[each["start"] : each["end"]] for each in done["segments"]
    }
    assert found == {"rule": LONG, "q": "why?"}
    assert all(each["origin"]["seq"] == opened["seq"] for each in done["segments"])


def test_leaves_of_a_list_keep_their_paths(traced_run, rows, shown):
    with traced_run() as run:
        text = ek.assemble("{lines}", lines=["first line", "second line"])
    done = rows(run, "link_closed")[0]
    leaves = {
        each["origin"]["path"]: text[each["start"] : each["end"]]
        for each in done["segments"]
        if "path" in each["origin"]
    }
    assert leaves == {"/0": "first line", "/1": "second line"}


def test_large_pieces_are_stored_once(traced_run, rows):
    with traced_run() as run:
        ek.assemble("{a}|{b}", a=LONG, b=LONG + "more")
    values = rows(run, "value")
    assert sum(LONG in str(row.get("data", "")) for row in values) <= 2
    assert any("parts" in row for row in values)


def test_nested_assembles_compose(traced_run, rows, shown):
    with traced_run() as run:
        inner = ek.assemble("<{x}>", x=LONG)
        outer = ek.assemble("{inner}!", inner=inner)
    assert outer == f"<{LONG}>!"
    last = rows(run, "link_closed")[-1]
    (segment,) = last["segments"]
    assert outer[segment["start"] : segment["end"]] == inner


def test_messages_are_filled_and_spliced(traced_run, rows, shown):
    history = [
        {"role": "user", "content": "hi {not a field}"},
        {"role": "assistant", "content": "yes"},
    ]
    with traced_run() as run:
        messages = ek.assemble(
            [
                {"role": "system", "content": "Rule: {rule}"},
                "{history}",
                {"role": "user", "content": "{q}"},
            ],
            rule=LONG,
            history=history,
            q="why?",
        )
    assert messages == [
        {"role": "system", "content": f"Rule: {LONG}"},
        *history,
        {"role": "user", "content": "why?"},
    ]
    done = rows(run, "link_closed")[0]
    assert shown(run, done["output"]) == messages
    by_slot = {each["origin"]["slot"]: each for each in done["segments"]}
    assert by_slot["rule"]["path"] == "/0/content"
    assert (by_slot["history"]["start"], by_slot["history"]["end"]) == (1, 3)
    assert by_slot["q"]["path"] == "/3/content"


def test_values_are_never_read_as_templates(traced_run):
    with traced_run():
        assert ek.assemble("{a}", a="{b} {0} {{") == "{b} {0} {{"


@pytest.mark.parametrize(
    ("template", "values", "words"),
    [
        ("{a}", {}, "got no a="),
        ("{a}", {"a": "1", "b": "2"}, r"has no \{b\}"),
        ("{a", {"a": "1"}, "not balanced"),
        ("{a.b}", {"a": "1"}, "not a plain name"),
        ("{}", {}, "not a plain name"),
        ('{"a": {b}}', {"b": 1}, "written twice"),
        ("{a:{w}}", {"a": 1, "w": 2}, "may not hold fields"),
        ("{a:d}", {"a": "x"}, "does not fit"),
        (["text {a}"], {"a": "1"}, "neither a message nor one field"),
        (["{a}"], {"a": 7}, "a message or a list of messages"),
        (7, {}, "a text or a list of messages"),
    ],
)
def test_a_template_that_does_not_fit_says_why(traced_run, template, values, words):
    with traced_run(), pytest.raises(ek.TemplateError, match=words):
        ek.assemble(template, **values)


def test_secrets_keep_offsets_right(traced_run, rows, shown):
    key = "sk-" + "a1B2" * 12
    with traced_run() as run:
        text = ek.assemble("key {key} then {tail}", key=f"use {key} now", tail=LONG)
    assert key in text
    done = rows(run, "link_closed")[0]
    stored = shown(run, done["output"])
    assert key not in stored
    assert key.encode() not in b"".join(run.recording.lines())
    tail = next(each for each in done["segments"] if each["origin"]["slot"] == "tail")
    assert stored[tail["start"] : tail["end"]] == LONG


texts = st.text(max_size=40)


@given(
    st.lists(st.tuples(texts.filter(lambda t: "{" not in t and "}" not in t), texts), max_size=5)
)
def test_segments_cover_every_filled_character(pieces):
    template = "".join(f"{literal}{{f{n}}}" for n, (literal, _) in enumerate(pieces))
    values = {f"f{n}": value for n, (_, value) in enumerate(pieces)}
    with ek.trace("t", redact=False) as run:
        text = ek.assemble(template, **values)
    done = next(run.recording.rows("link_closed"))
    assert text == template.format(**values)
    for segment in done["segments"]:
        slot = segment["origin"]["slot"]
        assert text[segment["start"] : segment["end"]] == values[slot]
    assert sum(s["end"] - s["start"] for s in done["segments"]) == sum(map(len, values.values()))


def test_a_field_with_the_name_of_a_secret_hides_it_wherever_the_prompt_goes(
    traced_run, rows, shown
):
    @ek.link(kind="model")
    def ask(prompt):
        return f"it was {prompt[-13:]}"

    with traced_run() as run:
        prompt = ek.assemble("log in with {password}", password="correct horse")
        assert ask(prompt) == "it was correct horse"
    assert b"correct horse" not in b"".join(run.recording.lines())
    done = rows(run, "link_closed")[0]
    mark = "[redacted:password#1]"
    assert shown(run, done["output"]) == f"log in with {mark}"
    (segment,) = done["segments"]
    assert (segment["start"], segment["end"]) == (12, 12 + len(mark))
    assert shown(run, rows(run, "link_closed")[1]["output"]) == f"it was {mark}"


def test_a_short_field_with_the_name_of_a_secret_has_no_offsets_into_its_mark(traced_run, rows):
    with traced_run() as run:
        ek.assemble("pin {pin_password}!", pin_password="ab")
    (segment,) = rows(run, "link_closed")[0]["segments"]
    assert (segment["start"], segment["end"]) == (4, 6)
    assert "start" not in segment["origin"]


def test_an_unknown_conversion_is_an_error_of_the_template(traced_run):
    with traced_run(), pytest.raises(ek.TemplateError, match="!x"):
        ek.assemble("{a!x}", a="text")
