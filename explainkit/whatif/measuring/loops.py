"""Drives trials: one after the other, through an executor, or awaiting several at a time."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from explainkit.errors import RerunError
from explainkit.safety import shorten_at_words
from explainkit.whatif.measuring.jobs import Job
from explainkit.whatif.measuring.trials import Trial
from explainkit.whatif.rerunning import Entry, Rerun, rerun, rerun_async
from explainkit.whatif.rerunning.surroundings import Undeclared, undeclared
from explainkit.whatif.shared_state import functions_beside

AT_ONCE = 4
"""Re-runs that are awaited at the same time (ours)."""

Progress = Callable[[Trial], Any]
"""Told after each re-run."""

Result = TypeVar("Result")

Send = Callable[[Job], "Future[Rerun]"]
"""Starts a re-run elsewhere."""


def measure(
    trial: Trial,
    entry: Entry,
    *,
    allow_effects: bool = False,
    executor: Executor | None = None,
    send: "Send | None" = None,
    at_once: int | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Trial:
    """Run a trial to its end.

    An interrupt keeps what is done, and starts nothing more.

    Args:
        trial: What is measured.
        entry: What is called.
        allow_effects: Let effects run again.
        executor: Runs re-runs side by side, such as a `ThreadPoolExecutor`.
        send: Starts a re-run in another process instead.
        at_once: How many may run at the same time; all that are due when not given.
        progress: Told after each re-run.
        stop: Asked before each re-run; True keeps what is done.
    """

    def once(job: Job) -> Rerun:
        settings = {"allow_effects": allow_effects, "watched": job.watched}
        return rerun(entry, trial.origin, job.plan, forced=job.forced, **settings)

    beside = functions_beside(trial.origin, entry)
    around = undeclared(entry, elsewhere=send is not None, beside=beside)
    waiting: list[Future[Rerun]] = []
    if send is None and executor is not None:
        threads = executor
        send = lambda job: submitted(threads, once, job)  # noqa: E731
    try:
        while jobs := _next(trial, stop):
            if send is None:
                _add(trial, jobs[0], once(jobs[0]), around, progress)
                continue
            jobs = jobs[:at_once]
            waiting = [send(job) for job in jobs]
            for job, future in zip(jobs, waiting, strict=True):
                _add(trial, job, future.result(), around, progress)
    except KeyboardInterrupt:
        trial.stop("cancelled")
    finally:
        for future in waiting:
            future.cancel()
    return trial


def submitted(executor: Executor, fn: Callable[..., Result], *args: Any) -> "Future[Result]":
    """What an executor makes of a call.

    Args:
        executor: The executor.
        fn: What it calls.
        *args: With what.

    Raises:
        RerunError: It takes no call any more.
    """
    try:
        return executor.submit(fn, *args)
    except RuntimeError as error:  # it was shut down, or a process of it is gone
        raise RerunError(
            f"The {type(executor).__name__} of executor= takes no re-run: "
            f"{shorten_at_words(str(error), 120)}. Give one that is open, or leave executor= out."
        ) from error


async def measure_async(
    trial: Trial,
    entry: Entry,
    *,
    allow_effects: bool = False,
    at_once: int = AT_ONCE,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Trial:
    """Run a trial to its end, awaiting up to four re-runs at the same time.

    A cancelled task keeps what is done in the trial, and goes on being cancelled.

    Args:
        trial: What is measured.
        entry: What is called.
        allow_effects: Let effects run again.
        at_once: How many are awaited at the same time.
        progress: Told after each re-run.
        stop: Asked before each batch; True keeps what is done.
    """
    around = undeclared(entry, beside=functions_beside(trial.origin, entry))
    try:
        while jobs := _next(trial, stop):
            batch = jobs[:at_once]
            done = await _together(
                rerun_async(
                    entry,
                    trial.origin,
                    job.plan,
                    forced=job.forced,
                    allow_effects=allow_effects,
                    watched=job.watched,
                )
                for job in batch
            )
            for job, each in zip(batch, done, strict=True):
                _add(trial, job, each, around, progress)
    except (KeyboardInterrupt, asyncio.CancelledError):
        trial.stop("cancelled")
        raise
    return trial


async def _together(reruns: Iterable[Coroutine[Any, Any, Rerun]]) -> list[Rerun]:
    """Await re-runs side by side; when one is interrupted, none goes on."""
    tasks = [asyncio.ensure_future(each) for each in reruns]
    try:
        return await asyncio.gather(*tasks)
    finally:
        left = [task for task in tasks if not task.done()]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)


def _next(trial: Trial, stop: Callable[[], bool] | None) -> list[Job]:
    if stop is not None and stop():
        trial.stop("cancelled")
    return trial.due()


def _add(
    trial: Trial, job: Job, done: Rerun, around: Undeclared, progress: Progress | None
) -> None:
    trial.undeclared, trial.draws = around.found(), around.draws
    trial.add(job, done)
    if progress is not None:
        progress(trial)
