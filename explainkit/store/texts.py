"""Texts rebuilt from their pieces, in time that is linear in what comes out.

A prompt is often an earlier prompt with a few words more, thousands of times over. Only the
ranges that are needed are followed, without recursion, and lengths are known before anything
is built, so that neither long chains nor bombs can hurt.
"""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

from explainkit.errors import DamagedValueError
from explainkit.store.cache import Cache
from explainkit.store.stored import Stored

_LENGTHS = 1 << 17

Range = tuple[int, int, int]
"""A record's text from one code point to another."""


class Texts:
    """Builds texts that are stored as parts.

    Args:
        stored: The value records.
        literal: Gives the text of a value that is stored whole; None when it is no text.
        kept: Texts that were built before, by record.
    """

    def __init__(
        self, stored: Stored, literal: Callable[[int], str | None], kept: Cache[str]
    ) -> None:
        self._stored = stored
        self._literal = literal
        self._kept = kept
        self._lengths: dict[int, int] = {}
        self._lock = Lock()

    def build(self, seq: int, size: int) -> str:
        """The text of a value record that is stored as parts.

        Args:
            seq: The record.
            size: Bytes that its canonical form may have at most.

        Raises:
            DamagedValueError: A piece is missing, out of range, not earlier, no text, or the
                whole is longer than the record says.
        """
        with self._lock:
            if len(self._lengths) > _LENGTHS:
                self._lengths.clear()
            return self._built(seq, size)

    def _built(self, seq: int, size: int) -> str:
        length = self._measured(seq)
        if length > size:
            raise DamagedValueError(
                f"The text of record {seq} would have {length:,} characters, but the record says "
                f"{size:,} bytes: it is not built."
            )
        text = "".join(self._pieces((seq, 0, length)))
        self._kept.put(seq, text)
        return text

    def _pieces(self, whole: Range) -> Iterator[str]:
        wanted: list[Range | str] = [whole]
        while wanted:
            item = wanted.pop()
            if isinstance(item, str):
                yield item
                continue
            seq, start, end = item
            text = self._kept.get(seq)
            parts = None if text is not None else self._parts(seq)
            if parts is None:
                yield self._whole(seq)[start:end] if text is None else text[start:end]
                continue
            wanted.extend(reversed(list(self._overlap(seq, parts, start, end))))

    def _overlap(self, seq: int, parts: list[Any], start: int, end: int) -> Iterator[Range | str]:
        """What of the parts lies in ``[start, end)``."""
        place = 0
        for part in parts:
            if place >= end:
                return
            source, low, high = self._range(seq, part)
            first, last = max(start, place), min(end, place + high - low)
            if first < last:
                first, last = low + first - place, low + last - place
                yield part[first:last] if source < 0 else (source, first, last)
            place += high - low

    def _range(self, seq: int, part: Any) -> Range:
        """Source (-1 for a literal), start and end of one part whose source was measured."""
        if isinstance(part, str):
            return -1, 0, len(part)
        source = self._source(seq, part)
        length = self._lengths[source]
        start, end = part.get("start"), part.get("end")
        low = 0 if start is None else start
        high = length if end is None else end
        if not (isinstance(low, int) and isinstance(high, int) and 0 <= low <= high <= length):
            raise DamagedValueError(
                f"The text of record {seq} takes characters {low!r} to {high!r} of record "
                f"{source}, which has {length:,}."
            )
        return source, low, high

    def _measured(self, seq: int) -> int:
        """Length of a text in code points; those of its sources are measured first."""
        lengths = self._lengths
        waiting = [seq]
        while waiting:
            seq = waiting[-1]
            if seq in lengths:
                waiting.pop()
                continue
            parts = self._parts(seq)
            if parts is None:
                lengths[seq] = len(self._whole(seq))
                continue
            sources = (self._source(seq, part) for part in parts if not isinstance(part, str))
            missing = [source for source in sources if source not in lengths]
            if missing:
                waiting.extend(missing)
                continue
            ranges = (self._range(seq, part) for part in parts)
            lengths[seq] = sum(high - low for _, low, high in ranges)
        return lengths[seq]

    def _source(self, seq: int, part: Any) -> int:
        if not isinstance(part, dict):
            raise DamagedValueError(
                f"The text of record {seq} has a part that is no part: {part!r:.60}"
            )
        return self._stored.need(part.get("digest", ""), before=seq)

    def _parts(self, seq: int) -> list[Any] | None:
        row = self._stored.row(seq)
        parts = row.get("parts")
        if parts is None:
            return None
        if not isinstance(parts, list):
            raise DamagedValueError(f"The parts of record {seq} are no list.")
        return parts

    def _whole(self, seq: int) -> str:
        text = self._kept.get(seq)
        if text is None:
            text = self._literal(seq)
            if text is None:
                raise DamagedValueError(
                    f"Record {seq} holds no text, but a text takes a part of it."
                )
            self._kept.put(seq, text)
        return text
