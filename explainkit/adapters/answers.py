"""The answer of an imported run, where its format says which one it is."""

from explainkit.adapters.script import Emitted, Said
from explainkit.tracing.recorder import Recorder


def write_answer(
    recorder: Recorder, said: Said, *, start: int | None = None, end: int | None = None
) -> None:
    """Open version 1 of the answer, declared to be what a step said.

    Args:
        recorder: Takes the record.
        said: The step's text and its place.
        start: First code point of the answer in that text (as stored); ``None`` is the start.
        end: One past the last; ``None`` is the end.
    """
    stored = recorder.redactor.text(said.text)
    text = stored[start:end]
    origin = dict(said.origin)
    if start is not None or end is not None:
        origin["start"] = start or 0
        origin["end"] = len(stored) if end is None else end
    recorder.append(
        "answer", slot="answer", value=recorder.value(text), via="answer", uses=[origin]
    )


def last_said(done: Emitted) -> int | None:
    """Position of the last message in which a model said something."""
    return max((index for index, said in done.said.items() if said.text.strip()), default=None)
