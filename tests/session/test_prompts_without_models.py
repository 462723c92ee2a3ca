"""A run in which no link is a model says which there are, and how to see what one received."""

import pytest

import explainkit as ek
from explainkit.errors import UnknownRecordError

NOTE = "We pay half."


def recorded(kind):
    @ek.link(kind=kind)
    def chat(prompt):
        return NOTE

    with ek.trace("asked") as run:
        ek.answer(chat(ek.assemble("{note} Q?", note=ek.context("note", NOTE))))
    return run


@pytest.mark.parametrize("kind", ["llm", "tool", "my own"])
def test_a_kind_that_is_no_model_is_named_with_both_ways_on(kind):
    run = recorded(kind)
    with pytest.raises(UnknownRecordError) as raised:
        run.prompt()
    assert str(raised.value) == (
        f"The run has no link of kind 'model': 'chat' is of kind {kind!r}. Record the function "
        'that asks the model with @ek.link(kind="model"), or say which link is meant: '
        "run.prompt('chat')."
    )
    assert run.prompt("chat").text == f"{NOTE} Q?"
    assert recorded("model").prompt().text == f"{NOTE} Q?"


def test_a_run_without_links_says_how_one_is_recorded():
    with ek.trace("none") as run:
        ek.answer(NOTE)
    with pytest.raises(UnknownRecordError, match="none that was given anything") as raised:
        run.prompt()
    assert '@ek.link(kind="model")' in str(raised.value)


def test_many_links_are_named_in_part_and_counted():
    with ek.trace("many") as run:
        for at in range(9):
            ek.link(lambda x: x, kind="tool", name=f"step {at}")(at)
    with pytest.raises(UnknownRecordError, match=r"'step 8' is of kind 'tool'; .* and 5 more"):
        run.prompt()
