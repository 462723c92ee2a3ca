"""Numbers records and hands their lines to a sink, in one order for every thread.

Two things may run between any two steps: an interrupt, which ends the call, and a finalizer that
records too. So a line is complete before its number is taken, nothing is called or made while both
change hands (CPython then lets neither in), and a number that went to somebody else is taken again.

One lock, one buffer. A line stays in the buffer only while a leaf link runs, so that its open and
its close share one write; a watchdog flushes what waits longer, so that a kill never loses the
open record of a link that runs.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from threading import RLock
from typing import Any

from explainkit.safety.labels import fields_json, worded
from explainkit.safety.redaction import Redactor
from explainkit.tracing.sink import Sink
from explainkit.tracing.stored import Stored
from explainkit.tracing.values import ValueWriter

_WORDS = {"cut": "truncated"}  # the record's vocabulary has one word for both

_ADDRESSES = frozenset(("segments", "inputs", "uses", "value", "output", "error", "question"))
"""Fields that hold digests and places, which are no author's words."""

Clock = Callable[[], int]
"""Nanoseconds since the epoch."""


class _Nowhere:
    """The sink of a run that belongs to another process."""

    def write(self, lines: bytes) -> None:
        """Forget the lines."""

    def close(self, records: int, status: str) -> None:
        """Nothing was kept."""


class Recorder:
    """Writes one run's records.

    Example:
        >>> from explainkit.store import MemorySink
        >>> sink = MemorySink(run="r1", name="demo")
        >>> recorder = Recorder(sink, run="r1")
        >>> recorder.append("run_started", run="r1", name="demo", question=recorder.value("Why?"))
        1
    """

    def __init__(
        self,
        sink: Sink,
        *,
        run: str,
        clock: Clock | None = time.time_ns,
        redactor: Redactor | None = None,
    ) -> None:
        """Write to ``sink``.

        Args:
            sink: Takes the lines.
            run: The run's id.
            clock: Gives each record's time; ``None`` writes no times (imported runs).
            redactor: Redacts before anything is stored; the default redacts by name and shape.
        """
        self.run = run
        self.redactor = redactor or Redactor()
        self.lock = RLock()
        self.seq = 0
        self.buffer: list[bytes] = []
        self.closed = False
        self._sink = sink
        self._taken: list[bytes] = []
        self._block: bytes | None = None
        self._flushing = False
        self.clock = clock
        self.moment = b"null"
        self.values = ValueWriter(self, self.redactor)

    def now(self) -> bytes:
        """Set and return the time that the next lines carry."""
        if self.clock is not None:
            self.moment = b"%d" % self.clock()
        return self.moment

    def value(self, value: object, *, name: str | None = None) -> str:
        """Store a value and return its digest.

        Args:
            value: Anything; neither changed nor kept.
            name: Name of its slot, for redaction by name.

        Returns:
            40 hex characters.
        """
        with self.lock:
            self.now()
            return self.values.digest(value, name).decode()

    def snapshot(self, value: object) -> Stored:
        """Store a value now, for a list that is complete later."""
        with self.lock:
            self.now()
            return self.values.stored(value)

    def list_of(self, items: list[str | Stored]) -> str:
        """Store a list of texts and snapshots and return its digest."""
        with self.lock:
            self.now()
            return self.values.list_of(items).key.decode()

    def append(self, kind: str, *, at: int | None = None, **fields: Any) -> int:
        """Write one record and everything that waits before it.

        Args:
            kind: Record kind.
            at: Recorded time in nanoseconds; the clock's time when not given.
            **fields: The record's fields under their JSON names; ``None`` is left out.

        Returns:
            The record's ``seq``.
        """
        with self.lock:
            moment = self.now() if at is None else b"%d" % at
            seq = self.line(
                b'"' + kind.encode() + b'"',
                moment,
                fields_json(self._clean(kind, fields)),
            )
            self.flush()
            return seq

    def _clean(self, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Fields that are given, with secrets taken out of an author's words."""
        redactor = self.redactor
        return {
            key: item if key in _ADDRESSES else redactor.value(item)
            for key, item in worded(kind, fields).items()
        }

    def line(self, kind: bytes, moment: bytes, fields: bytes) -> int:
        """Buffer one line; ``fields`` is a JSON object. The caller holds the lock."""
        rest = b"}\n" if fields == b"{}" else b"," + fields[1:] + b"\n"
        while True:
            seq = self.seq
            line = [b'{"kind":%b,"seq":%d,"at":%b%b' % (kind, seq, moment, rest)]
            if self.seq == seq:
                self.seq = seq + 1
                self.buffer += line
                return seq

    def flush(self) -> None:
        """Hand everything buffered to the sink in one write. The caller holds the lock.

        What the sink refused, or an interrupt held back, is handed over again by the next flush: a
        full disk may have room later.
        """
        if self.values.losses:
            self._report_losses()
        if self._flushing:
            return  # a finalizer that records, inside the flush that will take its lines
        self._flushing = True
        try:
            while self._taken or self.buffer:
                if not self._taken:
                    self._taken, self.buffer = self.buffer, []
                if self._block is None:
                    self._block = b"".join(self._taken)
                self._sink.write(self._block)
                self._taken, self._block = [], None
        finally:
            self._flushing = False

    def disown(self) -> None:
        """In a forked child: the parent goes on with the run, and its lock may be held for ever."""
        self.lock = RLock()
        self.buffer, self._taken, self._block = [], [], None
        self._flushing = False
        self._sink = _Nowhere()

    def try_flush(self) -> None:
        """Flush from the watchdog; a sink that fails is met again by the next recording call."""
        with self.lock, suppress(OSError):
            self.flush()

    def close(self, status: str) -> None:
        """Write what waits and end the stream."""
        with self.lock:
            if not self.closed:
                self.flush()
                self._sink.close(self.seq, status)
                self.closed = True

    def _report_losses(self) -> None:
        losses, self.values.losses = self.values.losses, []
        for key, loss in losses:
            place = loss.path or "the whole value"
            reason = f"{place}: {loss.detail} ({loss.kept} of {loss.of} kept)"
            fields = {
                "what": _WORDS.get(loss.what, loss.what),
                "reason": reason,
                "value": key.decode(),
            }
            self.line(b'"lost"', self.moment, fields_json(fields))
