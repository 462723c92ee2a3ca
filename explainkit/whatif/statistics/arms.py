"""Outcomes of the two arms, kept in order because a look reads only the first n of each."""

from dataclasses import dataclass
from typing import Final

from explainkit.whatif.statistics.wilson import wilson_interval


@dataclass(frozen=True, slots=True)
class Arm:
    """How often one arm was run and how often its answer flipped.

    Example:
        >>> Arm(n=5, flips=4).rate
        0.8
    """

    n: int
    flips: int

    @property
    def rate(self) -> float:
        """Observed flip rate; 0 without a re-run."""
        return self.flips / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the flip rate."""
        return wilson_interval(self.flips, self.n)

    def __str__(self) -> str:
        return f"{self.flips}/{self.n}"


NOT_RUN: Final = Arm(n=0, flips=0)
"""An arm without a re-run."""


@dataclass(frozen=True, slots=True)
class TwoArms:
    """Flips of the unchanged and of the changed re-runs.

    Outcomes stand in the order in which the re-runs were *started*. In the order in which they
    finished, an arm whose flips finish sooner would look worse at an early look than it is.

    Attributes:
        unchanged: Did the answer flip, for each re-run without the intervention?
        changed: The same with the intervention.

    Example:
        >>> TwoArms(unchanged=(False,) * 6, changed=(True,) * 5).flips_at(5)
        (5, 0)
    """

    unchanged: tuple[bool, ...] = ()
    changed: tuple[bool, ...] = ()

    @property
    def pairs(self) -> int:
        """Re-runs that both arms have."""
        return min(len(self.unchanged), len(self.changed))

    def flips_at(self, n: int) -> tuple[int, int]:
        """Flips among the first `n` of the changed and of the unchanged arm."""
        return (sum(self.changed[:n]), sum(self.unchanged[:n]))

    @property
    def changed_arm(self) -> Arm:
        """Counts of the changed arm."""
        return Arm(n=len(self.changed), flips=sum(self.changed))

    @property
    def unchanged_arm(self) -> Arm:
        """Counts of the unchanged arm."""
        return Arm(n=len(self.unchanged), flips=sum(self.unchanged))


NO_ARMS: Final = TwoArms()
"""Nothing was re-run."""
