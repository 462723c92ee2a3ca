"""Between a machine and its record: what goes wrong with the record never stops the machine."""

from collections.abc import Callable
from typing import Any

from explainkit.flow.actors.protocols import Read
from explainkit.flow.clocks import Clock
from explainkit.flow.driving.homes import Home, status_of
from explainkit.flow.driving.journals import Journal
from explainkit.flow.driving.scribes import Scribe
from explainkit.flow.handing import Hand
from explainkit.flow.outcomes import Answered as AnsweredOutcome
from explainkit.flow.outcomes import Failed, Outcome, Trace
from explainkit.flow.picks import Advanced, Answered, Input, Standing
from explainkit.flow.picks.json_forms import json_form
from explainkit.flow.statecharts import Machine
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.tracing.current import Frame
from explainkit.tracing.seam import Point


class Place:
    """The record of one machine.

    Args:
        home: The run that it stands in.
        hand: What a composition around it says of its input.

    Attributes:
        record: What a user holds of a run of its own.
        run: Id of the run.
        moment: The time that the next records carry, when it is not now.
    """

    def __init__(self, home: Home, *, hand: Hand | None = None) -> None:
        self._home = home
        self._hand = hand
        self._run = home.frame.run
        self.record = home.record
        self.run = home.frame.run.id
        self.moment: int | None = None
        self._scribe: Scribe | None = None

    def open(self, machine: Machine, journal: Journal, clock: Clock) -> None:
        """Write that the machine begins, at the time when it first did."""
        scribe = Scribe(
            self._run,
            machine,
            parent=self._home.frame.link,
            clock=lambda: clock.now() if self.moment is None else self.moment,
        )
        self._scribe = scribe
        if journal.at is None:
            journal.at = clock.now()
        self.moment = journal.at
        given, hand = journal.input, self._hand
        origins = () if hand is None else hand.origins_of(given)
        parts = () if hand is None else hand.parts_of(given)
        around = {} if hand is None else hand.attrs_of(hand.value)
        self.say(lambda s: s.opened(given, origins, parts, around))

    def say(self, write: Callable[[Scribe], object]) -> None:
        """Write something; what goes wrong with it is no matter of the machine."""
        if self._scribe is None or self._run.ended:
            return
        try:
            write(self._scribe)
        except Exception as fault:  # noqa: BLE001 - the tracer's law: counted, not raised
            self._run.fault(fault)

    def event(self, name: str, payload: Any) -> Any:
        """The payload of an event that arrives; a what-if may give another one."""
        supply = self._run.supply
        if supply is None or self._run.ended:
            return payload
        digest = self._run.recorder.value(payload)
        given = supply(Point("event", str(name), (digest,), value=payload))
        return payload if given is None else given.value

    def arrived(self, standing: Standing, happened: Input) -> None:
        """Journal an input of a replay."""
        self.say(lambda scribe: scribe.arrived(standing, happened))

    def led_to(self, advanced: Advanced) -> None:
        """Write what an input led to."""
        self.say(lambda scribe: scribe.led_to(advanced))

    def read_of(self, each: Answered) -> Read:
        """What an Agent reads; the machine goes on with values that it alone holds."""
        scribe, pick = self._scribe, each.pick
        slot = scribe.slot(pick.number) if scribe is not None else ""
        value = None if each.source == "receipt" else each.value
        payload = json_form(pick.payload)
        return Read(value, each.source, each.receipt, pick.event, payload, slot)

    def frame_of(self, actor: LiveActor) -> Frame:
        """The frame in which an actor's own records stand."""
        link = self._scribe.actors.get(actor.session) if self._scribe is not None else None
        return Frame(self._run, link)

    def trace(self, name: str) -> Trace:
        """Where the machine stands in the record."""
        return Trace(self.run, (self._scribe.link,) if self._scribe is not None else (), (name,))

    def around(self, inner: Trace | None, name: str) -> Trace:
        """Where an end came about that an actor ended with, the machine's link before its own."""
        here = self.trace(name)
        if inner is None or inner.run != self.run:
            return here
        return Trace(inner.run, (*here.links, *inner.links), inner.path)

    def close(self, outcome: Outcome[Any]) -> None:
        """Write how the machine ended, and end a run of its own."""
        if isinstance(outcome, AnsweredOutcome):
            self.say(lambda s: self._handed(s, outcome.value))
        else:
            error = outcome.error if isinstance(outcome, Failed) else None
            self.say(lambda s: s.ended(status_of(outcome), error=error))
        self._home.close(outcome)

    def _handed(self, scribe: Scribe, answer: Any) -> None:
        seq = scribe.ended("answered", output=answer, has_output=True)
        if self._hand is not None and seq is not None:
            self._hand.closed(answer, seq)
