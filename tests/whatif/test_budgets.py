"""A budget bounds what is run; what was done stays, and the verdict says what is missing."""

import pytest

import explainkit as ek
from tests.whatif.programs import HALF, claim, recorded, undeclared_claim


def test_a_budget_of_zero_runs_nothing():
    calls = []

    @ek.traced("counts")
    def program(question):
        calls.append(question)
        return ek.context("note", HALF)

    run = recorded(program, "q")
    for budget in (0, {"seconds": 0}, {"tokens": 0}):
        found = run.whatif(remove="note", budget=budget)
        assert (found.word, found.n) == ("over budget", 0)
    assert len(calls) == 1


def test_a_budget_of_calls_stops_and_says_how_far_it_came():
    found = recorded(undeclared_claim, "q").whatif(remove="rules", budget=3)
    assert str(found) == "over budget: 1 of at least 5 repeats made"
    assert found.trial.spent.calls == 3


def test_the_default_is_200_calls():
    assert recorded(claim, "q").whatif(remove="note").trial.budget.calls == 200


def test_a_budget_of_tokens_counts_what_models_say():
    class Model:
        """A client whose replies tell what they cost."""

    @ek.link(kind="model")
    def silent(prompt):
        return "Half" if "half" in prompt else "Nothing"

    @ek.traced("tokens")
    def program(question):
        return silent(ek.context("note", HALF))

    found = recorded(program, "q").whatif(remove="note", budget={"tokens": 10})
    assert found.word == "inconclusive"
    assert "do not say how many they use" in found.reason
    del Model


def test_times_bounds_the_repeats():
    found = recorded(undeclared_claim, "q").whatif(remove="rules", times=2)
    assert str(found) == "inconclusive: ask again: at least 3 more repeats needed"
    assert found.n == 2


@pytest.mark.parametrize("after", [1, 3])
def test_an_interrupt_keeps_what_is_done(after):
    seen = []

    def progress(trial):
        seen.append(trial)
        if len(seen) == after:
            raise KeyboardInterrupt

    run = recorded(undeclared_claim, "q")
    found = run.whatif(remove="rules", progress=progress)
    assert found.word == "inconclusive"
    assert found.trial.spent.reruns == after
    assert found.trial.stopped == "cancelled"
    kept = next(run.recording.rows("finding"))
    assert kept["detail"]["stopped"] == "cancelled"
    assert len(kept["detail"]["changed"]) + len(kept["detail"]["unchanged"]) == after


def test_an_interrupt_in_the_program_closes_the_re_run_and_keeps_what_is_done():
    stop = []

    @ek.traced("interrupted")
    def program(question):
        note = ek.context("note", HALF)
        if len(stop) == 2:
            raise KeyboardInterrupt
        stop.append(note)
        return note

    found = recorded(program, "q").whatif(remove="note")
    assert (found.word, found.trial.stopped) == ("inconclusive", "cancelled")
    assert found.trial.spent.reruns == 1


def test_progress_is_told_after_each_re_run():
    told = []
    recorded(claim, "q").whatif(
        remove="rules", progress=lambda trial: told.append(trial.spent.reruns)
    )
    assert told == [1, 2, 3]


@pytest.mark.parametrize("limit", [float("inf"), 10**400, {"seconds": float("inf")}])
def test_a_limit_that_nothing_reaches_is_none(limit):
    found = recorded(undeclared_claim, "q").whatif(remove="rules", budget=limit)
    assert (found.word, found.n) == ("cause", 5)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_deterministic_model_is_not_asked_ten_times_after_a_budget_that_was_too_small(first):
    run = recorded(claim, "q")
    assert run.whatif(remove="note", budget=first).word == "over budget"
    assert str(run.whatif(remove="note")) == "not shown 0/1 vs 0/2, deterministic"
