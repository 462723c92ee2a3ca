"""Canonical bytes rebuilt from values inside values, within the size that was recorded.

Without recursion, so that depth does not matter, and so that a file of a few lines cannot fill
the memory.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from explainkit.errors import DamagedValueError
from explainkit.store.cache import Cache
from explainkit.store.stored import Stored

_REFERENCE = re.compile(rb'\{"\$value":"([0-9a-f]{40})"\}')

Piece = bytes | tuple[str, int]
"""Bytes, or the digest of a value that the record with this ``seq`` refers to."""


class Expansion:
    """Builds the canonical bytes of value records.

    Args:
        stored: The value records.
        text: Gives the canonical bytes of a text that is stored as parts.
        kept: Bytes that were built before, by record.
    """

    def __init__(
        self, stored: Stored, text: Callable[[int, int], bytes], kept: Cache[bytes]
    ) -> None:
        self._stored = stored
        self._text = text
        self._kept = kept

    def build(self, seq: int, size: int) -> bytes:
        """The canonical bytes of a value record.

        Args:
            seq: The record.
            size: Bytes that may come out at most.

        Raises:
            DamagedValueError: A part is missing or not earlier, or the whole is longer than
                the record says.
        """
        out: list[bytes] = []
        total = 0
        wanted: list[Piece] = list(reversed(self._pieces(seq, size)))
        while wanted:
            piece = wanted.pop()
            if not isinstance(piece, bytes):
                digest, holder = piece
                below = self._stored.need(digest, before=holder)
                wanted.extend(reversed(self._pieces(below, size - total)))
                continue
            total += len(piece)
            if total > size:
                raise DamagedValueError(
                    f"The value of record {seq} expands to more than the {size:,} bytes that the "
                    "record says: it is not built."
                )
            out.append(piece)
        return b"".join(out)

    def _pieces(self, seq: int, room: int) -> list[Piece]:
        """One record's content, with what it refers to left as digests."""
        data = self._kept.get(seq)
        if data is not None:
            return [data]
        row = self._stored.row(seq)
        if row.get("parts") is not None:
            return [self._text(seq, room)]
        if row.get("items") is not None:
            return self._list(seq, row)
        if "data" not in row:
            raise DamagedValueError(f"The value of record {seq} has no content.")
        try:
            data = orjson.dumps(row["data"])
        except (TypeError, ValueError) as error:
            raise DamagedValueError(f"The value of record {seq} is too deep.") from error
        if b'{"$value":"' in data:
            return list(_split(data, seq))
        if len(data) <= room:
            self._kept.put(seq, data)
        return [data]

    def _list(self, seq: int, row: dict[str, Any]) -> list[Piece]:
        """A list: the items of its bases, oldest first, then its own."""
        groups = [_items(row, seq)]
        while row.get("base") is not None:
            seq = self._stored.need(row["base"], before=seq)
            data = self._kept.get(seq)
            row = {} if data is not None else self._stored.row(seq)
            if row.get("items") is None:
                groups.append(_inside(self._pieces(seq, self._stored.limit), seq))
                break
            groups.append(_items(row, seq))
        pieces: list[Piece] = [b"["]
        for group in reversed(groups):
            if group and len(pieces) > 1:
                pieces.append(b",")
            pieces.extend(group)
        return [*pieces, b"]"]


def _items(row: dict[str, Any], seq: int) -> list[Piece]:
    items = row["items"]
    if not isinstance(items, list):
        raise DamagedValueError(f"The items of record {seq} are no list.")
    pieces: list[Piece] = []
    for item in items:
        pieces += (b",", (str(item), seq))
    return pieces[1:]


def _inside(pieces: list[Piece], seq: int) -> list[Piece]:
    """The pieces of a list without its brackets."""
    first, last = pieces[0], pieces[-1]
    if not (isinstance(first, bytes) and isinstance(last, bytes) and first[:1] == b"["):
        raise DamagedValueError(f"Record {seq} holds no list, but a list goes on from it.")
    if len(pieces) == 1:
        return [first[1:-1]] if len(first) > 2 else []
    return [piece for piece in (first[1:], *pieces[1:-1], last[:-1]) if piece]


def _split(data: bytes, seq: int) -> Iterator[Piece]:
    """Bytes and references in turn."""
    for number, piece in enumerate(_REFERENCE.split(data)):
        if number % 2:
            yield piece.decode(), seq
        elif piece:
            yield piece
