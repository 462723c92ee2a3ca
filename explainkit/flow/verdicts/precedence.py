"""Which end stands when a run has several: told by one order, in one place."""

from collections.abc import Sequence
from typing import Any

from explainkit.flow.outcomes import (
    Cancelled,
    Exhausted,
    Failed,
    Outcome,
    Paused,
    Refused,
)
from explainkit.flow.verdicts.kinds import AnswerValidation

_PAUSED, _FAILED, _VALIDATION, _EXHAUSTED, _ANSWER = 200, 300, 400, 500, 600


def first_standing(ends: Sequence[Outcome[Any]]) -> Outcome[Any]:
    """The end that stands.

    Reliability, halt, denied, unsupported, consent, kinds of one's own (ours), paused, thrown
    error, validation, exhausted (ours), answer. `Cancelled` yields only to a verdict.

    Args:
        ends: All of them, at least one; of equals the first stands.

    Example:
        >>> from explainkit.flow.outcomes import Answered
        >>> first_standing([Answered(1), Paused({}), Failed(ValueError("x"))])
        Paused({}; go on with resume=paused.checkpoint)
    """
    cancelled = next((end for end in ends if isinstance(end, Cancelled)), None)
    if cancelled is None:
        return min(ends, key=_rank)
    return min((end for end in ends if isinstance(end, Refused)), key=_rank, default=cancelled)


def _rank(end: Outcome[Any]) -> int:
    match end:
        case Refused(verdict):
            return _VALIDATION if isinstance(verdict, AnswerValidation) else int(verdict.rank)
        case Paused():
            return _PAUSED
        case Failed():
            return _FAILED
        case Exhausted():
            return _EXHAUSTED
    return _ANSWER
