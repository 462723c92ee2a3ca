"""A Gate while it stands open: where a person or a callback answers."""

from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from explainkit.flow.statecharts.snapshots import LiveActor

if TYPE_CHECKING:
    from explainkit.flow.actors.gates import Gate
    from explainkit.flow.driving.machine_runs import MachineRun
    from explainkit.flow.statecharts.event_definitions import EventDefinition
    from explainkit.tracing.active import ActiveRun

_NUMBERS = count()
_OPENED: "WeakValueDictionary[int, OpenGate]" = WeakValueDictionary()
"""Gates that something still holds, by a number in the order of their opening."""


def gates_in(run: "ActiveRun") -> list["OpenGate"]:
    """The Gates of the machines that a run records which stand open, in order of their opening."""
    known = sorted(_OPENED.items())
    return [gate for _, gate in known if gate.is_in(run) and not gate.over]


class OpenGate:
    """An external input that a machine waits for.

    Attributes:
        name: Key of the Gate in the machine.
        id: Id of its invocation.
        accepts: The events that it takes.
        meta: What its author says to whoever answers.
    """

    def __init__(self, run: "MachineRun", actor: LiveActor, gate: "Gate") -> None:
        self.name = actor.src
        self.id = actor.id
        self.accepts: tuple[EventDefinition, ...] = gate.accepts
        self.meta = gate.meta
        self._run = run
        self._actor = actor
        self._gate = gate
        _OPENED[next(_NUMBERS)] = self

    def is_in(self, run: "ActiveRun") -> bool:
        """Whether its machine is recorded in a run."""
        return self._run.link_of(self._actor).run is run

    @property
    def input(self) -> Any:
        """What the state's `invoke` gives the Gate."""
        return self._actor.input

    @property
    def over(self) -> bool:
        """Whether the machine no longer waits here."""
        return self._run.over or self._run.standing.live(self._actor.session) is None

    def describe(self) -> dict[str, Any]:
        """What it accepts, with JSON Schema, as plain JSON."""
        return self._gate.describe()

    def send(self, event: str, payload: Any = None) -> None:
        """Answer.

        Args:
            event: Name of an event that the Gate accepts.
            payload: What comes with it.

        Raises:
            RefusedError: The Gate is over, does not take this event, or the payload does not fit.
        """
        self._run.sent(self._actor, self.accepts, event, payload)

    def __repr__(self) -> str:
        names = ", ".join(event.name for event in self.accepts)
        return f"OpenGate({self.name!r}, accepts {names}{', over' if self.over else ''})"
