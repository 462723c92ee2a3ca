"""A recorded run as an immutable sequence of records, read no further than it is asked."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from explainkit.errors import DamagedFileError, UnknownRecordError
from explainkit.records import Record, read_record
from explainkit.store.damage import CUT, Damage
from explainkit.store.folding import (
    RUN_STATUSES,
    AnswerFold,
    Standing,
    fold_answers,
    inferred_answer,
    standing,
)
from explainkit.store.locks import is_being_written
from explainkit.store.naming import notes_path
from explainkit.store.part import Part, joined_notes, parse, read_notes, read_run
from explainkit.store.source import BytesSource, Source, open_source
from explainkit.store.values import Values
from explainkit.store.wire import Header


class Recording:
    r"""The records of one run, with the notes that were added after its end.

    A damaged file opens as its valid prefix; ``damage`` says what is left out. Records are parsed
    when asked for, and values stay where they are until then.

    Attributes:
        path: The file; None for a run in memory.
        damage: What is wrong, by line; that of the notes comes last.
        notes_damage: What is wrong with the notes alone.

    Example:
        >>> from explainkit.store import MemorySink
        >>> sink = MemorySink(run="r1", name="claim")
        >>> sink.write(b'{"kind":"run_started","seq":0,"at":null,"run":"r1","name":"claim"}\n')
        >>> recording = Recording.of_lines(sink.lines())
        >>> recording.status, len(recording), recording[0].kind
        ('crashed', 1, 'run_started')
    """

    def __init__(
        self, header: Header, main: Part, notes: Part | None, *, path: Path | None, running: bool
    ) -> None:
        self._header = header
        self._main = main
        self._notes = notes
        self._parts = (main,) if notes is None else (main, notes)
        self._running = running
        self.path = path
        self.damage: tuple[Damage, ...] = tuple(
            item for item in main.index.damage if not (running and item.reason == CUT)
        )
        self.notes_damage: tuple[Damage, ...] = ()

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, notes: bool = True) -> "Recording":
        """Open a run file.

        Args:
            path: The file.
            notes: Whether to join the notes beside it.

        Raises:
            NewerFormatError: It was written by a newer explainkit.
            UnknownFormatError: It is not an explainkit file.
            DamagedFileError: Not even its header can be read.
            UnsafeFileError: It is not a plain file.
            ReadError: It cannot be opened.
        """
        place = Path(path)
        main, header = read_run(open_source(place), name=place.name)
        running = main.index.head is None and is_being_written(place)
        beside = notes_path(place)
        if not notes or not _has_content(beside):
            return cls(header, main, None, path=place, running=running)
        return cls(header, main, None, path=place, running=running)._joined(
            lambda: open_source(beside), beside.name
        )

    @classmethod
    def of_lines(
        cls, lines: Sequence[bytes], *, notes: Sequence[bytes] = (), running: bool = False
    ) -> "Recording":
        """Open a run that is in memory.

        Args:
            lines: The lines of the run, the header first, each with its newline.
            notes: The lines of its notes, their header first.
            running: Whether the run still goes on; without an end it reads as crashed otherwise.

        Raises:
            ReadError: As ``read``.
        """
        main, header = read_run(BytesSource(b"".join(lines)), name="the run in memory")
        running = running and main.index.head is None
        if not notes:
            return cls(header, main, None, path=None, running=running)
        return cls(header, main, None, path=None, running=running).with_notes(
            BytesSource(b"".join(notes))
        )

    def with_notes(self, source: Source, *, strict: bool = False) -> "Recording":
        """The same run with these notes in place of those that it has.

        Args:
            source: The bytes of the notes.
            strict: Raise when they do not belong to the run, instead of leaving them out.

        Raises:
            ForeignNotesError: They are about other content (only when ``strict``).
            ReadError: They have no valid header (only when ``strict``).
        """
        name = notes_path(self.path).name if self.path else "the notes in memory"
        if strict:
            read_notes(source, self._header, self._main, name=name)
        return self._joined(lambda: source, name)

    def holds_notes(self, content: bytes) -> bool:
        """Whether these are its notes, byte for byte, and right.

        Args:
            content: The bytes of notes.
        """
        return self._notes is not None and self._notes.holds(content)

    def with_more_notes(self, before: bytes, more: bytes) -> "Recording":
        """The same run with notes that were just appended.

        Args:
            before: The notes that were there; others may have added some.
            more: The new lines.
        """
        source = BytesSource(before + more)
        if self._notes is None or not self._notes.holds(before):
            return self.with_notes(source)
        notes = self._notes.grown(source)
        return Recording(self._header, self._main, notes, path=self.path, running=self._running)

    def in_memory(self) -> "Recording":
        """The same without a file, so that notes are added in memory."""
        return Recording(self._header, self._main, self._notes, path=None, running=self._running)

    def _joined(self, opened: Callable[[], Source], name: str) -> "Recording":
        notes, damage = joined_notes(opened, self._header, self._main, name=name)
        joined = Recording(self._header, self._main, notes, path=self.path, running=self._running)
        joined.notes_damage = damage
        joined.damage += damage
        return joined

    @property
    def run(self) -> str:
        """Id of the run."""
        return self._header.run

    @property
    def name(self) -> str:
        """What the author called the run."""
        return self._header.name

    @property
    def head(self) -> str | None:
        """SHA-256 over everything before the end line; None while there is no right end line."""
        return self._main.index.head

    @property
    def anchor(self) -> str:
        """The head, or for a run without an end the SHA-256 over its valid prefix."""
        return self._main.index.anchor

    @cached_property
    def status(self) -> str:
        """How the run ended; ``running`` or ``crashed`` when it did not.

        Without an end line nothing vouches for the last lines: the run reads as crashed, whatever
        they say.
        """
        if self.unvouched:
            return "crashed"
        for row in self._main.of_kinds(("run_ended",)):
            if row.get("status") in RUN_STATUSES:
                return str(row["status"])
        if self._main.index.status in RUN_STATUSES:
            return str(self._main.index.status)
        return "running" if self._running else "crashed"

    @cached_property
    def unvouched(self) -> bool:
        """Whether a ``run_ended`` record stands there and its end line was cut off."""
        if self.head is not None or self._running:
            return False
        if any(item.reason != CUT for item in self._main.index.damage):
            return False
        return any(True for _ in self._main.of_kinds(("run_ended",)))

    @property
    def run_length(self) -> int:
        """Number of records in the run itself, without its notes."""
        return len(self._main.index)

    def __len__(self) -> int:
        return sum(len(part.index) for part in self._parts)

    def __getitem__(self, seq: int) -> Record:
        return _record(self.raw(seq))

    def __iter__(self) -> Iterator[Record]:
        for part in self._parts:
            for row in part.rows(range(len(part.index))):
                yield _record(row)

    def __repr__(self) -> str:
        return f"<Recording {self.name!r} of {len(self)} records, {self.status}>"

    def raw(self, seq: int) -> dict[str, Any]:
        """The JSON object of a record.

        Raises:
            UnknownRecordError: There is no such record.
            DamagedFileError: It cannot be read.
        """
        return parse(self.raw_line(seq), seq)

    def raw_line(self, seq: int) -> bytes:
        """The bytes of a record's line, without its newline.

        Raises:
            UnknownRecordError: There is no such record.
        """
        for part in self._parts:
            place = seq - part.index.first
            if 0 <= place < len(part.index):
                return part.line(place)
        raise self._unknown(seq)

    def _unknown(self, seq: int) -> UnknownRecordError:
        return UnknownRecordError(
            f"Run {self.run!r} has no record {seq}: they are numbered 0 to {len(self) - 1}."
        )

    def kind(self, seq: int) -> str:
        """Kind of a record, without reading it.

        Raises:
            UnknownRecordError: There is no such record.
        """
        for part in self._parts:
            place = seq - part.index.first
            if 0 <= place < len(part.index):
                return part.kind(place)
        raise self._unknown(seq)

    def rows(self, *kinds: str) -> Iterator[dict[str, Any]]:
        """The JSON objects of records, in order.

        Args:
            kinds: Which; without any, every kind but ``value``, whose content is then not read.
        """
        for part in self._parts:
            yield from part.of_kinds(kinds)

    def links_of_type(self, word: str) -> Iterator[dict[str, Any]]:
        """The ``link_opened`` records of one type, in order; the others are not even parsed.

        Args:
            word: The type, as it stands in JSON.
        """
        for part in self._parts:
            for row in part.of_kinds(("link_opened",), orjson.dumps(word)):
                if row.get("type") == word:
                    yield row

    def lines(self) -> Iterator[bytes]:
        """Every line of the run file, marks and damage included, each with its newline."""
        return self._main.lines()

    def note_lines(self) -> Iterator[bytes]:
        """Every line of the notes, their header first; nothing when there are none."""
        return iter(()) if self._notes is None else self._notes.lines()

    @cached_property
    def values(self) -> Values:
        """The stored content, by digest."""
        return Values(self._parts)

    @cached_property
    def open_links(self) -> tuple[int, ...]:
        """``seq`` of each link that was opened and never closed; in order."""
        opened: dict[int, None] = {}
        for row in self._main.of_kinds(("link_opened", "link_closed")):
            if row["kind"] == "link_opened":
                opened[row["seq"]] = None
            elif isinstance(row.get("link"), int):
                opened.pop(row["link"], None)
        return tuple(opened)

    def effective(self, slot: str = "answer") -> AnswerFold | None:
        """The versions of an answer slot.

        Args:
            slot: ``answer`` is the run's; where nobody gave it, the last output of a ``model``
                link stands for it, marked as inferred.

        Returns:
            The fold of the answer and the overrides that took effect; None without an answer.
        """
        fold = self._folds.get(slot)
        return self._inferred if fold is None and slot == "answer" else fold

    @cached_property
    def passing(self) -> Standing:
        """``failing``, ``passing`` or ``unlabelled``, by the verdicts that are not stale."""
        return standing(self)

    @cached_property
    def _folds(self) -> dict[str, AnswerFold]:
        return fold_answers(self.rows("answer", "override"))

    @cached_property
    def _inferred(self) -> AnswerFold | None:
        return inferred_answer(self)


def _record(row: dict[str, Any]) -> Record:
    try:
        return read_record(row)
    except ValueError as error:
        first = str(error).splitlines()[0]
        raise DamagedFileError(
            f"Record {row.get('seq')} has the wrong shape ({first}). Run: explainkit doctor"
        ) from error


def _has_content(path: Path) -> bool:
    """Whether there is anything to read; a killed append may leave an empty file."""
    try:
        return path.stat().st_size > 0
    except (OSError, ValueError):
        return path.is_symlink()
