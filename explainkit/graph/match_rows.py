"""Matches of one atom at a time: thousands of short questions to one table of arrays."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.matching import Match, MatchTable

_FEW: Final = 64
"""Rows that are looked at one by one sooner than all at once."""


class MatchRows:
    """Rows of a table of matches by the atom they end or begin in.

    Attributes:
        source: Number of the atom that held the words first, by row.
        source_start: First code point in it.
        source_end: One past the last.
        target: Number of the later atom.
        target_start: First code point in it.
        target_end: One past the last.
        bits: Information against chance.
        strong: Whether chance is all but excluded.
    """

    def __init__(self, table: MatchTable, atoms: int) -> None:
        """Take a table ordered by target, and how many atoms there are."""
        # Memory views answer for one row several times faster than arrays do.
        self.source = _view(table.source)
        self.source_start = _view(table.source_start)
        self.source_end = _view(table.source_end)
        self.target = _view(table.target)
        self.target_start = _view(table.target_start)
        self.target_end = _view(table.target_end)
        self.bits = _view(table.bits)
        self.strong = _view(table.strong)
        self._table = table
        self._atoms = atoms
        self._into = _view(_bounds(table.target, atoms))

    def into(self, atom: int) -> range:
        """Rows whose later atom is this one."""
        return range(self._into[atom], self._into[atom + 1])

    def touching(self, atom: int, start: int, end: int) -> Iterable[int]:
        """Rows whose later stretch has a code point of ``[start, end)`` of an atom, ascending."""
        rows = self.into(atom)
        if len(rows) > _FEW:
            table, part = self._table, slice(rows.start, rows.stop)
            touch = (table.target_start[part] < end) & (table.target_end[part] > start)
            found: list[int] = (np.flatnonzero(touch) + rows.start).tolist()
            return found
        lows, highs = self.target_start, self.target_end
        return [row for row in rows if lows[row] < end and highs[row] > start]

    def out_of(self, atom: int) -> list[int]:
        """Rows whose earlier atom is this one, ascending."""
        bounds, rows = self._out
        found: list[int] = rows[bounds[atom] : bounds[atom + 1]].tolist()
        return found

    @cached_property
    def _out(self) -> tuple[Any, Any]:
        rows = np.argsort(self._table.source, kind="stable").astype(np.int32)
        return _view(_bounds(self._table.source, self._atoms)), _view(rows)

    def match(self, row: int) -> Match:
        """One row with all that is known of it."""
        return Match(
            self.source[row],
            self.source_start[row],
            self.source_end[row],
            self.target[row],
            self.target_start[row],
            self.target_end[row],
            self.bits[row],
            self.strong[row],
        )


def _view(column: NDArray[Any]) -> Any:
    return memoryview(np.ascontiguousarray(column))  # type: ignore[arg-type]


def _bounds(numbers: NDArray[np.int32], atoms: int) -> NDArray[np.int64]:
    count = np.bincount(numbers, minlength=atoms)
    return np.concatenate(([0], np.cumsum(count))).astype(np.int64)
