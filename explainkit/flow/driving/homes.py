"""The run that a runner is recorded in: the one that is open, or one of its own that it ends."""

from os import PathLike
from typing import Any

from explainkit.flow.outcomes import Answered, Cancelled, Exhausted, Failed, Outcome, Paused
from explainkit.safety import shorten
from explainkit.tracing.answers import open_answer
from explainkit.tracing.current import CURRENT, Frame
from explainkit.tracing.own_runs import OwnRun, own_run


def frame_here(to: str | PathLike[str] | None = None) -> Frame | None:
    """The run and link of this context; None where a runner opens a run of its own.

    Two runners that start side by side are two runs, also when one is open in the process.

    Args:
        to: The folder that was asked for, for the file of a run of its own.

    Raises:
        ValueError: A folder was asked for, but the runner is recorded in the run that is open.
    """
    frame = CURRENT.get()
    if frame is None or frame.run.ended:
        return None
    if to is not None:
        raise ValueError(
            f'to="{shorten(str(to), 80)}" is for a run of its own, but a run is open here, and '
            "this is recorded in it. Give `to` to ek.trace, or leave it out."
        )
    return frame


class Home:
    """Where a runner's records stand.

    Args:
        frame: The run and link that are open; None opens a run of its own.
        name: Name of a run of its own.
        settings: Settings of a run of its own, as `ek.trace` takes them.

    Attributes:
        frame: The run, and the link to stand in.
        record: What a user holds of a run of its own; None inside of another.
    """

    def __init__(self, frame: Frame | None, *, name: str, **settings: Any) -> None:
        self._own: OwnRun | None = None
        self.record: Any = None
        if frame is None:
            self._own = own_run(name, **settings)
            self.record = self._own.open()
            frame = Frame(self._own.active)
        self.frame = frame

    def close(self, outcome: Outcome[Any]) -> None:
        """End a run of its own, with the answer where there is one.

        In a run that somebody else opened, the answer of a runner at its top is kept for its end.
        """
        if self._own is None:
            if isinstance(outcome, Answered) and self.frame.link is None:
                self.frame.run.outermost = (outcome.value,)
            return
        active = self._own.active
        if isinstance(outcome, Answered) and "answer" not in active.answers:
            open_answer(Frame(active), outcome.value, slot="answer", via="return", origins={})
        error = outcome.error if isinstance(outcome, Failed) else None
        self._own.close(status_of(outcome), error)


def status_of(outcome: Outcome[Any]) -> str:
    """The record's word for an outcome."""
    match outcome:
        case Answered():
            return "answered"
        case Failed():
            return "error"
        case Paused():
            return "paused"
        case Exhausted():
            return "exhausted"
        case Cancelled():
            return "cancelled"
    return "verdict"
