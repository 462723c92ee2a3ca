"""What of an answer is supported by text upstream of the model, and what only the model said."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from explainkit.backtrack.following import GRADES, Trail
from explainkit.backtrack.makers import own_words
from explainkit.backtrack.naming import Names
from explainkit.backtrack.onwards import Onward
from explainkit.backtrack.results import Place
from explainkit.graph.stretches import REST, Stretch, merged
from explainkit.text.sentence_bounds import sentences
from explainkit.text.tokens import tokenize

_LEADING: Final = " ,;:.!?)]}-*#>|/"
"""Marks that a stretch is not said to begin with."""
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


def supports_of(names: Names, trail: Trail, start: int) -> dict[str, Support]:
    """Map every source of a walk forwards to the characters of the answer that it supports.

    Args:
        names: The run.
        trail: The walk.
        start: Place of the answer.

    Returns:
        What supports each leaf of the answer, by its path; none where nothing does.
    """
    onward = Onward(trail.carries)
    leaves: dict[str, list[tuple[Stretch, Ranges]]] = {}
    for node in sorted(trail.leaves):
        for leaf in () if own_words(names, node) else trail.leaves[node]:
            ends, _ = onward.follow(leaf, lambda stretch: stretch.node == start)
            reached: dict[str, Ranges] = {}
            for each in ends:
                reached.setdefault(each.path, []).append((each.start, each.end))
            for path, ranges in reached.items():
                leaves.setdefault(path, []).append((leaf, merged(ranges)))
    return {
        path: Support(merged([each for _, ranges in found for each in ranges]), found)
        for path, found in leaves.items()
    }


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
                if leaf in trail.again or not stands_upstream(names, stretch):
                    found.append(names.place(stretch))
    return tuple(found), ()


def _by_sentence(names: Names, leaf: Stretch) -> Iterator[Stretch]:
    text = names.evidence.carrying.text(leaf)
    for first, end in sentences(text):
        start = first + len(text[first:end]) - len(text[first:end].lstrip(_LEADING))
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
