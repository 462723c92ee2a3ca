"""Reused links that may have changed what they were given.

The result of a link is handed out, and what it did to a list or a table is not done. Nothing tells
so beforehand; where it seems to be missing, such links run again in both arms.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explainkit.whatif.rerunning import Origin, Rerun

if TYPE_CHECKING:
    from explainkit.whatif.measuring.jobs import Outcome


def left_undone(origin: Origin, unchanged: Sequence["Outcome"]) -> frozenset[int]:
    """Those of unchanged re-runs that do not go as the recorded run went.

    That is where none of two gives the recorded answer, or where the first link that runs in one
    is given something else than it was.

    Args:
        origin: The run that is varied.
        unchanged: Its unchanged re-runs.
    """
    misses = len(unchanged) > 1 and all(each.flips for each in unchanged)
    ran = (each.done.executed[:1] for each in unchanged)
    if not misses and not any(first.differs for firsts in ran for first in firsts):
        return frozenset()
    reused = frozenset[int]().union(*(each.done.reused for each in unchanged))
    return origin.given_changeable(reused)


def missing_before(origin: Origin, done: Rerun, raised: str | None) -> frozenset[int]:
    """Those of a re-run that ended on an error: something may be missing that they put in.

    Args:
        origin: The run that is varied.
        done: The re-run.
        raised: The error in words; None where it is none, or one that the recorded run had.
    """
    return frozenset() if raised is None else origin.given_changeable(done.reused)
