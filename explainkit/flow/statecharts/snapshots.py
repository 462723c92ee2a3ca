"""Where a machine stands and what a step did, as frozen data that drivers and records read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from explainkit.errors import StepError
from explainkit.flow.statecharts.machines import Machine
from explainkit.flow.statecharts.nodes import ActionUse, Transition
from explainkit.flow.statecharts.vocabulary import Event


@dataclass(frozen=True, slots=True)
class StartTimer:
    """A timer begins.

    Attributes:
        state: Id of the state that owns it; one state has one timer for each delay.
        event: Name of the event to send when it is due.
        delay: Milliseconds.
    """

    state: str
    event: str
    delay: int


@dataclass(frozen=True, slots=True)
class StopTimer:
    """The state that owns a timer was left; a timer that was due already is no matter.

    Attributes:
        state: Id of the state.
        event: Name of the event that must not come any more.
    """

    state: str
    event: str


@dataclass(frozen=True, slots=True)
class LiveActor:
    """An actor that a state invoked, from the end of that macrostep until it is over.

    Attributes:
        session: Which invocation it is; the first one of a machine is 1, none comes twice.
        id: Id of the invocation.
        src: Key of the actor.
        state: Id of the state that invoked it.
        input: What it is started with.
        holds: Whether it can keep a pick open.
        number: Number of the state.
    """

    session: int
    id: str
    src: str
    state: str
    input: Any
    holds: bool
    number: int


@dataclass(frozen=True, slots=True)
class Said:
    """An `answer` that ran.

    Attributes:
        action: Where it is written.
        pick: Number of the pick that it speaks to; None when nobody hears, and it was not asked.
        value: What its function gave.
    """

    action: ActionUse
    pick: int | None
    value: Any = None


TimerChange: TypeAlias = StartTimer | StopTimer


@dataclass(frozen=True, slots=True)
class Microstep:
    """What one set of transitions did.

    Attributes:
        event: What was being taken; for eventless transitions the latest event.
        transitions: Those taken, in the order of their actions.
        exited: Ids of the states left, in order.
        entered: Ids of the states entered, in order.
        actions: All actions in the order they ran; after an error, the last one raised.
        raised: Events for the machine itself, in order: raised ones and `done.state.*`.
        timers: Timers that begin and end, in order.
        said: What its answers said, in order.
        done: Whether the machine reached its end.
    """

    event: Event
    transitions: tuple[Transition, ...]
    exited: tuple[str, ...]
    entered: tuple[str, ...]
    actions: tuple[ActionUse, ...]
    raised: tuple[Event, ...]
    timers: tuple[TimerChange, ...]
    said: tuple[Said, ...] = ()
    done: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """Everything that one event led to, until the machine was stable again.

    Attributes:
        event: The event from outside.
        handled: Whether any transition took it.
        microsteps: One for each set of transitions, in order.
        started: Actors to start now, in order.
        stopped: Actors to stop now, in the order in which they were started.
    """

    event: Event
    handled: bool
    microsteps: tuple[Microstep, ...] = ()
    started: tuple[LiveActor, ...] = ()
    stopped: tuple[LiveActor, ...] = ()

    @property
    def actions(self) -> tuple[ActionUse, ...]:
        """All actions in the order they ran."""
        return tuple(action for step in self.microsteps for action in step.actions)

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """All transitions taken, in order."""
        return tuple(transition for step in self.microsteps for transition in step.transitions)

    @property
    def exited(self) -> tuple[str, ...]:
        """Ids of the states left, in order; a state can occur more than once."""
        return tuple(state for step in self.microsteps for state in step.exited)

    @property
    def entered(self) -> tuple[str, ...]:
        """Ids of the states entered, in order; a state can occur more than once."""
        return tuple(state for step in self.microsteps for state in step.entered)

    @property
    def raised(self) -> tuple[Event, ...]:
        """Events that the machine told itself, in order."""
        return tuple(event for step in self.microsteps for event in step.raised)

    @property
    def done(self) -> tuple[Event, ...]:
        """The `done.state.*` events among those raised."""
        return tuple(event for event in self.raised if event.name.startswith("done.state."))

    @property
    def timers(self) -> tuple[TimerChange, ...]:
        """Timers that begin and end, in the order a driver must apply them."""
        return tuple(change for step in self.microsteps for change in step.timers)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a machine stands between two events.

    Attributes:
        machine: The machine.
        status: `active`; `done` when its end was reached; `error` when a step failed: the rest is
            then as before the event that failed.
        active: Numbers of the active states in document order.
        context: The context.
        recorded: What each history remembers, by number.
        output: What the machine is done with.
        error: Why the step failed.
        actors: Actors that live, in the order in which they were started.
        sessions: How many actors were invoked until now.
    """

    machine: Machine
    status: Literal["active", "done", "error"]
    active: tuple[int, ...]
    context: Any
    recorded: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    output: Any = None
    error: StepError | None = None
    actors: tuple[LiveActor, ...] = ()
    sessions: int = 0

    @property
    def configuration(self) -> tuple[str, ...]:
        """Ids of all active states, ancestors included, in document order."""
        return tuple(self._ids(self.active))

    @property
    def leaves(self) -> tuple[str, ...]:
        """Ids of the active states that have none below them, in document order."""
        nodes = self.machine.chart.nodes
        return tuple(self._ids(n for n in self.active if nodes[n].end == n + 1))

    @property
    def history(self) -> dict[str, tuple[str, ...]]:
        """What each history remembers: ids by the history's id."""
        nodes = self.machine.chart.nodes
        return {nodes[n].id: tuple(self._ids(kept)) for n, kept in sorted(self.recorded.items())}

    def _ids(self, numbers: "Iterator[int] | tuple[int, ...]") -> Iterator[str]:
        nodes = self.machine.chart.nodes
        return (nodes[number].id for number in numbers)
