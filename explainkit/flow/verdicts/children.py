"""For compositions: what a child ended with, and the child's own error wherever it is raised."""

from collections.abc import Callable
from typing import Any, Final

from explainkit.errors import VerdictError
from explainkit.flow.outcomes import (
    Answered,
    Cancelled,
    Exhausted,
    Failed,
    Outcome,
    Paused,
    Refused,
)
from explainkit.flow.verdicts.kinds import TerminalVerdict

CHILD_VERDICT_KEY: Final = "child_verdict"
"""The key under which a composition over a merged state carries a child's verdict."""


def child_error(verdict: TerminalVerdict) -> VerdictError:
    """The error of a verdict: the one that the child's own run raises, wherever it is raised.

    Example:
        >>> from explainkit.flow.verdicts import ConsentPending
        >>> child_error(ConsentPending(waiting="the refund"))
        ConsentPendingError('the refund waits for the consent, and nobody can be asked here.')
    """
    return verdict.error()


def child_outcome(runner: Any, output: Any) -> Outcome[Any]:
    """What a runner that is not ours ended with.

    A verdict is read only from a runner's state, never from its result: an answer that looks like
    a refusal stays an answer.

    Args:
        runner: The runner; its own `outcome_of(output)` is asked when it has one.
        output: What it handed back, a result or its whole state.

    Raises:
        TypeError: `outcome_of` gave something that is no outcome.

    Example:
        >>> child_outcome(print, {"kind": "policy-halt"})
        Answered(value={'kind': 'policy-halt'})
    """
    outcome_of = getattr(runner, "outcome_of", None)
    if not callable(outcome_of):
        return Answered(output)
    found = outcome_of(output)
    if not isinstance(found, Answered | Refused | Failed | Paused | Exhausted | Cancelled):
        raise TypeError(
            f"{type(runner).__name__}.outcome_of(...) gave {type(found).__name__}. "
            "Let it give Answered(value), Refused(verdict) or another outcome."
        )
    return found


def carry_verdict(verdict: TerminalVerdict) -> dict[str, tuple[TerminalVerdict]]:
    """A verdict to land on a merged state whole: a tuple, so that no merge mixes two of them.

    Example:
        >>> from explainkit.flow.verdicts import ConsentPending
        >>> list(carry_verdict(ConsentPending(waiting="the refund")))
        ['child_verdict']
    """
    return {CHILD_VERDICT_KEY: (verdict,)}


def raise_child_verdict(read: Callable[[str], Any]) -> None:
    """Raise the child's own error when a verdict is carried on a state.

    Args:
        read: Reads a key of the state; gives None for one that is not there.

    Raises:
        VerdictError: A verdict is carried.
    """
    carried = read(CHILD_VERDICT_KEY)
    if isinstance(carried, tuple | list) and carried and isinstance(carried[0], TerminalVerdict):
        raise child_error(carried[0])
