"""Which stretch of an atom an earlier atom already held, looked up by range."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from explainkit.graph.match_rows import MatchRows
from explainkit.graph.pairing import paired
from explainkit.text.matching import Index, Match, MatchTable, all_matches, build_index

_ALIGNED: Final = 20_000
_FINDS_KEPT: Final = 256
_MARKS: Final = 3


def _same_mark(one: str, other: str) -> bool:
    return one == other and not one.isalnum() and not one.isspace()


Side = tuple[int, int, int]
"""Number of an atom, first code point, one past the last."""


class Common(NamedTuple):
    """Code points ``[start, end)`` of an atom that stand at ``[low, high)`` of another."""

    start: int
    end: int
    atom: int
    low: int
    high: int
    strong: bool
    bits: float


def _longest_first(found: Iterable[Common | None]) -> list[Common]:
    return sorted(
        (each for each in found if each is not None),
        key=lambda each: (-(each.end - each.start), each.start, -each.atom),
    )


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

    @cached_property
    def rows(self) -> MatchRows:
        """The same a row at a time."""
        return MatchRows(self.table, len(self.atoms))

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
        rows = self.rows
        found = [
            self._clipped(rows.match(row), start, end)
            for row in rows.touching(atom, start, end)
            if loose or rows.strong[row]
        ]
        return _longest_first(found)

    def between(
        self, atom: int, ranges: Iterable[tuple[int, int]], sources: list[int]
    ) -> Iterator[list[Common]]:
        """For each stretch of an atom its strong matches with chosen atoms, the longest first."""
        ranges = list(ranges)
        if not self.index.may_be_strong(atom, ranges, sources):
            return
        matches = [match for match in self.index.between(atom, sources) if match.strong]
        for start, end in ranges:
            yield _longest_first(
                [
                    self._clipped(match, start, end)
                    for match in matches
                    if match.target_start < end and match.target_end > start
                ]
            )

    def _clipped(self, match: Match, start: int, end: int) -> Common | None:
        """A match inside a stretch of the target; ``None`` when only parts of tokens are in it."""
        low, high = max(start, match.target_start), min(end, match.target_end)
        ends = low, high, match.source_start, match.source_end
        if (low, high) != (match.target_start, match.target_end):
            here = match.target, match.target_start, match.target_end
            there = match.source, match.source_start, match.source_end
            narrowed = self._narrowed(here, there, low, high, by_source=False)
            if narrowed is None:
                return None
            ends = narrowed
        return self._with_marks(match, ends, start, end)

    def _with_marks(
        self, match: Match, ends: tuple[int, int, int, int], start: int, end: int
    ) -> Common:
        """The stretch with the same punctuation on both sides, which tokens leave out."""
        here, there = self.atoms[match.target], self.atoms[match.source]
        low, high, first, last = ends
        least, most = max(start, low - _MARKS), min(end, high + _MARKS)
        while low > least and first > 0 and _same_mark(here[low - 1], there[first - 1]):
            low, first = low - 1, first - 1
        while high < most and last < len(there) and _same_mark(here[high], there[last]):
            high, last = high + 1, last + 1
        return Common(low, high, match.source, first, last, match.strong, match.bits)

    def part(self, common: Common, target: int, low: int, high: int) -> Common | None:
        """What of a common stretch a part of its source stands for.

        Args:
            common: A stretch of the target.
            target: Number of the target's atom.
            low: First code point in the source.
            high: One past the last.

        Returns:
            The part on both sides, without what is reworded and only partly in it; ``None`` when
            nothing is left.
        """
        if (low, high) == (common.low, common.high):
            return common
        sides = (target, common.start, common.end), (common.atom, common.low, common.high)
        ends = self._narrowed(*sides, low, high, by_source=True)
        if ends is None:
            return None
        start, end, low, high = ends
        return common._replace(start=start, end=end, low=low, high=high)

    def _narrowed(
        self, here: Side, there: Side, low: int, high: int, *, by_source: bool
    ) -> tuple[int, int, int, int] | None:
        """The part ``[low, high)`` of one side of a match, and the part of the other it equals."""
        one, other = (self.atoms[atom][start:end] for atom, start, end in (here, there))
        if len(one) == len(other) and one.casefold() == other.casefold():
            shift = here[1] - there[1]
            start, end = (low + shift, high + shift) if by_source else (low, high)
            return start, end, start - shift, end - shift
        if max(len(one), len(other)) > _ALIGNED:
            return None
        at = there[1] if by_source else here[1]
        ends = paired(one, other).part(low - at, high - at, by_source=by_source)
        if ends is None:
            return None
        return ends[0] + here[1], ends[1] + here[1], ends[2] + there[1], ends[3] + there[1]
