"""Follows selected characters back through the evidence, each place once, latest places first."""

import heapq
import string
import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from explainkit.backtrack.results import Grade
from explainkit.graph.edges import Edge
from explainkit.graph.evidence import Evidence
from explainkit.graph.holding import PASSED
from explainkit.graph.selected_words import SELECTED_PLACES
from explainkit.graph.stretches import REST, Carry, Stretch, merged, without_all

GRADES: Final[tuple[Grade, ...]] = ("declared", "value", "exposure", "order")
_EXPOSURE: Final = GRADES.index("exposure")
MOST_HOPS: Final = 20_000
"""Carries after which a walk stops and says so."""
_EXPOSED_LEAVES: Final = 400
_MARKS: Final = 16
"""Characters between two parts that may all be marks and spaces."""
_AROUND: Final = (
    string.punctuation + string.whitespace + "\u00ab\u00bb\u2018\u2019\u201c\u201d\u2026"
)


@dataclass(slots=True)
class Trail:
    """What following found.

    Attributes:
        carries: Every move, in the order it was found: targets latest first.
        replaced: Words whose place was taken by others that were followed: shown, and not gone on
            from, because the words that came do not come from those that went.
        depth: Distance of each place from the start.
        grade: Index of the weakest grade on the best path to each place.
        leaves: For each place, the stretches of it that came from nowhere earlier.
        held: For each place, all stretches of it that were followed.
        caps: What was cut.
        bounded: For each bound of the search for sources, the places in which it was met.
        drafts: Of drafts that did not stand, the stretches that came from nowhere earlier; what
            said them again stands in ``leaves``.
        refused: For each place that only drafts led to, what became of them.
        again: The stretches of ``leaves`` in which words of drafts were said again.
    """

    carries: list[Carry] = field(default_factory=list)
    replaced: list[Carry] = field(default_factory=list)
    depth: dict[int, int] = field(default_factory=dict)
    grade: dict[int, int] = field(default_factory=dict)
    leaves: dict[int, list[Stretch]] = field(default_factory=dict)
    held: dict[int, list[Stretch]] = field(default_factory=dict)
    caps: list[str] = field(default_factory=list)
    bounded: dict[str, list[int]] = field(default_factory=dict)
    drafts: dict[int, list[Stretch]] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)
    again: set[Stretch] = field(default_factory=set)


def follow(
    evidence: Evidence,
    starts: Iterable[Stretch],
    *,
    grade: str = "value",
    words: str | None = None,
) -> Trail:
    """Follow stretches back to where they came from.

    Args:
        evidence: The run.
        starts: Stretches of leaves.
        grade: Weakest grade admitted: declared, value, exposure or order.
        words: The words that a person selected, when the starts are those words.

    Returns:
        The trail.
    """
    return _Follower(evidence, grade, words).run(list(starts))


class _Follower:
    def __init__(self, evidence: Evidence, grade: str, words: str | None) -> None:
        self._evidence = evidence
        self._weakest = GRADES.index(grade)
        self._words = words
        self._folded = None if words is None else _folded(words)
        self._waiting: dict[int, dict[str, list[tuple[int, int]]]] = {}
        self._whole: dict[int, int] = {}
        """Places that were reached as wholes, with the weakest grade on the best way there."""
        self._parts: dict[int, int] = {}
        """Places of which stretches were reached, with that grade. That characters carried one of
        them says nothing of the rest of its place, which may only have been seen."""
        self._heap: list[int] = []
        self._trail = Trail()

    def run(self, starts: list[Stretch]) -> Trail:
        trail = self._trail
        for start in starts:
            self._reach(start, 0, 0)
        while self._heap:
            node = -heapq.heappop(self._heap)
            found: list[Carry] = []
            for stretch in self._stretches(node):
                found.extend(self._sources(stretch))
            parts = len(found)
            if self._weakest >= _EXPOSURE:
                found.extend(self._exposed(node))
            elif not found and node in self._whole:
                # Of what was reached as a whole only, its leaves say nothing more.
                parts_too = trail.leaves.get(node, []) if node in self._parts else []
                trail.leaves[node] = [*parts_too, Stretch(node, "", 0, REST)]
            if len(trail.carries) + len(trail.replaced) + len(found) > MOST_HOPS:
                left = len(self._heap) + 1
                trail.caps.append(
                    f"the walk stopped after {len(trail.carries):,} hops; "
                    f"{left:,} places were not followed"
                )
                break
            for at, carry in enumerate(found):
                trail.carries.append(carry)
                weakest = max(self._grade_of(node, at < parts), GRADES.index(carry.grade))
                self._reach(carry.source, trail.depth[node] + 1, weakest)
        return trail

    def _grade_of(self, node: int, part: bool) -> int:
        """The grade on the best way to the stretches of a place, or to all of it."""
        if self._weakest < _EXPOSURE:
            return self._trail.grade[node]  # a whole is followed by its leaves, like any stretch
        return self._parts[node] if part else self._whole.get(node, self._trail.grade[node])

    def _reach(self, stretch: Stretch, depth: int, grade: int) -> None:
        node, trail = stretch.node, self._trail
        if node not in trail.depth:
            trail.depth[node], trail.grade[node] = depth, grade
            self._waiting[node] = {}
            heapq.heappush(self._heap, -node)
        trail.depth[node] = min(trail.depth[node], depth)
        trail.grade[node] = min(trail.grade[node], grade)
        reached = self._whole if stretch.end == REST else self._parts
        reached[node] = min(reached.get(node, grade), grade)
        if stretch.end != REST:
            ranges = self._waiting[node].setdefault(stretch.path, [])
            ranges.append((stretch.start, stretch.end))

    def _stretches(self, node: int) -> list[Stretch]:
        waiting = self._waiting.pop(node)
        if node in self._whole and self._weakest < _EXPOSURE:
            leaves = self._evidence.carrying.leaves(node)
            if len(leaves) > _EXPOSED_LEAVES:
                self._trail.caps.append(
                    f"{self._evidence.places.id(node)} has {len(leaves):,} leaves; "
                    f"the first {_EXPOSED_LEAVES} were followed"
                )
            for leaf in leaves[:_EXPOSED_LEAVES]:
                waiting.setdefault(leaf.path, []).append((leaf.start, leaf.end))
        stretches = [
            Stretch(node, path, start, end)
            for path, ranges in waiting.items()
            for start, end in merged([each for each in ranges if each[0] < each[1]])
        ]
        self._trail.held[node] = stretches
        return stretches

    def _sources(self, stretch: Stretch) -> list[Carry]:
        carrying = self._evidence.carrying
        words = None
        if self._folded is not None and stretch.end - stretch.start <= 2 * len(self._folded) + 16:
            words = self._words if _folded(carrying.text(stretch)) == self._folded else None
        known = carrying.sources(stretch, wanted=words)
        if words is not None and len(known) >= SELECTED_PLACES:
            self._trail.caps.append(
                f"the words stand in {len(known):,} places or more of what "
                f"{self._evidence.places.id(stretch.node)} had before it; these were followed"
            )
        known = [carry for carry in known if GRADES.index(carry.grade) <= self._weakest]
        carries = [carry for carry in known if not carry.replaced]
        ends = [_ends(carry.target) for carry in carries]
        left = without_all([(stretch.start, stretch.end)], ends)
        if carries:  # the comma between two parts began nowhere
            left = [each for each in left if self._says(stretch, *each)]
        if left:
            found = [stretch._replace(start=start, end=end) for start, end in left]
            self._trail.leaves.setdefault(stretch.node, []).extend(found)
        for bound in sorted(carrying.bounds(stretch, wanted=words)):
            if bound != PASSED or left:
                self._trail.bounded.setdefault(bound, []).append(stretch.node)
        replaced = [
            carry
            for carry in known
            # Words that came from elsewhere did not take the place of a whole of another shape.
            if carry.replaced and (left or carry.source.end != REST)
        ]
        if self._weakest < _EXPOSURE:
            self._trail.replaced += replaced
            return carries
        # What was replaced could have mattered, which is all that can be said of it.
        return carries + [carry._replace(grade=GRADES[_EXPOSURE]) for carry in replaced]

    def _says(self, stretch: Stretch, start: int, end: int) -> bool:
        if end - start > _MARKS:
            return True
        text = self._evidence.carrying.text(stretch._replace(start=start, end=end))
        return any(unicodedata.category(each)[0] not in "PZC" for each in text)

    def _exposed(self, node: int) -> list[Carry]:
        """Whole slots that could have mattered: what a link received, and where that came from."""
        table = self._evidence.edges if node in self._whole else self._evidence.base
        found = []
        for edge in table.edges_into(node):
            if edge.grade == "exposure" or (node in self._whole and edge.strong):
                source, target = Stretch(edge.source, "", 0, REST), Stretch(node, "", 0, REST)
                replaced = edge.role == "overrides" and self._is_replaced(edge)
                grade = GRADES[_EXPOSURE] if replaced else edge.grade
                found.append(Carry(source, target, edge.role, grade, replaced=replaced))
        if self._weakest > _EXPOSURE:
            found.extend(self._before(node))
        return list(dict.fromkeys(found))

    def _is_replaced(self, edge: Edge) -> bool:
        return self._evidence.carrying.declared.is_replaced(edge)

    def _before(self, node: int) -> list[Carry]:
        """The value recorded just before: order alone, which supports no claim."""
        places = self._evidence.places
        for earlier in range(node - 1, -1, -1):
            if places.digest[earlier] >= 0:
                source, target = Stretch(earlier, "", 0, REST), Stretch(node, "", 0, REST)
                return [Carry(source, target, "next", "order")]
        return []


def _ends(target: Stretch) -> tuple[int, int]:
    return (0, sys.maxsize) if target.end == REST else (target.start, target.end)


def _folded(words: str) -> str:
    """Words as they are compared: a search leaves out the marks around them as well."""
    return " ".join(words.casefold().split()).strip(_AROUND)
