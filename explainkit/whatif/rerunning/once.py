"""One re-run: in a run of its own, in memory, steered, and read when it is over."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from explainkit.errors import InterventionError, RerunError
from explainkit.flow.driving.homes import status_of
from explainkit.flow.outcomes import Answered, Cancelled, Failed, Outcome, Refused
from explainkit.safety import shorten
from explainkit.tracing.answers import open_answer
from explainkit.tracing.current import CURRENT, Frame, leave
from explainkit.tracing.late_effects import leave_running, threads_now
from explainkit.tracing.own_runs import OwnRun, own_run
from explainkit.tracing.seam import HeldBack
from explainkit.whatif.rerunning.entries import (
    ENDS,
    Entry,
    ended_with,
    given_in_part,
    given_others,
    is_awaitable,
)
from explainkit.whatif.rerunning.origins import Origin, sent_texts
from explainkit.whatif.rerunning.own_calls import OwnCalls, look_at, look_away
from explainkit.whatif.rerunning.steering import Executed, Steered, Steering
from explainkit.whatif.varying.planning import Plan

if TYPE_CHECKING:
    from explainkit.store import Recording


@dataclass(frozen=True)
class Rerun:
    """What came of one re-run.

    Attributes:
        run: The run as a user holds it.
        steered: What was changed, reused and executed.
        seconds: How long it took.
        own_calls: Calls of the user's own code; None where they were not looked at.
    """

    run: Any
    steered: Steered
    seconds: float
    own_calls: OwnCalls | None = None

    @property
    def recording(self) -> "Recording":
        """Its records."""
        recording: Recording = self.run.recording
        return recording

    @property
    def executed(self) -> tuple[Executed, ...]:
        """Links that ran."""
        return self.steered.executed

    @property
    def executed_origins(self) -> frozenset[int]:
        """The recorded links that ran again."""
        return frozenset(each.origin for each in self.executed if each.origin is not None)

    @property
    def reused(self) -> frozenset[int]:
        """The recorded links whose results were handed out."""
        return self.steered.reused

    @property
    def calls(self) -> int:
        """Model links that ran; all links that ran when the run has no model."""
        models = sum(each.type == "model" for each in self.executed)
        return models or len(self.executed)

    @property
    def tokens(self) -> int:
        """Tokens that the models said they used in this re-run."""
        ran = {each.link for each in self.executed}
        total = 0
        for row in self.recording.rows("link_closed"):
            usage = (row.get("attrs") or {}).get("usage") if row.get("link") in ran else None
            if isinstance(usage, Mapping):
                total += sum(each for each in usage.values() if isinstance(each, int))
        return total

    def sent(self) -> list[str]:
        """What the model links of this re-run were given, reused ones included."""
        return sent_texts(self.recording)


def rerun(
    entry: Entry,
    origin: Origin,
    plan: Plan,
    *,
    forced: frozenset[int] = frozenset(),
    allow_effects: bool = False,
    watched: bool = False,
) -> Rerun:
    """Run once more.

    Args:
        entry: What is called.
        origin: The run that is varied.
        plan: What is changed; an empty plan for an unchanged re-run.
        forced: Recorded links that are not reused.
        allow_effects: Let effects run again.
        watched: Look at the calls of the user's own code.

    Returns:
        How it ended; an exception of the user's code is an outcome, an interrupt goes on.
    """
    entry = _given(entry, plan)
    steering = Steering(origin, plan, forced=forced, allow_effects=allow_effects, skips=entry.skips)
    return copy_context().run(_once, entry, origin, plan, steering, watched)


async def rerun_async(
    entry: Entry,
    origin: Origin,
    plan: Plan,
    *,
    forced: frozenset[int] = frozenset(),
    allow_effects: bool = False,
    watched: bool = False,
) -> Rerun:
    """Run once more, awaiting what is to be awaited; the arguments are those of `rerun`."""
    entry = _given(entry, plan)
    steering = Steering(origin, plan, forced=forced, allow_effects=allow_effects, skips=entry.skips)
    return await asyncio.create_task(_once_async(entry, origin, plan, steering, watched))


def _given(entry: Entry, plan: Plan) -> Entry:
    """What is called, with what the plan gives it."""
    edits = {slot: [each.edit for each in made] for slot, made in plan.reshaped.items()}
    return given_in_part(given_others(entry, plan.given), edits)


def require_given(entry: Entry, plan: Plan) -> None:
    """Refuse parts of arguments that the objects which the run is called with do not take.

    Args:
        entry: What is called.
        plan: What is changed.

    Raises:
        InterventionError: They do not.
    """
    try:
        _given(entry, replace(plan, given={}))
    except InterventionError:
        raise
    except Exception as error:
        changes = [each.said for made in plan.reshaped.values() for each in made]
        raise InterventionError(
            f"{shorten(changes[0], 120)} cannot be made on what the run is called with: "
            f"{type(error).__name__}: {shorten(str(error), 120)}. Give all of it with edit=."
        ) from error


def _once(entry: Entry, origin: Origin, plan: Plan, steering: Steering, watched: bool) -> Rerun:
    opened = _opened(entry, origin, plan, steering)
    with _Calling(opened, entry, origin, watched=watched) as calling:
        value = entry.call()
        calling.problem = _not_here(value)
        if calling.problem is None:
            calling.gave(asyncio.run(_awaited(value)) if is_awaitable(value) else value)
    if calling.problem is not None:
        raise calling.problem
    return _read(opened, origin, steering, calling)


async def _once_async(
    entry: Entry, origin: Origin, plan: Plan, steering: Steering, watched: bool
) -> Rerun:
    opened = _opened(entry, origin, plan, steering)
    with _Calling(opened, entry, origin, watched=watched) as calling:
        value = entry.call()
        calling.gave(await value if is_awaitable(value) else value)
    return _read(opened, origin, steering, calling)


def _read(opened: OwnRun, origin: Origin, steering: Steering, calling: "_Calling") -> Rerun:
    settled = _settled(origin, steering.steered, opened.run)
    seen = opened.active.seen
    return Rerun(opened.run, settled, calling.seconds, None if seen is None else seen.settled())


def _settled(origin: Origin, steered: Steered, run: Any) -> Steered:
    """What was done, without links that an engine told again itself, such as a person's answer."""
    ran = {each.link for each in steered.executed}
    told: Counter[tuple[str, str]] = Counter()
    closed = {row["link"]: row.get("attrs") or {} for row in run.recording.rows("link_closed")}
    for row in run.recording.rows("link_opened"):
        if row["seq"] not in ran and "reused" not in closed.get(row["seq"], {}):
            told[str(row.get("type")), str(row.get("name"))] += 1
    swapped = steered.made - {each.origin for each in steered.executed}
    for seq in swapped & origin.recorded.points.keys():  # these are in the record, too
        told[origin.recorded.points[seq].type, origin.recorded.points[seq].name] -= 1
    left: set[int] = set()
    for seq in sorted(steered.dropped):
        point = origin.recorded.points[seq]
        told[point.type, point.name] -= 1
        if told[point.type, point.name] < 0:
            left.add(seq)
    return replace(steered, dropped=frozenset(left))


class _Calling:
    """The frame around one call: what it gives or raises is how its run ends."""

    def __init__(self, opened: OwnRun, entry: Entry, origin: Origin, *, watched: bool) -> None:
        self._opened = opened
        self._caches, self._called = origin.caches, getattr(entry, "fn", None)
        self._watched = watched
        self._answers = entry.answers
        self._outcome: Outcome[Any] = Cancelled()
        self._own_end = False
        self.problem: RerunError | None = None
        self.seconds = 0.0

    def __enter__(self) -> Self:
        self._caches.begin()
        self._caches.look(self._called)
        self._began, self._threads = time.perf_counter(), threads_now()
        self._opened.active.home = threading.current_thread()
        self._token = CURRENT.set(Frame(self._opened.active))
        if self._watched:
            look_at(self._opened.active)
        return self

    def gave(self, value: Any) -> None:
        """Take what the call gave."""
        self._outcome, self._own_end = ended_with(value), isinstance(value, ENDS)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """End the run; what a user's code raised is an outcome, an interrupt goes on."""
        look_away(self._opened.active)
        leave(self._token)
        if error is not None and _is_outcome(error):
            self._opened.close("error", error)
        else:
            _closed(self._opened, self._outcome, answers=self._answers, own_end=self._own_end)
        leave_running(self._opened.active, self._threads)
        self._caches.end()
        self.seconds = time.perf_counter() - self._began
        return error is None or _is_outcome(error) or is_held_back(error)


def _is_outcome(error: BaseException) -> bool:
    """Whether the code that ran raised it, and not a person who stops the re-run.

    Code may exit, or be cancelled by its own hand; a task that is cancelled from outside counts it.
    """
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task() if loop_runs() else None
        return task is None or not task.cancelling()
    return isinstance(error, (Exception, SystemExit))


def is_held_back(stop: BaseException) -> bool:
    """Whether an effect was held back, alone or in one of several tasks."""
    if isinstance(stop, BaseExceptionGroup):
        return any(is_held_back(each) for each in stop.exceptions)
    return isinstance(stop, HeldBack)


async def _awaited(value: Any) -> Any:
    return await value


def _not_here(value: Any) -> RerunError | None:
    """Why something to await cannot be driven from here."""
    if not is_awaitable(value) or not loop_runs():
        return None
    if asyncio.iscoroutine(value):
        value.close()
    return RerunError(
        "What runs again has to be awaited, and an event loop runs here, as in every notebook "
        "cell. Write `await run.whatif_async(...)` with the same arguments."
    )


def loop_runs() -> bool:
    """Whether an event loop runs here already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _opened(entry: Entry, origin: Origin, plan: Plan, steering: Steering) -> OwnRun:
    CURRENT.set(None)  # a re-run is no part of the run that is open where it is asked for
    varies: dict[str, Any] = {"origin": origin.recording.run}
    if plan.told:
        varies["interventions"] = list(plan.told)
    rewrite = steering.rewrite if plan.inputs else None
    steered = {"supply": steering, "rewrite": rewrite, "varies": varies}
    question = origin.question if plan.question is None else plan.question
    opened = own_run(entry.name, question=question, **steered, **entry.settings)
    run = opened.open()
    opened.active.repeats = origin.recording.run
    opened.active.host = run if entry.opens else None
    opened.active.inner_supply = steering.inside
    return opened


def _closed(opened: OwnRun, outcome: Outcome[Any], *, answers: bool, own_end: bool) -> None:
    """End the run as its call ended, with its answer where nobody gave one."""
    active = opened.active
    if isinstance(outcome, Answered) and answers and "answer" not in active.answers:
        value = outcome.value
        if own_end and active.outermost is not None:
            value = active.outermost[0]  # what a runner gives is more than what it records
        open_answer(Frame(active), value, slot="answer", via="return", origins={})
    if isinstance(outcome, Refused) and not active.ended:
        opened.close("verdict")
        return
    opened.close(status_of(outcome), outcome.error if isinstance(outcome, Failed) else None)
