"""Removed words may stand elsewhere with every right: that is no other way, and it is said."""

import pytest

import explainkit as ek
from tests.whatif.programs import recorded

ROWS = [
    {"zone": "zone 138", "fare": 52},
    {"zone": "zone 139", "fare": 91},
    {"zone": "zone 140", "fare": 77},
]
QUESTION = "My ticket is for zone 139. What is its fare?"


@ek.link(kind="model", deterministic=True)
def fare(prompt):
    return "It is 91." if "91" in prompt else "Nobody knows."


def printed(rows):
    return "; ".join(f"{each['zone']}: {each['fare']}" for each in rows)


def test_a_row_whose_words_stand_in_the_question_is_gone_all_the_same():
    @ek.traced("fares")
    def program(question):
        rows = ek.context("rows", ROWS)
        return fare(ek.assemble("{rows}\n{q}", rows=printed(rows), q=question))

    run = recorded(program, QUESTION)
    found = run.whatif(remove=("rows", 1))
    assert (found.word, found.after) == ("cause", "Nobody knows.")
    told = "'zone 139' also stands in the question, which is as it was"
    assert ("note", told) in found.told().facts
    assert told in repr(found)
    assert run.recording.raw(found.seq)["detail"]["also_in"] == [told]


def test_a_value_that_names_the_row_and_not_the_rest_of_it_is_no_copy():
    @ek.traced("fares")
    def program(question):
        rows = ek.context("rows", ROWS)
        note = ek.context("note", "The driver asked about zone 139 twice.")
        return fare(ek.assemble("{rows}\n{n}\n{q}", rows=printed(rows), n=note, q=question))

    found = recorded(program, "How much is it?").whatif(remove=("rows", 1))
    assert found.word == "cause"
    assert "also stands in context 'note'" in repr(found)


def test_a_value_that_holds_the_whole_row_is_a_copy():
    @ek.traced("fares")
    def program(question):
        rows = ek.context("rows", ROWS)
        note = ek.context("note", "In zone 139 we take 91.")
        return fare(ek.assemble("{rows}\n{n}\n{q}", rows=printed(rows), n=note, q=question))

    found = recorded(program, QUESTION).whatif(remove=("rows", 1))
    assert found.word == "not applied"
    assert "still reached the model by another way: context 'note'" in found.reason


@pytest.mark.parametrize("question", [QUESTION, "How much is it?"])
def test_a_row_that_is_printed_from_elsewhere_still_reached_the_model(question):
    @ek.traced("fares")
    def program(question):
        ek.context("rows", ROWS)
        return fare(f"{printed(ROWS)}\n{question}")

    found = recorded(program, question).whatif(remove=("rows", 1))
    assert found.word == "not applied"
    assert "'zone 139' still reached the model by another way" in found.reason


def test_a_row_that_was_sent_twice_and_is_removed_once_still_reached_the_model():
    @ek.traced("fares")
    def program(question):
        rows = ek.context("rows", ROWS)
        return fare(f"{printed(rows)}\n{printed(ROWS)}\n{question}")

    found = recorded(program, QUESTION).whatif(remove=("rows", 1))
    assert found.word == "not applied"


def test_a_run_that_asks_the_question_more_often_with_the_change_is_no_other_way():
    @ek.traced("fares")
    def program(question):
        rows = ek.context("rows", ROWS)
        said = fare(ek.assemble("{rows}\n{q}", rows=printed(rows), q=question))
        asked_again = 0
        while said == "Nobody knows." and asked_again < 3:
            asked_again += 1
            said = fare(f"Once more, {asked_again}: {question}")
        return said

    assert recorded(program, QUESTION).whatif(remove=("rows", 1)).word == "cause"


def test_a_context_whose_text_the_question_quotes_is_removed():
    note = "For 30 minutes we pay back 91."

    @ek.traced("quoted")
    def program(question):
        return fare(ek.assemble("{n}\n{q}", n=ek.context("note", note), q=question))

    found = recorded(program, f"You wrote: {note} Is that right?").whatif(remove="note")
    assert (found.word, found.flips) == ("not shown", (0, 0))
    assert "also stands in the question" in repr(found)
