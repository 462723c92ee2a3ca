"""Finds earlier values that stand whole as a line or a cell of a text, however alike they are.

Where a program joins many rows of one pattern, each row is boilerplate to a measure of chance:
every word of it stands in the others. That a whole value is a whole line is no matter of chance.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from explainkit.graph.matches import Common
from explainkit.graph.small_values import SHORTEST

_LINE: Final = re.compile(r"[^\r\n]+")
_CELL: Final = re.compile(r"[^;|\t]+")
_BREAK: Final = re.compile(r"[\r\n]")
_APART: Final = re.compile(r"[;|\t\r\n]")
_MARK: Final = re.compile(r"(?:[-*+>\u2022]|[(\[]?\d{1,6}[.):\]])\s+")


class WholeLines:
    r"""The lines of each atom that are atoms themselves.

    Example:
        >>> lines = WholeLines(["Row 7: 10 left", "- Row 7: 10 left\n- Row 8: none left"])
        >>> [(line.start, line.end, line.atom) for line in lines.touching(1, 0, 16)]
        [(2, 16, 0)]
    """

    def __init__(self, atoms: list[str]) -> None:
        """Take the atoms, which are looked at when something asks."""
        self._atoms = atoms
        self._known: dict[int, list[Common]] = {}

    def touching(self, atom: int, start: int, end: int) -> list[Common]:
        """What of ``[start, end)`` of an atom are whole other atoms, or parts of them, in order.

        Args:
            atom: Number of the atom.
            start: First code point.
            end: One past the last.
        """
        known = self._lines(atom)
        if not known:
            return []
        first = bisect_right(known, start, key=lambda each: each.end)
        last = bisect_left(known, end, first, key=lambda each: each.start)
        return [_clipped(each, start, end) for each in known[first:last]]

    def holders(self, atom: int) -> list[int]:
        """Later atoms in which an atom is a whole line or cell, in order."""
        every = self._holders.get(self._atoms[atom].strip(), [])
        return every[bisect_right(every, atom) :]

    def _lines(self, atom: int) -> list[Common]:
        if atom not in self._shared:
            return []
        known = self._known.get(atom)
        if known is None:
            known = self._known[atom] = list(self._of(atom))
        return known

    def _of(self, atom: int) -> Iterator[Common]:
        text = self._atoms[atom]
        for line in _LINE.finditer(text):
            found = self._whole(atom, *line.span())
            if found is not None:
                yield found
                continue
            for cell in _CELL.finditer(text, *line.span()):
                if cell.span() != line.span() and (found := self._whole(atom, *cell.span())):
                    yield found

    def _whole(self, atom: int, start: int, end: int) -> Common | None:
        """The other atom that a stretch is, without the white space and the mark of a list."""
        text = self._atoms[atom]
        start += len(text[start:end]) - len(text[start:end].lstrip())
        end = start + len(text[start:end].rstrip())
        mark = _MARK.match(text, start, end)
        for low in (start, mark.end() if mark else start):
            for other in self._by_text.get(text[low:end], ()):
                if other != atom:
                    held = self._atoms[other]
                    first = len(held) - len(held.lstrip())
                    return Common(low, end, other, first, first + end - low, strong=True, bits=0.0)
        return None

    @cached_property
    def _holders(self) -> dict[str, list[int]]:
        """For each text that is a whole line somewhere, the atoms in which it is."""
        found: dict[str, dict[int, None]] = {}
        for atom in self._shared:
            text = self._atoms[atom]
            for line in self._lines(atom):
                found.setdefault(text[line.start : line.end], {})[atom] = None
        return {text: list(atoms) for text, atoms in found.items()}

    @cached_property
    def _by_text(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self._atoms):
            inner = text.strip()
            if len(inner) >= SHORTEST and not _BREAK.search(inner):
                found.setdefault(inner, []).append(number)
        return found

    @cached_property
    def _shared(self) -> dict[int, None]:
        """Atoms that may hold others, in order: all but those of one line that no other is."""
        found: dict[int, None] = {}
        for number, text in enumerate(self._atoms):
            inner = text.strip()
            if _APART.search(inner) or _MARK.match(inner) or len(self._by_text.get(inner, "")) > 1:
                found[number] = None
        return found


def _clipped(whole: Common, start: int, end: int) -> Common:
    low, high = max(whole.start, start), min(whole.end, end)
    first = whole.low + low - whole.start
    return whole._replace(start=low, end=high, low=first, high=first + high - low)
