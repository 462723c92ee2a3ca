"""What more repeats would show at the observed rates, so that hopeless ones are not made."""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.whatif.statistics.arms import TwoArms
from explainkit.whatif.statistics.fisher import SLACK, fisher_table
from explainkit.whatif.statistics.looks import ALPHA, LOOKS, boundary
from explainkit.whatif.statistics.null_paths import choices, spread_over

ENOUGH: Final = 0.8
"""Repeats suffice when they convict with at least this chance at the observed rates."""

HOPELESS: Final = 0.1
"""Further repeats are not worth their calls when none of them convicts with this chance."""


@lru_cache(maxsize=1024)
def chances_to_convict(
    n: int, flips: tuple[int, int], rates: tuple[float, float], level: float
) -> tuple[float, ...]:
    """Chance to have crossed the boundary by each later look.

    Args:
        n: Re-runs per arm so far.
        flips: Flips so far, of the changed and of the unchanged arm.
        rates: Flip rates that the further re-runs are supposed to have, in the same order.
        level: Error rate of the boundary.

    Returns:
        One chance for each look above `n`, ascending.

    Example:
        >>> chances_to_convict(0, (0, 0), (1.0, 0.0), 0.05)
        (1.0, 1.0, 1.0, 1.0)
    """
    alive = np.zeros((n + 1, n + 1))
    alive[flips] = 1.0
    before, crossed, found = n, 0.0, []
    for look, largest in zip(LOOKS, boundary(level), strict=True):
        if look <= n:
            continue
        step = look - before
        alive, before = spread_over(alive, _draws(step, rates[0]), _draws(step, rates[1])), look
        counts = np.arange(look + 1)
        convicting = fisher_table(look) <= largest * SLACK
        convicting &= counts[:, None] > counts[None, :]
        crossed += float(alive[convicting].sum())
        alive = np.where(convicting, 0.0, alive)
        found.append(min(1.0, crossed))
    return tuple(found)


def is_hopeless(arms: TwoArms, *, level: float) -> bool:
    """Would no later look convict, with more than a small chance, at the observed rates?"""
    chances = _from_here(arms, level)
    return not chances or chances[-1] < HOPELESS


def needed_to_convict(arms: TwoArms, *, level: float) -> int | None:
    """Re-runs per arm that would convict at the observed rates; `None` if no look is enough."""
    later = [look for look in LOOKS if look > arms.pairs]
    return _first_enough(later, _from_here(arms, level))


def needed_for_baseline(arms: TwoArms) -> int:
    """Re-runs per arm below which even a change that always flips is not told from this baseline.

    A clean baseline needs the first look only; one that flips now and then needs more.

    Example:
        >>> needed_for_baseline(TwoArms(unchanged=(True, False, False), changed=(True,) * 3))
        10
    """
    unchanged = arms.flips_at(arms.pairs)[1] / arms.pairs if arms.pairs else 0.0
    chances = chances_to_convict(0, (0, 0), (1.0, unchanged), ALPHA)
    return _first_enough(list(LOOKS), chances) or LOOKS[-1]


def _from_here(arms: TwoArms, level: float) -> tuple[float, ...]:
    n = arms.pairs
    changed, unchanged = arms.flips_at(n)
    rates = (changed / n, unchanged / n) if n else (1.0, 0.0)
    return chances_to_convict(n, (changed, unchanged), rates, level)


def _first_enough(looks: list[int], chances: tuple[float, ...]) -> int | None:
    enough = (look for look, chance in zip(looks, chances, strict=True) if chance >= ENOUGH)
    return next(enough, None)


def _draws(n: int, rate: float) -> NDArray[np.float64]:
    flips = np.arange(n + 1)
    chances: NDArray[np.float64] = choices(n) * rate**flips * (1.0 - rate) ** (n - flips)
    return chances
