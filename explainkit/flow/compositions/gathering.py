"""Runs several children at once, and tells how they end together: the one rule of branches."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from explainkit.errors import BranchesError, ResumeError
from explainkit.flow.compositions.checkpoints import kept_end, restored_end
from explainkit.flow.compositions.children import Ended, failed_at
from explainkit.flow.compositions.naming import shown
from explainkit.flow.outcomes import (
    Answered,
    Cancelled,
    Exhausted,
    Failed,
    Outcome,
    Paused,
    Refused,
    answer_of,
)
from explainkit.flow.runner_links import trace_of
from explainkit.flow.verdicts.precedence import first_standing
from explainkit.safety import shorten
from explainkit.safety.pointers import token

Start = Callable[[], Awaitable[Ended]]
Ends = dict[str, Ended]


def has_failed(outcome: Outcome[Any]) -> bool:
    """Whether a branch that was to answer did not, and will not."""
    return isinstance(outcome, Refused | Failed | Exhausted)


async def gathered(
    starts: Mapping[str, Start], *, stops: Callable[[str, Outcome[Any]], bool]
) -> Ends:
    """Run all at once and wait for all, or for none any more once one says so.

    A cancellation, an interrupt or an exit in one stops all others before it goes on.

    Args:
        starts: What runs, by name.
        stops: Whether the end of one cancels the rest.

    Returns:
        The ends, in the order of `starts`; one that was stopped is `Cancelled()`.
    """
    tasks: dict[str, asyncio.Task[Ended]] = {}
    stopped: set[str] = set()

    def stop_the_rest(name: str) -> None:
        for other, task in tasks.items():
            if other != name and not task.done():
                stopped.add(other)
                task.cancel()

    async def one(name: str, start: Start) -> Ended:
        try:
            ended = await start()
        except asyncio.CancelledError:  # a task group would wait for the others
            stop_the_rest(name)
            raise
        if stops(name, ended.outcome):
            stop_the_rest(name)
        return ended

    try:
        async with asyncio.TaskGroup() as group:
            for name, start in starts.items():
                tasks[name] = group.create_task(one(name, start))
    except (KeyboardInterrupt, SystemExit):
        # It has left the loop already, which then cancels what is left: once is enough.
        here = asyncio.current_task()
        if here is not None and here.cancelling():
            raise asyncio.CancelledError from None
        raise
    except BaseExceptionGroup as several:  # children give ends, so this is the fault of one of us
        raise several.exceptions[0] from None
    return {name: _end(task, name in stopped) for name, task in tasks.items()}


def _end(task: "asyncio.Task[Ended]", was_stopped: bool) -> Ended:
    if task.cancelled() and was_stopped:
        return Ended(Cancelled())
    return task.result()  # a cancellation that nobody asked for goes on


class Together(NamedTuple):
    """How branches end together.

    Attributes:
        stands: `paused`, `cancelled` or `failed`; None when all that had to answer did.
        failed: Names of those that failed.
    """

    stands: str | None
    failed: tuple[str, ...]


def together(ends: Ends, *, needed: Iterable[str], at_once: bool = False) -> Together:
    """Tell what stands, by the precedence of ends.

    Args:
        ends: How each branch ended.
        needed: Those that have to answer; of the others only a pause matters.
        at_once: Whether a failure stands before a pause.
    """
    wanted = set(needed)
    failed = tuple(n for n in ends if n in wanted and has_failed(ends[n].outcome))
    if at_once and failed:
        return Together("failed", failed)
    open_ends = [
        ended.outcome
        for name, ended in ends.items()
        if isinstance(ended.outcome, Paused)
        or (name in wanted and not isinstance(ended.outcome, Answered))
    ]
    if not open_ends:
        return Together(None, ())
    match first_standing(open_ends):
        case Paused():
            return Together("paused", failed)
        case Cancelled():
            return Together("cancelled", failed)
    return Together("failed", failed)


def failure(
    ends: Ends, failed: Iterable[str], *, place: str, message: str, results: Mapping[str, Any]
) -> Failed:
    """The group of the errors of exactly those that failed."""
    errors = {name: _error(ends[name].outcome, f"{place}.{name}") for name in failed}
    return Failed(BranchesError(message, errors, results))


def _error(outcome: Outcome[Any], step: str) -> Exception:
    try:
        answer_of(outcome)
    except Exception as error:  # noqa: BLE001 - it is what `run` of the branch raises
        found = error.with_traceback(None) if not isinstance(outcome, Failed) else error
        return found if trace_of(Failed(found)) is not None else failed_at(found, step).error
    raise AssertionError(f"{step} did not fail")


class Reply(NamedTuple):
    """What a person answers to a branch that waits, and where that stands in the record."""

    value: Any
    places: Sequence[dict[str, Any]] = ()


def replies(
    value: Any, waiting: Sequence[str], *, places: Sequence[dict[str, Any]], whole: str
) -> dict[str, Reply]:
    """What each branch that waits is given; one that is not there goes on waiting.

    Raises:
        ResumeError: Several wait, and the answer does not say which of them it is for.
    """
    if len(waiting) < 2 or value is None:
        return {name: Reply(value, places) for name in waiting}
    if not isinstance(value, Mapping) or not set(value) <= set(waiting):
        raise ResumeError(
            f"{whole}: {listed(waiting)} wait, and {shown(value)} does not say whom it is for. "
            "Give a mapping from their names to the answers."
        )
    return {
        name: Reply(each, [{**place, "path": f"/{token(name)}"} for place in places])
        for name, each in value.items()
    }


def joined_parts(places: Mapping[str, Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Segments of a joined input: what stands at a pointer came from that branch's answer alone.

    Args:
        places: Occurrences of an answer, by the pointer at which it stands.
    """
    return [
        {"path": path, "start": 0, "origin": place}
        for path, origins in places.items()
        for place in origins
    ]


def listed(names: Iterable[str]) -> str:
    """Names in a message."""
    return shorten(", ".join(names), 300)


def kept_ends(ends: Ends, *, place: str) -> dict[str, Any]:
    """The ends of branches as plain JSON, while some wait.

    Raises:
        ResumeError: A value cannot be kept whole.
    """
    return {name: kept_end(ended.outcome, f"{place}.{name}") for name, ended in ends.items()}


def restored_ends(written: Any, names: Iterable[str]) -> dict[str, Outcome[Any] | None]:
    """The ends of branches; None for one that has to run (again).

    Raises:
        ResumeError: They are not those of these branches.
    """
    if not isinstance(written, Mapping) or list(written) != list(names):
        raise ResumeError(f"The checkpoint is damaged: {shown(written)} are not the branches.")
    return {name: restored_end(written[name]) for name in written}
