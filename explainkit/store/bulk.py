"""Reading the beginnings of many lines at once, because a long run has millions of them.

Only lines that stand exactly as the writer makes them are taken; all others are left to be read
one by one, so that nothing is accepted here that would not be accepted there.
"""

from functools import cache
from typing import Any

from explainkit.records import KINDS
from explainkit.store.index import VALUE, Index
from explainkit.store.wire import LINE_LIMIT

MANY = 1 << 18
"""Blocks from this many bytes on are worth it."""

_WIDTH = 128
_KIND_AT = 9


class Bulk:
    """The lines of one block, with what their beginnings say.

    Args:
        block: Bytes that start at a line's start.
    """

    def __init__(self, block: bytes) -> None:
        import numpy as np

        self._np = np
        whole = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero(whole == ord("\n"))
        self.starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
        self.lengths = ends - self.starts
        padded = np.frombuffer(block + b"\0" * _WIDTH, np.uint8)
        self._heads = np.lib.stride_tricks.sliding_window_view(padded, _WIDTH)[self.starts]
        self.seqs = np.full(len(ends), -1, np.int64)
        self.codes = np.zeros(len(ends), np.uint8)
        self.words = np.zeros(len(ends), np.uint64)
        closed = (whole[ends - 1] == ord("}")) & (self.lengths <= LINE_LIMIT)
        self._read(np.flatnonzero(closed))
        self._odd = np.flatnonzero(self.seqs < 0)

    def fits(self, line: int) -> bool:
        """Whether a line is one that can be taken here."""
        return line < len(self.seqs) and bool(self.seqs[line] >= 0)

    def start(self, line: int) -> int:
        """Where a line starts in the block; after the last one, where they end."""
        if line < len(self.starts):
            return int(self.starts[line])
        return int(self.starts[-1] + self.lengths[-1] + 1)

    def take(self, line: int, index: Index, offset: int) -> int:
        """Add the records from one line on, up to the first that must be read by itself.

        Args:
            line: Number of the line in the block, from 0.
            index: Takes the records.
            offset: Where the block starts in the file.

        Returns:
            How many lines were taken.
        """
        np = self._np
        after = np.searchsorted(self._odd, line)
        stop = int(self._odd[after]) if after < len(self._odd) else len(self.seqs)
        first = index.first + len(index)
        wrong = np.flatnonzero(self.seqs[line:stop] != np.arange(first, first + stop - line))
        if len(wrong):
            stop = line + int(wrong[0])
        taken = slice(line, stop)
        codes = self.codes[taken]
        values = np.flatnonzero(codes == VALUE)
        index.values.frombytes((values + first).astype(np.int64).tobytes())
        index.words.frombytes(self.words[taken][values].tobytes())
        index.starts.frombytes((self.starts[taken] + offset).astype(np.int64).tobytes())
        index.lengths.frombytes(self.lengths[taken].astype(np.uint32).tobytes())
        index.codes.frombytes(codes.tobytes())
        index.lines += stop - line
        return stop - line

    def _read(self, candidates: Any) -> None:
        np = self._np
        words = self._heads[:, _KIND_AT : _KIND_AT + 8].copy().view(np.uint64)[:, 0][candidates]
        for code, kind in enumerate(KINDS):
            start = b'{"kind":"%s","seq":' % kind.encode()
            word = np.frombuffer(start[_KIND_AT : _KIND_AT + 8], np.uint64)[0]
            lines = self._having(candidates[words == word], 0, start)
            for width, found in self._numbers(lines, len(start), 18):
                some = self._having(found, len(start) + width, b',"at":')
                some = self._timed(some, len(start) + width + 6, digests=code == VALUE)
                digits = self._heads[some, len(start) : len(start) + width].astype(np.int64)
                self.codes[some] = code
                self.seqs[some] = (digits - 48) @ (10 ** np.arange(width)[::-1])

    def _numbers(self, lines: Any, at: int, most: int) -> list[tuple[int, Any]]:
        """The lines by the number of digits that stand at a column."""
        np = self._np
        digits = self._heads[lines, at : at + most + 1] - ord("0") < 10
        widths = np.argmin(digits, axis=1)
        led = (widths > 1) & (self._heads[lines, at] == ord("0"))
        widths[led] = 0
        return [(int(width), lines[widths == width]) for width in np.unique(widths) if width]

    def _timed(self, lines: Any, at: int, *, digests: bool) -> Any:
        """The lines with a time at a column, and after it a digest where there has to be one."""
        kept = [lines[:0]]
        null = self._having(lines, at, b"null")
        for width, found in [(4, null), *self._numbers(lines, at, 20)]:
            if digests:
                kept.append(self._digests(found, at + width))
            else:
                kept.append(found[self._separates(found, at + width)])
        return self._np.concatenate(kept)

    def _digests(self, lines: Any, at: int) -> Any:
        """The lines with a digest at a column; its first bits are kept."""
        some = self._having(lines, at, b',"digest":"')
        first = at + 11
        nibbles = _nibbles()[self._heads[some, first : first + 40]]
        right = (nibbles < 16).all(axis=1) & (self._heads[some, first + 40] == ord('"'))
        right &= self._separates(some, first + 41)
        some, nibbles = some[right], nibbles[right]
        pairs = (nibbles[:, 0:16:2] << 4) | nibbles[:, 1:16:2]
        self.words[some] = pairs.copy().view(">u8")[:, 0]
        return some

    def _separates(self, lines: Any, at: int) -> Any:
        after = self._heads[lines, at]
        return (after == ord(",")) | (after == ord("}"))

    def _having(self, lines: Any, at: int, text: bytes) -> Any:
        """Those of the lines that have a text at a column."""
        wanted = self._np.frombuffer(text, self._np.uint8)
        return lines[(self._heads[lines, at : at + len(text)] == wanted).all(axis=1)]


@cache
def _nibbles() -> Any:
    """The value of each hexadecimal digit by its byte; 255 for all other bytes."""
    import numpy as np

    table = np.full(256, 255, np.uint8)
    for value, letter in enumerate(b"0123456789abcdef"):
        table[letter] = value
    return table
