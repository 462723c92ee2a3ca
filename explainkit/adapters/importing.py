"""One run of a reader into a recording, the same bytes every time."""

from dataclasses import dataclass
from typing import Any

from explainkit.adapters.emission import emit
from explainkit.adapters.reader import Reader, Reading
from explainkit.adapters.reports import ImportReport
from explainkit.adapters.script import Emitted
from explainkit.store import MemorySink, Recording
from explainkit.tracing.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Imported:
    """A run of another tool, as a recording.

    Attributes:
        recording: The run.
        report: What was read, skipped and missing.
    """

    recording: Recording
    report: ImportReport


def import_run(reader: Reader, index: int, *, file: str) -> Imported:
    """Turn one run into a recording.

    Args:
        reader: Reader of the file's format.
        index: Position of the run in the file.
        file: Name of the file, without its folder.
    """
    name = file.encode("utf-8", "backslashreplace").decode()
    source: dict[str, Any] = {"format": reader.format, "file": name, "index": index}
    reading = reader.read(index, source)
    script = reading.script
    sink = MemorySink(run=script.run, name=script.name)
    recorder = Recorder(sink, run=script.run, clock=None)
    done = emit(recorder, script)
    remarks = reader.finish(index, recorder, done)
    status = "answered" if done.said else "paused"
    recorder.append("run_ended", status=status)
    recorder.close(status)
    report = _report(reading, done, tuple(remarks))
    return Imported(Recording.of_lines(sink.lines()), report)


def _report(reading: Reading, done: Emitted, remarks: tuple[str, ...]) -> ImportReport:
    turns = reading.script.turns
    return ImportReport(
        format=str(reading.script.source["format"]),
        records_read=len(turns),
        skipped=reading.skipped,
        dangling=tuple(done.dangling),
        content_missing=(done.missing, len(turns)),
        ids_rewritten=done.reused,
        redacted=done.redacted,
        notes=(*reading.notes, *done.notes, *remarks),
    )
