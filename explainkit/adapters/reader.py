"""What the reader of a format must give, so that all formats are opened by the same code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explainkit.adapters.reports import Skipped
from explainkit.adapters.script import Emitted, Script
from explainkit.tracing.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Reading:
    """One run as its reader understood it.

    Attributes:
        script: The run, normalised.
        skipped: What was left out, and why.
        notes: Remarks for the report.
    """

    script: Script
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


class Reader(Protocol):
    """Reads the runs of one file whose shape it recognised."""

    @property
    def format(self) -> str:
        """Name of the format."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the runs in file order."""

    def read(self, index: int, source: dict[str, Any]) -> Reading:
        """Normalise one run.

        Args:
            index: Position of the run in the file.
            source: What ``run_started`` says of where it came from.
        """

    def finish(self, index: int, recorder: Recorder, done: Emitted) -> Sequence[str]:
        """Write the run's answer, verdicts and notes; return remarks for the report."""
