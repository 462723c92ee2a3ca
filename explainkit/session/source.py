"""Where a run's records come from, and where what is said after its end goes."""

import threading
from pathlib import Path
from typing import Any, Protocol

from explainkit.errors import ReadError, WriteError
from explainkit.safety.labels import worded
from explainkit.safety.redaction import Redactor
from explainkit.store import FileSink, MemorySink, Recording, append_notes
from explainkit.tracing.active import ActiveRun


class RunSource(Protocol):
    """Gives the records of one run and takes later ones."""

    @property
    def active(self) -> ActiveRun | None:
        """The tracer's side while the run goes on."""

    @property
    def path(self) -> Path | None:
        """The run's file."""

    def recording(self) -> Recording:
        """The records there are now."""

    def append(self, kind: str, fields: dict[str, Any]) -> None:
        """Add a record: to the stream while the run goes on, else to its notes."""

    def keep(self, kind: str, fields: dict[str, Any]) -> str | None:
        """Add a record to the notes, or to memory where their file takes none; give why."""


class FileSource:
    """A run that was recorded before; notes go beside its file, or stay in memory."""

    def __init__(self, recording: Recording, redactor: Redactor | None = None) -> None:
        """Hold a recording; notes pass through the redactor of its run, else through a new one."""
        self._recording = recording
        self._redactor = redactor or Redactor()
        self._lock = threading.Lock()

    active: ActiveRun | None = None

    @property
    def path(self) -> Path | None:
        """The run's file."""
        return self._recording.path

    def recording(self) -> Recording:
        """The records with all notes."""
        return self._recording

    def append(self, kind: str, fields: dict[str, Any]) -> None:
        """Add a note record."""
        with self._lock:  # re-runs of a panel write beside the cells of a notebook
            self._recording = append_notes(self._recording, [self._row(kind, fields)])

    def keep(self, kind: str, fields: dict[str, Any]) -> str | None:
        """Add a note record that cost calls: in memory where its file takes none.

        Returns:
            Why it is in memory; None where it was written.
        """
        try:
            self.append(kind, fields)
        except (ReadError, WriteError) as error:
            with self._lock:
                kept = self._recording.in_memory()
                self._recording = append_notes(kept, [self._row(kind, fields)])
            return str(error)
        return None

    def _row(self, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        return {"kind": kind, **self._redactor.value(worded(kind, fields))}


class LiveSource:
    """A run that is recorded in this process, until it ends."""

    def __init__(self, active: ActiveRun, sink: FileSink | MemorySink) -> None:
        """Follow an active run and its sink."""
        self._active = active
        self._sink = sink
        self._read: tuple[int, Recording] | None = None
        self._ended: FileSource | None = None
        self._ending = threading.Lock()

    @property
    def active(self) -> ActiveRun | None:
        """The active run, while it is open."""
        return None if self._active.ended else self._active

    @property
    def path(self) -> Path | None:
        """The file that the sink writes."""
        return self._sink.path if isinstance(self._sink, FileSink) else None

    def written_after(self, place: int) -> tuple[bytes, int]:
        """Lines written after a place, 0 for the beginning, and the place where they end."""
        return self._sink.written_after(place)

    def recording(self) -> Recording:
        """The records so far; read again only when there are new ones."""
        if self._ended is not None:
            return self._ended.recording()
        if self._active.ended:
            return self._at_its_end().recording()
        recorder = self._active.recorder
        with recorder.lock:
            recorder.flush()
            size = recorder.seq
        if self._read is None or self._read[0] != size:
            self._read = (size, self._fresh(running=True))
        return self._read[1]

    def append(self, kind: str, fields: dict[str, Any]) -> None:
        """Write to the stream, or to the notes once the run has ended."""
        if self._active.ended:
            self.recording()
        if self._ended is not None:
            self._ended.append(kind, fields)
        else:
            self._active.recorder.append(kind, **fields)

    def keep(self, kind: str, fields: dict[str, Any]) -> str | None:
        """As `FileSource.keep`; the run has ended."""
        self.recording()
        return self._at_its_end().keep(kind, fields)

    def _at_its_end(self) -> FileSource:
        """What holds the ended run: one, whichever thread asks first."""
        with self._ending:
            if self._ended is None:
                recording = self._fresh(running=False)
                self._ended = FileSource(recording, self._active.recorder.redactor)
            return self._ended

    def _fresh(self, *, running: bool) -> Recording:
        if isinstance(self._sink, FileSink):
            return Recording.read(self._sink.path)
        return Recording.of_lines(self._sink.lines(), running=running)
