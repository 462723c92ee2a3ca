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
from explainkit.flow.verdicts.registry import verdict_from_json
from explainkit.safety.described import repr_of

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
    return checked_outcome(outcome_of(output), f"{type(runner).__name__}.outcome_of(...)")


def checked_outcome(found: Any, giver: str) -> Outcome[Any]:
    """An outcome that somebody else made, if it is one that can be handed on.

    Args:
        found: What they gave.
        giver: Who, for the message.

    Raises:
        TypeError: It is none, refuses without a verdict, or failed without an error.
    """
    if not isinstance(found, Answered | Refused | Failed | Paused | Exhausted | Cancelled):
        raise TypeError(
            f"{giver} gave {repr_of(found, limit=80).text}. "
            "Let it give Answered(value), Refused(verdict) or another outcome."
        )
    if isinstance(found, Refused) and not isinstance(found.verdict, TerminalVerdict):
        raise TypeError(
            f"{giver} refused with {repr_of(found.verdict, limit=80).text}, which is no terminal "
            "verdict. Give one of explainkit.flow, or of a class that derives from TerminalVerdict."
        )
    if isinstance(found, Failed) and not issubclass(type(found.error), Exception):
        raise TypeError(
            f"{giver} failed with {repr_of(found.error, limit=80).text}, which is no Exception. "
            "Give Failed(error), and let an interrupt or a cancellation go on as it is."
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

    The state may have been JSON meanwhile; what stands there and is no verdict is an error, never
    a reason to go on.

    Args:
        read: Reads a key of the state; gives None for one that is not there.

    Raises:
        VerdictError: A verdict is carried.
        VerdictKindError: Something else is.

    Example:
        >>> raise_child_verdict({"answer": 42}.get)
    """
    carried = read(CHILD_VERDICT_KEY)
    if isinstance(carried, tuple | list):
        carried = carried[0] if carried else None
    if carried is None:
        return
    verdict = carried if isinstance(carried, TerminalVerdict) else verdict_from_json(carried)
    raise child_error(verdict)
