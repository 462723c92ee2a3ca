"""What is said about a run after its end, in a file of its own: the run file never changes."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from explainkit.errors import DamagedFileError, WriteError
from explainkit.records import read_record
from explainkit.store.damage import CUT
from explainkit.store.locks import is_being_written, wait_for_lock
from explainkit.store.naming import notes_path
from explainkit.store.reader import Recording
from explainkit.store.source import BytesSource
from explainkit.store.wire import check_line, notes_header_line, record_line

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def append_notes(recording: Recording, rows: Iterable[Mapping[str, Any]]) -> Recording:
    """Add records (verdicts, notes, findings, and values that they hold) after a run's end.

    The notes of a run with a file go to ``NAME.notes.ek.jsonl`` beside it, each call by one
    write that a check line closes; two processes that append wait for each other. Those of a
    run in memory stay there until ``save``.

    Args:
        recording: The run; it is not changed.
        rows: JSON fields of each record, ``kind`` among them, without ``seq``; ``at`` in
            nanoseconds where it is known.

    Returns:
        The run with all its notes, also those that others have added meanwhile.

    Raises:
        ForeignNotesError: The notes that are there belong to other content.
        WriteError: They cannot be written, are damaged, or the run still goes on.
        ValueError: A row has not the shape of its kind.

    Example:
        >>> from explainkit.store import MemorySink
        >>> sink = MemorySink(run="r1", name="claim")
        >>> sink.close(0, "answered")
        >>> run = append_notes(Recording.of_lines(sink.lines()), [{"kind": "note", "text": "hm"}])
        >>> run.raw(0)["text"]
        'hm'
    """
    said = list(rows)
    for row in said:
        read_record({**row, "seq": 0})
    if recording.path is None:
        before = b"".join(recording.note_lines())
        return recording.with_more_notes(before, _addition(recording, before, said))
    if recording.head is None and is_being_written(recording.path):
        raise WriteError(f"{recording.path} is still being written. Add notes when the run ended.")
    beside = notes_path(recording.path)
    try:
        file = os.open(beside, _FLAGS, 0o600)
    except OSError as error:
        raise WriteError(f"The notes {beside} cannot be written: {error.strerror}.") from error
    try:
        wait_for_lock(file)
        before = _mended(recording, file, beside)
        addition = _addition(recording, before, said)
        _write(file, addition, size=len(before), path=beside)
    finally:
        os.close(file)
    return recording.with_more_notes(before, addition)


def _addition(recording: Recording, before: bytes, rows: list[Mapping[str, Any]]) -> bytes:
    """The lines to append to the notes that are there."""
    lines = [] if before else [notes_header_line(recording.run, recording.anchor)]
    seq = recording.run_length
    if recording.holds_notes(before):
        seq = len(recording)
    elif before:
        seq = len(recording.with_notes(BytesSource(before), strict=True))
    for row in rows:
        fields = {key: item for key, item in row.items() if key not in {"kind", "seq", "at"}}
        lines.append(record_line(row["kind"], seq, row.get("at"), fields))
        seq += 1
    block = b"".join(lines)
    return block + check_line(seq, sha256(before + block).hexdigest())


def _mended(recording: Recording, file: int, path: Path) -> bytes:
    """The content of the notes file, with what a killed append left at its end taken away."""
    content = _content(file)
    whole = content[: content.rfind(b"\n") + 1]
    if recording.holds_notes(content):
        return content
    if whole:
        joined = recording.with_notes(BytesSource(content), strict=True)
        damage = [item for item in joined.notes_damage if not item.reason.endswith(CUT)]
        if damage:
            raise WriteError(
                f"The notes {path} are damaged ({damage[0]}). Run explainkit doctor, then move "
                "them away; nothing was added."
            )
    elif content and not notes_header_line(recording.run, recording.anchor).startswith(content):
        raise DamagedFileError(f"{path} holds no notes. Move it away.")
    if len(whole) != len(content):
        os.ftruncate(file, len(whole))
    return whole


def _content(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    blocks = []
    while block := os.read(file, 1 << 20):
        blocks.append(block)
    return b"".join(blocks)


def _write(file: int, lines: bytes, *, size: int, path: Path) -> None:
    try:
        written = 0
        while written < len(lines):
            written += os.write(file, memoryview(lines)[written:])
    except OSError as error:
        with contextlib.suppress(OSError):
            os.ftruncate(file, size)
        raise WriteError(
            f"The notes {path} cannot be written: {error.strerror}. Nothing was added."
        ) from error
