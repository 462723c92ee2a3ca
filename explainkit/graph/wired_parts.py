"""Follows segments forward, so that what was put into a prompt counts as read however short."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from explainkit.graph.edges import WHOLE, Edge
from explainkit.graph.stretches import REST, Stretch, merged

if TYPE_CHECKING:
    from explainkit.graph.evidence import Evidence

Ranges = list[tuple[int, int]]


def wired_into(evidence: "Evidence", stretch: Stretch, aims: frozenset[int]) -> Ranges:
    """The ranges of a leaf's stretch that segments and equal values lead into some places.

    What was only made from it does not count: its characters need not stand there.

    Args:
        evidence: The run.
        stretch: A stretch of a leaf.
        aims: The places.
    """
    found: Ranges = []
    seen = {(stretch, stretch.start, stretch.end)}
    waiting = list(seen)
    while waiting:
        here, low, high = waiting.pop()
        for edge in evidence.base.edges_from(here.node):
            for there, start, end in _moved(evidence, edge, here, low, high):
                step = there, start, end
                if edge.target in aims:
                    found.append((start, end))
                elif step not in seen:
                    seen.add(step)
                    waiting.append(step)
        if (stretch.start, stretch.end) in found:
            break
    return merged(found)


def _moved(
    evidence: "Evidence", edge: Edge, here: Stretch, low: int, high: int
) -> Iterator[tuple[Stretch, int, int]]:
    """Where a stretch goes along an edge, with the range at the beginning that goes there."""
    shown, digests = edge.evidence, evidence.places.digest
    if shown == WHOLE:
        if digests[edge.source] == digests[edge.target] and edge.grade in ("declared", "value"):
            yield here._replace(node=edge.target), low, high
        return
    if edge.grade != "declared" or edge.role == "overrides":
        return
    if shown.target_end == REST:
        below = here.path[len(shown.source_path) :]
        if shown.target_path and f"{here.path}/".startswith(f"{shown.source_path}/"):
            yield here._replace(node=edge.target, path=shown.target_path + below), low, high
        return
    last = here.end if shown.source_end == REST else shown.source_end
    start, end = max(here.start, shown.source_start), min(here.end, last)
    if here.path != shown.source_path or start >= end:
        return
    there = Stretch(edge.target, shown.target_path, shown.target_start, shown.target_end)
    if last - shown.source_start == there.end - there.start:
        shift = there.start - shown.source_start
        there = there._replace(start=start + shift, end=end + shift)
    if high - low == here.end - here.start:  # else it was reformatted on the way
        low, high = low + start - here.start, low + end - here.start
    # What a format cut off is not there; what it wrote in another way is.
    yield there, low, min(high, low + there.end - there.start)
