"""Where something comes back, or changes places: what goes into a template or comes from a link."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.errors import InterventionError, UnknownRecordError
from explainkit.tracing.seam import PointKind
from explainkit.whatif.varying.appending import appended
from explainkit.whatif.varying.displayed_names import points_displayed
from explainkit.whatif.varying.recorded_points import RecordedPoint, RecordedPoints

if TYPE_CHECKING:
    from explainkit.store import Recording

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Landing:
    """A change of what goes into a template or a link, or of what a link gives.

    Attributes:
        seq: The recorded link.
        kind: Its kind of point.
        name: Its name.
        edit: From the inputs by slot to those that change; of a result, from it to the new one.
        said: The change in words.
        result: Whether the link's result is changed.
    """

    seq: int
    kind: PointKind
    name: str
    edit: Callable[[Any], Any]
    said: str
    result: bool = False


def is_of_agent(recorded: RecordedPoints, left: RecordedPoint) -> bool:
    """Whether a left-out piece is one that an Agent may let in."""
    maker = recorded.points.get(left.parent) if left.parent is not None else None
    return maker is not None and maker.type == "agent"


def landing_of(
    recording: "Recording",
    recorded: RecordedPoints,
    left: RecordedPoint,
    value: Any,
    *,
    where: Any = None,
) -> Landing:
    """Where a left-out piece is put back.

    The link that left it out gives it too, as its last item, when it gives a list or a text;
    otherwise it follows a piece of its own kind, else the piece before it, into the next template,
    or into the next prompt.

    Args:
        recording: The run.
        recorded: Its points.
        left: What was left out.
        value: Its content.
        where: The user's word for it: a link or a context, by its name as it is printed or by the
            number of its record, or a field of a template.

    Raises:
        InterventionError: Nothing after it takes a text or a list.
    """
    named = _called(recording, recorded, "link", where)
    maker = recorded.points.get(left.parent) if left.parent is not None else None
    for link in named[:1] if where is not None else [maker]:
        given = None
        if link is not None and link.value is not None:
            given = recording.values.object(link.value)
        if link is not None and isinstance(given, str | list | tuple):
            appended(given, value)  # refused here, not in the re-run
            said = f"restore {left.name} as the last of what {link.name} gives"
            return Landing(
                link.seq, "link", link.name, lambda now: appended(now, value), said, result=True
            )
    for point in recorded.points.values():
        if point.seq > left.seq and (point.kind == "assemble" or point.type == "model"):
            slot = _slot_for(recording, recorded, left, point, where)
            if slot is not None:
                old = recording.values.object(point.inputs[point.slots.index(slot)])
                appended(old, value)
                said = f"restore {left.name} at the end of {slot} of {point.name}"
                return Landing(
                    point.seq,
                    point.kind,
                    point.name,
                    lambda now, slot=slot: {slot: appended(now[slot], value)},  # type: ignore[misc]
                    said,
                )
    place = f" at {where!r:.60}" if where is not None else ""
    raise InterventionError(
        f"{left.name!r:.60} cannot come back{place}: no template and no model call after it takes "
        "a text there. Say where, such as restore={'page 9': 'rows'} with a field of the template, "
        "or use run.whatif(call=...) with a function that includes it."
    )


def order_landing(
    recording: "Recording", recorded: RecordedPoints, names: Sequence[Any]
) -> Landing:
    """Contexts that take each other's places in the first template that holds all of them.

    Args:
        recording: The run.
        recorded: Its points.
        names: Their names in the order that the prompt shall have.

    Raises:
        InterventionError: A name is not unique, or no template holds them all.
        UnknownRecordError: No context has such a name.
    """
    contexts = [_context(recorded, name) for name in names]
    digests = [str(each.value) for each in contexts]
    for point in recorded.points.values():
        if point.kind != "assemble" or not set(digests) <= set(point.inputs):
            continue
        at = {digest: slot for slot, digest in zip(point.slots, point.inputs, strict=True)}
        places = [
            slot for slot in printed_slots(recording, point) if slot in {at[d] for d in digests}
        ]
        wanted = [at[digest] for digest in digests]
        if places == wanted:
            raise InterventionError(
                f"{', '.join(each.name for each in contexts)!s:.100} is the order in which they "
                "stand in the prompt already. Give the names in the order that it shall have."
            )
        if len(places) == len(wanted):
            said = f"reorder to {', '.join(each.name for each in contexts)}"
            edit = _moved(dict(zip(places, wanted, strict=True)))
            return Landing(point.seq, "assemble", point.name, edit, said)
    raise InterventionError(
        f"No template of the run takes all of {', '.join(map(repr, names))!s:.100} as they are, so "
        "their places cannot be changed. Where they were joined, change what was made of them, as "
        "with edit={'ask': {'prompt': ...}}; the items of one list by their positions, such as "
        "reorder={'lines': [1, 0]}; pieces of an Agent by running one with another context=."
    )


def _moved(moves: Mapping[str, str]) -> Callable[[Any], Any]:
    return lambda now: {place: now[source] for place, source in moves.items()}


def _slot_for(
    recording: "Recording",
    recorded: RecordedPoints,
    left: RecordedPoint,
    point: RecordedPoint,
    where: Any,
) -> str | None:
    """The slot that took the nearest context of its kind, any context, or a text or a list."""
    before = [p for p in recorded.points.values() if p.kind == "context" and p.seq < left.seq]
    if where is not None:
        if where in point.slots:
            return str(where)
        before = _called(recording, recorded, "context", where)
    nearest = sorted(before, key=lambda each: (each.type != left.type, -each.seq))
    for each in nearest:
        if each.value in point.inputs:
            return point.slots[point.inputs.index(each.value)]
    if where is not None:
        return None
    for slot, digest in zip(point.slots, point.inputs, strict=True):
        if isinstance(recording.values.object(digest), str | list | tuple):
            return slot
    return None


def _called(
    recording: "Recording", recorded: RecordedPoints, kind: str, named: Any
) -> list[RecordedPoint]:
    """The points of a kind that a user means by a name, a printed name or a number."""
    every = [point for point in recorded.points.values() if point.kind == kind]
    found = [point for point in every if named in (point.name, point.seq)]
    if found or not isinstance(named, str):
        return found
    return points_displayed(recording, every, named)


def _context(recorded: RecordedPoints, name: Any) -> RecordedPoint:
    found = [
        point
        for point in recorded.points.values()
        if point.kind == "context" and name in (point.name, point.seq)
    ]
    if not found:
        raise UnknownRecordError(f"The run has no context {name!r:.60}.")
    if len(found) > 1:
        raise InterventionError(
            f"{name!r:.60} is the name of {len(found)} contexts; give their numbers instead."
        )
    return found[0]


def printed_slots(recording: "Recording", point: RecordedPoint) -> list[str]:
    """The slots of a template in the order in which they stand in what it gave.

    Args:
        recording: The run.
        point: The template.
    """
    found: dict[str, int] = {}
    for row in recording.rows("link_closed"):
        if row.get("link") == point.seq:
            for each in row.get("segments") or ():
                origin = each.get("origin") or {}
                if origin.get("seq") == point.seq:
                    found.setdefault(str(origin.get("slot")), int(each.get("start") or 0))
    return sorted(found, key=lambda slot: found[slot])
