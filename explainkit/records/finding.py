"""What a measured intervention or a bisection found."""

from typing import Literal

from explainkit.records.base import Attributes, RecordBase


class Finding(RecordBase):
    """A what-if or bisection result.

    Attributes:
        word: cause, not shown, inconclusive, not applied, over budget, first wrong, nothing
            wrong.
        interventions: What was changed.
        n: Re-runs per arm.
        flips: Flips in the arm with the intervention, and in the baseline.
        interval: Wilson interval of the flip rate.
        p: p-value, after correction for the family.
        reason: Why, in words.
        detail: Anything else the measurement keeps.
    """

    kind: Literal["finding"] = "finding"
    word: str
    interventions: tuple[Attributes, ...] = ()
    n: int | None = None
    flips: tuple[int, int] | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    reason: str | None = None
    detail: Attributes | None = None
