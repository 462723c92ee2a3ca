"""Links of a run that is steered: inputs may be rewritten, results supplied. Replay and what-if."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explainkit.safety.secret_names import secret_kind
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import CURRENT, Frame
from explainkit.tracing.late_effects import end_quietly
from explainkit.tracing.opening import (
    close_link,
    close_raised,
    close_with,
    input_digests,
    open_link,
)
from explainkit.tracing.seam import HeldBack, Point, Supplied
from explainkit.tracing.spec import LinkSpec

Call = tuple[tuple[Any, ...], dict[str, Any]]


def call_steered(
    spec: LinkSpec, frame: Frame, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a decorated function in a run that may change what goes in, or supply what comes out."""
    run = frame.run
    args, kwargs = rewritten(run, spec, args, kwargs)
    try:
        seq = open_link(spec, frame, args, kwargs)
    except Exception as fault:
        run.fault(fault)
        return spec.fn(*args, **kwargs)
    if (given := supplied(run, spec, seq)) is not None:
        return close_supplied(run, seq, given)
    token = CURRENT.set(Frame(run, seq))
    try:
        result = repeated(run, spec)(*args, **kwargs)
    except BaseException as error:
        CURRENT.reset(token)
        close_raised(run, seq, error)
        raise
    CURRENT.reset(token)
    try:
        close_link(run, seq, result)
    except Exception as fault:
        run.fault(fault)
    return result


def rewritten(
    run: ActiveRun, spec: LinkSpec, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Call:
    """The arguments of a call, with those changed that the run's rewriter changes.

    A call that does not fit the function's parameters goes on as it is: the function refuses it.
    """
    plain = tuple(args), dict(kwargs)
    if run.rewrite is None:
        return plain
    try:
        signature = inspect.signature(spec.fn)
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):
        return plain
    # What `**more` takes is recorded by its own names, and changed by them.
    more = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD), "")
    values = {slot: each for slot, each in bound.arguments.items() if slot != more}
    values |= bound.arguments.get(more, {})
    changes = run.rewrite("link", spec.name, values, lambda: _digests(run, values))
    if not changes:
        return plain
    named = signature.parameters.keys() - {more}
    bound.arguments.update({slot: new for slot, new in changes.items() if slot in named})
    if extra := {slot: new for slot, new in changes.items() if slot not in named}:
        bound.arguments[more] = {**bound.arguments.get(more, {}), **extra}
    return bound.args, bound.kwargs


def _digests(run: ActiveRun, values: Mapping[str, Any]) -> dict[str, str]:
    """What the record would hold of arguments that are not changed yet."""
    names = {slot: slot if secret_kind(slot) else None for slot in values}
    return {slot: run.recorder.value(each, name=names[slot]) for slot, each in values.items()}


def supplied(run: ActiveRun, spec: LinkSpec, seq: int, *, streams: bool = False) -> Supplied | None:
    """Ask the run's supplier for this link's result."""
    if run.supply is None:
        return None
    point = Point(
        "link",
        spec.name,
        input_digests(run, seq),
        type=spec.kind,
        code=spec.code,
        link=seq,
        deterministic=spec.deterministic,
        streams=streams,
        runs=spec.fn,
    )
    try:
        return run.supply(point)
    except HeldBack:
        end_quietly(run)
        raise


def repeated(run: ActiveRun, spec: LinkSpec) -> Callable[..., Any]:
    """What runs of a link; results that its function kept in earlier runs are left out."""
    if spec.memo is None:
        return spec.fn
    return run.memos.setdefault(id(spec), spec.memo())


def close_supplied(run: ActiveRun, seq: int, given: Supplied) -> Any:
    """Close a link with what was supplied, and give it to the caller."""
    try:
        if given.reused is None:
            close_link(run, seq, given.value)
        else:
            with run.recorder.lock:
                digest = run.recorder.value(given.value)
                closed = run.recorder.seq
                attrs = {"reused": given.reused}
                close_with(run, seq, "answered", output=digest, attrs=attrs)
                run.outputs[digest.encode()] = closed
    except Exception as fault:
        run.fault(fault)
    return given.value
