"""What every question about a run starts from: its records, and the plain facts in them."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from explainkit.session.source import FileSource, RunSource
from explainkit.tracing.active import ActiveRun

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from explainkit.adapters.reports import ImportReport
    from explainkit.graph import Evidence
    from explainkit.magics.recorded_cells import RecordedCell
    from explainkit.session.explorer import Explorer
    from explainkit.session.run import Run
    from explainkit.session.watching import Watch
    from explainkit.store import Recording
    from explainkit.tracing.own_runs import Again


class HeldRun:
    """The records of a run, wherever they are, and the index over them.

    Attributes:
        report: Of an imported run, what was read and what was not.
        again: Of a run that was made in this process, how it is made again.
        changes: Of a run that was made in this process, the functions of its overrides.
        cell: Of a run that `%%trace` recorded in this process, the cell, to be run again.
    """

    def __init__(self, source: RunSource, *, report: "ImportReport | None" = None) -> None:
        """Wrap what knows the run's records."""
        self._source = source
        self._evidence: tuple[int, Evidence] | None = None
        self.explorer: Explorer | None = None
        self.report = report
        self.again: Again | None = None
        self.cell: RecordedCell | None = None
        self.changes: Mapping[int, Callable[[Any], Any]] = {}

    @property
    def active(self) -> ActiveRun | None:
        """The tracer's side of the run while it goes on; ``None`` once it has ended."""
        return self._source.active

    @property
    def recording(self) -> "Recording":
        """The records so far."""
        return self._source.recording()

    def append_record(self, kind: str, fields: dict[str, Any]) -> None:
        """Write a record: to the run while it goes on, afterwards to the notes beside it."""
        self._source.append(kind, fields)

    def keep_record(self, kind: str, fields: dict[str, Any]) -> None:
        """Add a record that cost calls; where it cannot be written, in memory with a warning."""
        why = self._source.keep(kind, fields)
        if why is not None:
            warnings.warn(
                f"What was found is kept in memory only: {why} To keep it, save the run under "
                "another name: run.save(path).",
                stacklevel=2,
            )

    def watch(self, *, stream: TextIO | None = None) -> "Watch":
        """Show the run while it goes on: its last links, counts, time, open Gates, the answer.

        A notebook shows widgets, at most five updates a second, also while a long cell runs; a
        text takes their place when the run ends. Anywhere else lines are written.

        Args:
            stream: Write plain lines there instead; standard error outside of a notebook.

        Returns:
            What is watched; `stop()` ends it before the run does, `wait()` waits for its end.
        """
        from explainkit.session.watching import Watch

        return Watch(lambda: cast("Run", self), stream=stream)

    @property
    def id(self) -> str:
        """The run's id."""
        return self.recording.run

    @property
    def name(self) -> str:
        """The run's name."""
        return self.recording.name

    @property
    def status(self) -> str:
        """answered, error, verdict, paused, exhausted, cancelled, running or crashed."""
        return self.recording.status

    @property
    def path(self) -> Path | None:
        """The run's file; ``None`` while it is in memory only."""
        return self._source.path

    @property
    def is_loaded(self) -> bool:
        """Whether it was read from a file, so that what made it may be elsewhere."""
        return isinstance(self._source, FileSource)

    @property
    def head(self) -> str | None:
        """SHA-256 that the file ends on; keep it to find a cut tail later."""
        return self.recording.head

    @property
    def question(self) -> str | None:
        """What was asked."""
        started = next(self.recording.rows("run_started"), {})
        digest = started.get("question")
        return None if digest is None else self.recording.values.shown(digest)

    @property
    def answer(self) -> Any:
        """The effective answer: the last version of the slot ``answer``.

        Raises:
            UnknownRecordError: The run has none.
        """
        from explainkit.session.answering import effective_answer

        return effective_answer(self.recording)

    @property
    def evidence(self) -> "Evidence":
        """The index that walks go over; built once for the records there are."""
        from explainkit.graph import Evidence

        recording = self.recording
        if self._evidence is None or self._evidence[0] != len(recording):
            self._evidence = (len(recording), Evidence(recording))
        return self._evidence[1]
