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


@ek.link(kind="model", deterministic=True)
def quote(prompt):
    return next(each for each in prompt.split("\n") if each.startswith("The pool"))


@ek.link(kind="model", deterministic=True)
def letter(prompt):
    return "Five." if "5 euros" in prompt else "Seven."


NOTE = "The pool costs 5 euros."


def quoted(*, again=False, before=False, then=True):
    """A model quotes its note; another one reads what it said, with or without the note."""

    @ek.traced("pool")
    def program(question):
        note = ek.context("note", f"{NOTE}\nIt is warm.", kind="memory")
        if before:
            letter(f"How is it told? {note}")
        said = quote(ek.assemble("{n}\n{q}", n=note, q=question))
        return letter(f"{said}\n{note if again else ''}") if then else said

    return recorded(program, "What is it?")


@pytest.mark.parametrize("settings", [{}, {"then": False}, {"before": True}])
@pytest.mark.parametrize("target", [("quote", "5"), "quote", ("output of quote", "5 euros")])
def test_what_a_model_was_asked_before_it_spoke_is_no_other_way_of_what_it_said(settings, target):
    run = quoted(**settings)
    found = run.whatif(replace={target: "7"})
    assert found.word == "cause"
    assert "another way" not in repr(found)
    other = NOTE.replace("5", "7")
    assert run.whatif(swap={"quote": other}).word == "cause"


def test_a_later_call_that_gets_the_words_from_elsewhere_is_another_way_of_what_a_model_said():
    found = quoted(again=True).whatif(replace={("quote", "5"): "7"})
    assert found.word == "not applied"
    assert "by another way: context 'note'" in repr(found)
