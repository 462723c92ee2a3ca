"""What makes a chart well-formed, checked once so that no step can ever leave it ill-formed."""

from collections.abc import Callable, Mapping

from explainkit.flow.statecharts.checking_actors import check_invokes
from explainkit.flow.statecharts.outline import Outline, Spot
from explainkit.safety import shorten

RESERVED = ("done.", "error.", "after.")


def check_state(outline: Outline, spot: Spot) -> None:
    """Check that what a state is written with fits what kind of state it is."""
    _KINDS[spot.kind](outline, spot)
    if spot.kind != "history" and (spot.definition.target is not None or spot.definition.deep):
        outline.fail(spot.id, "only a history has a target and a depth.")
    if spot.kind != "final" and spot.parent >= 0 and spot.definition.output is not None:
        outline.fail(spot.id, "only a final state and the machine itself have an output.")
    check_invokes(outline, spot)
    for event in spot.definition.on:
        _check_event(outline, spot, event)
    for after in spot.definition.after:
        delay = after.delay
        if not isinstance(delay, int) or isinstance(delay, bool) or delay < 0:
            outline.fail(
                spot.id,
                f"after {shorten(repr(delay), 40)}: a delay is a whole number of milliseconds, "
                "never a name.",
            )


def check_raised(outline: Outline, spot: Spot, name: str) -> None:
    """Check that a machine does not forge an event that means something to the interpreter."""
    if not name or "*" in name or name.startswith(RESERVED):
        outline.fail(
            spot.id,
            f'it raises "{shorten(name, 80)}": raise a plain event name. '
            "Names that start with done. error. after. are the machine's own.",
        )


def check_targets(outline: Outline, spot: Spot, place: str, aims: tuple[int, ...]) -> None:
    """Check that several targets can be active together."""
    for position, first in enumerate(aims):
        for second in aims[position + 1 :]:
            if not _together(outline, first, second):
                outline.fail(
                    spot.id,
                    f'{place} targets "{outline.spots[first].id}" and '
                    f'"{outline.spots[second].id}", which cannot be active together. '
                    "Several targets lie in different regions of a parallel state.",
                )


def check_defaults(outline: Outline, leads: Mapping[int, tuple[int, ...]]) -> None:
    """Check that entering a state by default comes to an end.

    Args:
        outline: The tree.
        leads: What entering each state by default enters or asks next.
    """
    checked: dict[int, bool] = {}  # False while its own defaults are being followed
    for start in leads:
        waiting = [(start, iter(leads[start]))]
        if checked.setdefault(start, False):
            continue
        while waiting:
            number, ahead = waiting[-1]
            following = next(ahead, None)
            if following is None:
                checked[number] = True
                waiting.pop()
            elif following not in checked:
                checked[following] = False
                waiting.append((following, iter(leads.get(following, ()))))
            elif not checked[following]:
                outline.fail(
                    outline.spots[following].id,
                    "its default entry leads back to itself. Give the history a target, "
                    "or name another initial state.",
                )


def _together(outline: Outline, first: int, second: int) -> bool:
    if first == second or outline.descends(first, second) or outline.descends(second, first):
        return False
    shared = next(a for a in outline.above(first) if outline.descends(second, a))
    regions = (
        next(n for n in (aim, *outline.above(aim)) if outline.spots[n].parent == shared)
        for aim in (first, second)
    )
    return outline.spots[shared].kind == "parallel" and all(
        outline.spots[region].kind != "history" for region in regions
    )


def _check_event(outline: Outline, spot: Spot, event: str) -> None:
    if (
        not event
        or "*" in event.removesuffix("*")
        or (event.endswith("*") and event[-2:] not in ("*", ".*"))
    ):
        outline.fail(
            spot.id,
            f'it handles "{shorten(event, 80)}": an event is a name, "*", or a prefix with ".*".',
        )


def _atomic(outline: Outline, spot: Spot) -> None:
    if spot.definition.states:
        outline.fail(spot.id, "an atomic state has no states below it.")
    if spot.definition.initial is not None:
        outline.fail(spot.id, "it names an initial state but has no states.")
    if spot.definition.on_done:
        outline.fail(spot.id, "it has no states, so it is never done; leave on_done out.")


def _compound(outline: Outline, spot: Spot) -> None:
    declared = shorten(", ".join(spot.children) or "none", 300)
    initial = spot.definition.initial
    if not spot.children:
        outline.fail(spot.id, "a compound state has states below it.")
    if initial is None:
        outline.fail(spot.id, f"it has states but no initial one. Declared states: {declared}.")
    if initial not in spot.children:
        outline.fail(
            spot.id,
            f'its initial state "{shorten(initial, 80)}" is unknown. Declared states: {declared}.',
        )


def _parallel(outline: Outline, spot: Spot) -> None:
    if spot.definition.initial is not None:
        outline.fail(spot.id, "all regions of a parallel state are entered; leave initial out.")
    regions = [n for n in spot.children.values() if outline.spots[n].kind != "history"]
    if not regions:
        outline.fail(spot.id, "a parallel state has at least one region.")


def _final(outline: Outline, spot: Spot) -> None:
    written = spot.definition
    if spot.parent < 0:
        outline.fail(spot.id, "the machine itself is no final state.")
    if written.states or written.initial is not None:
        outline.fail(spot.id, "a final state has no states below it.")
    if written.on or written.always or written.after or written.on_done:
        outline.fail(spot.id, "a final state handles nothing: its parent is done.")
    if written.invoke:
        outline.fail(spot.id, "a final state invokes nothing: nobody would hear of it.")


def _history(outline: Outline, spot: Spot) -> None:
    written = spot.definition
    if spot.parent < 0 or outline.spots[spot.parent].kind not in ("compound", "parallel"):
        outline.fail(spot.id, "a history stands among the states of a compound or parallel state.")
    handlers = written.on or written.always or written.after or written.on_done
    does = written.entry or written.exit or written.invoke
    if handlers or does or written.states or written.initial is not None:
        outline.fail(spot.id, "a history is never active: it has a target and nothing else.")


_KINDS: dict[str, Callable[[Outline, Spot], None]] = {
    "atomic": _atomic,
    "compound": _compound,
    "parallel": _parallel,
    "final": _final,
    "history": _history,
}
