"""One file of a run (the run itself, or its notes): its bytes with their index."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import orjson

from explainkit.errors import DamagedFileError, ForeignNotesError, ReadError
from explainkit.store.damage import Damage
from explainkit.store.index import OTHER, Index
from explainkit.store.scanning import scan
from explainkit.store.source import BLOCK, Source, blocks_of_lines
from explainkit.store.wire import HEADER_LIMIT, Header, read_header, split_lines

_LONG = 1 << 16
"""Lines from this length on are read by themselves, not with what stands around them."""


@dataclass(frozen=True, slots=True)
class Part:
    """The records of one file."""

    source: Source
    index: Index

    def line(self, place: int) -> bytes:
        """The line of a record, counted from 0, without its newline."""
        start = self.index.starts[place]
        return self.source.read(start, start + self.index.lengths[place])

    def kind(self, place: int) -> str:
        """Kind of a record, counted from 0."""
        code = self.index.codes[place]
        if code < len(self.index.names):
            return self.index.names[code]
        return str(parse(self.line(place), self.index.first + place).get("kind"))

    def rows(self, places: Iterable[int], holding: bytes = b"") -> Iterator[dict[str, Any]]:
        """The parsed lines of records, in rising order of their places.

        Args:
            places: Which records.
            holding: Bytes; lines without them are passed over before they are parsed.
        """
        starts, lengths, source = self.index.starts, self.index.lengths, self.source
        block, low, high = b"", 0, 0
        for place in places:
            start = starts[place]
            end = start + lengths[place]
            if end - start > _LONG:
                line = source.read(start, end)
            else:
                if end > high:
                    low, high = start, min(start + BLOCK, source.size)
                    block = source.read(low, high)
                line = block[start - low : end - low]
            if holding in line:
                yield parse(line, self.index.first + place)

    def holds(self, content: bytes) -> bool:
        """Whether this is all that stands in it, in whole lines of which nothing is wrong."""
        source = self.source
        same = len(content) == source.size and content == source.read(0, source.size)
        return same and content.endswith(b"\n") and not self.index.damage

    def grown(self, source: Source) -> "Part":
        """The same with lines that were added at its end.

        Args:
            source: All of its bytes, the new ones included.
        """
        return Part(source, scan(source, body=self.source.size, known=self.index))

    def lines(self) -> Iterator[bytes]:
        """Every line of the file as it is, damage included."""
        for _, block in blocks_of_lines(self.source):
            yield from split_lines(block)

    def of_kinds(self, kinds: tuple[str, ...], holding: bytes = b"") -> Iterator[dict[str, Any]]:
        """The parsed records of some kinds; without any, of all but values."""
        rows = self.rows(self.index.of_kinds(kinds), holding)
        if OTHER in self.index.codes and kinds:
            return (row for row in rows if row["kind"] in kinds)
        return rows


def parse(line: bytes, seq: int) -> dict[str, Any]:
    """Parse a record's line.

    Raises:
        DamagedFileError: It is no JSON object, though its hash was right.
    """
    try:
        row = orjson.loads(line)
    except ValueError as error:
        raise DamagedFileError(
            f"Record {seq} cannot be read: {error}. Run: explainkit doctor"
        ) from error
    if not isinstance(row, dict):
        raise DamagedFileError(f"Record {seq} is no JSON object. Run: explainkit doctor")
    return row


def read_run(source: Source, *, name: str) -> tuple[Part, Header]:
    """Index a run.

    Raises:
        ReadError: It has no valid header.
    """
    header, body = _header(source, name)
    if header.notes:
        raise ReadError(
            f"{name} holds the notes of run {header.run!r}. Open the run file beside it."
        )
    return Part(source, scan(source, body=body)), header


def read_notes(source: Source, run: Header, main: Part, *, name: str) -> Part:
    """Index the notes of a run.

    Raises:
        ForeignNotesError: They are about another run, or about other content of this one.
        ReadError: They have no valid header.
    """
    header, body = _header(source, name)
    if not header.notes or header.run != run.run:
        raise ForeignNotesError(
            f"{name} holds no notes of run {run.run!r} but {header.run!r}. Move it away."
        )
    if header.head != main.index.anchor:
        raise ForeignNotesError(
            f"{name} was written about other content of run {run.run!r}: its head is "
            f"{str(header.head)[:12]}..., the run's is {main.index.anchor[:12]}... "
            "Find the run file that it belongs to, or move the notes away."
        )
    return Part(source, scan(source, body=body, first=len(main.index)))


def joined_notes(
    opened: Callable[[], Source], run: Header, main: Part, *, name: str
) -> tuple[Part | None, tuple[Damage, ...]]:
    """The notes of a run, or why they are not joined."""
    try:
        notes = read_notes(opened(), run, main, name=name)
    except ReadError as error:
        return None, (Damage(1, f"the notes are left out: {error}"),)
    told = notes.index.damage
    return notes, tuple(replace(item, reason=f"in the notes: {item.reason}") for item in told)


def _header(source: Source, name: str) -> tuple[Header, int]:
    start = source.read(0, min(HEADER_LIMIT, source.size))
    line, newline, _ = start.partition(b"\n")
    line += newline
    return read_header(line, name=name), len(line)
