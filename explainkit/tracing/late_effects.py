"""Holds back effects in threads and tasks that a re-run began, also when it is over.

A call that comes when the re-run is over is too late to matter for the answer, so it is stopped
without a word to the verdict. No thread of a user's reports how it was stopped.
"""

import asyncio
import sys
import threading
from concurrent.futures import thread as pools
from typing import Any
from weakref import WeakKeyDictionary

from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import CURRENT
from explainkit.tracing.seam import HeldBack, Point
from explainkit.tracing.spec import LinkSpec

_REPORT = "_invoke_excepthook"
"""Where a thread of CPython keeps what reports an exception that nobody caught."""
_LEFT: WeakKeyDictionary[threading.Thread, ActiveRun] = WeakKeyDictionary()
"""Threads that a re-run began and left running."""


def threads_now() -> frozenset[threading.Thread]:
    """The threads that are alive, without those of pools, which work for whoever asks them."""
    workers = getattr(pools, "_threads_queues", {})
    return frozenset(each for each in threading.enumerate() if each not in workers)


def leave_running(run: ActiveRun, before: frozenset[threading.Thread]) -> None:
    """A re-run is over: what began in it and goes on makes no effects.

    Args:
        run: The re-run.
        before: The threads that were alive when it began.
    """
    for each in threads_now() - before:
        _LEFT[each] = run


def hold_back_late(spec: LinkSpec) -> None:
    """Stop a thread or a task that would make an effect for a re-run that is over.

    Args:
        spec: The link that is called where no run is open, or only another one.
    """
    if spec.kind != "effect":
        return
    frame, run = CURRENT.get(), _LEFT.get(threading.current_thread())
    if run is None and frame is not None:
        run = frame.run
    if run is None or run.inner_supply is None:
        return
    try:
        run.inner_supply(Point("link", spec.name, (), type=spec.kind))
    except HeldBack as held:
        raise _quiet(held) from None


def end_quietly(run: ActiveRun) -> None:
    """Let a thread or a task of a re-run that is stopped by `HeldBack` end without a report.

    That the effect was held back is noted already, and the verdict says it. What the thread does
    with the exception itself, such as handing it to who waits for it, stays as it is.

    Args:
        run: The run.
    """
    task = _task_here()
    if task is not None:
        task.add_done_callback(_look_at)
    here = threading.current_thread()
    report = here.__dict__.get(_REPORT)
    if run.home is None or here is run.home or report is None or here not in threads_now():
        return

    def silent(thread: threading.Thread) -> None:
        if sys.exc_info()[0] is not HeldBack:
            report(thread)

    here.__dict__[_REPORT] = silent


def _task_here() -> "asyncio.Task[Any] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None


def _look_at(task: "asyncio.Task[Any]") -> None:
    """An exception that somebody has looked at is not reported as one that nobody retrieved."""
    if not task.cancelled():
        task.exception()


def _quiet(held: HeldBack) -> BaseException:
    """What ends a thread or a task without a report: nobody waits for it any more."""
    told = f"the effect {held} of a re-run that is over was held back"
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        is_main = threading.current_thread() is threading.main_thread()
        return held if is_main else SystemExit(told)
    return asyncio.CancelledError(told)
