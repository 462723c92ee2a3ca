"""What every question about a run needs, gathered once and kept: boxes, neighbours, judgements."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from explainkit.view.carried import edges_of
from explainkit.view.chart import ChartNode, RawEdge, merged
from explainkit.view.collecting import Collected, collect, joined_by

if TYPE_CHECKING:
    from explainkit.graph import Evidence
    from explainkit.store import Recording

DEEPEST: Final = 60
"""Levels that an outline indents; what lies deeper stands on the last one."""
RUN: Final = "answer"
"""The slot of the run's own answer."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of an answer.

    Attributes:
        slot: Its slot.
        number: From 1.
        seq: The record that holds it.
        value: Digest of it; None when it was cleared.
        by: Who changed it; None for the first one.
    """

    slot: str
    number: int
    seq: int
    value: str | None
    by: str | None = None


class Arrows:
    """Arrows between records, one for each pair.

    Attributes:
        all: In order.
        into: Those that lead to a record.
        out: Those that lead from a record.
    """

    def __init__(self, found: Collected) -> None:
        """Take the arrows of some boxes."""
        self.all = sorted(merged(found.edges), key=lambda edge: (edge.source, edge.target))
        self.into: dict[int, list[RawEdge]] = {}
        self.out: dict[int, list[RawEdge]] = {}
        for edge in self.all:
            self.into.setdefault(edge.target, []).append(edge)
            self.out.setdefault(edge.source, []).append(edge)


class Material:
    """A run as the explorer knows it.

    Attributes:
        evidence: The index of the run.
        recording: Its records.
    """

    def __init__(self, evidence: "Evidence") -> None:
        """Hold a run; nothing is read before it is asked for."""
        self.evidence = evidence
        self.recording: Recording = evidence.recording

    @cached_property
    def boxes(self) -> Collected:
        """Every record that could be drawn, and the arrows that records state by themselves.

        No path is lit, and no characters are compared for it.
        """
        return collect(self.recording, None, ())

    @cached_property
    def drawn(self) -> Collected:
        """The same with all arrows of evidence; characters are compared if they were not yet."""
        return joined_by(self.boxes, edges_of(self.evidence))

    @cached_property
    def order(self) -> list[int]:
        """The records that can be drawn, in order."""
        return sorted(self.boxes.nodes)

    @cached_property
    def arrows(self) -> "Arrows":
        """The arrows of evidence."""
        return Arrows(self.drawn)

    @cached_property
    def _stated(self) -> "Arrows":
        return Arrows(joined_by(self.boxes, edges_of(self.evidence, compared=False)))

    @property
    def compared(self) -> bool:
        """Whether the characters of the run were compared already."""
        return "drawn" in self.__dict__

    @property
    def known(self) -> "Arrows":
        """The arrows that are known without comparing characters, unless that was done."""
        return self.arrows if self.compared else self._stated

    @cached_property
    def grades(self) -> dict[int, tuple[str, ...]]:
        """Grades of the evidence to and from a record."""
        found: dict[int, dict[str, None]] = defaultdict(dict)
        for edge in self.arrows.all:
            found[edge.source][edge.grade] = None
            found[edge.target][edge.grade] = None
        return {seq: tuple(sorted(grades)) for seq, grades in found.items()}

    @cached_property
    def depth(self) -> dict[int, int]:
        """How many links a record lies in."""
        found: dict[int, int] = {}
        for seq in self.order:
            parent = self.boxes.nodes[seq].parent
            above = found.get(parent, -1) if parent is not None else -1
            found[seq] = min(above + 1, DEEPEST)
        return found

    @cached_property
    def versions(self) -> dict[tuple[str, int], Version]:
        """Every version of every answer."""
        found: dict[tuple[str, int], Version] = {}
        for row in self.recording.rows("answer", "override"):
            version = _version(row)
            if version is not None:
                found.setdefault((version.slot, version.number), version)
        return found

    @cached_property
    def judged(self) -> dict[int, tuple[str, ...]]:
        """Statuses of the verdicts on a record, and of a verdict itself."""
        found: dict[int, dict[str, None]] = defaultdict(dict)
        judges = {edge.target: edge.source for edge in self.boxes.edges if edge.role == "judges"}
        for row in self.recording.rows("verdict"):
            status = str(row.get("status"))
            found[row["seq"]][status] = None
            if row["seq"] in judges:
                found[judges[row["seq"]]][status] = None
        return {seq: tuple(statuses) for seq, statuses in found.items()}

    @cached_property
    def kinds(self) -> Counter[str]:
        """How many boxes there are of each kind."""
        return Counter(node.kind for node in self.boxes.nodes.values())

    def node(self, seq: int) -> ChartNode | None:
        """The box of a record, if it has one."""
        at = self.boxes.at(seq)
        return None if at is None else self.boxes.nodes[at]

    def closing(self, link: int) -> int | None:
        """The record in which a link ended."""
        links = self.evidence.links
        row = links.row(link)
        return None if row is None or links.closed[row] < 0 else int(links.closed[row])

    def nearest(self, seq: int) -> int | None:
        """The record with a box that stands nearest to a record; the earlier of two."""
        at = self.boxes.at(seq)
        if at is not None or not self.order:
            return at
        place = bisect_left(self.order, seq)
        around = self.order[max(0, place - 1) : place + 1]
        return min(around, key=lambda each: (abs(each - seq), each))

    def within(self, first: int, last: int) -> Iterator[int]:
        """The records with boxes from one to another."""
        low, high = bisect_left(self.order, first), bisect_right(self.order, last)
        return iter(self.order[low:high])


def _version(row: dict[str, Any]) -> Version | None:
    slot, value = str(row.get("slot") or RUN), row.get("value")
    value = value if isinstance(value, str) else None
    if row["kind"] == "answer":
        return Version(slot, 1, row["seq"], value)
    before = row.get("from_version")
    if not isinstance(before, int) or row.get("outcome", "applied") not in {"applied", "cleared"}:
        return None
    return Version(slot, before + 1, row["seq"], value, str(row.get("by") or "?"))
