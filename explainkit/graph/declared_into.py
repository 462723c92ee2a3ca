"""The declared edges into one place, sorted, so that a stretch meets only those that touch it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from explainkit.graph.edges import Edge
from explainkit.graph.stretches import REST, Stretch


class DeclaredInto:
    """Edges by the path of the leaf, or list, that they declare a part of.

    Attributes:
        others: Edges into the whole place, those between versions included.
    """

    __slots__ = ("_below", "_by_path", "others")

    def __init__(self, edges: Iterable[Edge]) -> None:
        self.others: list[Edge] = []
        self._below: dict[str, list[Edge]] = {}
        parts: dict[str, list[Edge]] = {}
        for edge in edges:
            shown = edge.evidence
            if edge.grade != "declared":
                continue
            if edge.role == "overrides" or (shown.target_end == REST and not shown.target_path):
                self.others.append(edge)
            elif shown.target_end == REST:
                self._below.setdefault(shown.target_path, []).append(edge)
            else:
                parts.setdefault(shown.target_path, []).append(edge)
        self._by_path = {path: _Sorted(found) for path, found in parts.items()}

    def touching(self, target: Stretch) -> list[Edge]:
        """The edges that may say where a stretch came from.

        Args:
            target: A stretch of a leaf of the place.
        """
        found = list(self.others)
        if self._below:
            found += self._around(target.path)
        if not self._by_path:
            return found
        exact = self._by_path.get(target.path)
        if exact is not None:
            found += exact.between(target.start, target.end)
        at = target.path.rfind("/")
        while at >= 0:
            listed = self._by_path.get(target.path[:at])
            item = target.path[at + 1 :].partition("/")[0]
            if listed is not None and item.isdigit():
                found += listed.between(int(item), int(item) + 1)
            at = target.path.rfind("/", 0, at)
        return found

    def _around(self, path: str) -> list[Edge]:
        """The edges into the node at a path, and into the nodes that it lies in."""
        found: list[Edge] = []
        while path:
            found += self._below.get(path, ())
            path = path[: path.rfind("/")]
        return found


class _Sorted:
    """Edges by where the declared part begins; parts may overlap."""

    __slots__ = ("_edges", "_reached", "_starts")

    def __init__(self, edges: list[Edge]) -> None:
        self._edges = sorted(edges, key=lambda edge: edge.evidence.target_start)
        self._starts = [edge.evidence.target_start for edge in self._edges]
        self._reached = list(accumulate((edge.evidence.target_end for edge in self._edges), max))

    def between(self, start: int, end: int) -> list[Edge]:
        """The edges that share units with a range."""
        first = bisect_right(self._reached, start)
        last = bisect_left(self._starts, end)
        return [edge for edge in self._edges[first:last] if edge.evidence.target_end > start]
