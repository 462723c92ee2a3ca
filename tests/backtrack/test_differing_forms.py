"""“The same characters” is said only of the same characters; else it is said what differs."""

import pytest

import explainkit as ek
from explainkit.backtrack.differing_forms import form_words

SAME = "the same characters on both sides"


def run_of(said, note):
    @ek.link(kind="model")
    def ask(prompt):
        return said

    with ek.trace("forms", question="What is it?") as run:
        ek.answer(ask(ek.assemble("{n}", n=ek.context("note", note))))
    return run


@pytest.mark.parametrize(
    ("said", "note", "form"),
    [
        ("we pay back half of the fare", "Indeed we pay back half of the fare today.", SAME),
        (
            "WE PAY BACK half of the fare",
            "Indeed we pay back half of the fare today.",
            "the same words in other case",
        ),
        (
            "we pay back: half of the fare",
            "Indeed we pay back half of the fare today.",
            "the same words in other marks",
        ),
        (
            "we pay  back half of\nthe fare",
            "Indeed we pay back half of the fare today.",
            "the same words in other white space",
        ),
        (
            "the way is 1,234.5 km long on foot",
            "Mind that the way is 1234.50 km long on foot!",
            "the same words with a number in another form",
        ),
        (
            "cafe\u0301s pay back half of the fare",
            "Indeed caf\u00e9s pay back half of the fare today.",
            "the same letters in another encoding",
        ),
    ],
)
def test_headlines_hops_and_stories_say_what_differs(said, note, form):
    run = run_of(said, note)
    run.verdict("failed", judge="reader")
    back = run.backtrack()
    assert f"evidence: value, {form}." in back.board().headline
    notes = {hop.note for hop in back.hops if hop.note}
    assert notes == (set() if form == SAME else {form})
    story = str(run.story())
    ways = (form, "written there as", "which does not hold them in this form")
    assert any(words in story for words in ways)
    if form != SAME:
        assert "same characters" not in back.board().headline + story
        assert form in " ".join(back.text().split())


def test_a_selected_number_and_date_in_another_form_are_called_that():
    run = run_of("The way is 1,234.5 km long.", "Mind: 1234.50 km")
    headline = run.backtrack(span="1,234.5 km").board().headline
    assert "evidence: value, the same number in another form." in headline
    run = run_of("It ended on 3 December 2025.", "End of the lease: 2025-12-03")
    headline = run.backtrack(span="3 December 2025").board().headline
    assert "evidence: value, the same date in another form." in headline


def test_the_grade_itself_promises_words_and_no_characters():
    back = run_of("WE PAY BACK half of the fare", "we pay back half of the fare").backtrack()
    assert SAME not in " ".join(back.text().split())
    assert "Shown down to grade value: the same words or numbers on both sides." in " ".join(
        back.text().split()
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("half", "half"), ("half,", " half"), ("half", "quarter"), ("12", "13"), ("", "half")],
)
def test_the_same_characters_and_other_words_have_no_form(one, other):
    assert form_words(one, other) is None
