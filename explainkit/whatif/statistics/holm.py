"""Correction for the family of suspects (Holm 1979), valid however the suspects depend."""

from collections.abc import Sequence


def holm_adjusted(ps: Sequence[float], *, family: int = 0) -> tuple[float, ...]:
    """Adjusted p-values, in the order given; those at most alpha are rejected at alpha.

    Args:
        ps: One p-value for each suspect.
        family: Suspects in the family when there are more than p-values (planned, not yet run).

    Example:
        >>> holm_adjusted([0.01, 0.5, 0.02])
        (0.03, 0.5, 0.04)
        >>> holm_adjusted([0.01], family=4)
        (0.04,)
    """
    size = max(family, len(ps))
    adjusted = [1.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda at: (ps[at], at))):
        highest = max(highest, min(1.0, (size - rank) * ps[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def holm_level(ps: Sequence[float], *, alpha: float, family: int = 0) -> float:
    """The level that a suspect not yet rejected has to reach, given all others.

    Example:
        >>> holm_level([0.001, 0.5, 0.9], alpha=0.05)
        0.025
    """
    size = max(family, len(ps), 1)
    rejected = sum(p <= alpha for p in holm_adjusted(ps, family=family))
    return alpha / max(1, size - rejected)
