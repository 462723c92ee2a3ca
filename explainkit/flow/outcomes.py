"""How a run ended, as one object: an answer is never mistaken for a refusal, or the other way."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from explainkit.errors import ExhaustedError, PausedError
from explainkit.safety import shorten

T = TypeVar("T")
E = TypeVar("E", bound=Exception)


@dataclass(frozen=True, slots=True)
class Trace:
    """Where an end came about, so that it can be found in the record.

    Attributes:
        run: Id of the run.
        links: Links of the runners it came through, outermost first; the last one it came about in.
        path: Those runners in words, such as `Sequence[2]`, `Parallel.b`, `Agent`.
    """

    run: str
    links: tuple[int, ...]
    path: tuple[str, ...]

    def __str__(self) -> str:
        return " > ".join(self.path)


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """It gave an answer.

    Attributes:
        value: The answer; any value is a real one, `None` included.
    """

    value: T


@dataclass(frozen=True, slots=True)
class Refused:
    """It ended on a terminal verdict.

    Attributes:
        verdict: The verdict.
        trace: Where.
    """

    verdict: Any
    trace: Trace | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Failed:
    """It raised.

    Attributes:
        error: What `run` raises.
    """

    error: Exception


@dataclass(frozen=True, slots=True)
class Paused:
    """It waits for a person.

    Attributes:
        checkpoint: Where it stands, plain JSON; give it back to resume.
    """

    checkpoint: Any

    def __repr__(self) -> str:
        """Short, because a checkpoint holds everything that has happened."""
        return f"Paused({shorten(repr(self.checkpoint), 60)}; go on with resume=paused.checkpoint)"


@dataclass(frozen=True, slots=True)
class Exhausted:
    """It used up its budget.

    Attributes:
        last: The last value.
        why: Which budget it was and what to do, for the message of `ExhaustedError`.
    """

    last: Any
    why: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cancelled:
    """It was cancelled through its own signal."""


Outcome: TypeAlias = Answered[T] | Refused | Failed | Paused | Exhausted | Cancelled


def answer_of(outcome: Outcome[T]) -> T:
    """The answer of an outcome.

    Raises:
        Exception: The error of a failed run, as it is.
        VerdictError: The error of the verdict that it ended on.
        PausedError: It waits for a person; the error carries the checkpoint.
        ExhaustedError: It used up its budget; the error carries the last value.
        asyncio.CancelledError: It was cancelled.

    Example:
        >>> answer_of(Answered(42))
        42
    """
    if not isinstance(outcome, Answered):
        _raise(outcome)
    return outcome.value


def _raise(outcome: Refused | Failed | Paused | Exhausted | Cancelled) -> NoReturn:
    if isinstance(outcome, Failed):
        raise outcome.error
    if isinstance(outcome, Paused):
        raise PausedError(
            "The run waits for a person. Catch PausedError and give its checkpoint back as "
            "resume=, or use outcome() and look at Paused.",
            outcome.checkpoint,
        )
    if isinstance(outcome, Exhausted):
        general = "The run used up its budget; .last is its last value."
        raise ExhaustedError(outcome.why or general, outcome.last)
    if isinstance(outcome, Cancelled):
        raise asyncio.CancelledError
    raise with_trace(outcome.verdict.error(), outcome.trace)


def with_trace(error: E, trace: Trace | None) -> E:
    """An error that tells where it came about: `.trace`, and the path as its last note."""
    if trace is not None:
        before = getattr(error, "trace", None)
        notes = [note for note in getattr(error, "__notes__", ()) if note != _note(before)]
        with suppress(AttributeError, TypeError):  # an exception may forbid attributes
            error.__notes__ = notes
            error.add_note(_note(trace))
            error.trace = trace  # type: ignore[attr-defined]
    return error


def _note(trace: object) -> str:
    return f"in {trace}" if isinstance(trace, Trace) else ""
