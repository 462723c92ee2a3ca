"""What of an answer is supported by text upstream of the model, and what only the model said."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final

import numpy as np

from explainkit.backtrack.bounding import NOT_FURTHER
from explainkit.backtrack.facts import FACTS, bare, facts_in, holds_words, introducers_of
from explainkit.backtrack.following import GRADES, Trail
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Place, SentenceCoverage
from explainkit.graph.stretches import REST, Carry, Stretch, merged
from explainkit.text.numbers import find_quantities
from explainkit.text.overlap import coverage as text_coverage
from explainkit.text.sentence_bounds import sentences
from explainkit.text.tokens import tokenize

MOST: Final = 0.6
"""Share of a sentence's words that must be carried for it to count as supported."""
_VALUE: Final = GRADES.index("value")
_PLACES: Final = 12
_LONGEST_LISTED: Final = f"of the sources of a sentence {_PLACES} at most are listed"
_HEAD: Final = 64
_CHECKED: Final = 200
_COMPARED: Final = 200_000
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


def own_words(names: Names, node: int) -> bool:
    """Whether text that begins at a place was made by a model or by an override."""
    kind = names.evidence.places.kind_of(node)
    if kind == "output":
        link = names.evidence.link_of(node)
        return link is not None and names.evidence.links.type_of(link) == "model"
    return kind in ("override", "answer") and node not in names.evidence.nearest.receipts


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


def coverage_of(
    names: Names, text: str, support: Support, within: Ranges | None
) -> tuple[SentenceCoverage, ...]:
    """What supports each sentence of the answer, or of the selected stretches.

    Args:
        names: The run.
        text: The answer.
        support: From ``support_of``.
        within: The stretches, ascending and apart; ``None`` for the whole answer.
    """
    selected = within or [(0, len(text))]
    where = _clipped(sentences(text), selected)
    disagree = _disagreements(names, text, support, (selected[0][0], selected[-1][1]))
    shares = _shares(text, where, support.supported)
    leaves = _leaves_of(where, support)
    if any(len(found) > _PLACES for found in leaves):
        support.caps.append(_LONGEST_LISTED)
    return tuple(
        SentenceCoverage(
            start=start,
            end=end,
            text=text[start:end],
            state="supported" if share >= MOST else "partly" if share else "nothing",
            places=_places(names, found),
            disagree=tuple(word for at, word in disagree if start <= at < end),
        )
        for (start, end), share, found in zip(where, shares, leaves, strict=True)
    )


def _clipped(whole: Iterable[tuple[int, int]], selected: Ranges) -> Ranges:
    """The parts of sentences that lie in selected stretches; both ascend."""
    firsts = [start for start, _ in selected]
    found: Ranges = []
    for first, last in whole:
        at = max(bisect_right(firsts, first) - 1, 0)
        while at < len(selected) and selected[at][0] < last:
            low, high = max(first, selected[at][0]), min(last, selected[at][1])
            if low < high:
                found.append((low, high))
            at += 1
    return found


def _shares(text: str, where: Ranges, supported: Ranges) -> list[float]:
    """Share of the words of each sentence that lie in supported ranges."""
    tokens = tokenize(text)
    bounds = np.array(supported, np.int64).reshape(-1, 2)
    inside = np.zeros(len(tokens) + 1, np.int64)
    if len(bounds) and len(tokens):
        at = np.searchsorted(bounds[:, 0], tokens.starts, side="right") - 1
        inside[1:] = np.cumsum((at >= 0) & (tokens.ends <= bounds[np.maximum(at, 0), 1]))
    firsts = np.searchsorted(tokens.starts, [start for start, _ in where]).tolist()
    lasts = np.searchsorted(tokens.starts, [end for _, end in where]).tolist()
    return [
        (int(inside[last]) - int(inside[first])) / max(last - first, 1)
        for first, last in zip(firsts, lasts, strict=True)
    ]


def _leaves_of(where: Ranges, support: Support) -> list[list[Stretch]]:
    """The sources that reach into each sentence."""
    found: list[list[Stretch]] = [[] for _ in where]
    starts = [start for start, _ in where]
    for leaf, ranges in support.leaves:
        for low, high in ranges:
            at = max(bisect_right(starts, low) - 1, 0)
            while at < len(where) and where[at][0] < high:
                if where[at][1] > low and (not found[at] or found[at][-1] != leaf):
                    found[at].append(leaf)
                at += 1
    return found


def _places(names: Names, leaves: list[Stretch]) -> tuple[Place, ...]:
    longest = sorted(leaves, key=lambda each: (each.start - each.end, each))[: 4 * _PLACES]
    return tuple(sorted((names.place(leaf) for leaf in longest), key=_longest)[:_PLACES])


def _longest(place: Place) -> tuple[int, int, int]:
    return -len(place.text), place.seq, place.start


def _disagreements(
    names: Names, text: str, support: Support, within: tuple[int, int]
) -> list[tuple[int, str]]:
    """Numbers of the answer that its own sources put otherwise, with where they stand."""
    low, high = within
    quantities = [
        each
        for each in find_quantities(text[low:high])
        if not _inside(each.start + low, support.supported)
    ]
    if not quantities or not support.leaves:
        return []
    sources: dict[str, None] = {}
    size = len(text)
    for leaf, _ in support.leaves:
        if leaf.end == REST:
            continue
        value = names.evidence.givers.value(leaf.node)
        length = names.evidence.holding.leaf(value, leaf.path) or 0
        size += length
        if size > _COMPARED:
            support.caps.append(
                f"{NOT_FURTHER}numbers that disagree, beyond {_COMPARED:,} characters of the "
                "answer and its sources"
            )
            break
        sources.setdefault(names.evidence.holding.text(value, leaf.path, 0, length))
    if not sources:
        return []
    return sorted(
        (other.said.start, f"{other.said.text}, but upstream {other.read.text}")
        for each in text_coverage(text, list(sources))
        for other in each.disagreements
    )


def _inside(at: int, ranges: Ranges) -> bool:
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


def with_facts(
    names: Names, rows: Iterable[SentenceCoverage], before: int
) -> tuple[list[SentenceCoverage], tuple[str, ...]]:
    """Rows in which a sentence that shares no run of words may still share a number or a time.

    Beside them a line for what was not looked up.

    Args:
        names: The run.
        rows: Rows of one answer.
        before: Place of the answer.
    """
    found: list[SentenceCoverage] = []
    left, passed, cut, many = FACTS, 0, False, False
    for row in map(_truly, rows):
        facts: list[str] = []
        if row.state == "nothing" and left:
            every = facts_in(row.text, named=False)
            facts, cut = every[:left], len(every) > left
        elif row.state == "nothing":
            passed += 1
        left -= len(facts)
        places = [
            place
            for word in facts
            for place in introducers_of(names, word, before=before)
            if not _is_own(names, place)
        ]
        held = tuple(dict.fromkeys(places))
        many = many or len(held) > _PLACES
        found.append(replace(row, state="partly", places=held[:_PLACES]) if held else row)
    lines = (_LONGEST_LISTED,) if many else ()
    if not passed and not cut:
        return found, lines
    line = f"{NOT_FURTHER}numbers and dates of sentences that nothing supports, beyond the first"
    more = f"; {passed:,} such sentences were left" if passed else ""
    return found, (*lines, f"{line} {FACTS}{more}")


def _truly(row: SentenceCoverage) -> SentenceCoverage:
    """A number that was found without the unit beside it supports the number and no more."""
    if row.state != "supported" or not row.places:
        return row
    texts, said = [place.text for place in row.places], bare(row.text)
    if len(row.places) >= _PLACES or not all(_is_in(text, said) for text in texts):
        return row
    size = sum(len(tokenize(text)) for text in texts)
    if size >= MOST * len(tokenize(row.text)) or any(holds_words(t, row.text) for t in texts):
        return row
    return replace(row, state="partly")


def _is_in(text: str, said: str) -> bool:
    """Whether the letters and digits of a text stand in others; of a long one its head may tell."""
    head = text[: 2 * len(said) + _HEAD]
    return bare(head) in said and (len(head) == len(text) or bare(text) in said)


def _is_own(names: Names, place: Place) -> bool:
    node = names.evidence.places.find(place.seq, place.slot)
    return node is None or own_words(names, node)


def moved(row: SentenceCoverage, shift: int) -> SentenceCoverage:
    """A row with its offsets in the shown answer instead of in a leaf of it."""
    return row if not shift else replace(row, start=row.start + shift, end=row.end + shift)
