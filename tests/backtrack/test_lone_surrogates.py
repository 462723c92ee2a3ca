"""A lone surrogate in a text shows as U+FFFD, keeps every offset, and loses nothing of a walk."""

import pytest

import explainkit as ek

HALF = "We pay back half of the fare. \ud83d"


@ek.link(kind="model")
def ask(prompt):
    return f"{prompt} ok"


@pytest.mark.parametrize("wrapped", [False, True])
def test_words_beside_a_lone_surrogate_are_found_and_walked(wrapped):
    with ek.trace("surrogate") as run:
        note = ek.context("note", {"text": HALF} if wrapped else HALF)
        ek.answer(ask(note["text"] if wrapped else note))
    back = run.backtrack(span="half of the fare")
    assert back.answer == f"{HALF[:-1]}\ufffd ok"
    assert [context.name for context in back.contexts] == ["note"]
    (place,) = {(each.start, each.end, each.text) for each in back.introducers}
    assert place == (12, 28, "half of the fare")
    assert "half of the fare" in repr(back)
    back._repr_html_().encode()  # a browser takes UTF-8 alone
    assert run.answer == f"{HALF} ok"
