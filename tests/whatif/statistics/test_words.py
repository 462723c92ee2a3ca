"""Which word a measurement gets, and the line that says it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.whatif.statistics import (
    LOOKS,
    Measurement,
    TwoArms,
    judge_all,
    repeats_to_run,
)
from tests.whatif.statistics.flips import measured

LINES = [
    ("5/5", "0/5", "cause 5/5 vs 0/5, p = 0.008"),
    ("0/5", "0/5", "not shown 0/5 vs 0/5, p = 1"),
    ("3/5", "0/5", "inconclusive: 3/5 vs 0/5, ask again: at least 5 more repeats needed"),
    (
        "5/6",
        "2/6",
        "inconclusive: the unchanged run flips 1 in 3, ask again: at least 4 more repeats needed",
    ),
    ("40/40", "13/40", "cause 40/40 vs 13/40, p < 0.001"),
    ("13/40", "13/40", "not shown 13/40 vs 13/40, p = 1"),
    ("2/10", "3/10", "not shown 2/10 vs 3/10, p = 1"),
    (
        "0/40",
        "20/40",
        "not shown 0/40 vs 20/40, p = 1: the answer flips less often with the change",
    ),
]


@pytest.mark.parametrize(("changed", "unchanged", "line"), LINES)
def test_the_line_of_two_arms(changed, unchanged, line):
    assert str(judge_all([measured(changed, unchanged)])[0]) == line


def test_a_majority_is_no_conviction():
    assert judge_all([measured("4/5", "1/5")])[0].word == "inconclusive"


def test_few_clean_repeats_beside_a_flaky_baseline_do_not_acquit():
    judged = judge_all([measured("2/5", "2/5")])[0]
    assert judged.word == "inconclusive"
    assert judged.more_needed > 0
    assert "the unchanged run flips 2 in 5" in str(judged)


def test_a_budget_that_ends_before_the_first_look_is_said():
    judged = judge_all([measured("3/3", "0/3", stopped="budget")])[0]
    assert str(judged) == "over budget: 3 of at least 5 repeats made"
    assert judged.more_needed == 2


def test_a_budget_of_nothing_is_over_budget_too():
    assert (
        str(judge_all([Measurement(stopped="budget")])[0])
        == "over budget: 0 of at least 5 repeats made"
    )


def test_what_was_cancelled_says_how_much_is_missing():
    judged = judge_all([measured("3/3", "0/3", stopped="cancelled")])[0]
    assert str(judged) == "inconclusive: ask again: at least 2 more repeats needed"


def test_an_intervention_that_did_not_reach_the_run_is_neither_cause_nor_cleared():
    judged = judge_all([measured("5/5", "0/5", not_applied="the text came another way")])[0]
    assert str(judged) == "not applied: the text came another way"


def test_a_refusal_is_never_a_cause_whatever_the_counts_say():
    judged = judge_all([measured("5/5", "0/5", refused="the judge raised ValueError")])[0]
    assert str(judged) == "inconclusive: the judge raised ValueError"


@pytest.mark.parametrize(
    ("changed", "unchanged"), [("5/5", "3/5"), ("40/40", "24/40"), ("0/0", "5/5")]
)
def test_a_judge_under_which_the_unchanged_run_flips_most_times_is_unfit(changed, unchanged):
    judged = judge_all([measured(changed, unchanged, judge_hint='judge="number"')])[0]
    assert judged.word == "inconclusive"
    assert "the judge is unfit" in judged.reason
    assert 'judge="number"' in judged.reason


def test_a_baseline_that_always_flips_ends_the_re_runs():
    assert repeats_to_run(measured("5/5", "5/5")) == (0, 0)
    assert repeats_to_run(measured("5/5", "3/5")) != (0, 0)


def test_a_baseline_that_only_seems_unfit_gets_the_looks_that_are_left():
    assert repeats_to_run(measured("20/20", "11/20")) == (20, 20)
    assert repeats_to_run(measured("20/20", "10/20")) == (0, 0)


def test_a_clear_cause_ends_the_re_runs_at_the_first_look():
    assert repeats_to_run(measured("5/5", "0/5")) == (0, 0)


def test_a_started_arm_is_filled_up_to_the_look():
    assert repeats_to_run(measured("1/3", "0/5")) == (0, 2)


class TestDeterministic:
    def test_two_baselines_come_first_then_one_changed_run(self):
        assert repeats_to_run(measured("0/0", "0/0", deterministic=True)) == (2, 0)
        assert repeats_to_run(measured("0/0", "0/2", deterministic=True)) == (0, 1)
        assert repeats_to_run(measured("1/1", "0/2", deterministic=True)) == (0, 0)

    def test_one_flip_is_a_cause(self):
        judged = judge_all([measured("1/1", "0/2", deterministic=True)])[0]
        assert str(judged) == "cause 1/1 vs 0/2, deterministic"
        assert (judged.p, judged.n, judged.flips) == (None, 1, (1, 0))

    def test_no_flip_is_not_shown(self):
        judged = judge_all([measured("0/1", "0/2", deterministic=True)])[0]
        assert str(judged) == "not shown 0/1 vs 0/2, deterministic"

    def test_one_baseline_is_not_enough(self):
        assert judge_all([measured("1/1", "0/1", deterministic=True)])[0].word == "inconclusive"

    def test_baselines_that_disagree_lead_to_repeats(self):
        known = measured("0/0", "1/2", deterministic=True)
        assert repeats_to_run(known) == (3, 5)
        assert judge_all([measured("1/1", "1/2", deterministic=True)])[0].word == "inconclusive"

    def test_without_the_declaration_one_flip_says_nothing(self):
        assert judge_all([measured("1/1", "0/2")])[0].word == "inconclusive"

    def test_baselines_that_both_flip_make_the_judge_unfit(self):
        known = measured("0/0", "2/2", deterministic=True)
        assert repeats_to_run(known) == (0, 0)
        assert "unfit" in judge_all([known])[0].reason


outcomes = st.lists(st.booleans(), max_size=42).map(tuple)


@given(
    unchanged=outcomes,
    changed=outcomes,
    deterministic=st.booleans(),
    stopped=st.sampled_from([None, "budget", "cancelled"]),
)
def test_every_measurement_has_a_word_and_a_line(unchanged, changed, deterministic, stopped):
    known = Measurement(
        arms=TwoArms(unchanged=unchanged, changed=changed),
        deterministic=deterministic,
        stopped=stopped,
    )
    judged = judge_all([known])[0]
    assert str(judged).startswith(judged.word)
    if judged.word == "cause":
        assert judged.changed.rate > judged.unchanged.rate
        assert known.is_certain or (judged.adjusted_p <= 0.05 and judged.n >= LOOKS[0])
    if judged.more_needed is not None:
        assert judged.word in ("inconclusive", "over budget")
        assert judged.more_needed > 0
    low, high = judged.interval
    assert 0 <= low <= high <= 1
