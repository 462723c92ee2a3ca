"""Re-runs of a trial: one that is due, and one that was judged."""

from dataclasses import dataclass
from typing import Literal

from explainkit.whatif.judging import End
from explainkit.whatif.measuring.kept_results import Asked
from explainkit.whatif.rerunning import Rerun
from explainkit.whatif.varying import Plan

Arm = Literal["changed", "unchanged"]


@dataclass(frozen=True, slots=True)
class Job:
    """A re-run that is due.

    Attributes:
        arm: Which arm it belongs to.
        plan: What is changed in it.
        forced: Recorded links that must not be reused.
        watched: Its calls are looked at, to find results that are kept.
    """

    arm: Arm
    plan: Plan
    forced: frozenset[int]
    watched: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A re-run that was judged.

    Attributes:
        done: The re-run.
        end: How it ended.
        flips: Whether its answer is another one.
        asked: The calls that ran.
        shows: Whether an answer was compared: one that raised, or could not be, is no outcome.
    """

    done: Rerun
    end: End
    flips: bool
    asked: tuple[Asked, ...]
    shows: bool = True
