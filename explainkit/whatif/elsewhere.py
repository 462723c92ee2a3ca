"""Re-runs in other processes: what is sent there, what comes back, and what must be importable."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import Any

from explainkit.errors import RerunError
from explainkit.openers import run_holder
from explainkit.safety import shorten, shorten_at_words
from explainkit.store import Recording
from explainkit.whatif.calling_again import entry_by_path
from explainkit.whatif.measuring import Job, submitted
from explainkit.whatif.rerunning import CalledEntry, Entry, Origin, Rerun, Steered, rerun
from explainkit.whatif.varying import Intervention, plan_of

_OWN_SETTINGS = ("secrets", "redact")


@dataclass(frozen=True)
class Errand:
    """One re-run for another process; everything in it can be pickled.

    Attributes:
        lines: The recorded run.
        path: What is called, as `module:qualname`.
        asked: What is changed.
        forced: Recorded links that are not reused.
        allow_effects: Let effects run again.
        settings: Settings of the run.
    """

    lines: tuple[bytes, ...]
    path: str
    asked: Sequence[Intervention] = ()
    forced: frozenset[int] = frozenset()
    allow_effects: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """What comes back of an errand.

    Attributes:
        lines: The re-run.
        steered: What was changed, reused and executed.
        seconds: How long it took.
    """

    lines: tuple[bytes, ...]
    steered: Steered
    seconds: float

    @property
    def rerun(self) -> Rerun:
        """The re-run as if it had been made here."""
        run = run_holder()(Recording.of_lines(self.lines))
        return Rerun(run, self.steered, self.seconds)


def is_elsewhere(executor: Executor | None) -> bool:
    """Whether an executor runs things where the objects of this process are not."""
    threads = isinstance(executor, ThreadPoolExecutor)
    apart = "Interpreter" in type(executor).__name__  # a thread pool of interpreters shares nothing
    return executor is not None and (not threads or apart)


def sender(
    executor: Executor, origin: Origin, entry: Entry, *, allow_effects: bool = False
) -> Callable[[Job], "Future[Rerun]"]:
    """A function that sends a re-run to an executor.

    Args:
        executor: Where it runs.
        origin: The run that is varied.
        entry: How it is called again.
        allow_effects: Let effects run again.

    Raises:
        RerunError: What is called cannot be imported by another process, or its arguments were
            not recorded whole.
    """
    path = _path_of(entry, executor)
    try:
        entry_by_path(origin.recording, path)  # refused here, not there
    except RerunError as error:
        raise RerunError(
            f"{error} For a {type(executor).__name__} it has to be a function that other "
            "processes import; a ThreadPoolExecutor takes any."
        ) from error
    settings = {key: each for key, each in entry.settings.items() if key in _OWN_SETTINGS}
    lines = tuple(origin.recording.lines())

    def send(job: Job) -> "Future[Rerun]":
        errand = Errand(lines, path, job.plan.asked, job.forced, allow_effects, settings)
        return _Arriving(submitted(executor, done, errand))  # type: ignore[return-value]

    return send


def done(errand: Errand) -> Report:
    """Run an errand, in the process that it was sent to."""
    origin = _origin(errand.lines)
    # The process that sent it holds the function: its module is not one that a record names.
    importlib.import_module(errand.path.partition(":")[0])
    entry = entry_by_path(origin.recording, errand.path, settings=errand.settings)
    plan = plan_of(origin.recording, origin.recorded, errand.asked, may_take_all=True)
    found = rerun(entry, origin, plan, forced=errand.forced, allow_effects=errand.allow_effects)
    return Report(tuple(found.recording.lines()), found.steered, found.seconds)


@lru_cache(maxsize=2)
def _origin(lines: tuple[bytes, ...]) -> Origin:
    return Origin(Recording.of_lines(lines))


class _Arriving:
    """A future whose result is read when it is here."""

    def __init__(self, report: "Future[Report]") -> None:
        self._report = report

    def result(self) -> Rerun:
        """Wait for it.

        Raises:
            RerunError: It could not be sent, or the other process is gone.
        """
        try:
            return self._report.result().rerun
        except RerunError:
            raise
        except Exception as error:
            raise RerunError(
                f"The executor could not make a re-run: {type(error).__name__}: "
                f"{shorten_at_words(str(error), 200)}. What is called, and what is put in by "
                "replace=, edit= or swap=, must be importable and picklable there; a "
                "ThreadPoolExecutor needs neither."
            ) from error

    def cancel(self) -> bool:
        """Do not start it."""
        return self._report.cancel()


def _path_of(entry: Entry, executor: Executor) -> str:
    fn = entry.fn if isinstance(entry, CalledEntry) else None
    why = _why_not_imported(fn)
    if why is None:
        return f"{getattr(fn, '__module__', '')}:{getattr(fn, '__qualname__', '')}"
    what = shorten(str(getattr(fn, "__qualname__", entry.name)), 60)
    raise RerunError(
        f"A {type(executor).__name__} runs what another process can import, and {what!r} {why}. "
        "Put what runs into a function with @ek.traced in a module and import it from there, or "
        "give a ThreadPoolExecutor."
    )


def _why_not_imported(fn: Any) -> str | None:
    """Why another process cannot import a function; None when it can."""
    if fn is None:
        return "is a cell or a block, and no function"
    if not isinstance(fn, FunctionType):
        return "belongs to an object of this process, such as an Agent or a client"
    if fn.__module__.partition(".")[0] == "explainkit":
        return "belongs to a runner of this process"
    if fn.__name__ == "<lambda>":
        return "has no name to import it by"
    if "<" in fn.__qualname__:
        return "is defined in another function"
    return "is defined in a notebook or script" if fn.__module__ in ("", "__main__") else None
