"""Edges as columns of numbers, because a slice over a million of them must cost milliseconds.

Every edge points from the earlier place to the later one, in the direction that data flows, and
the numbers of the places rise in that direction. So the table is a directed acyclic graph by
construction, and a backward walk only ever goes to smaller numbers.
"""

from array import array
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

ROLES: Final = ("reads", "produced", "replies", "overrides", "judges", "carries")
GRADES: Final = ("declared", "value", "exposure", "order")
NARROW: Final = 24
"""Frontiers of fewer places than this are walked one by one: numpy would cost more."""

Ints = NDArray[np.int32]


class Evidence(NamedTuple):
    """Which stretch of the source is which stretch of the target; ``-1`` ends mean the whole."""

    source_path: str
    source_start: int
    source_end: int
    target_path: str
    target_start: int
    target_end: int


WHOLE: Final = Evidence("", 0, -1, "", 0, -1)


class Edge(NamedTuple):
    """One row: from a place to a later one, with what shows it."""

    source: int
    target: int
    role: str
    grade: str
    strong: bool
    evidence: Evidence


class EdgeColumns:
    """Edges while they are collected; rows of one target must come together."""

    __slots__ = (
        "_path_ids", "grade", "paths", "ranges", "role", "shown", "source", "strong", "target",
    )  # fmt: skip

    def __init__(self) -> None:
        self.source = array("i")
        self.target = array("i")
        self.role = array("B")
        self.grade = array("B")
        self.strong = array("B")
        self.shown = array("i")
        self.ranges = array("i")
        self.paths: list[str] = [""]
        self._path_ids = {"": 0}

    def __len__(self) -> int:
        return len(self.source)

    def add(
        self,
        source: int,
        target: int,
        role: int,
        grade: int,
        *,
        strong: bool = True,
        evidence: Evidence | None = None,
    ) -> None:
        """Append an edge; without evidence the whole source is the whole target.

        Raises:
            ValueError: The edge would not point forward.
        """
        if source >= target:
            raise ValueError(f"an edge points forward; got {source} to {target}")
        self.source.append(source)
        self.target.append(target)
        self.role.append(role)
        self.grade.append(grade)
        self.strong.append(strong)
        if evidence is None or evidence == WHOLE:
            self.shown.append(-1)
            return
        self.shown.append(len(self.ranges) // 6)
        path = self._path
        self.ranges.extend(
            (
                path(evidence.source_path), evidence.source_start, evidence.source_end,
                path(evidence.target_path), evidence.target_start, evidence.target_end,
            )
        )  # fmt: skip

    def _path(self, path: str) -> int:
        found = self._path_ids.get(path)
        if found is None:
            found = self._path_ids[path] = len(self.paths)
            self.paths.append(path)
        return found


class EdgeTable:
    """Edges that no longer change, ordered by target, with an index by source on demand."""

    def __init__(self, columns: EdgeColumns, nodes: int) -> None:
        """Freeze the columns of a graph of ``nodes`` places."""
        self.nodes = nodes
        self.paths = columns.paths
        self.source = np.array(columns.source, np.int32)
        self.target = np.array(columns.target, np.int32)
        self.role = np.array(columns.role, np.uint8)
        self.grade = np.array(columns.grade, np.uint8)
        self.strong = np.array(columns.strong, np.bool_)
        self.shown = np.array(columns.shown, np.int32)
        self.ranges = np.array(columns.ranges, np.int32).reshape(-1, 6)
        if len(self.target) > 1 and (np.diff(self.target) < 0).any():
            self._order(np.argsort(self.target, kind="stable"))
        self.into = _bounds(self.target, nodes)
        self._out: tuple[Ints, Ints] | None = None
        # Memory views answer for one row several times faster than arrays do.
        columns_read = (self.source, self.target, self.role, self.grade, self.strong, self.shown)
        self._rows = tuple(_view(column) for column in columns_read)
        self._bounds = _view(self.into)

    def _order(self, order: NDArray[np.int64]) -> None:
        for name in ("source", "target", "role", "grade", "strong", "shown"):
            setattr(self, name, getattr(self, name)[order])

    def __len__(self) -> int:
        return len(self.source)

    @property
    def nbytes(self) -> int:
        """Bytes held by the columns and the indexes built so far."""
        columns = (self.source, self.target, self.role, self.grade, self.strong, self.shown)
        total = sum(each.nbytes for each in columns) + self.ranges.nbytes + self.into.nbytes
        return total + sum(each.nbytes for each in self._out or ())

    def edge(self, row: int) -> Edge:
        """One row as a tuple."""
        source, target, role, grade, strong, shown = self._rows
        evidence = WHOLE
        if shown[row] >= 0:
            a, b, c, d, e, f = self.ranges[shown[row]].tolist()
            evidence = Evidence(self.paths[a], b, c, self.paths[d], e, f)
        return Edge(
            source[row],
            target[row],
            ROLES[role[row]],
            GRADES[grade[row]],
            bool(strong[row]),
            evidence,
        )

    def edges_into(self, node: int) -> Iterator[Edge]:
        """The edges that end at a place, in the order they were found."""
        for row in range(self._bounds[node], self._bounds[node + 1]):
            yield self.edge(row)

    def edges_from(self, node: int) -> Iterator[Edge]:
        """The edges that begin at a place, nearest target first."""
        bounds, rows = self.out
        for row in rows[bounds[node] : bounds[node + 1]].tolist():
            yield self.edge(row)

    @property
    def out(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Index by source: bounds int32[nodes + 1] into row numbers int32[edges]."""
        if self._out is None:
            rows = np.argsort(self.source, kind="stable").astype(np.int32)
            self._out = _bounds(self.source[rows], self.nodes), rows
        return self._out

    def ancestors(self, starts: Iterable[int], *, grade: str = "exposure") -> NDArray[np.int32]:
        """Places from which the starts can be reached, themselves not counted.

        Args:
            starts: Numbers of places.
            grade: Weakest grade admitted.

        Returns:
            Ascending numbers, int32[n].
        """
        return reach(self.into, self.source, starts, self._admitted(grade))

    def descendants(self, starts: Iterable[int], *, grade: str = "exposure") -> NDArray[np.int32]:
        """Places that the starts can reach, themselves not counted, ascending, int32[n]."""
        bounds, rows = self.out
        admitted = self._admitted(grade)
        admitted_rows = None if admitted is None else admitted[rows]
        return reach(bounds, self.target[rows], starts, admitted_rows)

    def _admitted(self, grade: str) -> NDArray[np.bool_] | None:
        admitted: NDArray[np.bool_] = self.grade <= GRADES.index(grade)
        admitted &= self.strong
        return None if admitted.all() else admitted


def reach(
    bounds: NDArray[np.int32],
    neighbours: NDArray[np.int32],
    starts: Iterable[int],
    admitted: NDArray[np.bool_] | None = None,
) -> NDArray[np.int32]:
    """Everything that can be reached from the starts, themselves not counted.

    Args:
        bounds: First row of each place, and the number of rows, int32[nodes + 1].
        neighbours: The place at the other end of each row, int32[rows].
        starts: Numbers of places.
        admitted: Rows that may be used, bool[rows]; all when not given.

    Returns:
        Ascending numbers, int32[n].
    """
    seen = np.zeros(len(bounds) - 1, np.bool_)
    first = np.fromiter(starts, np.int32)
    seen[first] = True
    stamp = np.zeros(len(seen), np.int32)
    frontier = np.unique(first)
    while len(frontier):
        if len(frontier) < NARROW:
            frontier = _narrow(bounds, neighbours, admitted, seen, frontier)
        else:
            frontier = _wide(bounds, neighbours, admitted, seen, stamp, frontier)
    seen[first] = False
    return np.flatnonzero(seen).astype(np.int32)


def _wide(
    bounds: NDArray[np.int32],
    neighbours: NDArray[np.int32],
    admitted: NDArray[np.bool_] | None,
    seen: NDArray[np.bool_],
    stamp: NDArray[np.int32],
    frontier: NDArray[np.int32],
) -> NDArray[np.int32]:
    begin = bounds[frontier]
    count = bounds[frontier + 1] - begin
    ends = np.cumsum(count)
    rows = np.repeat(begin - (ends - count), count) + np.arange(ends[-1], dtype=np.int32)
    if admitted is not None:
        rows = rows[admitted[rows]]
    found = neighbours[rows]
    found = found[~seen[found]]
    seen[found] = True
    # Of each place found several times, the one whose stamp survived goes on: no sort is needed.
    order = np.arange(len(found), dtype=np.int32)
    stamp[found] = order
    kept: NDArray[np.int32] = found[stamp[found] == order]
    return kept


def _narrow(
    bounds: NDArray[np.int32],
    neighbours: NDArray[np.int32],
    admitted: NDArray[np.bool_] | None,
    seen: NDArray[np.bool_],
    frontier: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Walk one by one until the frontier is wide; memory views answer faster than arrays."""
    bound, other, met = _view(bounds), _view(neighbours), _view(seen)
    may = None if admitted is None else _view(admitted)
    level = frontier.tolist()
    while level and len(level) < NARROW * 4:
        below = []
        for node in level:
            for row in range(bound[node], bound[node + 1]):
                found = other[row]
                if not met[found] and (may is None or may[row]):
                    met[found] = True
                    below.append(found)
        level = below
    return np.array(level, np.int32)


def _view(column: NDArray[Any]) -> Any:
    return memoryview(np.ascontiguousarray(column))  # type: ignore[arg-type]


def _bounds(ordered: NDArray[np.int32], nodes: int) -> NDArray[np.int32]:
    count = np.bincount(ordered, minlength=nodes)
    return np.concatenate(([0], np.cumsum(count))).astype(np.int32)
