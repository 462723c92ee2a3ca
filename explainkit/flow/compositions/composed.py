"""What every composition has in common: one link, one checkpoint, one way to run a child."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar

from explainkit.flow.checks.shapes import UNSET
from explainkit.flow.checks.signals import Signal
from explainkit.flow.compositions.checkpoints import checkpoint_of, run_of, state_of
from explainkit.flow.compositions.children import Child, Ended, as_child, asked
from explainkit.flow.outcomes import Exhausted, Outcome, Paused
from explainkit.flow.runner_links import linked
from explainkit.flow.runners import Runner
from explainkit.safety import shorten
from explainkit.tracing.current import Frame
from explainkit.tracing.own_runs import Again

State = Mapping[str, Any]


class Composition(Runner):
    """A runner made of others.

    Attributes:
        kind: The type of its link.
        label: Its word in paths and records.
    """

    kind: ClassVar[str] = "composition"

    def __init__(self, label: str, on_exhausted: Callable[[Any], Any] | None) -> None:
        self.label = label
        self._on_exhausted = (
            None
            if on_exhausted is None
            else as_child(on_exhausted, place=f"{label}(on_exhausted=...)")
        )

    async def outcome(
        self,
        input: Any = None,  # noqa: A002 - the word of every runner
        *,
        signal: Signal | None = None,
        resume: Mapping[str, Any] | None = None,
        to: str | PathLike[str] | None = None,
    ) -> Outcome[Any]:
        """Run to an end.

        Args:
            input: What the first child, or each of them, is given: the object itself. With
                `resume`, what the person answers: it is handed to the child that waits. When
                several branches wait, it is a mapping from their names to the answers; those
                that it does not name go on waiting.
            signal: Says that it is to stop; the outcome is then `Cancelled()`.
            resume: Where to go on instead, what `Paused.checkpoint` holds. It holds the first
                input where that is needed.
            to: Folder for the file of a run of its own.

        Returns:
            How it ended.
        """

        async def work(frame: Frame) -> Outcome[Any]:
            state = None if resume is None else state_of(self._shape(), resume)
            return await self._work(frame, input, state)

        return await linked(
            work,
            kind=self.kind,
            label=self.label,
            input=UNSET if resume is not None and input is None else input,
            signal=signal,
            to=to,
            resumes=run_of(resume),
            reads=self._asks(),
            again=lambda: Again(
                self.outcome, (input,), {} if resume is None else {"resume": resume}
            ),
        )

    @abstractmethod
    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        """Run the children; `state` is where to go on."""

    def _asks(self) -> Sequence[Callable[..., Any]]:
        """Functions that decide and have no link; the record of the whole says what they read."""
        return ()

    @abstractmethod
    def _parts(self) -> Sequence[str]:
        """The children in words."""

    def _shape(self) -> str:
        return f"{self.kind} {self.label}({', '.join(self._parts())})"

    def _waits(self, frame: Frame, **state: Any) -> Paused:
        return Paused(checkpoint_of(self._shape(), run=frame.run.id, **state))

    async def _asked(
        self,
        child: Child,
        value: Any,
        *,
        step: str,
        places: Sequence[dict[str, Any]] = (),
        parts: Sequence[dict[str, Any]] = (),
        branch: str = "",
        resume: Any = None,
    ) -> Ended:
        """Run a child; one that used up its budget gives what `on_exhausted` makes of it."""
        ended = await asked(
            child, value, step=step, places=places, parts=parts, branch=branch, resume=resume
        )
        return await self._settled(ended, step)

    async def _settled(self, ended: Ended, step: str) -> Ended:
        if self._on_exhausted is None or not isinstance(ended.outcome, Exhausted):
            return ended
        return await asked(self._on_exhausted, ended.outcome.last, step=step)

    def __repr__(self) -> str:
        return shorten(f"{self.label}({', '.join(self._parts())})", 200)


def input_places(frame: Frame, value: Any, state: State | None) -> Sequence[dict[str, Any]]:
    """Where the input of a composition stands; nowhere when it goes on without an answer."""
    if (state is not None and value is None) or frame.link is None or frame.link < 0:
        return ()
    return ({"seq": frame.link, "slot": "input"},)
