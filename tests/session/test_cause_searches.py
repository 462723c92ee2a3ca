"""What shares and other doors say when they are asked for too much."""

import pytest

import explainkit as ek
from explainkit.errors import InterventionError
from tests.whatif.programs import ask, recorded


def test_shares_of_too_many_items_name_a_call_that_works():
    @ek.traced("many")
    def program(question):
        texts = [ek.context(f"text {at}", f"Text number {at} stands here.") for at in range(12)]
        return ask(" ".join(texts) + " half of the fare " + question)

    run = recorded(program, "And?")
    with pytest.raises(InterventionError, match=r"12 have 4,095") as told:
        run.cause_shares()
    assert "run.cause_shares(['text 0', 'text 1'])" in str(told.value)
    assert set(run.cause_shares(["text 0", "text 1"]).shares) == {"text 0", "text 1"}


def test_a_function_that_is_given_and_raises_is_told_as_that():
    @ek.traced("plain")
    def program(question):
        return ask(ek.context("note", "half of the fare") + question)

    def broken(question):
        raise ConnectionError("no database here")

    found = recorded(program, "And?").whatif(remove="note", call=broken)
    assert found.word == "inconclusive"
    assert "raised ConnectionError: no database here" in found.reason
