"""Every law of records, checked on a whole run."""

from collections.abc import Iterator
from itertools import islice

from explainkit.errors import DamagedFileError
from explainkit.records import read_record
from explainkit.store.answer_law import AnswerLaw
from explainkit.store.order_law import OrderLaw
from explainkit.store.problem import Problem
from explainkit.store.reader import Recording
from explainkit.store.reference_law import ReferenceLaw
from explainkit.store.value_law import ValueLaw

_LISTED = 1_000


def doctor(recording: Recording) -> list[Problem]:
    """Check a run against every law.

    All content is rebuilt and compared with its digest, so that this takes as long as reading
    everything.

    Args:
        recording: The run.

    Returns:
        What is wrong, in record order, integrity first; empty when all is well. Beyond a
        thousand problems the last one says how many more there are.

    Example:
        >>> from explainkit.store import MemorySink
        >>> sink = MemorySink(run="r1", name="claim")
        >>> sink.close(0, "answered")
        >>> doctor(Recording.of_lines(sink.lines()))
        []
    """
    found = _problems(recording)
    listed = list(islice(found, _LISTED))
    more = sum(1 for _ in found)
    if more:
        listed.append(Problem("more", None, f"{more:,} further problems"))
    return listed


def _problems(recording: Recording) -> Iterator[Problem]:
    for damage in recording.damage:
        yield Problem("integrity", None, str(damage))
    if recording.unvouched and not recording.damage:
        reason = "the run ended, but its end line is missing: no hash covers the last lines"
        yield Problem("integrity", None, reason)
    order, values = OrderLaw(recording.run), ValueLaw(recording)
    references, answers = ReferenceLaw(recording), AnswerLaw()
    for seq in range(len(recording)):
        try:
            row = recording.raw(seq)
            read_record(row)
        except (DamagedFileError, ValueError) as error:
            yield Problem("shape", seq, _first_lines(error))
            continue
        yield from order.check(row, noted=seq >= recording.run_length)
        yield from references.check(row)
        yield from values.check(row)
        yield from answers.check(row)
    yield from order.finish()
    yield from values.finish()


def _first_lines(error: Exception) -> str:
    """Pydantic says in three lines which field is wrong, and how."""
    return " ".join(line.strip() for line in str(error).splitlines()[:3])[:300]
