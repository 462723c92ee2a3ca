"""What shares and other doors say when they are asked for too much."""

import pandas as pd
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


def test_results_that_are_objects_are_named_as_not_tried():
    @ek.link(kind="retrieval")
    def frame(question):
        return pd.DataFrame({"text": ["We pay half of the fare.", "Dogs are free."]})

    @ek.traced("a table")
    def program(question):
        note = ek.context("note", "Ask for the ticket.")
        return ask(" ".join(frame(question).text) + note)

    told = repr(recorded(program, "And?").smallest_cause())
    assert "Results that are objects were not tried: frame." in told
    assert "run.whatif(swap={'frame': ...})" in told


def test_parts_beyond_the_bound_are_counted():
    @ek.link(kind="retrieval")
    def rows(question, at):
        return f"Row {at} of the table stands here."

    @ek.traced("many rows")
    def program(question):
        return ask(" ".join(rows(question, at) for at in range(130)) + " half of the fare")

    told = repr(recorded(program, "And?").smallest_cause(times=1, budget=20))
    assert (
        "10 further parts of the run stayed outside of the search: it takes the first 120" in told
    )
