"""One way for every runner of ours to stand in the record: a link that closes as the run ended."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar, cast

from explainkit.flow.checks.shapes import Unset
from explainkit.flow.checks.signals import Signal
from explainkit.flow.driving.homes import Home, frame_here, status_of
from explainkit.flow.handing import HAND, Hand
from explainkit.flow.outcome_forms import recorded_end, recorded_form
from explainkit.flow.outcomes import (
    Answered,
    Cancelled,
    Exhausted,
    Failed,
    Outcome,
    Refused,
    Trace,
    with_trace,
)
from explainkit.flow.supplied_calls import supplied_call
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.called_functions import known_of
from explainkit.tracing.current import CURRENT, Frame, leave
from explainkit.tracing.engine_links import close_engine_link, open_engine_link
from explainkit.tracing.own_runs import Again

E = TypeVar("E", bound=Exception)
Work = Callable[[Frame], Coroutine[Any, Any, Outcome[Any]]]


async def linked(
    work: Work,
    *,
    kind: str,
    label: str,
    input: Any,  # noqa: A002 - the word of every runner
    signal: Signal | None = None,
    attrs: Mapping[str, Any] | None = None,
    again: Callable[[], Again] | None = None,
    call: Callable[..., Any] | None = None,
    reads: Iterable[Any] = (),
    **settings: Any,
) -> Outcome[Any]:
    """Run something as one link of the run that is open, or of one of its own.

    An `Exception` becomes `Failed`. A task that is cancelled, an interrupt and an exit close the
    link as cancelled and go on as they are; only a cancel through `signal` is `Cancelled()`.

    Args:
        work: What runs; it is given the frame of its own link, which is current meanwhile.
        kind: The link's type.
        label: Its name, and the runner's word in a path.
        input: What the runner was given; `UNSET` when that is not to be recorded.
        signal: Says that the run is to stop.
        attrs: What to say of the link when it closes; it may be filled in while the work runs.
        again: Says how a run of its own is made again.
        call: What the work calls and does nothing else, so that a what-if may supply its result.
        reads: Functions that the runner asks and that have no link, such as its conditions.
        settings: Settings of a run of its own, as `ek.trace` takes them.

    Returns:
        How it ended, with where: the trace of a verdict, and that of an error.
    """
    here = frame_here(settings.get("to"))
    if here is None and again is not None:
        settings["again"] = again()
    home = Home(here, name=label, **settings)
    run = home.frame.run
    hand = HAND.get()
    seq = _opened(run, kind, label, home.frame.link, input, hand, _said_of(call, reads))
    frame = Frame(run, seq if seq >= 0 else home.frame.link)
    token = CURRENT.set(frame)
    HAND.set(None)
    outcome: Outcome[Any] = Cancelled()
    try:
        given = supplied_call(run, seq, kind, label, input, call)
        if given is None:
            outcome = _placed(await _until(work(frame), signal), run.id, seq, label)
        else:
            outcome, attrs = Answered(given.value), given.attrs
    except Exception as error:  # noqa: BLE001 - an outcome holds what was raised
        outcome = _placed(Failed(error), run.id, seq, label)
    finally:
        leave(token)
        _closed(run, seq, outcome, hand, attrs or {})
        home.close(recorded_end(outcome))
    return outcome


def through(outcome: Outcome[Any], step: str) -> Outcome[Any]:
    """An end that a composition hands on, with the step that it came from in its path.

    Args:
        outcome: How a child ended.
        step: The composition and which child it was, such as `Sequence[2]`.
    """
    trace = trace_of(outcome)
    if trace is None:
        return outcome
    grown = _with(outcome, Trace(trace.run, trace.links, (step, *trace.path)))
    if isinstance(outcome, Failed):
        for error, inner in _listed(outcome.error, trace.run):
            traced(error, Trace(inner.run, inner.links, (step, *inner.path)))
    return grown


def traced(error: E, trace: Trace) -> E:
    """An error that tells where it came about, unless its own class does not let it."""
    with suppress(Exception):  # what it raised stays what it is
        with_trace(error, trace)
    return error


def trace_of(outcome: Outcome[Any]) -> Trace | None:
    """Where an end came about; None for an answer, a pause and a cancellation."""
    if isinstance(outcome, Refused):
        return outcome.trace
    return _told_by(outcome.error) if isinstance(outcome, Failed) else None


def _told_by(error: BaseException) -> Trace | None:
    try:
        found = getattr(error, "trace", None)
    except Exception:  # noqa: BLE001 - an exception of a user may do anything
        return None
    return found if type(found) is Trace else None


def _with(outcome: Outcome[Any], trace: Trace) -> Outcome[Any]:
    if isinstance(outcome, Refused):
        return replace(outcome, trace=trace)
    if isinstance(outcome, Failed):
        traced(outcome.error, trace)
    return outcome


def _placed(outcome: Outcome[Any], run: str, seq: int, label: str) -> Outcome[Any]:
    """Add this link to where an end came about; a new end came about here."""
    if isinstance(outcome, Failed):
        for error, inner in _listed(outcome.error, run):
            if _is_inside(inner, run, seq):
                traced(error, Trace(run, (seq, *inner.links), inner.path))
    before = trace_of(outcome)
    if before is None or not _is_inside(before, run, seq):
        return _with(outcome, Trace(run, (seq,), (label,)))
    return _with(outcome, Trace(run, (seq, *before.links), before.path))


def _is_inside(trace: Trace, run: str, seq: int) -> bool:
    """Whether it is of something inside of a link; not when the same error was raised before."""
    return trace.run == run and (not trace.links or trace.links[0] > seq)


def _listed(error: BaseException, run: str) -> list[tuple[Exception, Trace]]:
    """The errors of a group, and of groups in it, that came about in a run, each once."""
    found: dict[int, tuple[Exception, Trace]] = {}
    waiting = _grouped(error)
    while waiting:
        each = waiting.pop(0)
        waiting += _grouped(each)
        trace = _told_by(each)
        if issubclass(type(each), Exception) and trace is not None and trace.run == run:
            found[id(each)] = (cast("Exception", each), trace)
    return list(found.values())


def _grouped(error: BaseException) -> list[BaseException]:
    """The errors right inside of a group; an error is asked for its type only, not for its words.

    `isinstance` would run what an exception of a user makes of `__class__`.
    """
    if not issubclass(type(error), BaseExceptionGroup):
        return []
    return list(cast("BaseExceptionGroup[BaseException]", error).exceptions)


async def _until(work: Coroutine[Any, Any, Outcome[Any]], signal: Signal | None) -> Outcome[Any]:
    if signal is None:
        return await work
    if signal.cancelled:
        work.close()  # nothing was started
        return Cancelled()
    task = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(signal.wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not _is_given(signal):
            return task.result()
        task.cancel()
        await asyncio.wait({task})
        # What had ended before it could be stopped stands only when it is a verdict.
        ended = None if task.cancelled() or task.exception() else task.result()
        return ended if isinstance(ended, Refused) else Cancelled()
    finally:
        waiting.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


def _is_given(signal: Signal) -> bool:
    return signal.cancelled


def _said_of(call: Any, reads: Iterable[Any]) -> dict[str, Any]:
    """The code of what is called, and what it and what the runner asks read unrecorded."""
    if call is not None:
        return known_of(call).fields
    lines = {line for each in reads for line in known_of(each).untracked}
    return {"untracked": sorted(lines)} if lines else {}


def _opened(
    run: ActiveRun,
    kind: str,
    label: str,
    parent: int | None,
    given: Any,
    hand: Hand | None,
    more: Mapping[str, Any],
) -> int:
    try:
        return open_engine_link(
            run,
            kind=kind,
            name=label,
            parent=parent,
            inputs={} if type(given) is Unset else {"input": recorded_form(given)},
            attrs={} if hand is None else hand.attrs_of(None if type(given) is Unset else given),
            at=_now(run),
            origins=() if hand is None else hand.origins_of(given),
            segments=() if hand is None else hand.parts_of(given),
            more=more,
        )
    except Exception as fault:  # noqa: BLE001 - the tracer's law: counted, not raised
        run.fault(fault)
        return -1


def _closed(
    run: ActiveRun,
    seq: int,
    outcome: Outcome[Any],
    hand: Hand | None,
    attrs: Mapping[str, Any],
) -> None:
    if seq < 0 or run.ended:
        return
    at = _now(run)
    fields: dict[str, Any] = {"attrs": dict(attrs)}
    if isinstance(outcome, Answered):
        fields |= {"output": recorded_form(outcome.value), "has_output": True}
    elif isinstance(outcome, Exhausted):
        fields |= {"output": outcome.last, "has_output": True}
    elif isinstance(outcome, Failed):
        fields |= {"error": outcome.error}
    trace = trace_of(outcome)
    if trace is not None and len(trace.links) > 1:
        fields["attrs"] |= {"from": trace.links[-1], "path": list(trace.path)}
    try:
        closed = close_engine_link(run, seq, status_of(outcome), at=at, **fields)
        if hand is not None and closed is not None and isinstance(outcome, Answered):
            hand.closed(outcome.value, closed)
        if isinstance(outcome, Refused) and trace is not None and trace.links[-1] == seq:
            verdict = outcome.verdict
            run.recorder.append(
                "verdict",
                at=at,
                link=seq,
                status="refused",
                judge=trace.path[-1],
                reason=verdict.message(),
                terminal=verdict.kind,
                detail=verdict.to_json(),
            )
    except Exception as fault:  # noqa: BLE001
        run.fault(fault)


def _now(run: ActiveRun) -> int:
    clock = run.recorder.clock
    return time.time_ns() if clock is None else clock()
