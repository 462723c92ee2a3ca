"""What of an answer is supported by text upstream of the model, and what only the model said."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from explainkit.backtrack.following import GRADES, Trail
from explainkit.backtrack.makers import own_words
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Place
from explainkit.graph.stretches import REST, Carry, Stretch, merged
from explainkit.text.sentence_bounds import sentences
from explainkit.text.tokens import tokenize

_VALUE: Final = GRADES.index("value")
_CHECKED: Final = 200
Ranges = list[tuple[int, int]]


@dataclass(slots=True)
class Support:
    """Ranges of the answer's leaf by where they come from, and the moves to look further.

    Attributes:
        supported: The ranges.
        leaves: The sources, each with the ranges that it became.
        caps: What of the coverage was cut, filled in while it is worked out.
    """

    supported: Ranges
    leaves: list[tuple[Stretch, Ranges]]
    caps: list[str] = field(default_factory=list)


def support_of(names: Names, trail: Trail, start: int, path: str) -> Support:
    """Map every source of a walk forwards to the characters of the answer that it supports."""
    forwards = _forwards(trail.carries)
    leaves: list[tuple[Stretch, Ranges]] = []
    for node in sorted(trail.leaves):
        if own_words(names, node):
            continue
        for leaf in trail.leaves[node]:
            reached = _reached(forwards, leaf, start, path)
            if reached:
                leaves.append((leaf, reached))
    supported = merged([each for _, ranges in leaves for each in ranges])
    return Support(supported, leaves)


class _Onward:
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


def _forwards(carries: Iterable[Carry]) -> dict[int, _Onward]:
    table: dict[int, list[Carry]] = defaultdict(list)
    for carry in carries:
        if carry.grade in ("declared", "value"):
            table[carry.source.node].append(carry)
    return {node: _Onward(found) for node, found in table.items()}


def _reached(forwards: dict[int, _Onward], leaf: Stretch, start: int, path: str) -> Ranges:
    """The ranges of the answer's leaf that a stretch became."""
    waiting: dict[int, dict[Stretch, None]] = {leaf.node: {leaf: None}}
    done: Ranges = []
    while waiting:
        node = min(waiting)
        stretches = waiting.pop(node)
        if node == start:
            done.extend((each.start, each.end) for each in stretches if each.path == path)
            continue
        onward = forwards.get(node)
        if onward is None:
            continue
        for stretch in stretches:
            for carry in onward.over(stretch):
                moved = _moved(carry, stretch)
                if moved is not None:
                    waiting.setdefault(moved.node, {})[moved] = None
    return merged(done)


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


def is_inside(at: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether a code point lies in ranges.

    Args:
        at: The code point.
        ranges: The ranges, ascending and apart.
    """
    place = bisect_left(ranges, (at + 1,)) - 1
    return place >= 0 and ranges[place][0] <= at < ranges[place][1]


def unsupported_of(names: Names, trail: Trail) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    """Stretches in no text upstream of where they were said, and what was not checked.

    Returns:
        Places at the model output or override that introduced them, and caps.
    """
    found: list[Place] = []
    checked = 0
    for node in sorted(trail.leaves):
        if not own_words(names, node) or trail.grade[node] > _VALUE:
            continue
        for leaf in trail.leaves[node]:
            if leaf.end == REST:
                continue
            for stretch in _by_sentence(names, leaf):
                if checked >= _CHECKED:
                    return tuple(found), (f"only {_CHECKED} unsupported stretches were looked at",)
                checked += 1
                if not stands_upstream(names, stretch):
                    found.append(names.place(stretch))
    return tuple(found), ()


def _by_sentence(names: Names, leaf: Stretch) -> Iterator[Stretch]:
    text = names.evidence.carrying.text(leaf)
    for start, end in sentences(text):
        if len(tokenize(text[start:end])):
            yield leaf._replace(start=leaf.start + start, end=leaf.start + end)


def stands_upstream(names: Names, stretch: Stretch) -> bool:
    """Whether what may have given a model its words holds all of a stretch, as it stands."""
    evidence = names.evidence
    words = evidence.carrying.text(stretch)
    for atom, low, high in evidence.matches.find(words):
        given = evidence.givers.nearest(stretch.node, atom, low, high)
        if given is not None and not own_words(names, given.node):
            return True
    return False
