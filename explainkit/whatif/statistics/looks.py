"""When to look at the flips, and a p-value that stays valid however often one looked.

Fisher's p at each look is divided by the weight of that look. The smallest quotient so far is the
test statistic; its exact chance under "nothing differs", at the worst flip rate, is the p-value. It
is valid at every level at once, so the boundary of any level, and Holm's correction, follow from
it, and it can only fall while more looks are taken, so stopping early on any ground is harmless.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Final

from explainkit.whatif.statistics.arms import TwoArms
from explainkit.whatif.statistics.crossing_levels import LEVELS, THRESHOLDS
from explainkit.whatif.statistics.fisher import SLACK, fisher_p

ALPHA: Final = 0.05
"""Two-sided error rate of the family of suspects."""

LOOKS: Final = (5, 10, 20, 40)
"""Re-runs per arm at which the flips are compared."""

WEIGHTS: Final = (3.0, 1.0, 1.0, 2.0)
"""How much of the error rate each look may spend, against the others.

The first look is favoured, because most causes show at once; so 5/5 against 0/5 stays convicted in
families of up to 6. The last one is favoured, because nothing comes after it.
"""

LAST_LOOK: Final = LOOKS[-1]


def error_rate_of(statistic: float) -> float:
    """Chance, at the worst flip rate, that a null ever has a statistic this small.

    Read from the constants and rounded up to the next of them.

    Example:
        >>> error_rate_of(1.0)
        1.0
    """
    at = bisect_left(THRESHOLDS, statistic / SLACK)
    return LEVELS[at] if at < len(LEVELS) else 1.0


def boundary(level: float) -> tuple[float, ...]:
    """Largest Fisher's p that crosses at each look when the whole path may err with `level`.

    Example:
        >>> [round(p, 3) for p in boundary(0.05)]
        [0.05, 0.02, 0.02, 0.041]
    """
    at = bisect_right(LEVELS, level)
    threshold = THRESHOLDS[at - 1] if at else 0.0
    return tuple(min(level, weight * threshold) for weight in WEIGHTS)


@dataclass(frozen=True, slots=True)
class Looked:
    """What the looks so far say about one direction.

    Attributes:
        p: The p-value that is valid under looking; 1 when no look leant this way.
        look: Re-runs per arm at the look that gave it; 0 when none did.
    """

    p: float = 1.0
    look: int = 0


def p_after_looks(arms: TwoArms, *, more_flips: bool = True) -> Looked:
    """p-value over all looks that both arms have reached.

    It is two-sided: looks that lean the other way are left out, which can only enlarge it. It is
    never below Fisher's own p of the look that it is from.

    Args:
        arms: Outcomes in the order in which the re-runs were started.
        more_flips: Count looks at which the changed arm flips more; else those with fewer.

    Raises:
        MissingExtraError: scipy is not installed, and a look was reached.

    Example:
        >>> found = p_after_looks(TwoArms(unchanged=(False,) * 5, changed=(True,) * 5))
        >>> found.look, round(found.p, 4)
        (5, 0.0079)
    """
    best = Looked()
    for look, weight in zip(LOOKS, WEIGHTS, strict=True):
        if look > arms.pairs:
            break
        changed, unchanged = arms.flips_at(look)
        if changed == unchanged or (changed > unchanged) is not more_flips:
            continue
        nominal = fisher_p(look, changed, unchanged)
        p = max(nominal, error_rate_of(nominal / weight))
        if p < best.p:
            best = Looked(p=p, look=look)
    return best
