"""Writes the records of a link that opens and closes: the path that must be fast."""

import asyncio
from collections.abc import Mapping
from typing import Any

from explainkit.safety.labels import fields_json
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.cells import PROVIDER
from explainkit.tracing.current import Frame
from explainkit.tracing.spec import LinkSpec, slot
from explainkit.tracing.values import ValueWriter


def open_link(
    spec: LinkSpec, frame: Frame, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> int:
    """Buffer a ``link_opened`` record and the values it needs.

    Returns:
        The link's id, its ``seq``.
    """
    run = frame.run
    recorder = run.recorder
    values = recorder.values
    seen = values.seen.get
    if spec.skip:
        args = args[1:]
    with recorder.lock:
        clock = recorder.clock
        if clock is not None:
            recorder.moment = b"%d" % clock()
        inputs = []
        # A plain loop: a comprehension and strict= cost more here than all they do.
        for (prefix, name), value in zip(spec.positional, args):  # noqa: B905
            key = seen(value) if type(value) is str and name is None else None
            inputs.append(prefix + (key or values.digest(value, name)) + b'"}')
        if kwargs or len(args) > len(spec.positional):
            _more_inputs(inputs, spec, args, kwargs, values)
        if not frame.unlinked and not PROVIDER:
            tail = spec.tail
        else:
            tail = spec.opened_tail(frame.unlinked)
        parent = b"null" if frame.link is None else b"%d" % frame.link
        joined = b",".join(inputs)
        while True:
            seq = recorder.seq
            line = [
                b'{"kind":"link_opened","seq":%d,"at":%b,"parent":%b,%b,"inputs":[%b]%b}\n'
                % (seq, recorder.moment, parent, spec.head, joined, tail)
            ]
            if recorder.seq == seq:
                recorder.seq = seq + 1
                recorder.buffer += line
                run.links[seq] = inputs
                return seq


def _more_inputs(
    inputs: list[bytes],
    spec: LinkSpec,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    values: ValueWriter,
) -> None:
    """Slots of ``*args`` and of keyword arguments."""
    if len(args) > len(spec.positional):
        prefix, name = slot(spec.variable or "args")
        rest = list(args[len(spec.positional) :])
        inputs.append(prefix + values.digest(rest, name) + b'"}')
    for keyword, value in kwargs.items():
        prefix, name = spec.keyword(keyword)
        inputs.append(prefix + values.digest(value, name) + b'"}')


def input_digests(run: ActiveRun, seq: int) -> tuple[str, ...]:
    """Digests of an open link's inputs, in the order of its slots."""
    return tuple(each[-42:-2].decode() for each in run.links.get(seq, ()))


def close_link(run: ActiveRun, seq: int, output: object) -> None:
    """Write the ``link_closed`` record of a link that answered, and everything that waits."""
    recorder = run.recorder
    with recorder.lock:
        if seq not in run.links:
            return  # its run ended first and closed it
        clock = recorder.clock
        if clock is not None:
            recorder.moment = b"%d" % clock()
        key = recorder.values.digest(output)
        while True:
            own = recorder.seq
            line = [
                b'{"kind":"link_closed","seq":%d,"at":%b,"link":%d,"status":"answered",'
                b'"output":"%b"}\n' % (own, recorder.moment, seq, key)
            ]
            if recorder.seq == own:
                recorder.seq = own + 1
                recorder.buffer += line
                del run.links[seq]
                break
        run.outputs[key] = own
        recorder.flush()


def close_with(run: ActiveRun, seq: int, status: str, **fields: Any) -> None:
    """Write a ``link_closed`` record with any status and fields."""
    recorder = run.recorder
    with recorder.lock:
        if seq not in run.links:
            return
        body = fields_json({"link": seq, "status": status, **fields})
        recorder.line(b'"link_closed"', recorder.now(), body)
        del run.links[seq]
        recorder.flush()


def close_raised(run: ActiveRun, seq: int, error: BaseException) -> None:
    """Close a link whose function raised; cancellation and interrupts are told apart."""
    # By type, because isinstance would ask the exception for its __class__.
    stopped = issubclass(type(error), (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit))
    try:
        digest = run.recorder.value(error)
        close_with(run, seq, "cancelled" if stopped else "error", error=digest)
    except Exception as fault:
        run.fault(fault)
