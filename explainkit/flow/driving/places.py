"""Where a machine is recorded: in the run that is open, in one of its own, or inside another."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from explainkit.flow.actors.protocols import Read
from explainkit.flow.clocks import Clock
from explainkit.flow.driving.journals import Journal
from explainkit.flow.driving.scribes import Scribe
from explainkit.flow.outcomes import Answered as AnsweredOutcome
from explainkit.flow.outcomes import Failed, Outcome
from explainkit.flow.picks import Advanced, Answered, Input, Standing
from explainkit.flow.statecharts import Machine
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.tracing.answers import open_answer
from explainkit.tracing.current import Frame
from explainkit.tracing.own_runs import OwnRun, own_run

if TYPE_CHECKING:
    from explainkit.tracing.active import ActiveRun


class Place:
    """The record of one machine.

    Attributes:
        record: What a user holds of a run of its own.
        moment: The time that the next records carry, when it is not now.

    Args:
        frame: The run and link in which it stands; None opens a run of its own.
        name: Name of a run of its own.
        settings: Settings of a run of its own, as `ek.trace` takes them.
    """

    def __init__(self, frame: Frame | None, *, name: str, **settings: Any) -> None:
        self._own: OwnRun | None = None
        self.record: Any = None
        if frame is None:
            self._own = own_run(name, **settings)
            self.record = self._own.open()
            frame = Frame(self._own.active)
        self._run: ActiveRun = frame.run
        self._parent = frame.link
        self.moment: int | None = None
        self._scribe: Scribe | None = None

    def open(self, machine: Machine, journal: Journal, clock: Clock) -> None:
        """Write that the machine begins, at the time when it first did."""
        scribe = Scribe(
            self._run,
            machine,
            parent=self._parent,
            clock=lambda: clock.now() if self.moment is None else self.moment,
        )
        self._scribe = scribe
        if journal.at is None:
            journal.at = clock.now()
        self.moment = journal.at
        self.say(lambda s: s.opened(journal.input))

    def say(self, write: Callable[[Scribe], None]) -> None:
        """Write something; what goes wrong with it is no matter of the machine."""
        if self._scribe is None or self._run.ended:
            return
        try:
            write(self._scribe)
        except Exception as fault:  # noqa: BLE001 - the tracer's law: counted, not raised
            self._run.fault(fault)

    def arrived(self, standing: Standing, happened: Input) -> None:
        """Journal an input of a replay."""
        self.say(lambda scribe: scribe.arrived(standing, happened))

    def led_to(self, advanced: Advanced) -> None:
        """Write what an input led to."""
        self.say(lambda scribe: scribe.led_to(advanced))

    def read_of(self, each: Answered) -> Read:
        """What an Agent reads."""
        scribe, pick = self._scribe, each.pick
        slot = scribe.slot(pick.number) if scribe is not None else ""
        value = None if each.source == "receipt" else each.value
        return Read(value, each.source, each.receipt, pick.event, pick.payload, slot)

    def frame_of(self, actor: LiveActor) -> Frame:
        """The frame in which an actor's own records stand."""
        link = self._scribe.actors.get(actor.session) if self._scribe is not None else None
        return Frame(self._run, link)

    def close(self, status: str, outcome: Outcome[Any]) -> None:
        """Write how the machine ended, and end a run of its own."""
        error = outcome.error if isinstance(outcome, Failed) else None
        if isinstance(outcome, AnsweredOutcome):
            self.say(lambda s: s.ended(status, output=outcome.value, has_output=True))
        else:
            self.say(lambda s: s.ended(status, error=error))
        if self._own is None:
            return
        active = self._own.active
        if isinstance(outcome, AnsweredOutcome) and "answer" not in active.answers:
            open_answer(Frame(active), outcome.value, slot="answer", via="return", origins={})
        self._own.close(status, error)

    def abandon(self, error: Exception) -> None:
        """The machine could not even begin."""
        if self._own is not None:
            self._own.close("error", error)
