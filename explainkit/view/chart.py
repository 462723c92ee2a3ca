"""What is drawn: records as boxes and evidence as arrows, before anything is folded or placed."""

from dataclasses import dataclass, replace
from functools import cached_property

from explainkit.backtrack.results import Grade

KIND_WORDS: dict[str, str] = {
    "question": "question",
    "context": "context",
    "link": "step",
    "model": "model",
    "event": "event",
    "answer": "answer",
    "override": "override",
    "verdict": "verdict",
    "decision": "decision",
    "finding": "finding",
    "note": "note",
    "lost": "not recorded",
    "other": "record",
    "fold": "folded",
}
"""Each kind of box has a shape and this word, so that colour carries nothing alone."""


@dataclass(frozen=True, slots=True)
class ChartNode:
    """A box.

    Attributes:
        seq: The record; of a fold, its first one.
        kind: A key of ``KIND_WORDS``.
        word: The kind in words, such as ``context · memory``.
        label: What a person calls it.
        parent: The link that it lies in.
        spine: True for a link or an event: the run's course leads through it.
        lit: True on the walked path.
        origin: True where the walked words start.
        absent: True for a context that was left out.
        members: Records folded into it, in order; empty for a single record.
    """

    seq: int
    kind: str
    word: str
    label: str
    parent: int | None = None
    spine: bool = False
    lit: bool = False
    origin: bool = False
    absent: bool = False
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartEdge:
    """An arrow from a box to the one that it feeds; both are indices into the nodes.

    Attributes:
        source: The earlier box.
        target: The later box.
        role: reads, produced, overrides, judges, carries, then, or the verb of a hop.
        grade: How it is known.
        lit: True on the walked path.
        count: Edges that it stands for.
    """

    source: int
    target: int
    role: str
    grade: Grade
    lit: bool = False
    count: int = 1


@dataclass(frozen=True)
class Chart:
    """A picture of a run: nodes in order of their first record, arrows between them.

    Attributes:
        nodes: Boxes.
        edges: Arrows that are drawn.
        hints: Arrows that only place boxes: an unread context stands beside what came next.
        notes: What is folded or not drawn, in words.
    """

    nodes: tuple[ChartNode, ...]
    edges: tuple[ChartEdge, ...]
    hints: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def any_lit(self) -> bool:
        """Whether a path is lit, so that the rest is dimmed."""
        return any(node.lit for node in self.nodes)

    @cached_property
    def by_seq(self) -> dict[int, int]:
        """Index of the box that shows a record."""
        found: dict[int, int] = {}
        for index, node in enumerate(self.nodes):
            for seq in node.members or (node.seq,):
                found[seq] = index
        return found


def walked_part(chart: Chart) -> Chart:
    """The lit boxes, what judges them, and the arrows between them; all of it when none is lit."""
    if not chart.any_lit:
        return chart
    kept = {index for index, node in enumerate(chart.nodes) if node.lit}
    kept |= {e.target for e in chart.edges if e.role == "judges" and e.source in kept}
    index = {old: new for new, old in enumerate(sorted(kept))}
    edges = [
        replace(edge, source=index[edge.source], target=index[edge.target])
        for edge in chart.edges
        if edge.source in kept and edge.target in kept
    ]
    return Chart(tuple(chart.nodes[old] for old in sorted(kept)), tuple(edges), (), chart.notes)


@dataclass(frozen=True, slots=True)
class RawEdge:
    """An arrow between records by ``seq``."""

    source: int
    target: int
    role: str
    grade: Grade
    lit: bool = False
    count: int = 1


def merged(edges: list[RawEdge]) -> list[RawEdge]:
    """One arrow for each pair of records: the lit one, else the strongest; others are counted."""
    rank = ("declared", "value", "exposure", "order")
    best: dict[tuple[int, int], RawEdge] = {}
    for edge in edges:
        pair = edge.source, edge.target
        held = best.get(pair)
        if held is None:
            best[pair] = edge
            continue
        better = (not edge.lit, rank.index(edge.grade)) < (not held.lit, rank.index(held.grade))
        best[pair] = replace(edge if better else held, count=held.count + edge.count)
    return list(best.values())
