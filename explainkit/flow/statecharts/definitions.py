"""A chart as its author wrote it, before targets are looked up: where both ways of writing meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explainkit.flow.statecharts.vocabulary import Kind


@dataclass(frozen=True, slots=True)
class Use:
    """A guard or an action at the place where it is used.

    Attributes:
        name: What the chart calls it; a function's own name when it was passed as a function.
        run: The implementation.
        params: What this use gives it.
        fixed: Whether the name was chosen by the author and must stay.
    """

    name: str
    run: Any
    params: Any = None
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """One candidate of a handler.

    Attributes:
        targets: As written: `"sibling"`, `".child"` or `"#machine.state"`; none stays.
        guard: Taken only if it holds.
        actions: Run between exits and entries.
        reenter: Whether a target inside the source leaves the source first.
    """

    targets: tuple[str, ...] = ()
    guard: Use | None = None
    actions: tuple[Use, ...] = ()
    reenter: bool = False


@dataclass(frozen=True, slots=True)
class Always:
    """Transitions that need no event."""

    arrows: tuple[Arrow, ...]


@dataclass(frozen=True, slots=True)
class After:
    """Transitions taken when the state has been active for `delay` milliseconds."""

    delay: object
    arrows: tuple[Arrow, ...]


@dataclass(frozen=True, slots=True)
class Invoke:
    """An actor that lives as long as the state that invokes it.

    Attributes:
        src: Key of the actor among the machine's actors.
        id: Its own id; None is derived from the state.
        input: What it is started with: a value, or a function of the arguments; in a mapping each
            value may be a function.
        on_done: Candidates taken when it gave its output.
        on_error: Candidates taken when it raised.
        holds: Whether it can keep a pick open.
    """

    src: str
    id: str | None = None
    input: Any = None
    on_done: tuple[Arrow, ...] = ()
    on_error: tuple[Arrow, ...] = ()
    holds: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One state and what is below it.

    Attributes:
        kind: As written; None is derived from the states below.
        id: Its own id; None is the path of keys from the machine.
        initial: Key of the child that is entered by default.
        states: The states below by key, in document order.
        entry: Actions on the way in.
        exit: Actions on the way out.
        on: Candidates by event name or wildcard.
        always: Eventless candidates.
        after: Candidates by delay.
        on_done: Candidates taken when the state is finished.
        invoke: Actors that live as long as the state is active.
        deep: For a history: whether it remembers the leaves.
        target: For a history: where to go when nothing is remembered.
        output: For a final state: what its parent is done with, or a function of the arguments;
            for the machine itself: what it is done with.
        description: What it means, for people.
        tags: Words that group states.
        meta: Any other data of its author.
    """

    kind: Kind | None = None
    id: str | None = None
    initial: str | None = None
    states: Mapping[str, "Definition"] = field(default_factory=dict)
    entry: tuple[Use, ...] = ()
    exit: tuple[Use, ...] = ()
    on: Mapping[str, tuple[Arrow, ...]] = field(default_factory=dict)
    always: tuple[Arrow, ...] = ()
    after: tuple[After, ...] = ()
    on_done: tuple[Arrow, ...] = ()
    invoke: tuple[Invoke, ...] = ()
    deep: bool = False
    target: str | None = None
    output: Any = None
    description: str | None = None
    tags: Any = None
    meta: Any = None
