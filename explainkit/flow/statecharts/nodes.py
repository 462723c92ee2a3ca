"""A chart as the interpreter walks it: frozen, every reference a number in document order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explainkit.flow.statecharts.vocabulary import Kind, Trigger


@dataclass(frozen=True, slots=True, eq=False)
class GuardUse:
    """A guard of one transition."""

    name: str
    run: Any
    params: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ActionUse:
    """An action at its place in the chart.

    Attributes:
        name: What the chart calls it.
        run: A function, an `Assign` or a `Raise`.
        params: What this use gives it.
        state: Id of the state where it is written.
        place: ``entry``, ``exit``, or the handler: ``on.pay[0]``.
        index: Position in the list of that place.
    """

    name: str
    run: Any
    params: Any
    state: str
    place: str
    index: int


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """A candidate of a handler, with its targets looked up.

    Attributes:
        number: Position among all transitions of the machine.
        source: Id of the state where it is written.
        trigger: Which kind of handler it belongs to.
        event: The name or wildcard that it answers; empty for eventless ones.
        place: The handler and the position in it, such as ``on.pay[0]``.
        targets: Ids of the targets, history nodes included.
        written: The targets as written.
        guard: Its guard.
        actions: Its actions, in order.
        reenter: Whether a target inside the source leaves the source first.
        delay: Milliseconds, for timers.
        origin: The source's number.
        aims: The targets' numbers.
    """

    number: int
    source: str
    trigger: Trigger
    event: str
    place: str
    targets: tuple[str, ...]
    written: tuple[str, ...]
    guard: GuardUse | None
    actions: tuple[ActionUse, ...]
    reenter: bool
    delay: int | None
    origin: int
    aims: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Invocation:
    """An actor that a state invokes.

    Attributes:
        id: Unique in the machine.
        src: Key of the actor.
        input: What it is started with: a value, or a function of the arguments.
        holds: Whether it can keep a pick open.
        state: Number of the state.
        custom_id: Whether the id was chosen by the author.
    """

    id: str
    src: str
    input: Any
    holds: bool
    state: int
    custom_id: bool


@dataclass(frozen=True, slots=True)
class Timer:
    """A timer that a state starts when it is entered.

    Attributes:
        event: The event to send when it is due.
        delay: Milliseconds.
    """

    event: str
    delay: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    """One state of a chart. A state's descendants are the numbers from its own to `end`.

    Attributes:
        number: Position in document order; the root is 0.
        end: One past the last descendant.
        parent: The parent's number; -1 for the root.
        id: Unique in the machine.
        key: Its name below its parent.
        custom_id: Whether the id was chosen by the author.
        kind: What kind of state it is.
        children: States below, history nodes left out.
        histories: History nodes below.
        initial: The child entered by default, or -1.
        deep: For a history: whether it remembers the leaves.
        target: For a history: its default target as written.
        defaults: For a history: where it leads when nothing is remembered.
        entry: Actions on the way in.
        exit: Actions on the way out.
        transitions: Every candidate, in document order.
        exact: Candidates by event name.
        wildcards: ``(prefix, candidates)``, longest first; an empty prefix takes every event.
        always: Eventless candidates.
        timers: Timers, shortest first.
        invokes: Actors that live as long as the state is active.
        output: For a final state, and for the root: a value or a function of the arguments.
        description: What it means, for people.
        tags: Words that group states.
        meta: Any other data of its author.
    """

    number: int
    end: int
    parent: int
    id: str
    key: str
    custom_id: bool
    kind: Kind
    children: tuple[int, ...]
    histories: tuple[int, ...]
    initial: int
    deep: bool
    target: str | None
    defaults: tuple[int, ...]
    entry: tuple[ActionUse, ...]
    exit: tuple[ActionUse, ...]
    transitions: tuple[Transition, ...]
    exact: Mapping[str, tuple[Transition, ...]]
    wildcards: tuple[tuple[str, tuple[Transition, ...]], ...]
    always: tuple[Transition, ...]
    timers: tuple[Timer, ...]
    invokes: tuple[Invocation, ...]
    output: Any
    description: str | None
    tags: Any
    meta: Any


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which active states a transition leaves: those with ``low <= number < high``."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Route:
    """Where a transition always leads, when no history has a say.

    Attributes:
        bounds: What it leaves.
        entries: What it enters, in document order.
    """

    bounds: Bounds
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """All nodes of a machine and what can be known before it runs.

    Attributes:
        id: The machine's id.
        nodes: In document order.
        context: The first context, or a function of the input that gives it.
        guards: Implementations by name.
        actions: Implementations by name.
        actors: Implementations by key.
        events: Event definitions by name.
        routes: By number of the transition; None where history decides.
        eventless: Whether any state has eventless transitions.
        histories: Whether there is any history.
        parallel: Whether any state is parallel; else there is one leaf at a time.
    """

    id: str
    nodes: tuple[Node, ...]
    context: Any
    guards: Mapping[str, Any]
    actions: Mapping[str, Any]
    actors: Mapping[str, Any]
    events: Mapping[str, Any]
    routes: tuple[Route | None, ...] = ()
    eventless: bool = False
    histories: bool = False
    parallel: bool = False
