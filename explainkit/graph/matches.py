"""Which stretch of an atom an earlier atom already held, looked up by range."""

from typing import Final, NamedTuple

import numpy as np

from explainkit.text.alignment import align, map_range
from explainkit.text.matching import Index, Match, MatchTable, all_matches, build_index

_ALIGNED: Final = 20_000
_FINDS_KEPT: Final = 256
_MARKS: Final = 3


def _same_mark(one: str, other: str) -> bool:
    return one == other and not one.isalnum() and not one.isspace()


class Common(NamedTuple):
    """Code points ``[start, end)`` of an atom that stand at ``[low, high)`` of another."""

    start: int
    end: int
    atom: int
    low: int
    high: int
    strong: bool
    bits: float


class Matches:
    """Text matches between the atoms of a run, computed the first time one is asked for."""

    def __init__(self, atoms: list[str]) -> None:
        self.atoms = atoms
        self._index: Index | None = None
        self._table: MatchTable | None = None
        self._found: dict[str, list[tuple[int, int, int]]] = {}

    @property
    def index(self) -> Index:
        """The searchable index over the atoms."""
        if self._index is None:
            self._index = build_index(self.atoms)
        return self._index

    @property
    def table(self) -> MatchTable:
        """All matches of an atom with an earlier one."""
        if self._table is None:
            self._table = all_matches(self.index)
        return self._table

    def find(self, words: str) -> list[tuple[int, int, int]]:
        """Every place ``(atom, start, end)`` where words stand, folded, numbers by value."""
        found = self._found.get(words)
        if found is None:
            if len(self._found) >= _FINDS_KEPT:
                self._found.clear()
            found = self._found[words] = self.index.find(words)
        return found

    def common(self, atom: int, start: int, end: int, *, loose: bool) -> list[Common]:
        """What of a stretch of an atom earlier atoms held: the longest matches first.

        Args:
            atom: Number of the atom.
            start: First code point.
            end: One past the last.
            loose: Also matches that chance might explain.
        """
        table = self.table
        first, last = np.searchsorted(table.target, [atom, atom + 1])
        rows = slice(int(first), int(last))
        touch = (table.target_start[rows] < end) & (table.target_end[rows] > start)
        if not loose:
            touch &= table.strong[rows]
        found = []
        for row in (np.flatnonzero(touch) + first).tolist():
            match = Match(
                source=int(table.source[row]),
                source_start=int(table.source_start[row]),
                source_end=int(table.source_end[row]),
                target=int(table.target[row]),
                target_start=int(table.target_start[row]),
                target_end=int(table.target_end[row]),
                bits=float(table.bits[row]),
                strong=bool(table.strong[row]),
            )
            found.append(self._clipped(match, start, end))
        return sorted(found, key=lambda each: (-(each.end - each.start), each.start, -each.atom))

    def between(self, atom: int, start: int, end: int, sources: list[int]) -> list[Common]:
        """The strong matches of a stretch with chosen atoms, the longest first."""
        found = [
            self._clipped(match, start, end)
            for match in self.index.between(atom, sources)
            if match.strong and match.target_start < end and match.target_end > start
        ]
        return sorted(found, key=lambda each: (-(each.end - each.start), each.start, -each.atom))

    def _clipped(self, match: Match, start: int, end: int) -> Common:
        low, high = max(start, match.target_start), min(end, match.target_end)
        inside = self.mapped(match, low, high)
        common = Common(low, high, match.source, *inside, match.strong, match.bits)
        return self._with_marks(common, match.target, start, end)

    def _with_marks(self, common: Common, target: int, start: int, end: int) -> Common:
        """The stretch with the same punctuation on both sides, which tokens leave out."""
        here, there = self.atoms[target], self.atoms[common.atom]
        low, high = common.start, common.end
        first, last = common.low, common.high
        for _ in range(_MARKS):
            if low > start and first > 0 and _same_mark(here[low - 1], there[first - 1]):
                low, first = low - 1, first - 1
            if high < end and last < len(there) and _same_mark(here[high], there[last]):
                high, last = high + 1, last + 1
        return common._replace(start=low, end=high, low=first, high=last)

    def mapped(self, match: Match, low: int, high: int) -> tuple[int, int]:
        """The characters of the source that a part of the target's stretch stands for."""
        if (low, high) == (match.target_start, match.target_end):
            return match.source_start, match.source_end
        length = match.source_end - match.source_start
        source = self.atoms[match.source][match.source_start : match.source_end]
        target = self.atoms[match.target][match.target_start : match.target_end]
        low, high = low - match.target_start, high - match.target_start
        if len(target) != length or source.casefold() != target.casefold():
            if max(length, len(target)) > _ALIGNED:
                return match.source_start, match.source_end
            low, high = map_range(align(source, target), low, high, backward=True)
        return match.source_start + low, match.source_start + max(high, low)
