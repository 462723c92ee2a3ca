"""Value records by digest: found in a compact sorted table, read one at a time."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from explainkit.errors import DamagedValueError, UnknownRecordError
from explainkit.safety.limits import FILE_DEFAULT
from explainkit.store.part import Part, parse
from explainkit.store.wire import RecordLine, read_line

_HEAD = 400
"""Bytes of a line that hold everything of a value record but its content."""

_CROWD = 8

_FACTS = re.compile(
    rb'\{"kind":"value","seq":\d+,"at":(?:null|-?\d+),"digest":"([0-9a-f]{40})",'
    rb'"media":"([^"\\]{1,60})","size":(\d{1,15}),"fidelity":"([a-z]{1,20})"'
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a value record says about its content.

    Attributes:
        seq: The record.
        media: Media type.
        size: Bytes of the canonical content.
        fidelity: ``exact``, ``redacted``, ``partial`` or ``opaque``.
    """

    seq: int
    media: str
    size: int
    fidelity: str


class Stored:
    """The value records of a run and its notes.

    Args:
        parts: The files of the run.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._words, self._seqs = _sorted_words(parts)
        self._crowds: dict[int, dict[str, int]] = {}
        total = sum(part.source.size for part in parts)
        self.limit = max(FILE_DEFAULT.free, FILE_DEFAULT.ratio * total)

    def seq(self, digest: str) -> int | None:
        """The first record that stores a digest; None when none does."""
        try:
            word = int(digest[:16], 16)
        except ValueError:
            return None
        low, high = bisect_left(self._words, word), bisect_right(self._words, word)
        if high - low > _CROWD:
            return self._crowd(word, low, high).get(digest)
        for seq in self._seqs[low:high]:
            if self._digest(seq) == digest:
                return seq
        return None

    def _crowd(self, word: int, low: int, high: int) -> dict[str, int]:
        """The records of very many digests that begin alike, which only a hostile file has."""
        found = self._crowds.get(word)
        if found is None:
            found = {}
            for seq in self._seqs[low:high]:
                found.setdefault(self._digest(seq) or "", seq)
            self._crowds[word] = found
        return found

    def need(self, digest: object, *, before: int | None = None) -> int:
        """The record of a digest that must be there.

        Args:
            digest: The digest.
            before: ``seq`` of the value record that refers to it.

        Raises:
            UnknownRecordError: No record stores it (without ``before``).
            DamagedValueError: No record before ``before`` stores it.
        """
        seq = self.seq(digest) if isinstance(digest, str) else None
        if seq is None:
            if before is None:
                raise UnknownRecordError(f"No value {str(digest)[:60]!r} is stored in this run.")
            raise DamagedValueError(
                f"The value of record {before} needs {str(digest)[:60]!r}, which is not stored."
            )
        if before is not None and seq >= before:
            raise DamagedValueError(
                f"The value of record {before} refers to record {seq}, which is not before it."
            )
        return seq

    def row(self, seq: int) -> dict[str, Any]:
        """The parsed value record."""
        return parse(self._line(seq), seq)

    def facts(self, seq: int) -> Facts:
        """What the record says, without reading its content.

        Raises:
            DamagedValueError: The record lacks one of the facts, or claims an absurd size.
        """
        found = _FACTS.match(self._head(seq))
        if found is not None:
            _, media, size, fidelity = found.groups()
            facts = Facts(seq, media.decode("utf-8", "replace"), int(size), fidelity.decode())
        else:
            facts = _facts(self.row(seq), seq)
        if facts.size > self.limit:
            raise DamagedValueError(
                f"The value of record {seq} claims {facts.size:,} bytes, more than "
                f"{FILE_DEFAULT.ratio} times the file: it is not built."
            )
        return facts

    def digests(self) -> Iterator[str]:
        """Every digest, in order of its first record."""
        seen: set[str] = set()
        for part in self._parts:
            for seq in part.index.values:
                digest = self._digest(seq)
                if digest is not None and digest not in seen:
                    seen.add(digest)
                    yield digest

    def _digest(self, seq: int) -> str | None:
        found = _FACTS.match(self._head(seq))
        if found is not None:
            return found[1].decode()
        line = read_line(self._line(seq))
        return line.digest if isinstance(line, RecordLine) else None

    def _line(self, seq: int) -> bytes:
        part = self._part(seq)
        return part.line(seq - part.index.first)

    def _head(self, seq: int) -> bytes:
        part = self._part(seq)
        start = part.index.starts[seq - part.index.first]
        length = part.index.lengths[seq - part.index.first]
        return part.source.read(start, start + min(length, _HEAD))

    def _part(self, seq: int) -> Part:
        return self._parts[-1] if seq >= self._parts[-1].index.first else self._parts[0]


def _facts(row: dict[str, Any], seq: int) -> Facts:
    media, size = row.get("media", "text/plain"), row.get("size")
    fidelity = row.get("fidelity", "exact")
    if not (isinstance(media, str) and isinstance(size, int) and isinstance(fidelity, str)):
        raise DamagedValueError(f"The value of record {seq} does not say what it is.")
    return Facts(seq, media, size, fidelity)


def _sorted_words(parts: Sequence[Part]) -> tuple["array[int]", "array[int]"]:
    import numpy as np

    words = np.concatenate([np.frombuffer(part.index.words, np.uint64) for part in parts])
    seqs = np.concatenate([np.frombuffer(part.index.values, np.int64) for part in parts])
    order = np.argsort(words, kind="stable")
    table, places = array("Q"), array("q")
    table.frombytes(words[order].tobytes())
    places.frombytes(seqs[order].tobytes())
    return table, places
