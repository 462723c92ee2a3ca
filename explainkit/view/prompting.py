"""What a model saw, cut to a pane in which every kept segment stands in its place."""

from bisect import bisect_right
from collections.abc import Sequence

from explainkit.backtrack.results import (
    ContextUse,
    Place,
    Prompt,
    PromptLeaf,
    PromptSegment,
    Walk,
)
from explainkit.view.board import Origin, PromptPane, Tinted
from explainkit.view.passages import Range, passage

SEGMENTS = 60
"""Segments shown at most; those with marked words are kept first."""


def pane_of(prompt: Prompt, walk: Walk | None = None, *, limit: int = 4_000) -> PromptPane:
    """Cut a prompt to a pane and mark the walked words in it.

    Args:
        prompt: What the model saw, with origins.
        walk: The backtrack whose words are marked; ``None`` marks nothing.
        limit: Code points to show, roughly.
    """
    carried = carried_in(prompt, walk)
    shown = _chosen(prompt.segments, carried)
    numbers: dict[tuple[str, int | None], Origin] = {}
    each = limit if len(prompt.text) <= limit else max(120, limit // max(1, len(shown)))
    tinted: list[Tinted] = []
    for index in shown:
        segment = prompt.segments[index]
        origin = _origin(segment, numbers)
        room = max(each, 600) if index in carried else each
        tinted.append(Tinted(origin, passage(segment.text, carried.get(index, ()), limit=room)))
    hidden = set(range(len(prompt.segments))) - set(shown)
    return PromptPane(
        link=prompt.link,
        name=prompt.name,
        size=len(prompt.text),
        segments=tuple(tinted),
        folded=len(hidden),
        folded_size=sum(len(prompt.segments[index].text) for index in hidden),
        origins=tuple(numbers.values()),
        carried=bool(carried),
    )


def carried_in(prompt: Prompt, walk: Walk | None) -> dict[int, list[Range]]:
    """Ranges of each segment (by its index) that hold the walked words.

    Where the walk goes through this prompt they are what it read there; else what the prompt holds
    of the stretches that the walked words come from.

    Args:
        prompt: What the model saw, with origins.
        walk: The backtrack; ``None`` marks nothing.
    """
    if walk is None:
        return {}
    return _in_segments(prompt, _read(prompt, walk)) or _by_origin(prompt, walk.contexts)


def _read(prompt: Prompt, walk: Walk) -> list[tuple[int, int]]:
    """What the walk read of a prompt, as ranges of its text, checked by the characters."""
    leaves: dict[tuple[str, str], list[PromptLeaf]] = {}
    for leaf in prompt.leaves:
        leaves.setdefault((leaf.slot, leaf.path), []).append(leaf)
    found: dict[tuple[int, int], None] = {}
    for hop in walk.hops:
        if hop.grade not in ("declared", "value") or not hop.leads_on:
            continue
        for place in (hop.source, hop.target):
            if place.seq != prompt.link:
                continue
            for leaf in leaves.get((place.slot, place.path), ()):
                shift = leaf.start - leaf.low
                start, end = max(place.start + shift, leaf.start), min(place.end + shift, leaf.end)
                first = start - shift - place.start
                if (
                    start < end
                    and prompt.text[start:end] == place.text[first : first + end - start]
                ):
                    found[start, end] = None
    return sorted(found)


def _in_segments(prompt: Prompt, ranges: list[tuple[int, int]]) -> dict[int, list[Range]]:
    """Ranges of the text as ranges of its segments, which are in order and gap-free."""
    starts = [segment.start for segment in prompt.segments]
    found: dict[int, list[Range]] = {}
    for start, end in ranges:
        index = max(bisect_right(starts, start) - 1, 0)
        while index < len(starts) and starts[index] < end:
            segment = prompt.segments[index]
            low, high = max(start, segment.start), min(end, segment.end)
            if low < high:
                mark: Range = (low - segment.start, high - segment.start, "span")
                found.setdefault(index, []).append(mark)
            index += 1
    return found


def _by_origin(prompt: Prompt, contexts: Sequence[ContextUse]) -> dict[int, list[Range]]:
    places: dict[int, list[Place]] = {}
    for use in contexts:
        for place in use.places:  # an output stands at the record that closed its link
            places.setdefault(place.seq, []).append(place)
    found: dict[int, list[Range]] = {}
    for index, segment in enumerate(prompt.segments):
        origin = segment.origin
        if origin is None:
            continue
        ranges = [
            mark
            for place in places.get(origin.seq, ())
            if (mark := _inside(segment, origin, place)) is not None
        ]
        if ranges:
            found[index] = ranges
    return found


def _inside(segment: PromptSegment, origin: Place, place: Place) -> Range | None:
    """Where a stretch of the origin lies in the segment, checked by its characters."""
    if not place.text:
        return None
    at = place.start - origin.start
    if (origin.slot, origin.path) == (place.slot, place.path) and (
        at >= 0 and segment.text[at : at + len(place.text)] == place.text
    ):
        return at, at + len(place.text), "span"
    at = segment.text.find(place.text)
    if at >= 0:
        return at, at + len(place.text), "span"
    inner = place.text.find(segment.text) if segment.text.strip() else -1
    return (0, len(segment.text), "span") if inner >= 0 else None


def _chosen(segments: Sequence[PromptSegment], carried: dict[int, list[Range]]) -> list[int]:
    if len(segments) <= SEGMENTS:
        return list(range(len(segments)))
    kept = sorted(carried)[:SEGMENTS]
    kept += [index for index in range(len(segments)) if index not in carried][
        : SEGMENTS - len(kept)
    ]
    return sorted(kept)


def _origin(segment: PromptSegment, numbers: dict[tuple[str, int | None], Origin]) -> int:
    """The number of a segment's origin; the template's own words are 0 and have no entry."""
    if segment.origin is None and segment.name == "template":
        return 0
    seq = segment.origin.seq if segment.origin else None
    entry = numbers.get((segment.name, seq))
    if entry is None:
        entry = Origin(len(numbers) + 1, segment.name, segment.grade, seq)
        numbers[segment.name, seq] = entry
    return entry.number
