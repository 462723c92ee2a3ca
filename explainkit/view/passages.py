"""Bounded stretches of recorded text with marks, so that every skin cuts and counts alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Mark = Literal["", "span", "missing", "added", "removed"]
Range = tuple[int, int, Mark]

WORD = 24
"""Code points that a window gives up at an edge so that no word is cut in two."""
AROUND = 240
"""Code points kept on each side of a mark when a text is too long to show whole."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of recorded text, raw, with its mark.

    Attributes:
        text: The characters as recorded (a skin neutralises and escapes them).
        mark: ``span`` selected or carried words, ``missing`` in no upstream text, ``added`` and
            ``removed`` by an override; empty for none.
        skipped: Code points left out before this piece.
    """

    text: str
    mark: Mark = ""
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A text as shown: pieces in order, and how much was left out at the end.

    Attributes:
        pieces: In order; none for an empty text.
        skipped: Code points left out after the last piece.
    """

    pieces: tuple[Piece, ...]
    skipped: int = 0

    @property
    def text(self) -> str:
        """The characters that are shown, without marks."""
        return "".join(piece.text for piece in self.pieces)


def passage(text: str, marks: Iterable[Range] = (), *, limit: int = 1_200) -> Passage:
    """Cut a text to what fits, keeping what is marked and counting what is not shown.

    Args:
        text: The recorded text.
        marks: ``(start, end, mark)`` in code points; where two overlap the earlier one wins.
        limit: Code points to show at most (marked stretches are shortened last).

    Returns:
        The passage; every code point is either in a piece or in a ``skipped`` count.

    Example:
        >>> passage("half of the fare", [(0, 4, "span")]).pieces
        (Piece(text='half', mark='span', skipped=0), Piece(text=' of the fare', mark='', skipped=0))
    """
    ranges = _disjoint(marks, len(text))
    if len(text) <= limit:
        return Passage(tuple(_pieces(text, ranges, [(0, len(text))])))
    windows = [_at_words(text, each, ranges) for each in _windows(ranges, len(text), limit)]
    shown = tuple(_pieces(text, ranges, windows))
    return Passage(shown, skipped=len(text) - windows[-1][1])


def plain(text: str, *, limit: int = 400) -> Passage:
    """A text without marks, from its beginning."""
    return passage(text, (), limit=limit)


def _disjoint(marks: Iterable[Range], length: int) -> list[Range]:
    found: list[Range] = []
    at = 0
    for start, end, mark in sorted(marks, key=lambda item: (item[0], item[1])):
        low, high = max(start, at, 0), min(end, length)
        if low < high:
            found.append((low, high, mark))
            at = high
    return found


def _windows(ranges: Sequence[Range], length: int, limit: int) -> list[tuple[int, int]]:
    """Stretches to show: around each mark until the limit is used, else the beginning."""
    if not ranges:
        return [(0, limit)]
    around = min(AROUND, limit // 3)
    windows: list[tuple[int, int]] = []
    left = limit
    for start, end, _ in ranges:
        low, high = max(0, start - around), min(length, end + around)
        if windows and low <= windows[-1][1]:
            low = windows[-1][1]
        high = min(high, low + left)
        if high <= low:
            break
        if windows and low == windows[-1][1]:
            windows[-1] = (windows[-1][0], high)
        else:
            windows.append((low, high))
        left -= high - low
    return windows or [(0, limit)]


def _at_words(text: str, window: tuple[int, int], ranges: Sequence[Range]) -> tuple[int, int]:
    """A window without the parts of words at its edges; what is marked stays, and long words."""
    low, high = window
    inside = [(start, end) for start, end, _ in ranges if start < high and end > low]
    first, last = (inside[0][0], inside[-1][1]) if inside else (high, low)
    if low > 0 and not text[low - 1].isspace():
        until = min(low + WORD, first, high)
        low = next((at + 1 for at in range(low, until) if text[at].isspace()), low)
    if high < len(text) and not text[high].isspace():
        until = max(high - WORD, last, low)
        high = next((at for at in range(high - 1, until, -1) if text[at].isspace()), high)
    return low, high


def _pieces(
    text: str, ranges: Sequence[Range], windows: Sequence[tuple[int, int]]
) -> Iterable[Piece]:
    at = 0  # end of what was shown
    index = 0
    for low, high in windows:
        here = low
        while here < high:
            while index < len(ranges) and ranges[index][1] <= here:
                index += 1
            stop, mark = high, ""
            if index < len(ranges) and ranges[index][0] < high:
                start, end, found = ranges[index]
                if start <= here:
                    stop, mark = min(end, high), found
                else:
                    stop = start
            yield Piece(text[here:stop], mark, here - at)  # type: ignore[arg-type]
            at = here = stop
