"""Recording calls of a run's author: context, left-out context, events."""

from collections.abc import Sequence
from typing import Any, TypeVar

from explainkit.safety.labels import word
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import Frame, required_frame
from explainkit.tracing.seam import Point, PointKind
from explainkit.tracing.uses import origins_of

T = TypeVar("T")


def context(
    name: str,
    value: T,
    *,
    kind: str = "fact",
    source: str | None = None,
    why: str | None = None,
    uses: Sequence[object] = (),
) -> T:
    """Record a piece of context that is offered to a model, and return it unchanged.

    Args:
        name: Your name for it; a what-if and the views call it so.
        value: The content: a text, a message, a list, anything.
        kind: ``instruction``, ``fact``, ``document``, ``memory``, ``skill``, ``message``,
            ``tool result``, ``tool description``, ``parameter``, or a word of your own.
        source: Where it was born: a file, a URL, a table, a tool.
        why: Why it was admitted.
        uses: Values recorded earlier that it was made from; those edges are ``declared``.

    Returns:
        ``value`` itself.

    Raises:
        NoRunError: No run is open here.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello"):
        ...     ek.context("tariff", "No refund below 60 minutes.", kind="document")
        'No refund below 60 minutes.'
    """
    frame = required_frame("ek.context(...)")
    value = _supplied(frame.run, "context", name, value)
    fields: dict[str, Any] = {"name": word(name), "type": kind, "source": source, "why": why}
    return _recorded(frame, "context", value, uses, fields)


def left_out(
    name: str,
    value: T,
    *,
    why: str,
    kind: str = "fact",
    how: str = "dropped",
    source: str | None = None,
) -> T:
    """Record a piece that was available and did not reach the model.

    Args:
        name: Your name for it.
        value: Its content, as it would have gone in: a whole hit where the others are whole hits,
            so that a what-if can put it back among them.
        why: Why it was left out.
        kind: As for ``context``.
        how: ``dropped``, ``truncated``, ``cut by rank``, ``deduplicated`` or ``compacted``.
        source: Where it was born.

    Returns:
        ``value`` itself.

    Raises:
        NoRunError: No run is open here.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello"):
        ...     _ = ek.left_out("page 9", "...", why="rank 9 of 9", how="cut by rank")
    """
    frame = required_frame("ek.left_out(...)")
    fields = {"name": word(name), "type": kind, "source": source, "why": why}
    return _recorded(frame, "context", value, (), {**fields, "admitted": False, "how": how})


def event(name: str, value: T, *, sender: str | None = None, uses: Sequence[object] = ()) -> T:
    """Record something that arrived from outside: a message, a callback, a person's input.

    Args:
        name: The event's name.
        value: Its payload.
        sender: Who sent it.
        uses: Values recorded earlier that it was made from.

    Returns:
        ``value`` itself.

    Raises:
        NoRunError: No run is open here.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello"):
        ...     ek.event("approval", "yes", sender="supervisor")
        'yes'
    """
    frame = required_frame("ek.event(...)")
    value = _supplied(frame.run, "event", name, value)
    return _recorded(frame, "event", value, uses, {"name": word(name), "sender": sender})


def _recorded(
    frame: Frame, kind: str, value: T, uses: Sequence[object], fields: dict[str, Any]
) -> T:
    run = frame.run
    origins = origins_of(run, uses)
    try:
        with run.recorder.lock:
            digest = run.recorder.value(value)
            seq = run.recorder.append(kind, value=digest, parent=frame.link, **fields, **origins)
            run.pieces[digest.encode()] = seq
    except Exception as fault:
        run.fault(fault)
    return value


def _supplied(run: ActiveRun, kind: PointKind, name: str, value: T) -> T:
    if run.supply is None:
        return value
    given = run.supply(Point(kind, name, (run.recorder.value(value),), value=value))
    return value if given is None else given.value  # type: ignore[return-value]
