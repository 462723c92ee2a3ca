"""What a door hands in about one suspect: outcomes, and what it knows that counts cannot say."""

from dataclasses import dataclass
from typing import Literal

from explainkit.whatif.statistics.arms import NO_ARMS, TwoArms

Stopped = Literal["budget", "cancelled"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One suspect as far as it was measured.

    A suspect that is measured again later either adds its outcomes to these, or is a measurement
    of its own, which the family counts; replacing the outcomes would be choosing among them.

    Attributes:
        arms: Outcomes so far, in the order in which the re-runs were started.
        deterministic: Every re-executed link is declared deterministic, and the unchanged re-runs
            so far gave equal answers.
        not_applied: Why the intervention did not reach the run; `None` when it did.
        refused: Why nothing may be concluded (an effect would have to run again, the judge
            raised); `None` when something may.
        hidden: Why an answer that stays the same shows nothing (what an earlier run left may hide
            the change); `None` when it does. One that flips is not in doubt.
        stopped: What ended the re-runs before the rule did; `None` while they go on.
        judge_hint: The line to use instead when the judge turns out to be unfit.

    Example:
        >>> Measurement(arms=TwoArms(unchanged=(False,), changed=(True,))).is_tested
        True
    """

    arms: TwoArms = NO_ARMS
    deterministic: bool = False
    not_applied: str | None = None
    refused: str | None = None
    hidden: str | None = None
    stopped: Stopped | None = None
    judge_hint: str = "judge=..."

    @property
    def is_certain(self) -> bool:
        """Does the deterministic rule hold: two baselines agree, and nothing was seen to vary?"""
        unchanged, changed = self.arms.unchanged, self.arms.changed
        return (
            self.deterministic
            and len(unchanged) >= 2
            and len(set(unchanged)) == 1
            and len(set(changed)) <= 1
        )

    @property
    def is_tested(self) -> bool:
        """Is it one of the family: could chance have made a cause of it?"""
        return bool(self.arms.changed) and self.not_applied is None and not self.is_certain
