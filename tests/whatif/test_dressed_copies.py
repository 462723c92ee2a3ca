"""A copy is found in other line breaks, case, quotation marks and escapes."""

import html
import json
import textwrap

import pytest

import explainkit as ek
from tests.whatif.programs import ask, recorded

TEXT = 'Goodwill "winter" campaign:\nfor any delay we pay back half of the fare at the café.'
DRESSES = {
    "wrapped": lambda text: textwrap.fill(text, 20),
    "indented": lambda text: textwrap.indent(text, "    "),
    "quoted": lambda text: "Mail:\n" + textwrap.indent(textwrap.fill(text, 90), "> "),
    "list": lambda text: "\n".join(f"- {line}" for line in text.splitlines()),
    "json": lambda text: json.dumps({"note": text}),
    "utf-8 json": lambda text: json.dumps({"note": text}, ensure_ascii=False, indent=2),
    "repr": repr,
    "html": lambda text: f"<p>{html.escape(text)}</p>",
    "capitals": str.upper,
}


@pytest.mark.parametrize("dress", DRESSES)
def test_a_text_that_comes_another_way_in_another_dress_is_not_applied(dress):
    @ek.traced("twice")
    def program(question):
        note = ek.context("note", TEXT)
        return ask(f"{note}\n{DRESSES[dress](TEXT)}\n{question}")

    found = recorded(program, "And?").whatif(remove="note")
    assert found.word == "not applied"
    assert "still reached the model by another way" in found.reason


@pytest.mark.parametrize("dress", DRESSES)
def test_a_text_that_is_put_in_another_dress_and_is_gone_is_applied(dress):
    @ek.traced("once")
    def program(question):
        note = ek.context("note", TEXT)
        return ask(f"{DRESSES[dress](note).lower()}\n{question}")

    found = recorded(program, "And?").whatif(remove="note")
    assert found.word == "cause"


@pytest.mark.parametrize("dress", DRESSES)
def test_a_text_that_takes_its_place_in_another_dress_reached_the_model(dress):
    @ek.traced("once")
    def program(question):
        note = ek.context("note", TEXT)
        return ask(f"{DRESSES[dress](note).lower()}\n{question}")

    found = recorded(program, "And?").whatif(replace={"note": 'A "café"\npays nothing at all.'})
    assert found.word == "cause"


@ek.link(kind="retrieval")
def find(question):
    return [
        {"text": "We pay half of the fare.", "page": 52},
        {"text": "Dogs travel free of charge.", "page": 61},
        {"text": "Bicycles travel after nine only.", "page": 77},
    ]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"remove": ("find", 0)}, "cause"),
        ({"remove": ("find", 1)}, "not shown"),
        ({"remove": ("find", 2)}, "not applied"),
        ({"replace": {("find", "Bicycles travel after nine only."): "Cats stay."}}, "not applied"),
        ({"replace": {("find", "61"): "62"}}, "not shown"),
        ({"replace": {("find", "77"): "78"}}, "not applied"),
    ],
)
def test_a_row_that_was_cut_off_before_the_prompt_is_not_applied(change, word):
    @ek.traced("two rows")
    def program(question):
        return ask("\n".join(f"{row['text']} {row['page']}" for row in find(question)[:2]))

    assert recorded(program, "And?").whatif(**change).word == word
