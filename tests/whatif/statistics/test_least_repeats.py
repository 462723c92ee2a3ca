"""How many more repeats are announced is a bound: no run ends sooner, and some end just then."""

import random

import pytest

from explainkit.whatif.statistics import (
    ALPHA,
    LAST_LOOK,
    Measurement,
    TwoArms,
    judge_all,
    level_in,
    repeats_to_run,
)

RATES = [(1.0, 0.0), (0.0, 0.0), (1 / 3, 1 / 3), (1.0, 1 / 3), (0.7, 0.1), (0.9, 0.9), (0.2, 0.8)]


def followed(drawing, rates, others):
    """The states of one run of the rule, one pair after the other, and whether it has ended."""
    changed, unchanged, states = (), (), []
    while True:
        known = Measurement(arms=TwoArms(unchanged=unchanged, changed=changed), stopped=None)
        level = level_in([*others, known]) if others else ALPHA
        over = repeats_to_run(known, level=level) == (0, 0)
        states.append((known, over))
        if over:
            return states
        changed += (drawing.random() < rates[0],)
        unchanged += (drawing.random() < rates[1],)


@pytest.mark.parametrize("family", [1, 4])
def test_no_run_of_the_rule_ends_before_the_number_that_is_announced(family):
    drawing = random.Random(family)
    clean = Measurement(arms=TwoArms((False,) * 5, (False,) * 5))
    others = [clean] * (family - 1)
    met = set()
    for at in range(800):
        states = followed(drawing, RATES[at % len(RATES)], others)
        end = len(states) - 1
        for pairs, (known, _) in enumerate(states[:-1]):
            judged = judge_all([known, *others])[0]
            if judged.more_needed is None:
                continue
            assert pairs + judged.more_needed <= end, known.arms
            if pairs + judged.more_needed == end:
                met.add(pairs)
    assert set(range(LAST_LOOK // 2)) <= met  # it is reached, so it is no smaller than it has to be


@pytest.mark.parametrize(
    ("arms", "more"),
    [
        (TwoArms(), 5),
        (TwoArms(unchanged=(True, False, False), changed=(True,) * 3), 2),
        (TwoArms(unchanged=(True, True, False, False, False), changed=(True,) * 5), 5),
    ],
)  # fmt: skip
def test_the_number_of_a_state(arms, more):
    judged = judge_all([Measurement(arms=arms)])[0]
    assert judged.more_needed == more
    assert f"at least {more} more repeats needed" in str(judged)
