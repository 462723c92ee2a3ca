"""Writes the records of a link that opens and closes: the path that must be fast."""

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson

from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import Frame
from explainkit.tracing.spec import LinkSpec, Slot, slot


def open_link(
    spec: LinkSpec, frame: Frame, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> int:
    """Buffer a ``link_opened`` record and the values it needs.

    Returns:
        The link's id, its ``seq``.
    """
    run = frame.run
    recorder = run.recorder
    if spec.skip:
        args = args[1:]
    with recorder.lock:
        moment = recorder.now()
        digest = recorder.values.digest
        inputs = [
            prefix + digest(value, name) + b'"}'
            for (prefix, name), value in zip(spec.positional, args, strict=False)
        ]
        if len(args) > len(spec.positional):
            rest: Slot = slot(spec.variable or "args")
            inputs.append(rest[0] + digest(list(args[len(spec.positional) :]), rest[1]) + b'"}')
        for keyword, value in kwargs.items():
            prefix, name = spec.keyword(keyword)
            inputs.append(prefix + digest(value, name) + b'"}')
        seq = recorder.seq
        recorder.seq = seq + 1
        parent = b"null" if frame.link is None else b"%d" % frame.link
        tail = spec.opened_tail(frame.unlinked)
        recorder.buffer.append(
            b'{"kind":"link_opened","seq":%d,"at":%b,"parent":%b,%b,"inputs":[%b]%b}\n'
            % (seq, moment, parent, spec.head, b",".join(inputs), tail)
        )
        run.links[seq] = inputs
    return seq


def input_digests(run: ActiveRun, seq: int) -> tuple[str, ...]:
    """Digests of an open link's inputs, in the order of its slots."""
    return tuple(each[-42:-2].decode() for each in run.links.get(seq, ()))


def close_link(run: ActiveRun, seq: int, output: object) -> None:
    """Write the ``link_closed`` record of a link that answered, and everything that waits."""
    recorder = run.recorder
    with recorder.lock:
        if run.links.pop(seq, None) is None:
            return  # its run ended first and closed it
        moment = recorder.now()
        key = recorder.values.digest(output)
        own = recorder.seq
        recorder.seq = own + 1
        recorder.buffer.append(
            b'{"kind":"link_closed","seq":%d,"at":%b,"link":%d,"status":"answered","output":"%b"}\n'
            % (own, moment, seq, key)
        )
        run.outputs[key] = own
        recorder.flush()


def close_with(run: ActiveRun, seq: int, status: str, **fields: Any) -> None:
    """Write a ``link_closed`` record with any status and fields."""
    recorder = run.recorder
    with recorder.lock:
        if run.links.pop(seq, None) is None:
            return
        body = orjson.dumps({"link": seq, "status": status, **fields})
        recorder.line(b'"link_closed"', recorder.now(), body)
        recorder.flush()


def close_raised(run: ActiveRun, seq: int, error: BaseException) -> None:
    """Close a link whose function raised; cancellation and interrupts are told apart."""
    stopped = isinstance(error, (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit))
    try:
        digest = run.recorder.value(error)
        close_with(run, seq, "cancelled" if stopped else "error", error=digest)
    except Exception as fault:
        run.fault(fault)
