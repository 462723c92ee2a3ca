"""A Turn while it goes on: what an Agent holds of the machine that started it."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explainkit.errors import RefusedError, ResumeError
from explainkit.flow.actors.protocols import Read
from explainkit.flow.picks.delivering import parsed
from explainkit.flow.statecharts.event_definitions import EventDefinition
from explainkit.flow.statecharts.menu import allowed, menu_of
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.safety import shorten

if TYPE_CHECKING:
    from explainkit.flow.driving.machine_runs import MachineRun


class Past(NamedTuple):
    """A pick that was made before the run was resumed.

    Attributes:
        number: The pick's number.
        event: Its event.
        payload: What came with it, parsed.
        read: What was read; None while it stands open.
        refusal: Why it was refused, if it was.
    """

    number: int
    event: str
    payload: Any
    read: Read | None = None
    refusal: RefusedError | None = None

    @property
    def stands(self) -> bool:
        """Whether it still waits for its answer."""
        return self.read is None and self.refusal is None


class LiveTurn:
    """One stay of a machine in an Agent's state.

    Args:
        run: The machine's run.
        actor: The Agent as it was started.
        past: Picks from before the run was resumed, oldest first.
        repeats: Whether the Agent will make them again from the beginning.
    """

    def __init__(
        self, run: "MachineRun", actor: LiveActor, *, past: Sequence[Past], repeats: bool
    ) -> None:
        self._run = run
        self._actor = actor
        self._past = deque(past if repeats else [each for each in past if each.stands])
        self.history: Sequence[Read] = [each.read for each in past if each.read is not None]
        self.waiting = 0
        """Picks whose answer is awaited now."""
        self.about_to_read = 0
        """Picks that are answered, and whose answer the Agent has not read yet."""

    @property
    def name(self) -> str:
        """Key of the Agent in the machine."""
        return self._actor.src

    @property
    def input(self) -> Any:
        """What the state's `invoke` gives the Agent."""
        return self._actor.input

    @property
    def menu(self) -> Sequence[EventDefinition]:
        """Every event that this Agent can ever pick here."""
        chart = self._run.machine.chart
        return [chart.events[name] for name in menu_of(chart, self.name)]

    @property
    def allowed(self) -> Sequence[str]:
        """Names of those that it may pick now."""
        return () if self.over else allowed(self._run.standing.snapshot, self.name)

    @property
    def over(self) -> bool:
        """Whether the Turn is over."""
        return self._run.standing.live(self._actor.session) is None

    @property
    def standing(self) -> tuple[str, Any] | None:
        """Event and payload of the oldest pick that stands open from before."""
        return next(((p.event, p.payload) for p in self._past if p.stands), None)

    async def pick(
        self, event: str, payload: Mapping[str, Any] | None = None, *, uses: Sequence[object] = ()
    ) -> Read:
        """Choose an event and wait for the answer.

        Raises:
            RefusedError: It is not accepted now.
            ResumeError: The Agent does not do again what the journal holds.
        """
        self.waiting += 1
        try:
            if self._past:
                return await self._again(event, payload)
            return await self._answer(self._run.picked(self._actor, event, payload, uses))
        finally:
            self.waiting -= 1

    async def _again(self, event: str, payload: Mapping[str, Any] | None) -> Read:
        before = self._past.popleft()
        if before.refusal is not None and str(event) == before.event:
            raise RefusedError(str(before.refusal), before.refusal.accepted)
        if before.refusal is not None or not self._is_same(before, event, payload):
            other = ResumeError(
                f'The Agent "{self.name}" picked "{shorten(str(event), 80)}" with '
                f'{shorten(repr(payload), 120)}, where the journal holds "{before.event}" with '
                f"{shorten(repr(before.payload), 120)}. An Agent that is resumed runs again and "
                "must make the same picks from the same reads."
            )
            self._run.abandon(other)
            raise other
        return before.read or await self._answer(before.number)

    def _is_same(self, before: Past, event: str, payload: Mapping[str, Any] | None) -> bool:
        try:
            definition = self._run.machine.chart.events.get(event)
            fitting = parsed(definition, payload, ())
        except RefusedError:
            return False
        return (event, fitting) == (before.event, before.payload)

    async def _answer(self, number: int) -> Read:
        try:
            return await self._run.answer_of(number)
        finally:
            self.about_to_read = max(0, self.about_to_read - 1)
