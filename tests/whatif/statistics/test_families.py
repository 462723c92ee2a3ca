"""Holm's correction over the suspects of a run, kept across calls."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.whatif.statistics import (
    ALPHA,
    holm_adjusted,
    holm_level,
    judge_all,
    level_in,
    repeats_to_run,
)
from tests.whatif.statistics.flips import measured

levels = st.lists(st.sampled_from([0.0005, 0.004, 0.01, 0.02, 0.03, 0.05, 0.2, 1.0]), max_size=6)


@given(ps=levels)
def test_holm_rejects_what_closed_testing_rejects(ps):
    """A suspect stands when every family that holds it rejects its smallest p by Bonferroni."""
    everyone = range(len(ps))
    families = [c for size in range(1, len(ps) + 1) for c in combinations(everyone, size)]
    for one, adjusted in enumerate(holm_adjusted(ps)):
        closed = all(min(ps[i] for i in f) <= ALPHA / len(f) for f in families if one in f)
        assert (adjusted <= ALPHA + 1e-12) == closed


@given(ps=levels, more=st.sampled_from([0.001, 0.03, 1.0]))
def test_another_suspect_never_lowers_an_adjusted_p(ps, more):
    grown = holm_adjusted([*ps, more])
    assert all(a <= b for a, b in zip(holm_adjusted(ps), grown, strict=False))


@given(ps=levels, family=st.integers(0, 9))
def test_whoever_is_not_rejected_has_not_reached_the_level(ps, family):
    level = holm_level(ps, alpha=ALPHA, family=family)
    for p, adjusted in zip(ps, holm_adjusted(ps, family=family), strict=True):
        assert adjusted <= ALPHA or p > level


def test_a_cause_alone_is_not_one_beside_many_suspects():
    alone = measured("5/5", "0/5")
    others = [measured("0/5", "0/5")] * 6
    assert judge_all([alone])[0].word == "cause"
    judged = judge_all([alone, *others])[0]
    assert judged.word == "inconclusive"
    assert str(judged) == (
        "inconclusive: 5/5 vs 0/5, a cause alone but p = 0.056 over 7 suspects, "
        "ask again: at least 5 more repeats needed"
    )
    assert repeats_to_run(alone, level=level_in([alone, *others])) == (5, 5)


def test_more_repeats_bring_the_cause_back():
    ten = measured("10/10", "0/10")
    assert judge_all([ten, *[measured("0/5", "0/5")] * 40])[0].word == "cause"


def test_planned_suspects_count_from_the_start():
    assert judge_all([measured("5/5", "0/5")], planned=7)[0].word == "inconclusive"
    assert level_in([measured("0/5", "0/5")], planned=10) == pytest.approx(ALPHA / 10)


def test_what_was_never_tested_costs_the_others_nothing():
    untested = [
        measured("0/0", "0/0"),
        measured("0/0", "0/0", refused="effect send would have to run again"),
        measured("0/5", "0/5", not_applied="the text still reached the model"),
        measured("1/1", "0/2", deterministic=True),
    ]
    judged = judge_all([measured("5/5", "0/5"), *untested * 3])
    assert (judged[0].word, judged[0].family) == ("cause", 1)


def test_a_convicted_suspect_loosens_the_level_of_the_others():
    family = [measured("10/10", "0/10"), measured("0/5", "0/5"), measured("0/5", "0/5")]
    assert level_in(family) == pytest.approx(ALPHA / 2)
