"""Which run and which link a recording call belongs to.

The ContextVar says it; without one (another thread) the only open run of the process is taken and
flagged; with several open the call cannot be placed, so each of them counts it as lost. A steered
run (a re-run or a replay) takes no such call of the main thread: its own code carries the
ContextVar there, and what does not is a cell that runs beside it.
"""

import threading
from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, NamedTuple

from explainkit.errors import NoRunError

if TYPE_CHECKING:
    from explainkit.tracing.active import ActiveRun


class Frame(NamedTuple):
    """A run and the link that is open in this context.

    Attributes:
        run: The active run.
        link: ``seq`` of the enclosing open link; ``None`` at the top.
        unlinked: The run was found without the ContextVar.
    """

    run: "ActiveRun"
    link: int | None = None
    unlinked: bool = False


CURRENT: ContextVar[Frame | None] = ContextVar("explainkit_current", default=None)
OPEN: dict[int, "ActiveRun"] = {}
"""Runs open in this process, by identity, in the order they were opened."""
BEGUN: set[str] = set()
"""Ids of runs that were opened in this process."""


def leave(token: Token[Frame | None]) -> bool:
    """Undo a ``CURRENT.set``; ``False`` in another context, which has nothing to undo.

    A coroutine that the garbage collector or a loop that closes ends is ended in their context.
    """
    try:
        CURRENT.reset(token)
    except ValueError:
        return False
    return True


def current_frame() -> Frame | None:
    """The frame that a recording call belongs to, or ``None`` when it cannot be placed."""
    frame = CURRENT.get()
    if frame is not None:
        # A straggler of a run that is over belongs to no other.
        return None if frame.run.ended else frame
    runs = _open_to_strays() if OPEN else []
    if not runs:
        return None
    if len(runs) == 1:
        return Frame(runs[0], None, True)
    for run in runs:
        run.count_unplaced()
    return None


def required_frame(call: str) -> Frame:
    """The current frame, for calls that make no sense outside a run.

    Args:
        call: What the user called, for the message.

    Raises:
        NoRunError: No run is open, or several are and this thread belongs to none of them.
    """
    frame = current_frame()
    if frame is not None:
        return frame
    runs = _open_to_strays()
    if runs:
        raise NoRunError(
            f"{call} was called in a thread that belongs to none of the {len(runs)} open runs. "
            "Pass the function through run.bind(fn) before handing it to the thread."
        )
    raise NoRunError(
        f"{call} was called outside a run. Put it inside a function decorated with "
        "@ek.traced(...), or inside `with ek.trace(...):`."
    )


def _open_to_strays() -> "list[ActiveRun]":
    """The open runs that a call of this thread without the ContextVar may belong to."""
    runs = list(OPEN.values())
    if threading.current_thread() is threading.main_thread():
        return [run for run in runs if not run.steered]
    return runs
