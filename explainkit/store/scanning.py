"""One pass over a file that finds its valid prefix and says what is wrong with the rest."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

import orjson

from explainkit.records import read_record
from explainkit.store.bulk import MANY, Bulk
from explainkit.store.damage import CUT, Damage
from explainkit.store.index import VALUE, Index
from explainkit.store.source import Source, blocks_of_lines
from explainkit.store.wire import LINE_LIMIT, Mark, RecordLine, read_line

if TYPE_CHECKING:
    from hashlib import _Hash


SHORT = 50_000
"""Up to this many records besides values, the shape of each is checked when a file is opened."""


@dataclass(slots=True)
class _Scan:
    """What a pass carries from line to line."""

    source: Source
    index: Index
    digest: "_Hash"
    sure_line: int = 0
    wrong: bool = False
    ended: bool = False
    block: memoryview = field(default_factory=lambda: memoryview(b""))
    hashed: int = 0

    def hash_up_to(self, place: int) -> None:
        """Go on with the running hash, up to a place in the current block."""
        self.digest.update(self.block[self.hashed : place])
        self.hashed = place


def scan(source: Source, *, body: int, first: int = 0, known: Index | None = None) -> Index:
    """Index the records after the header.

    Args:
        source: The bytes of a file.
        body: Offset of the first byte after the header line, or after the lines that are known.
        first: ``seq`` that the first record must have.
        known: Index of the lines before, of which nothing is wrong.

    Returns:
        The index of the valid prefix, with what is wrong as its ``damage``.
    """
    index = Index(first) if known is None else known.copy()
    index.lines = index.lines or 1
    state = _Scan(source, index, sha256(source.read(0, min(body, source.size))))
    state.sure_line, proven = index.lines if known else 0, len(index)
    for offset, block in blocks_of_lines(source, start=body):
        stop, reason = _block(state, offset, block)
        if reason is not None:
            _leave_out(state, stop, reason)
            break
    index.anchor = index.head or state.digest.hexdigest()
    _prove(state, proven)
    index.damage.sort(key=lambda damage: damage.line)
    return index


def _block(state: _Scan, offset: int, block: bytes) -> tuple[int, str | None]:
    """Take the lines of one block; returns where it stopped, and why when it may not go on."""
    state.block, state.hashed = memoryview(block), 0
    bulk = Bulk(block) if len(block) >= MANY else None
    start = number = 0
    reason = None
    while start < len(block):
        if bulk is not None and bulk.fits(number) and not state.ended:
            number += bulk.take(number, state.index, offset)
            start = bulk.start(number)
            if start == len(block):
                break
        end = block.find(b"\n", start)
        reason = CUT if end < 0 else _line(state, offset, start, block[start:end])
        if reason is not None:
            break
        state.index.lines += 1
        start = end + 1
        number += 1
    state.hash_up_to(start)
    return offset + start, reason


def _line(state: _Scan, offset: int, start: int, line: bytes) -> str | None:
    """Take one line; returns why it does not belong to the prefix, when it does not."""
    if state.ended:
        return "there is something after the end line"
    found = read_line(line)
    if found is None:
        return "the line is no record: it was damaged, or another program wrote it"
    if isinstance(found, RecordLine):
        reason = _wrong_place(state.index, found, len(line))
        if reason is None:
            state.index.add(found.kind, offset + start, len(line), found.digest)
        return reason
    state.hash_up_to(start)
    _mark(state, found, state.digest.hexdigest())
    return None


def _wrong_place(index: Index, found: RecordLine, length: int) -> str | None:
    expected = index.first + len(index)
    if length > LINE_LIMIT:
        return f"the line is longer than {LINE_LIMIT:,} bytes"
    if found.seq == expected:
        return None
    if index.first <= found.seq < expected:
        return f"record {found.seq} stands here again: lines were repeated or moved"
    return f"record {expected} is missing: here stands {found.seq}; lines were deleted or moved"


def _mark(state: _Scan, mark: Mark, sha: str) -> None:
    """Compare a check or end line with what was really read."""
    index = state.index
    count = index.first + len(index)
    line = index.lines + 1
    right = mark.sha256 == sha and mark.records == count
    if right and not state.wrong:
        index.verified = len(index)
        state.sure_line = line
    elif not state.wrong:
        state.wrong = True
        lines = f"lines {state.sure_line + 1} to {line}"
        reason = f"{lines} are not what was written: their hash differs"
        if mark.sha256 == sha:
            reason = f"the count of {mark.records} records is wrong: there are {count}"
        index.damage.append(Damage(min(state.sure_line + 1, line), reason))
    if mark.status is not None:
        state.ended = True
        index.status = mark.status
        index.head = None if state.wrong else sha


def _leave_out(state: _Scan, stop: int, reason: str) -> None:
    """Count the lines from ``stop`` on, which are not part of the prefix."""
    lost = 0
    for _, block in blocks_of_lines(state.source, start=stop):
        lost += block.count(b"\n") + (not block.endswith(b"\n"))
    state.index.damage.append(Damage(state.index.lines + 1, reason, lost))


def _prove(state: _Scan, proven: int) -> None:
    """Read the records that are in doubt: the first of the wrong shape ends the prefix."""
    index = state.index
    for place in _doubtful(index, proven):
        start = index.starts[place]
        line = state.source.read(start, start + index.lengths[place])
        try:
            read_record(orjson.loads(line))
        except ValueError:  # pydantic's error is one, too
            reason = f"record {index.first + place} cannot be read"
            number = _line_number(state.source, start)
            index.damage.append(Damage(number, reason, index.lines - number + 1))
            index.cut(place)
            index.lines = number - 1
            index.head = index.status = None
            return


def _doubtful(index: Index, proven: int) -> Iterable[int]:
    """Places of the records that no right hash vouches for, and in a short run of all records.

    A right hash says that nothing was changed, not that who wrote it meant well. Reading every
    record of a long run would take longer than all the rest, so there it is left to ``doctor``.
    Values are read when they are asked for.

    Args:
        index: The index.
        proven: How many records were looked at before.
    """
    rest = range(max(index.verified, proven), len(index))
    if len(index) - len(index.values) > SHORT:
        return rest
    short = range(proven, index.verified)
    vouched = (place for place in short if index.codes[place] != VALUE)
    return chain(vouched, rest)


def _line_number(source: Source, offset: int) -> int:
    number = 1
    for start, block in blocks_of_lines(source):
        if start >= offset:
            break
        number += block[: offset - start].count(b"\n")
    return number
