"""Finds what a user named: a context, event or link, whole or in part."""

from dataclasses import replace
from operator import index
from typing import TYPE_CHECKING, Any

from explainkit.errors import InterventionError, UnknownRecordError
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.text.sentence_bounds import sentences
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.varying.displayed_names import (
    branches_named,
    branches_of,
    part_displayed,
    parts_displayed,
    points_displayed,
)
from explainkit.whatif.varying.edits import MISSING, Part, node_at
from explainkit.whatif.varying.given_parts import GivenPlace, given_at, given_named, value_given
from explainkit.whatif.varying.given_to_runs import edit_form
from explainkit.whatif.varying.named_numbers import is_number
from explainkit.whatif.varying.named_words import places_of
from explainkit.whatif.varying.names_meant import meant_instead
from explainkit.whatif.varying.pointed_parts import Target
from explainkit.whatif.varying.recorded_points import RecordedPoint, RecordedPoints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explainkit.store import Recording

WHOLE = Part()
"""The whole of a value."""


def targets_of(
    recording: "Recording", recorded: RecordedPoints, named: Any, *, links: bool = False
) -> list[Target]:
    """The targets that a user means.

    Args:
        recording: The run.
        recorded: Its points.
        named: A name, a `seq`, ``(name, words)``, ``(name, position)``, ``(name, (start, end))``,
            ``(name, address)``, ``(name, position or address, words)``, or an object with an
            address.
        links: Only links are meant.

    Raises:
        InterventionError: It is nothing of that, or its part is not there.
        UnknownRecordError: No point has that name or number.
    """
    if isinstance(named, str) and not _is_name(recorded, named):
        named = part_displayed(named, lambda name: _is_known(recording, recorded, name)) or named
    whole, inner = _split(named)
    if hasattr(whole, "seq") and not isinstance(whole, int | str):
        return [_with_whole(recording, recorded, _addressed(recording, recorded, whole))]
    if isinstance(whole, str) and not links and not _is_name(recorded, whole):
        given = given_named(recording, recorded, whole)
        if given is not None:
            return [_given(recording, recorded, given, inner)]
    if isinstance(whole, str) and inner is None and not links:
        whole, inner = _displayed_part(recorded, whole)
    points = _points(recording, recorded, whole, links=links)
    if isinstance(whole, str) and not links:
        points = _meant(recording, points, whole, inner)
    return [_with_whole(recording, recorded, _part(recording, point, inner)) for point in points]


def _is_known(recording: "Recording", recorded: RecordedPoints, name: str) -> bool:
    every = list(recorded.points.values())
    return (
        _is_name(recorded, name)
        or bool(points_displayed(recording, every, name))
        or given_named(recording, recorded, name) is not None
    )


def _with_whole(recording: "Recording", recorded: RecordedPoints, target: Target) -> Target:
    """A target with all that its point gave, which says in which item it lies."""
    point = recorded.points.get(target.seq)
    if point is None or point.value is None or target.slot is not None or not target.part.path:
        return target
    return replace(target, whole=recording.values.object(point.value))


def _is_name(recorded: RecordedPoints, named: str) -> bool:
    return any(each.name == named for each in recorded.points.values())


def _displayed_part(recorded: RecordedPoints, shown: str) -> tuple[str, str | None]:
    """A part of a value as it is printed, as what holds it and its address."""
    points = recorded.points.values()
    known = {name for p in points for name in (p.name, f"{p.kind} {p.name}")}
    parts = parts_displayed(shown) if shown not in known else []
    held = [each for each in parts if each[0] in known or each[0].startswith("output of ")]
    return held[0] if held else (shown, None)


def _meant(
    recording: "Recording", points: list[RecordedPoint], whole: str, inner: Any
) -> list[RecordedPoint]:
    """Of several of one name those that hold the words; what they hold must be one thing."""
    if len(points) < 2:
        return points
    if isinstance(inner, str) and inner:
        values = {p.seq: recording.values.object(p.value) for p in points if p.value is not None}
        held = [p for p in points if places_of(values.get(p.seq), inner)]
        if not held:
            raise InterventionError(
                f"None of the {_several(points, whole)} holds the words {inner!r:.80}."
            )
        points = held
    if len({point.value for point in points}) > 1:
        seqs = [point.seq for point in points]
        part = f", {inner!r:.30}" if inner is not None else ""
        one = f"({seqs[0]}{part})" if part else str(seqs[0])
        every = listed([f"({seq}{part})" if part else str(seq) for seq in seqs])
        raise InterventionError(
            f"{whole!r:.60} is ambiguous: the {_several(points, whole)} hold different things. "
            f"Give the number of one, such as {one}, or a list of all that you mean: [{every}]."
        )
    return points


def _several(points: list[RecordedPoint], whole: str) -> str:
    seqs = listed([str(point.seq) for point in points])
    kinds = {"assemble": "templates"}
    what = kinds.get(points[0].kind, f"{points[0].kind}s")
    return f"{len(points)} {what} {shorten(repr(whole), 60)} (records {seqs})"


def _split(named: Any) -> tuple[Any, Any]:
    if isinstance(named, tuple) and len(named) == 2:
        return named
    if isinstance(named, tuple) and len(named) == 3 and isinstance(named[2], str):
        return named[0], named[1:]
    if isinstance(named, tuple):
        raise InterventionError(
            f"{named!r:.60} names no part. Give (name, words), (name, position), "
            "(name, position, words) or (name, (start, end))."
        )
    return named, None


def _points(
    recording: "Recording", recorded: RecordedPoints, whole: Any, *, links: bool
) -> list[RecordedPoint]:
    kinds = ("link",) if links else ("context", "event", "link", "assemble")
    among = [point for point in recorded.points.values() if point.kind in kinds]
    if isinstance(whole, str):
        found = [point for point in among if point.name == whole]
        given = [point for point in found if point.kind != "link"]
        if not given and found:
            _require_one_meaning(recording, among, whole, found)
        if given or found:
            return given or found
        found = points_displayed(recording, among, whole)
        found = found or branches_named(recording, among, whole)
        if found:
            return found
    else:
        seq = _number(whole)
        found = [point for point in among if point.seq == seq]
        if found:
            return found
    what = "link" if links else "context, event or link"
    _refuse_unsent(recorded, whole)
    branches = [name for name, _, _ in branches_of(recording, among)]
    named = [*branches, *(point.name for point in among if point.name)]
    names = list(dict.fromkeys(repr(shorten(name, 60)) for name in named))
    there = f"There are: {listed(names)}." if names else "The run has none."
    meant = meant_instead(recording, recorded, among, whole)
    raise UnknownRecordError(f"The run has no {what} {whole!r:.80}. {there}{meant}")


def _require_one_meaning(
    recording: "Recording",
    among: "Sequence[RecordedPoint]",
    named: str,
    found: "Sequence[RecordedPoint]",
) -> None:
    """Refuse the name of a link that is that of a branch as well, which runs another one."""
    seqs = {point.seq for point in found}
    owners = {point.seq: point.name for point in among}
    for name, owner, point in branches_of(recording, among):
        if name == named and point.seq not in seqs:
            branch = shorten(f"{owners.get(owner)}.{name}", 60)
            raise InterventionError(
                f"{named!r:.60} is the name of a {found[0].type} (record {found[0].seq}) and of a "
                f"branch, which runs {shorten(point.name, 60)!r}. Give {found[0].seq} for the "
                f"first, {branch!r} for the second."
            )


def _refuse_unsent(recorded: RecordedPoints, whole: Any) -> None:
    if any(whole in (point.seq, point.name) for point in recorded.left_out.values()):
        raise InterventionError(
            f"{whole!r:.60} was left out of the run, so there is nothing to take away. "
            f"Use restore={whole!r:.60} to see what it would have changed."
        )


def _number(whole: Any) -> int:
    try:
        if isinstance(whole, bool):
            raise TypeError
        return index(whole)
    except TypeError:
        raise InterventionError(
            f"{whole!r:.60} names nothing of a run. Give a name such as 'tariff', the number of a "
            "record, (name, words), or a context or place out of a backtrack."
        ) from None


def _part(recording: "Recording", point: RecordedPoint, inner: Any) -> Target:
    value = MISSING if point.value is None else recording.values.object(point.value)
    if inner is None:
        return Target(point.seq, Part(), point.name, value)
    if isinstance(value, Opaque) or value is MISSING:
        verb = "swap" if point.kind == "link" else "replace"
        kind = f"an object of type {value.called:.60}" if isinstance(value, Opaque) else "no value"
        raise InterventionError(
            f"Of {point.name!r:.60} there is {kind} on record, of which no part can be changed. "
            f"Give another one in its place: {verb}={{{point.name!r:.60}: ...}}."
        )
    return _part_of(point, value, inner)


def _part_of(point: RecordedPoint, value: Any, inner: Any) -> Target:
    if isinstance(inner, str):
        return _words(point, value, inner)
    if isinstance(inner, tuple) and len(inner) == 2 and isinstance(inner[1], str):
        outer = _part_of(point, value, inner[0])
        return _words(point, outer.value, inner[1], within=outer.part)
    if isinstance(inner, tuple):
        return _stretch(point, value, inner)
    return _position(point, value, _number(inner))


def _words(point: RecordedPoint, value: Any, words: str, *, within: Part = WHOLE) -> Target:
    """The one place in a value, or in a part of it, where words stand."""
    if not words:
        raise InterventionError(f"({point.name!r:.60}, '') names nothing: give some words of it.")
    found = places_of(value, words)
    if not found:
        raise InterventionError(f"{point.name!r:.60} does not hold the words {words!r:.80}.")
    if len(found) > 1:
        places = listed([each.told(words) for each in found])
        many = len({each.path for each in found}) > 1
        way = '(name, "/address", words)' if many else "(name, (start, end))"
        raise InterventionError(
            f"{point.name!r:.60} holds {words!r:.60} {len(found)} times, at {places}. Give longer "
            f"words, or {way}."
        )
    path, start = within.path + found[0].path, found[0].start
    if start is None:
        leaf = node_at(value, Part(found[0].path).steps)
        return Target(point.seq, Part(path), point.name, leaf, is_number(leaf))
    start += within.start or 0
    return Target(point.seq, Part(path, start, start + len(words), words), point.name, words)


def _stretch(point: RecordedPoint, value: Any, bounds: tuple[Any, ...]) -> Target:
    if not isinstance(value, str) or len(bounds) != 2:
        raise InterventionError(
            f"(start, end) names a stretch of a text; {point.name!r:.60} is none. Give "
            '(name, "/address", words) for words of one of its texts.'
        )
    start, end = (_number(each) for each in bounds)
    if not 0 <= start < end <= len(value):
        raise InterventionError(
            f"({start}, {end}) is no stretch of {point.name!r:.60}, which has {len(value)} "
            "characters."
        )
    words = value[start:end]
    return Target(point.seq, Part("", start, end, words), point.name, words)


def _position(point: RecordedPoint, value: Any, at: int) -> Target:
    """An item of a list, or a sentence of a text."""
    if isinstance(value, str):
        parts: Sequence[tuple[int, int]] = sentences(value)
        what = "sentences"
    elif isinstance(value, list | tuple):
        parts, what = [(n, n) for n in range(len(value))], "items"
    else:
        raise InterventionError(
            f"{point.name!r:.60} is a {type(value).__name__}: it has no numbered parts."
        )
    if not -len(parts) <= at < len(parts):
        raise InterventionError(
            f"{point.name!r:.60} has {len(parts)} {what}, numbered from 0; there is no {at}."
        )
    start, end = parts[at]
    if isinstance(value, str):
        return replace(_stretch(point, value, (start, end)), sentence=at % len(parts))
    return Target(point.seq, Part(f"/{start}"), point.name, value[start])


def _given(
    recording: "Recording",
    recorded: RecordedPoints,
    place: GivenPlace,
    inner: Any,
    *,
    words: Any = None,
) -> Target:
    """A part of what the run itself was given: what stands at a place, or a part of that."""
    held = value_given(recording, recorded, place)
    leaf = MISSING if held is None else held.at(place.path)
    if held is None or leaf is MISSING or isinstance(leaf, Opaque):
        form = edit_form(recording, recorded, place)
        shown = shorten(repr(getattr(words, "text", "") or place.path or place.slot), 60)
        raise InterventionError(
            f"{shown} stands in what the run itself was given, and was not recorded whole. "
            f"Give it something else: {form}."
        )
    name, whole = held.name(place.path), Part(place.path)
    start, end = (getattr(words, at, None) for at in ("start", "end"))
    if isinstance(leaf, str) and isinstance(start, int) and isinstance(end, int) and end > start:
        inner = (start, end) if end - start < len(leaf) else None
    if inner is None:
        number = words is not None and is_number(leaf)
        return Target(place.seq, whole, name, leaf, number, slot=place.slot)
    found = _part_of(RecordedPoint(place.seq, "context", name, (), None), leaf, inner)
    part = replace(found.part, path=place.path + found.part.path)
    name = held.name(part.path)
    return Target(place.seq, part, name, found.value, found.is_number, slot=place.slot)


def _addressed(recording: "Recording", recorded: RecordedPoints, place: Any) -> Target:
    """A target of a place, a context or a suspect out of a backtrack."""
    point = recorded.points.get(place.seq)
    given = given_at(recording, recorded, place)
    if given is not None:
        return _given(recording, recorded, given, None, words=place)
    if point is None:
        _refuse_unsent(recorded, place.seq)
        closing = recording.raw(place.seq).get("link")
        point = recorded.points.get(closing) if isinstance(closing, int) else None
    if point is None:
        raise InterventionError(
            f"Record {place.seq} is no context, event or link, so it cannot be changed."
        )
    path, start, end = (getattr(place, name, None) for name in ("path", "start", "end"))
    if start is None or end is None or end <= start:
        return _part(recording, point, None)
    if getattr(place, "slot", None) not in (None, "value", "output"):
        raise InterventionError(
            f"Record {place.seq} was given these characters in {place.slot!r:.60}; they come from "
            "elsewhere. Change them where they were born: a context of the backtrack."
        )
    value = None if point.value is None else recording.values.object(point.value)
    part = Part(path or "", start, end, place.text)
    leaf = node_at(value, part.steps)
    if not isinstance(leaf, str):
        part = Part(path or "")
        return Target(point.seq, part, point.name, leaf, is_number(leaf))
    return Target(point.seq, part, point.name, leaf[start:end])
