"""A run without an answer says so, and where its error came from; a forgotten await is named."""

import pytest

import explainkit as ek
from explainkit.errors import SpanNotFoundError


def failed():
    try:
        with ek.trace("broken") as run:
            ek.context("note", "We pay back half of the fare.")
            {}["missing"]
    except KeyError:
        return run


def test_a_run_that_ended_without_an_answer_is_not_called_answered():
    with ek.trace("empty") as run:
        pass
    assert "explainkit run empty: ended, no answer (" in repr(run)
    assert "words of the answer" not in repr(run)
    assert "ended, no answer" in run._repr_html_()


def test_an_answer_in_another_slot_is_an_answer():
    with ek.trace("slots") as run:
        ek.answer("half", slot="other")
    assert "explainkit run slots: answered (" in repr(run)


@pytest.mark.parametrize("words", ["half", (0, 4)])
def test_words_of_an_answer_that_is_not_there_are_refused_with_how_the_run_ended(words):
    with pytest.raises(SpanNotFoundError, match="gave no answer: Ended on KeyError") as raised:
        failed().backtrack(span=words)
    assert "run.story()" in str(raised.value)


def test_words_that_an_answer_does_not_hold_are_still_told_the_nearest():
    with ek.trace("answered") as run:
        ek.answer("We close at 22:00 today.")
    with pytest.raises(SpanNotFoundError, match="are not in the answer"):
        run.backtrack(span="at nine")


def test_the_board_of_a_failed_block_names_the_line_and_no_link():
    told = " ".join(repr(failed()).split())
    assert "Ended on KeyError: 'missing'" in told
    assert "at test_runs_without_answers.py:13 failed" in told
    assert "No link failed: look at that line" in told
    assert "failing link was given" not in told
    assert "words of the answer" not in told


def test_a_forgotten_await_is_named_on_the_board():
    @ek.link
    async def ask(prompt):
        return "half"

    with ek.trace("forgotten") as run:
        waiting = ek.answer(ask("How much?"))
    waiting.close()
    told = " ".join(repr(run).split())
    assert "the answer is a coroutine that was not awaited; write await ask(...)" in told
    assert run.doctor() == []
