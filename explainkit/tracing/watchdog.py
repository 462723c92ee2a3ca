"""Flushes what a running link keeps in the buffer, so that a kill never loses its open record.

A leaf link's open line waits for its close line, to share one write. One daemon thread per process
looks every few milliseconds and writes what has waited since its last look.
"""

import os
import threading
import time
from collections.abc import Iterable
from weakref import WeakSet

from explainkit.tracing.recorder import Recorder

PERIOD = 0.005
"""Seconds between looks; an open record is on its way to the file within two of them."""

_watched: "WeakSet[Recorder]" = WeakSet()
_lock = threading.Lock()
_looking: list[int] = []
"""Id of the process whose thread looks; a forked child starts its own."""


def watch(recorder: Recorder) -> None:
    """Look after a recorder until it closes."""
    with _lock:
        _watched.add(recorder)
        if _looking != [os.getpid()]:
            _looking[:] = [os.getpid()]
            threading.Thread(target=_look, name="explainkit-watchdog", daemon=True).start()


def unwatch(recorder: Recorder) -> None:
    """Stop looking after a recorder."""
    with _lock:
        _watched.discard(recorder)


def _forget_in_child() -> None:
    """The lock may be held for ever by a thread that a forked child has not."""
    global _lock  # noqa: PLW0603 - a lock cannot be freed by another thread
    _lock = threading.Lock()
    _watched.clear()
    _looking.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)


def _look() -> None:
    waiting: dict[int, list[bytes]] = {}
    while True:
        time.sleep(PERIOD)
        with _lock:
            recorders = list(_watched)
            if not recorders:
                _looking.clear()
                return
        waiting = _flush_stale(recorders, waiting)


def _flush_stale(
    recorders: Iterable[Recorder], waiting: dict[int, list[bytes]]
) -> dict[int, list[bytes]]:
    """Flush recorders that keep the same buffer as at the last look (a flush makes a new one)."""
    still: dict[int, list[bytes]] = {}
    for recorder in recorders:
        buffer = recorder.buffer
        if not buffer:
            continue
        if waiting.get(id(recorder)) is buffer:
            recorder.try_flush()
        else:
            still[id(recorder)] = buffer
    return still
