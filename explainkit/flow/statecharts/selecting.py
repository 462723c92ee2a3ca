"""Which transitions an event takes: children before ancestors, the first guard that holds."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from explainkit.errors import GuardError
from explainkit.flow.statecharts.matching_names import candidates
from explainkit.flow.statecharts.nodes import Bounds, Chart, GuardUse, Node, Transition
from explainkit.flow.statecharts.routing import Recorded, left_bounds
from explainkit.flow.statecharts.vocabulary import Args, Event
from explainkit.safety import shorten


def selected(chart: Chart, active: tuple[int, ...], context: Any, event: Event) -> list[Transition]:
    """The transitions that take an event, one for each region that answers, in document order.

    Raises:
        GuardError: A guard raised.
    """
    found: list[Transition] = []
    if chart.parallel:
        _ask(chart, active, 0, found, context, event)
        return found
    for number in reversed(active):  # one leaf and what is above it
        taken = _answer(chart, chart.nodes[number], context, event)
        if taken is not None:
            return [taken]
    return found


def eventless(
    chart: Chart, active: tuple[int, ...], context: Any, event: Event
) -> list[Transition]:
    """The eventless transitions: each leaf walks up on its own and takes the first that passes.

    Raises:
        GuardError: A guard raised.
    """
    found: dict[Transition, None] = {}
    asked: dict[int, Transition | None] = {}
    for number in active:
        if chart.nodes[number].kind in ("atomic", "final"):
            taken = _walk_up(chart, number, asked, context, event)
            if taken is not None:
                found[taken] = None
    return list(found)


def without_conflicts(
    chart: Chart, transitions: list[Transition], active: tuple[int, ...], recorded: Recorded
) -> list[tuple[Transition, Bounds]]:
    """Drop transitions that would leave the same states, and give what each of the others leaves.

    The earlier one stays, unless the later one is written below it.
    """
    kept: list[tuple[Transition, Bounds]] = []
    highest = 0
    for transition in transitions:
        bounds = _bounds(chart, transition, recorded)
        rivals: list[int] = []
        if bounds.low < min(bounds.high, highest):  # else it lies behind all others, as regions do
            rivals = [n for n, (_, other) in enumerate(kept) if _meet(bounds, other, active)]
        highest = max(highest, bounds.high)
        if all(_below(chart, transition, kept[position][0]) for position in rivals):
            for position in reversed(rivals):
                del kept[position]
            kept.append((transition, bounds))
    return kept


def passes(guard: GuardUse, transition: Transition, chart: Chart, args: Args) -> bool:
    """Whether a guard holds.

    Raises:
        GuardError: It raised.
    """
    try:
        return bool(guard.run(args))
    except Exception as error:
        raise GuardError(
            f'Machine "{chart.id}": the guard "{guard.name}" of {transition.place} in '
            f'"{transition.source}" raised {type(error).__name__}: {shorten(str(error), 200)} '
            f'on "{shorten(args.event.name, 80)}". The configuration stays. '
            "A guard only reads context and event; make it give False where it cannot tell."
        ) from error


def _ask(
    chart: Chart,
    active: tuple[int, ...],
    position: int,
    found: list[Transition],
    context: Any,
    event: Event,
) -> int:
    """Ask an active state, those below it first; give the position after its last descendant."""
    node = chart.nodes[active[position]]
    before, following = len(found), position + 1
    while following < len(active) and active[following] < node.end:
        following = _ask(chart, active, following, found, context, event)
    if len(found) == before:
        taken = _answer(chart, node, context, event)
        if taken is not None:
            found.append(taken)
    return following


def _answer(chart: Chart, node: Node, context: Any, event: Event) -> Transition | None:
    if node.exact:
        for handler in candidates(node, event.name):
            taken = _first(chart, handler, context, event)
            if taken is not None:
                return taken
    return None


def _first(
    chart: Chart, handler: Sequence[Transition], context: Any, event: Event
) -> Transition | None:
    for transition in handler:
        guard = transition.guard
        if guard is None or passes(guard, transition, chart, Args(context, event, guard.params)):
            return transition
    return None


def _walk_up(
    chart: Chart,
    number: int,
    asked: dict[int, Transition | None],
    context: Any,
    event: Event,
) -> Transition | None:
    for above in _upwards(chart, number):
        if above not in asked:  # shared ancestors of many regions answer once
            asked[above] = _first(chart, chart.nodes[above].always, context, event)
        taken = asked[above]
        if taken is not None:
            return taken
    return None


def _upwards(chart: Chart, number: int) -> Iterator[int]:
    while number >= 0:
        yield number
        number = chart.nodes[number].parent


def _bounds(chart: Chart, transition: Transition, recorded: Recorded) -> Bounds:
    route = chart.routes[transition.number]
    return left_bounds(chart, transition, recorded) if route is None else route.bounds


def _meet(one: Bounds, other: Bounds, active: tuple[int, ...]) -> bool:
    low, high = max(one.low, other.low), min(one.high, other.high)
    return low < high and bisect_left(active, low) < bisect_left(active, high)


def _below(chart: Chart, transition: Transition, other: Transition) -> bool:
    return other.origin < transition.origin < chart.nodes[other.origin].end
