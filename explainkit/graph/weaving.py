"""Adds the edges of equal characters to a run's graph, each new stretch of text looked at once.

A value that extends an earlier one gets one edge for what it took over and edges of its own only
for what it added, so the number of edges grows with new text and never with repeated history.
"""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from explainkit.graph.contents import TEXT, Piece
from explainkit.graph.edges import GRADES, ROLES, Edge, EdgeColumns, EdgeTable
from explainkit.graph.edges import Evidence as Shown
from explainkit.graph.places import INPUT, OUTPUT, OVERRIDE
from explainkit.graph.stretches import REST, Carry, Stretch, joined

if TYPE_CHECKING:
    from explainkit.graph.evidence import Evidence

_CARRIES = ROLES.index("carries")
_VALUE = GRADES.index("value")
_DEPTH = 12
Window = tuple[int, int]
_ALL: Final[Window] = (0, sys.maxsize)


def woven(run: "Evidence") -> EdgeTable:
    """All data edges of a run: those read from its records and those of equal characters."""
    columns = EdgeColumns()
    base = run.base
    weaver = _Weaver(run)
    for node in range(len(run.places)):
        known = list(base.edges_into(node))
        carries = weaver.into(node, known)
        aligned = any(carry.role == "overrides" for carry in carries)
        for edge in known:
            if aligned and edge.role == "overrides":
                continue  # known stretch by stretch
            columns.add(
                edge.source,
                edge.target,
                ROLES.index(edge.role),
                GRADES.index(edge.grade),
                strong=edge.strong,
                evidence=edge.evidence,
            )
        for carry in carries:
            a, b = carry.source, carry.target
            columns.add(
                a.node,
                b.node,
                ROLES.index(carry.role),
                GRADES.index(carry.grade),
                strong=carry.strong,
                evidence=Shown(a.path, a.start, a.end, b.path, b.start, b.end),
            )
    return EdgeTable(columns, len(run.places))


class _Weaver:
    def __init__(self, run: "Evidence") -> None:
        self._run = run
        self._contents = run.contents

    def into(self, node: int, known: list[Edge]) -> list[Carry]:
        """Edges of equal characters into a place, for what its value says for the first time.

        Args:
            node: The place.
            known: The edges that end there by what the records say.
        """
        run = self._run
        value = run.givers.value(node)
        if value < 0 or self._explained(node, known):
            return []
        if run.places.kind[node] == OVERRIDE:
            leaves = run.carrying.leaves(node)
            return [carry for leaf in leaves for carry in run.carrying.sources(leaf)]
        taken = [
            (edge.evidence.target_path, edge.evidence.target_start, edge.evidence.target_end)
            for edge in known
            if edge.grade == "declared"
        ]
        if taken and self._is_assembled(node):
            return []
        found = list(self._of_value(node, value, "", 0, 0))
        return joined([each for each in found if not _is_taken(each.target, taken)])

    def _explained(self, node: int, known: list[Edge]) -> bool:
        """An equal value, or a whole declared origin, already says where all of it came from."""
        kinds = self._run.places.kind
        for edge in known:
            whole = edge.evidence.target_end == REST and not edge.evidence.target_path
            if edge.grade == "declared" and whole and edge.role != "overrides":
                return True
            received = kinds[edge.source] == INPUT and kinds[node] == INPUT
            if edge.role == "carries" and edge.grade == "value" and not received:
                return True
        return False

    def _is_assembled(self, node: int) -> bool:
        run = self._run
        row = run.links.row(run.places.inside[node]) if run.places.kind[node] == OUTPUT else None
        return row is not None and run.links.type_of(row) == "assemble"

    def _of_value(
        self, node: int, value: int, path: str, shift: int, depth: int, *, window: Window = _ALL
    ) -> Iterable[Carry]:
        """Edges for the units of a value in a window, ``shift`` units further on in the leaf."""
        contents = self._contents
        chain = contents.chains[contents.chain[value]]
        rank = contents.rank[value]
        keep = chain.keeps[rank]
        if keep:
            stem = contents.stem_of(value) if rank == 0 else None
            before = chain.members[rank - 1] if rank else -1 if stem is None else stem.ref
            inside = window[0], min(keep, window[1])  # the one before may go on past what was kept
            if before >= 0 and inside[0] < inside[1]:
                yield from self._taken_over(node, before, inside, path, shift, depth)
        for whole in contents.pieces[value]:
            piece = _cut(whole, window) if contents.shape[value] == TEXT else whole
            if piece is None:
                continue
            if piece.atom:
                at = piece.start + shift, piece.end + shift
                yield from self._of_atom(Stretch(node, path + piece.path, *at), piece)
            elif depth < _DEPTH:
                yield from self._of_child(node, piece, path, shift, depth)

    def _of_atom(self, target: Stretch, piece: Piece) -> Iterable[Carry]:
        return self._run.carrying.of_atom(target, piece.ref, piece.low, loose=True)

    def _taken_over(
        self, node: int, before: int, window: Window, path: str, shift: int, depth: int
    ) -> Iterable[Carry]:
        source = self._direct(node, before)
        if source is not None:
            target = Stretch(node, path, shift + window[0], shift + window[1])
            yield Carry(Stretch(source, "", *window), target, "carries", "value")
        elif depth < _DEPTH:
            yield from self._of_value(node, before, path, shift, depth + 1, window=window)

    def _of_child(
        self, node: int, piece: Piece, path: str, shift: int, depth: int
    ) -> Iterable[Carry]:
        source = self._direct(node, piece.ref)
        at = path + piece.path
        if piece.start < 0:
            if source is None:
                yield from self._of_value(node, piece.ref, at, 0, depth + 1)
                return
            for leaf, length in self._run.holding.leaves_of(piece.ref):
                target = Stretch(node, at + leaf, 0, length)
                yield Carry(Stretch(source, leaf, 0, length), target, "carries", "value")
            return
        window = piece.low, piece.low + piece.end - piece.start
        if source is None:
            inside = piece.start + shift - piece.low
            yield from self._of_value(node, piece.ref, at, inside, depth + 1, window=window)
            return
        target = Stretch(node, at, piece.start + shift, piece.end + shift)
        yield Carry(Stretch(source, "", *window), target, "carries", "value")

    def _direct(self, node: int, value: int) -> int | None:
        """The nearest earlier place whose value is this one, or extends it without a cut."""
        return self._run.givers.direct(node, value)


def _cut(piece: Piece, window: Window) -> Piece | None:
    """What of a piece of a text lies in a window of that text."""
    start, end = max(piece.start, window[0]), min(piece.end, window[1])
    if start >= end:
        return None
    return piece._replace(start=start, end=end, low=piece.low + start - piece.start)


def _is_taken(target: Stretch, taken: list[tuple[str, int, int]]) -> bool:
    return any(
        f"{target.path}/".startswith(f"{path}/")
        if end == REST
        else path == target.path and start < target.end and end > target.start
        for path, start, end in taken
    )
