"""Follows characters forwards along a walk, from where they began to where they went."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from explainkit.graph.stretches import REST, Carry, Stretch


class Onward:
    """The moves of a walk, to be followed forwards."""

    def __init__(self, carries: Iterable[Carry]) -> None:
        """Take the moves that carried something; exposure and order carried nothing."""
        table: dict[int, list[Carry]] = defaultdict(list)
        for carry in carries:
            if carry.grade in ("declared", "value"):
                table[carry.source.node].append(carry)
        self._out_of = {node: _OutOf(found) for node, found in table.items()}

    def follow(
        self, leaf: Stretch, stop: Callable[[Stretch], bool]
    ) -> tuple[dict[Stretch, str], dict[int, list[Stretch]]]:
        """Follow a stretch to where it stops.

        Args:
            leaf: The stretch.
            stop: Whether to go on no further from a stretch.

        Returns:
            The stretches at which it stopped, each with the role of the move that led there, and
            all that were met, by their places.
        """
        waiting: dict[int, dict[Stretch, str]] = {leaf.node: {leaf: ""}}
        ends: dict[Stretch, str] = {}
        met: dict[int, list[Stretch]] = {}
        while waiting:
            node = min(waiting)
            out_of, here = self._out_of.get(node), waiting.pop(node)
            met[node] = list(here)
            for stretch, role in here.items():
                if stretch != leaf and stop(stretch):
                    ends[stretch] = role
                    continue
                for carry in () if out_of is None else out_of.over(stretch):
                    moved = _moved(carry, stretch)
                    if moved is not None:
                        waiting.setdefault(moved.node, {}).setdefault(moved, carry.role)
        return ends, met


class _OutOf:
    """The carries out of one place, found by the characters that they take."""

    def __init__(self, carries: list[Carry]) -> None:
        self.all = carries
        self._whole = [carry for carry in carries if carry.source.end == REST]
        by_path: dict[str, list[Carry]] = defaultdict(list)
        for carry in carries:
            if carry.source.end != REST:
                by_path[carry.source.path].append(carry)
        self._by_path = {path: _sorted(found) for path, found in by_path.items()}

    def over(self, stretch: Stretch) -> Iterator[Carry]:
        """Carries that may take a part of the stretch."""
        if stretch.end == REST:
            yield from self.all
            return
        yield from self._whole
        starts, ends, carries = self._by_path.get(stretch.path, ([], [], []))
        at = bisect_left(starts, stretch.end) - 1
        while at >= 0 and ends[at] > stretch.start:
            yield carries[at]
            at -= 1


def _sorted(carries: list[Carry]) -> tuple[list[int], list[int], list[Carry]]:
    """Starts, the furthest end up to each, and the carries, by start."""
    ordered = sorted(carries, key=lambda carry: carry.source.start)
    ends = list(accumulate((carry.source.end for carry in ordered), max))
    return [carry.source.start for carry in ordered], ends, ordered


def _moved(carry: Carry, stretch: Stretch) -> Stretch | None:
    source, target = carry.source, carry.target
    if REST in (source.end, stretch.end):
        return target
    if source.path != stretch.path:
        return None
    low, high = max(source.start, stretch.start), min(source.end, stretch.end)
    if low >= high:
        return None
    if target.end == REST or source.end - source.start != target.end - target.start:
        return target
    shift = target.start - source.start
    return target._replace(start=low + shift, end=high + shift)
