"""Drives a machine: one input after the other, actors as tasks of the event loop."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import get_ident
from typing import Any

from explainkit.errors import FaultError, RefusedError
from explainkit.flow.actors.protocols import Read
from explainkit.flow.clocks import Clock, SystemClock
from explainkit.flow.driving.journals import Journal, checkpoint_of
from explainkit.flow.driving.machine_ends import end_of
from explainkit.flow.driving.open_gates import OpenGate
from explainkit.flow.driving.places import Place
from explainkit.flow.driving.replaying import replayed
from explainkit.flow.driving.staff import Staff
from explainkit.flow.driving.timers import Timers
from explainkit.flow.driving.turns import LiveTurn, Past
from explainkit.flow.driving.watching import Watchers
from explainkit.flow.outcomes import (
    Answered,
    Cancelled,
    Failed,
    Outcome,
    Paused,
    Refused,
    answer_of,
    with_trace,
)
from explainkit.flow.picks import (
    Advanced,
    Declined,
    Dropped,
    Due,
    GateSent,
    Input,
    Picked,
    Standing,
    Told,
    advance,
    delivered,
)
from explainkit.flow.picks.delivering import at_gate, from_outside
from explainkit.flow.picks.stalling import stall
from explainkit.flow.statecharts import Machine
from explainkit.flow.statecharts.event_definitions import EventDefinition
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.safety import shorten


class MachineRun:
    """A machine that runs in this event loop; made by `Machine.begin`.

    Attributes:
        machine: The machine.
        standing: Where it stands.
        record: The run that it is recorded in; None inside of another machine.
    """

    def __init__(
        self,
        machine: Machine,
        place: Place,
        *,
        journal: Journal,
        clock: Clock | None = None,
        folder: Path | None = None,
    ) -> None:
        """Begin, or go on where a journal ends.

        Args:
            machine: The machine.
            place: Where it is recorded.
            journal: Its input, and what has happened before.
            clock: Tells the time and waits.
            folder: Where its effects work.
        """
        self.machine = machine
        self.record = place.record
        self.clock = clock or SystemClock()
        self.folder = folder
        self._place = place
        self.journal = journal
        self._pausing = False
        self._loop = asyncio.get_running_loop()
        self._thread = get_ident()
        self._staff = Staff(self)
        self._timers = Timers(self.clock, lambda event: self.apply(Due(event)))
        self._reads: dict[int, asyncio.Future[Read]] = {}
        self._later: deque[Callable[[], None]] = deque()
        self._applying = False
        self._watchers = Watchers()
        self._ending: asyncio.Task[None] | None = None
        self.outer: MachineRun | None = None
        self._outcome: asyncio.Future[Outcome[Any]] = self._loop.create_future()
        self.standing: Standing
        self._begin()
        self._over_or_waiting()

    @property
    def status(self) -> str:
        """`active`, `done` or `error`."""
        return self.standing.snapshot.status

    @property
    def over(self) -> bool:
        """Whether it has ended, or was told to."""
        return self._ending is not None

    @property
    def configuration(self) -> tuple[str, ...]:
        """Ids of all active states."""
        return self.standing.snapshot.configuration

    @property
    def context(self) -> Any:
        """The machine's context."""
        return self.standing.snapshot.context

    @property
    def gates(self) -> dict[str, OpenGate]:
        """The Gates that stand open, by name; those of a machine inside as `machine.gate`.

        Of several with one name each goes by the id of its invocation.
        """
        return self._staff.gates()

    async def gate(self, name: str) -> OpenGate:
        """Wait until a Gate stands open.

        Args:
            name: As in `gates`.

        Raises:
            RefusedError: The run is over, so it will not open any more.
        """
        while name not in self.gates:
            if self._ending is not None:
                raise RefusedError(
                    f'The Gate "{shorten(name, 80)}" will not open: the run is over. '
                    "Await outcome() for how it ended."
                )
            await self.change()
        return self.gates[name]

    async def change(self) -> None:
        """Wait until something happens to the machine, or somebody in it comes to wait."""
        await self._watchers.change()

    def pause_at_gates(self) -> None:
        """From now on, end as `Paused` once nobody works and only Gates are waited for."""
        self._pausing = True
        self.look()

    async def outcome(self) -> Outcome[Any]:
        """Wait for the end.

        Returns:
            How it ended. When the waiting task is cancelled, the machine is stopped, its records
            are closed as cancelled, and the cancellation goes on.
        """
        try:
            return await asyncio.shield(self._outcome)
        except asyncio.CancelledError:
            if not self._outcome.done():
                self._end(Cancelled())
                await self._outcome
            raise

    async def run(self) -> Any:
        """Wait for the answer.

        Raises:
            Exception: What the machine ended with instead.
        """
        return answer_of(await self.outcome())

    def send(self, event: str, payload: Any = None) -> None:
        """Tell the machine an event from outside; it is no reply to any pick.

        Args:
            event: Name of the event.
            payload: What comes with it.

        Raises:
            RefusedError: The run is over, the event is for Agents only, or the payload does not
                fit its definition.
        """
        self._in_loop(lambda: self._send(event, payload))

    def cancel(self) -> None:
        """Stop; the outcome is `Cancelled()`."""
        self._in_loop(lambda: self._end(Cancelled()))

    def abandon(self, error: Exception) -> None:
        """End, because an Agent that runs again leads elsewhere than the journal."""
        self._end(Failed(error))

    def picked(self, actor: LiveActor, event: str, payload: Any, uses: Sequence[object]) -> int:
        """Take a pick of an Agent; gives its number.

        Raises:
            RefusedError: It is not accepted now; no pick was opened.
        """
        try:
            if self._ending is not None:
                raise RefusedError(f'"{shorten(str(event), 80)}" was refused: the Turn is over.')
            given = self._place.event(event, payload)
            fitting = delivered(self.standing, actor.session, event, given)
        except RefusedError as refusal:
            why = str(refusal)
            self._place.say(lambda s: s.refused(actor, str(event), payload, why))
            self.journal.append(self.clock.now(), Declined(actor.session, str(event), why))
            raise
        number = self.standing.count + 1
        self._reads[number] = self._loop.create_future()
        self.apply(Picked(actor.session, event, fitting), uses=uses)
        return number

    async def answer_of(self, number: int) -> Read:
        """Wait for the answer of a pick."""
        self.look()
        try:
            return await self._reads[number]
        except asyncio.CancelledError:
            if any(pick.number == number for pick in self.standing.picks):
                self.apply(Dropped(number))
            raise
        finally:
            self._reads.pop(number, None)

    def sent(
        self, actor: LiveActor, accepts: Sequence[EventDefinition], event: str, payload: Any
    ) -> None:
        """Take what somebody answered at a Gate."""
        self._in_loop(lambda: self._sent(actor, accepts, event, payload))

    def apply(
        self, happened: Input, *, uses: Sequence[object] = (), raised: BaseException | None = None
    ) -> None:
        """Journal an input and apply it; one that comes meanwhile waits for its turn."""
        if self._ending is not None:
            return
        self._later.append(lambda: self._apply(happened, uses, raised))
        self._drain()

    def _drain(self) -> None:
        if self._applying:
            return
        self._applying = True
        try:
            while self._later and self._ending is None:
                self._later.popleft()()
        finally:
            self._applying = False

    def _apply(self, happened: Input, uses: Sequence[object], raised: BaseException | None) -> None:
        session = getattr(happened, "session", None)
        if session is not None and self.standing.live(session) is None:
            return  # a late result of an actor that was stopped
        before = self.standing
        self._place.say(lambda s: s.arrived(before, happened, uses=uses, raised=raised))
        self.journal.append(self.clock.now(), happened)
        advanced = advance(before, happened)
        error = advanced.standing.snapshot.error
        if isinstance(error, FaultError) and raised is not None:
            error.__cause__ = raised
        self._follow(advanced)

    def _follow(self, advanced: Advanced) -> None:
        self._place.led_to(advanced)
        self.standing = advanced.standing
        for each in advanced.answered:
            future = self._reads.get(each.pick.number)
            if future is not None and not future.done():
                self._staff.reads(each.pick.session)
                future.set_result(self._place.read_of(each))
        for actor in advanced.stopped:
            self._staff.stop(actor)
        if advanced.steps is not None:
            self._timers.follow(advanced.steps)
        for actor in advanced.started:
            self._staff.start(actor)
        self._over_or_waiting()

    def _over_or_waiting(self) -> None:
        snapshot = self.standing.snapshot
        if snapshot.status == "done":
            self._end(Answered(snapshot.output))
        elif snapshot.status == "error" and snapshot.error is not None:
            self._end(end_of(snapshot.error))
        else:
            self.look()

    def _begin(self) -> None:
        """Begin and do again what the journal holds, without actors; then start those that live."""
        self._place.open(self.machine, self.journal, self.clock)
        past = replayed(self.machine, self.journal, self._place)
        self.standing = past.standing
        for pick in past.standing.picks:
            self._reads[pick.number] = self._loop.create_future()
        if self.status == "active":
            for actor in past.standing.snapshot.actors:
                self._staff.start(actor, past=past.picks.get(actor.session, ()))
            for event, due in past.timers.items():
                self._timers.start(event, max(0, due - self.clock.now()) / 1e9)

    def _send(self, event: str, payload: Any) -> None:
        if self._ending is not None:
            raise RefusedError(f'"{shorten(event, 80)}" was refused: the run is over.')
        fitting = from_outside(self.standing, event, self._place.event(event, payload))
        self.apply(Told(event, fitting))

    def _sent(
        self, actor: LiveActor, accepts: Sequence[EventDefinition], event: str, payload: Any
    ) -> None:
        if self.over:
            raise RefusedError(f'"{shorten(str(event), 80)}" was refused: the run is over.')
        try:
            given = self._place.event(event, payload)
            fitting = at_gate(self.standing, actor, accepts, event, given)
        except RefusedError as refusal:
            why = str(refusal)
            self._place.say(lambda s: s.refused(actor, str(event), payload, why))
            raise
        self.apply(GateSent(actor.session, event, fitting))

    def look(self) -> None:
        """End as `Paused` once only Gates are waited for, and wake who waits for one."""
        self._watchers.tell()
        if self._ending is not None or self._applying:
            return
        if self._pausing and self._waits():
            stalled = stall(self.standing)
            self._end(None if stalled is None or self.gates else Failed(stalled))
        elif self.outer is not None:
            self.outer.look()

    def _waits(self) -> bool:
        return not self._later and not self._timers and self._staff.waits_for_gates()

    @property
    def is_idle(self) -> bool:
        """Whether nobody works; a timer may run."""
        return not self._later and self._staff.waits_for_gates()

    @property
    def waits_for_gates(self) -> bool:
        """Whether nothing goes on but waiting for a Gate."""
        return self._ending is None and self._waits()

    def _end(self, outcome: Outcome[Any] | None) -> None:
        """Stop what runs; None is a pause. A second call does nothing."""
        self._watchers.tell()
        if self._ending is None:
            self._ending = self._loop.create_task(self._finish(outcome))

    async def _finish(self, outcome: Outcome[Any] | None) -> None:
        """Wait until nothing runs any more, close the records, and tell the outcome."""
        try:
            end = self._paused() if outcome is None else outcome
        except Exception as problem:  # noqa: BLE001 - what cannot be kept ends the run, and is told
            end = Failed(problem)
        self._timers.stop()
        await self._staff.stop_all()
        if isinstance(end, Failed):
            with_trace(end.error, self._place.trace(self.machine.id))
        elif isinstance(end, Refused):
            end = Refused(end.verdict, self._place.around(end.trace, self.machine.id))
        self._place.close(end)
        if not self._outcome.done():
            self._outcome.set_result(end)

    def _paused(self) -> Paused:
        return Paused(checkpoint_of(self.machine, self.journal, run=self._place.run))

    def _in_loop(self, call: Callable[[], None]) -> None:
        """Do it in the loop's thread, and wait for it from another."""
        if get_ident() == self._thread:
            call()
            return

        async def there() -> None:
            call()

        asyncio.run_coroutine_threadsafe(there(), self._loop).result()

    def new_turn(self, actor: LiveActor, past: Sequence[Past], *, repeats: bool) -> LiveTurn:
        """The Turn of an Agent that starts."""
        return LiveTurn(self, actor, past=past, repeats=repeats)

    def link_of(self, actor: LiveActor) -> Any:
        """The frame in which an actor's own records stand."""
        return self._place.frame_of(actor)

    def __repr__(self) -> str:
        where = ", ".join(self.standing.snapshot.leaves) or "nowhere"
        return f"MachineRun({self.machine.id!r}, {self.status}, at {shorten(where, 120)})"
