"""The five words of a what-if with their numbers, and the one line that says them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from explainkit.whatif.statistics.arms import NOT_RUN, Arm
from explainkit.whatif.statistics.looks import ALPHA

Word = Literal["cause", "not shown", "inconclusive", "not applied", "over budget"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What may be said of one suspect.

    Attributes:
        word: The verdict.
        changed: Re-runs and flips with the intervention.
        unchanged: Re-runs and flips without it.
        p: p-value of this suspect alone, valid under looking; `None` when nothing was tested.
        adjusted_p: The same after Holm's correction for the family.
        family: Suspects that the correction counts.
        reason: Why, in words.
        more_needed: Further repeats per arm after which an inconclusive one can be decided at the
            earliest.
        deterministic: Concluded from single re-runs, because nothing re-executed may vary.

    Example:
        >>> judged = Judgement("cause", Arm(5, 5), Arm(5, 0), p=0.0079, adjusted_p=0.0079, family=1)
        >>> str(judged)
        'cause 5/5 vs 0/5, p = 0.008'
    """

    word: Word
    changed: Arm = NOT_RUN
    unchanged: Arm = NOT_RUN
    p: float | None = None
    adjusted_p: float | None = None
    family: int = 0
    reason: str | None = None
    more_needed: int | None = None
    deterministic: bool = False

    @property
    def n(self) -> int:
        """Re-runs per arm (of the shorter one)."""
        return min(self.changed.n, self.unchanged.n)

    @property
    def sizes(self) -> tuple[int, int]:
        """Re-runs of the changed and of the unchanged arm, which `flips` are of."""
        return (self.changed.n, self.unchanged.n)

    @property
    def flips(self) -> tuple[int, int]:
        """Flips of the changed and of the unchanged arm."""
        return (self.changed.flips, self.unchanged.flips)

    @property
    def has_rates(self) -> bool:
        """Whether rates of flips tell anything: both arms were run, and the change reached them."""
        return self.n > 0 and self.word != "not applied"

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the flip rate of the changed arm."""
        return self.changed.interval

    def __str__(self) -> str:
        if self.word in ("cause", "not shown"):
            return self._with_numbers()
        return f"{self.word}: {self.reason}" if self.reason else self.word

    def _with_numbers(self) -> str:
        parts = [f"{self.word} {self.changed} vs {self.unchanged}"]
        if self.deterministic:
            parts.append("deterministic")
        elif self.adjusted_p is not None:
            among = f" over {self.family} suspects" if self.family > 1 else ""
            parts.append(f"p {p_text(self.adjusted_p)}{among}")
        line = ", ".join(parts)
        return f"{line}: {self.reason}" if self.reason else line


def p_text(p: float) -> str:
    """A p-value with its sign; never rounded across the error rate.

    Example:
        >>> p_text(0.00794), p_text(0.00001), p_text(0.0503), p_text(1.0)
        ('= 0.008', '< 0.001', '= 0.0503', '= 1')
    """
    if p < 0.001:
        return "< 0.001"
    digits = 3
    while digits < 12 and p > ALPHA >= round(p, digits):
        digits += 1
    return "= " + f"{p:.{digits}f}".rstrip("0").rstrip(".")


def rate_text(arm: Arm) -> str:
    """How often an arm flipped, in the smallest whole numbers.

    Example:
        >>> rate_text(Arm(6, 2)), rate_text(Arm(40, 13))
        ('1 in 3', '13 in 40')
    """
    if arm.flips in (0, arm.n):
        return f"{arm.flips} in {arm.n}"
    rate = Fraction(arm.flips, arm.n)
    return f"{rate.numerator} in {rate.denominator}"


def more_text(more: int) -> str:
    """How many repeats are missing at least, and how they are made.

    Args:
        more: Repeats per arm after which the rule can end at the earliest.

    Example:
        >>> more_text(1), more_text(14)
        ('ask again: at least 1 more repeat needed', 'ask again: at least 14 more repeats needed')
    """
    return f"ask again: at least {more} more repeat{'' if more == 1 else 's'} needed"
