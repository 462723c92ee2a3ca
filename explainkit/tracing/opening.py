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
    run, link, unlinked = frame
    recorder = run.recorder
    own = b""
    if spec.skip:
        own = spec.tail_of(args[0]) if args else b""
        args = args[1:]
    with recorder.lock:
        clock = recorder.clock
        if clock is not None:
            recorder.moment = b"%d" % clock()
        inputs = _inputs(spec, args, kwargs, recorder.values)
        listed = b'"},'.join(inputs) + b'"}' if inputs else b""
        parent = b"null" if link is None else b"%d" % link
        tail = own or spec.tail or spec.look()
        if unlinked or PROVIDER:
            tail = spec.opened_tail(tail, unlinked=unlinked)
        while True:
            seq = recorder.seq
            line = [
                b'{"kind":"link_opened","seq":%d,"at":%b,"parent":%b,%b,"inputs":[%b]%b}\n'
                % (seq, recorder.moment, parent, spec.head, listed, tail)
            ]
            if recorder.seq == seq:
                recorder.seq = seq + 1
                recorder.buffer += line
                run.links[seq] = inputs
                return seq


def _inputs(
    spec: LinkSpec, args: tuple[Any, ...], kwargs: Mapping[str, Any], values: ValueWriter
) -> list[bytes]:
    """Store what goes into a link; slot and digest of each."""
    seen, positional = values.seen, spec.positional
    inputs = []
    # A plain loop: a comprehension and strict= cost more here than all they do.
    for value, (prefix, name) in zip(args, positional):  # noqa: B905
        if name is None and type(value) is str:
            inputs.append(prefix + (seen.get(value) or values.text(value)))
        else:
            inputs.append(prefix + values.digest(value, name))
    if len(args) > len(positional):
        prefix, name = slot(spec.variable or "args")
        inputs.append(prefix + values.digest(list(args[len(positional) :]), name))
    for keyword, value in kwargs.items() if kwargs else ():
        prefix, name = spec.keyword(keyword)
        inputs.append(prefix + values.digest(value, name))
    return inputs


def input_digests(run: ActiveRun, seq: int) -> tuple[str, ...]:
    """Digests of an open link's inputs, in the order of its slots."""
    return tuple(each[-40:].decode() for each in run.links.get(seq, ()))


def close_link(run: ActiveRun, seq: int, output: object) -> None:
    """Write the ``link_closed`` record of a link that answered, and everything that waits."""
    recorder = run.recorder
    with recorder.lock:
        if seq not in run.links:
            return  # its run ended first and closed it
        clock = recorder.clock
        if clock is not None:
            recorder.moment = b"%d" % clock()
        values = recorder.values
        if type(output) is str:
            key = values.seen.get(output) or values.text(output)
        else:
            key = values.digest(output)
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
