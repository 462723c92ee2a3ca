"""Intervals of a flip rate that stay sensible at 0 of n and n of n."""

from math import sqrt
from statistics import NormalDist


def wilson_interval(flips: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a rate (Wilson 1927, without continuity correction).

    Args:
        flips: Re-runs that flipped.
        n: Re-runs; with none, nothing is known and the interval is everything.
        confidence: Two-sided coverage.

    Returns:
        Lower and upper end, both in [0, 1].

    Raises:
        ValueError: `flips` is not between 0 and `n`.

    Example:
        >>> [round(end, 3) for end in wilson_interval(5, 5)]
        [0.566, 1.0]
    """
    if not 0 <= flips <= n:
        raise ValueError(f"{flips} flips of {n} re-runs cannot be. Give 0 <= flips <= n.")
    if n == 0:
        return (0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, spread = flips / n, z * z / n
    centre = (rate + spread / 2) / (1 + spread)
    half = z * sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    low = 0.0 if flips == 0 else centre - half
    high = 1.0 if flips == n else centre + half
    return (low, high)
