"""Exact error rate of a rule that looks several times, so that its constants can be recomputed.

When nothing was changed both arms flip at one unknown rate. Given how many of all re-runs flipped
in the end, every order of them is equally likely, whatever that rate is. So one pass over the joint
counts gives the chance to cross a boundary for each total, and the error rate at a flip rate is the
binomial mean of these chances: a polynomial whose maximum over all rates can be bounded.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, lgamma
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.whatif.statistics.fisher import SLACK, fisher_table

GRID: Final = 2001
"""Flip rates, evenly from 0 to 1, at which an error rate is evaluated."""


def choices(n: int) -> NDArray[np.float64]:
    """Binomial coefficients of `n`, float64[n + 1]."""
    return np.array([comb(n, k) for k in range(n + 1)], dtype=np.float64)


def spread_over(
    alive: NDArray[np.float64], changed: NDArray[np.float64], unchanged: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Joint counts after more re-runs of both arms.

    Args:
        alive: Weight of each pair of counts so far.
        changed: Weight of 0, 1, ... further flips of the changed arm.
        unchanged: The same for the unchanged arm.
    """
    rows, columns = alive.shape
    after = np.zeros((rows + len(changed) - 1, columns + len(unchanged) - 1))
    for i, one in enumerate(changed):
        for j, other in enumerate(unchanged):
            after[i : i + rows, j : j + columns] += one * other * alive
    return after


def crossing_by_total(
    threshold: float, *, looks: Sequence[int], weights: Sequence[float]
) -> NDArray[np.float64]:
    """Chance that some look has Fisher's p <= weight x threshold, for each total of flips.

    Args:
        threshold: The boundary before weighting.
        looks: Re-runs per arm at each look, ascending.
        weights: One for each look.

    Returns:
        float64[2 * looks[-1] + 1]; entry s is the chance given s flips in both arms together.
    """
    whole = 2 * looks[-1]
    crossed = np.zeros(whole + 1)
    alive, before = np.ones((1, 1)), 0
    for n, weight in zip(looks, weights, strict=True):
        step = choices(n - before)
        alive, before = spread_over(alive, step, step), n
        crossing = fisher_table(n) <= threshold * weight * SLACK
        by_total = np.zeros(2 * n + 1)
        changed, unchanged = np.nonzero(crossing)
        np.add.at(by_total, changed + unchanged, alive[crossing])
        crossed += np.convolve(by_total, choices(whole - 2 * n))
        alive = np.where(crossing, 0.0, alive)
    return crossed / choices(whole)


@lru_cache(maxsize=8)
def totals_at_rates(whole: int, points: int = GRID) -> NDArray[np.float64]:
    """Binomial chances of each total at evenly spaced flip rates, float64[points, whole + 1]."""
    rates = np.linspace(0.0, 1.0, points)[1:-1, None]
    total = np.arange(whole + 1)
    logs = np.array([lgamma(whole + 1) - lgamma(k + 1) - lgamma(whole - k + 1) for k in total])
    inner = np.exp(logs + total * np.log(rates) + (whole - total) * np.log1p(-rates))
    return np.vstack([total == 0, inner, total == whole]).astype(np.float64)


def worst_error_rate(threshold: float, *, looks: Sequence[int], weights: Sequence[float]) -> float:
    """Upper bound, over all flip rates, of the chance to cross although nothing differs.

    The largest value on the grid, and what the curve can rise between two points of it: at a
    maximum the slope is 0, so at most h^2 / 8 times the largest curvature, which for a Bernstein
    polynomial is at most n (n - 1) times the largest second difference of its coefficients.
    """
    chances = crossing_by_total(threshold, looks=looks, weights=weights)
    whole = len(chances) - 1
    on_grid = float((totals_at_rates(whole) @ chances).max())
    curvature = whole * (whole - 1) * float(np.abs(np.diff(chances, 2)).max())
    return on_grid + curvature / (8 * (GRID - 1) ** 2)
