"""The answer of a run and what replaces it: versions, never edits."""

import sys
from collections.abc import Callable, Sequence
from types import CoroutineType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from explainkit.errors import NoAnswerError, TracingError
from explainkit.safety.labels import word
from explainkit.safety.own_frames import site_of
from explainkit.tracing.active import AnswerState
from explainkit.tracing.current import Frame, required_frame
from explainkit.tracing.seam import Point
from explainkit.tracing.uses import origins_of

if TYPE_CHECKING:
    from types import FrameType

T = TypeVar("T")
Range = tuple[int, int, int, int]
_LARGEST = 2**53
"""Offsets beyond it are no offsets, and not every reader of JSON keeps them."""


def answer(value: T, *, slot: str = "answer", uses: Sequence[object] = ()) -> T:
    """Say what the run answers. A second call on a slot is an override by "answered again".

    Args:
        value: The answer; a real answer may be any value, ``None`` and ``""`` included.
        slot: Which answer, for runs that give several.
        uses: Values recorded earlier that it was made from.

    Returns:
        ``value`` itself.

    Raises:
        NoRunError: No run is open here.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     ek.answer("nothing below 60 minutes")
        'nothing below 60 minutes'
    """
    frame = required_frame("ek.answer(...)")
    if slot in frame.run.answers:
        origins = origins_of(frame.run, uses)
        _record_override(frame, slot, value, "answered again", None, (), origins)
    else:
        open_answer(frame, value, slot=slot, via="answer", origins=origins_of(frame.run, uses))
    return value


def open_answer(
    frame: Frame, value: object, *, slot: str, via: str, origins: dict[str, Any]
) -> None:
    """Write version 1 of a slot; a coroutine as answer is kept with what was forgotten."""
    run = frame.run
    run.answers[slot] = AnswerState(1, value)
    try:
        with run.recorder.lock:
            digest = run.recorder.value(value)
            fields: dict[str, Any] = {
                "slot": slot,
                "value": digest,
                "via": via,
                "parent": frame.link,
            }
            run.pieces[digest.encode()] = run.recorder.append("answer", **fields, **origins)
            if type(value) is CoroutineType:  # an object of a user's may lie about its class
                name = word(value.__name__)
                reason = f"the answer is a coroutine that was not awaited; write await {name}(...)"
                run.recorder.append("lost", what="unencodable", reason=reason, value=digest)
    except Exception as fault:
        run.fault(fault)


@overload
def override(
    change: Callable[[Any], T],
    *,
    by: str,
    reason: str | None = ...,
    slot: str = ...,
    ranges: Sequence[Range] = ...,
    uses: Sequence[object] = ...,
) -> T: ...
@overload
def override(
    change: T,
    *,
    by: str,
    reason: str | None = ...,
    slot: str = ...,
    ranges: Sequence[Range] = ...,
    uses: Sequence[object] = ...,
) -> T: ...
def override(
    change: Any,
    *,
    by: str,
    reason: str | None = None,
    slot: str = "answer",
    ranges: Sequence[Range] = (),
    uses: Sequence[object] = (),
) -> Any:
    """Replace the answer by a new version, on the record.

    Args:
        change: A function of the present answer, or the new value itself.
        by: Who overrides: a redactor, a guard, a person.
        reason: Why.
        slot: Which answer.
        ranges: ``(start, end, new_start, new_end)`` in code points, when the change knows what it
            replaced; otherwise both versions are aligned when the record is read.
        uses: Values recorded earlier that the new version was made from.

    Returns:
        The new answer.

    Raises:
        NoRunError: No run is open here.
        NoAnswerError: The slot has no answer yet.
        TracingError: ``ranges`` are no stretches.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello"):
        ...     _ = ek.answer("Dear Ann, no.")
        ...     ek.override(lambda text: text.replace("Ann", "passenger"), by="redactor")
        'Dear passenger, no.'
    """
    frame = required_frame("ek.override(...)")
    run = frame.run
    state = run.answers.get(slot)
    if state is None:
        raise NoAnswerError(
            f"ek.override(by={by!r:.60}) found no answer in slot {slot!r:.60} of run "
            f"{run.name!r:.60}. Call ek.answer(value) first."
        )
    origins = origins_of(run, uses)
    ranges = _checked(ranges)
    value: Any = change(state.value) if callable(change) else change
    if run.supply is not None:
        before = run.recorder.value(state.value)
        given = run.supply(Point("override", by, (before,), value=state.value))
        value = value if given is None else given.value
    seq = _record_override(frame, slot, value, by, reason, ranges, origins)
    if callable(change) and seq >= 0:
        run.changes[seq] = change
    return value


def _checked(ranges: Sequence[Range]) -> Sequence[Range]:
    """Ranges that a reader can use; it never gets to see others."""
    try:
        found = [(a, b, c, d) for a, b, c, d in ranges]
        if all(type(at) is int for each in found for at in each) and all(
            0 <= a <= b <= _LARGEST and 0 <= c <= d <= _LARGEST for a, b, c, d in found
        ):
            return found
    except (TypeError, ValueError):
        pass
    raise TracingError(
        f"ranges={ranges!r:.80} are no stretches. Give (start, end, new_start, new_end) in code "
        "points, with 0 <= start <= end on both sides."
    )


def _record_override(
    frame: Frame,
    slot: str,
    value: object,
    by: str,
    reason: str | None,
    ranges: Sequence[Range],
    origins: dict[str, Any],
) -> int:
    run = frame.run
    version = run.answers[slot].version
    run.answers[slot] = AnswerState(version + 1, value)
    fields: dict[str, Any] = {
        "slot": slot,
        "from_version": version,
        "by": word(by),
        "reason": reason,
    }
    if ranges:
        fields["ranges"] = ranges
    try:
        with run.recorder.lock:
            digest = run.recorder.value(value)
            fields |= {"value": digest, "site": call_site(), "outcome": "applied"}
            seq = run.recorder.append("override", parent=frame.link, **fields, **origins)
            run.pieces[digest.encode()] = seq
            return seq
    except Exception as fault:
        run.fault(fault)
    return -1


def call_site() -> str:
    """``file:line function`` of the nearest caller outside this package; the file's name only."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(
        "explainkit.tracing"
    ):
        frame = frame.f_back
    if frame is None:
        return "unknown"
    code = frame.f_code
    return site_of(code.co_filename, frame.f_lineno, code.co_name)
