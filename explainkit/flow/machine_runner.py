"""A machine is a runner: the doors to what drives it, opened only when somebody goes through."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from explainkit.flow.clocks import Clock
from explainkit.flow.outcomes import Outcome
from explainkit.flow.runners import Runner

if TYPE_CHECKING:
    from explainkit.flow.driving import MachineRun, Replay
    from explainkit.flow.driving.repeating import Arrival
    from explainkit.flow.statecharts import Machine


class MachineRunner(Runner):
    """What a `Machine` can do beside being a chart."""

    __slots__ = ()
    kind: ClassVar[Literal["machine"]] = "machine"

    @property
    def _machine(self) -> "Machine":
        return cast("Machine", self)

    def begin(
        self,
        input: Any = None,  # noqa: A002 - the word of every runner
        *,
        resume: Mapping[str, Any] | str | PathLike[str] | Any = None,
        to: str | PathLike[str] | None = None,
        clock: Clock | None = None,
        folder: Path | None = None,
    ) -> "MachineRun":
        """Begin to run in this event loop, and hand over what can be watched and told.

        Outside of a run it is recorded in one of its own.

        Args:
            input: The machine's input.
            resume: Where to go on instead: a checkpoint, the path of a run file, or what
                `ek.load(path)` gives. Open picks and their chains stand, entry actions do not run
                again; effects that were in flight do, from their recorded input.
            to: Folder for the file of a run of its own; outside of any run only.
            clock: Tells the time and waits; the system's when not given.
            folder: Where effects work.

        Raises:
            ResumeError: The chart is another one, or doing the run again leads elsewhere.
            RuntimeError: No event loop runs here.
            ValueError: `to` was given inside of a run.
        """
        from explainkit.flow.driving import begun

        return begun(self._machine, input, resume=resume, to=to, clock=clock, folder=folder)

    async def outcome(
        self,
        input: Any = None,  # noqa: A002
        *,
        resume: Mapping[str, Any] | str | PathLike[str] | Any = None,
        to: str | PathLike[str] | None = None,
        clock: Clock | None = None,
        folder: Path | None = None,
    ) -> Outcome[Any]:
        """Run to an end; when only Gates are waited for, that is `Paused`.

        Args:
            input: The machine's input. With `resume`, what was answered meanwhile at a Gate:
                `{"event": "approve", "payload": {...}}`, and `"gate"` with its name where
                several take the event.
            resume: As `begin`; `Paused.checkpoint` is what it takes.
            to: As `begin`.
            clock: As `begin`.
            folder: As `begin`.
        """
        from explainkit.flow.driving import begun, until_paused

        running = begun(
            self._machine, input, resume=resume, to=to, clock=clock, folder=folder, keeps=True
        )
        return await until_paused(running, None if resume is None else input)

    async def outcome_again(
        self,
        input: Any,  # noqa: A002
        arrivals: "Sequence[Arrival]" = (),
        *,
        clock: Clock | None = None,
        folder: Path | None = None,
    ) -> Outcome[Any]:
        """Run to an end and tell what came from outside again; what a what-if calls.

        Args:
            input: The machine's input.
            arrivals: Events from outside, each told once nobody in the machine works.
            clock: As `begin`.
            folder: As `begin`.
        """
        from explainkit.flow.driving.repeating import repeated

        return await repeated(self._machine, input, arrivals, clock=clock, folder=folder)

    def replay(
        self,
        run: Any,
        *,
        link: int | None = None,
    ) -> "Replay":
        """Do a recorded run again without calling any actor, and compare every record.

        Args:
            run: The path of a run file, or what `ek.load(path)` gives.
            link: Which machine of the run; the first one when not given.

        Raises:
            ResumeError: It holds no such machine, another chart, or something not recorded whole.
        """
        from explainkit.flow.driving import replay_of

        return replay_of(self._machine, run, link=link)
