"""The chart of a recorded machine, checked when it is read: it comes from a file, not from code."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from explainkit.errors import DamagedValueError

DEEPEST = 100
"""Levels of states; no chart that can be built has more."""


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=False)


class ToldState(_Told):
    """A state.

    Attributes:
        id: Its id, by which steps name it.
        key: What its author calls it.
        type: Its kind.
        parent: Id of the state around it; None for the root.
        initial: Id of the state that is entered with it.
        history: Of a history: how much it remembers.
    """

    id: str
    key: str
    type: Literal["atomic", "compound", "parallel", "final", "history"] = "atomic"
    parent: str | None = None
    initial: str | None = None
    history: Literal["deep", "shallow"] | None = None


class ToldTransition(_Told):
    """An arrow.

    Attributes:
        source: Id of the state that it leaves.
        trigger: What takes it.
        event: Name of the event that takes it.
        targets: Ids of the states that it leads to; none when it stays.
        guard: Name of its guard.
        actions: Names of its actions.
        delay: Milliseconds, for a timer.
    """

    source: str
    trigger: str = "on"
    event: str = ""
    targets: tuple[str, ...] = ()
    guard: str | None = None
    actions: tuple[str, ...] = ()
    delay: int | float | None = None


class ToldInvocation(_Told):
    """Where an actor is invoked.

    Attributes:
        state: Id of the state.
        id: Name by which its events call it.
        holds: Whether it holds picks.
    """

    state: str
    id: str
    holds: bool = True


class ToldActor(_Told):
    """An actor of the chart.

    Attributes:
        key: Its name.
        kind: agent, effect, gate, fail or machine.
        invoked: Where.
    """

    key: str
    kind: str | None = None
    invoked: tuple[ToldInvocation, ...] = ()


class ToldChart(_Told):
    """A whole chart, states in document order.

    Attributes:
        machine: Id of the machine.
        states: Parents before their children.
        transitions: Every arrow.
        actors: Every actor.
    """

    machine: str
    states: tuple[ToldState, ...]
    transitions: tuple[ToldTransition, ...] = ()
    actors: tuple[ToldActor, ...] = ()

    @classmethod
    def read(cls, doc: Any) -> "ToldChart":
        """Read what ``Machine.doc()`` gives.

        Raises:
            DamagedValueError: It is no chart: a part is missing or names a state that is not there.
        """
        try:
            chart = cls.model_validate(doc)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise DamagedValueError(
                f"The recorded chart cannot be read ({where[:80]}: {first['msg'][:120]})."
            ) from error
        _check(chart)
        return chart

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Position of a state by its id."""
        return {state.id: number for number, state in enumerate(self.states)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """States right below each state."""
        below: list[list[int]] = [[] for _ in self.states]
        for number, state in enumerate(self.states):
            if state.parent is not None:
                below[self.numbers[state.parent]].append(number)
        return tuple(map(tuple, below))

    @cached_property
    def invoked(self) -> dict[str, tuple[tuple[ToldActor, ToldInvocation], ...]]:
        """Actors by the id of the state that invokes them."""
        found: dict[str, tuple[tuple[ToldActor, ToldInvocation], ...]] = {}
        for actor in self.actors:
            for use in actor.invoked:
                found[use.state] = (*found.get(use.state, ()), (actor, use))
        return found

    @cached_property
    def actor_of(self) -> dict[str, str]:
        """Key of an actor by the name that its events carry."""
        return {use.id: actor.key for actor in self.actors for use in actor.invoked}

    def above(self, state: str) -> Iterator[str]:
        """A state and those around it, innermost first; nothing when there is no such state."""
        at: str | None = state if state in self.numbers else None
        while at is not None:
            yield at
            at = self.states[self.numbers[at]].parent

    def is_box(self, number: int) -> bool:
        """Whether a state is drawn as a box, because it holds no others."""
        return not self.children[number]


def _check(chart: ToldChart) -> None:
    """Every name leads to a state, and parents come first, so that nothing goes in circles."""
    depth: dict[str, int] = {}
    for state in chart.states:
        if state.id in depth or (state.parent is None) != (not depth):
            raise DamagedValueError(f"The recorded chart has a wrong state {state.id[:80]!r}.")
        around = -1 if state.parent is None else depth.get(state.parent, DEEPEST)
        if around >= DEEPEST:
            raise DamagedValueError(
                f"The recorded chart has no place for its state {state.id[:80]!r}."
            )
        depth[state.id] = around + 1
    named = [name for each in chart.transitions for name in (each.source, *each.targets)]
    named += [state.initial for state in chart.states if state.initial is not None]
    unknown = next((name for name in named if name not in depth), None)
    if unknown is not None or not depth:
        raise DamagedValueError(f"The recorded chart names no known state: {str(unknown)[:80]!r}.")
