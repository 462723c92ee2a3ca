"""What can be a child of a composition, and the one way to run it, whatever it is."""

import functools
import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from explainkit.errors import CompositionError, ResumeError
from explainkit.flow.compositions.checkpoints import kept, restored
from explainkit.flow.compositions.naming import shown
from explainkit.flow.compositions.worker_threads import called
from explainkit.flow.handing import HAND, Hand
from explainkit.flow.outcomes import (
    Answered,
    Failed,
    Outcome,
    Paused,
    Refused,
    Trace,
)
from explainkit.flow.runner_links import linked, through, trace_of, traced
from explainkit.flow.runners import Runner
from explainkit.flow.verdicts.children import checked_outcome, child_outcome
from explainkit.tracing.current import CURRENT, Frame


class Child(Protocol):
    """Something that a composition runs.

    Attributes:
        label: Its word in paths.
    """

    @property
    def label(self) -> str:
        """Its word in paths."""
        ...

    async def outcome(self, input: Any, *, resume: Any = None) -> Outcome[Any]:  # noqa: A002
        """Run to an end."""
        ...


@dataclass(frozen=True, slots=True)
class RunnerChild:
    """A runner of ours, which records itself."""

    runner: Runner
    label: str

    async def outcome(self, input: Any, *, resume: Any = None) -> Outcome[Any]:  # noqa: A002
        """As the runner says."""
        options: dict[str, Any] = {} if resume is None else {"resume": resume}
        outcome: Any = await self.runner.outcome(input, **options)
        return checked_outcome(outcome, f"{type(self.runner).__name__}.outcome(...)")


@dataclass(frozen=True, slots=True)
class CalledChild:
    """A function, or a runner that is not ours; one link stands for it in the record.

    Attributes:
        runner: Whose `outcome_of` is asked, where there is one.
        call: What is called with the input.
        kind: The link's type, `function` or `runner`.
        label: The link's name.
    """

    runner: Any
    call: Callable[..., Any]
    kind: str
    label: str

    async def outcome(self, input: Any, *, resume: Any = None) -> Outcome[Any]:  # noqa: A002
        """Call it, and read what it ended with."""

        async def work(frame: Frame) -> Outcome[Any]:
            del frame
            options = {} if resume is None else self._resuming(resume)
            found = child_outcome(self.runner, await called(self.call, input, **options))
            if isinstance(found, Paused):
                return Paused(kept(found.checkpoint, f"the checkpoint of {self.label}"))
            return found

        # One that goes on after a pause is more than a call with an input.
        call = self.call if resume is None else None
        return await linked(work, kind=self.kind, label=self.label, input=input, call=call)

    def _resuming(self, resume: Any) -> dict[str, Any]:
        if not _takes(self.call, None, resume=resume):
            raise ResumeError(
                f"{self.label} was paused, but it cannot be resumed: it takes no resume=. "
                "Give its run(...) that argument."
            )
        return {"resume": restored(resume)}


class Ended(NamedTuple):
    """How a child ended, and where its answer stands in the record.

    Attributes:
        outcome: The end, with its path.
        places: Occurrences of the answer.
    """

    outcome: Outcome[Any]
    places: Sequence[dict[str, Any]] = ()


def as_child(thing: Any, *, place: str) -> Child:
    """What a composition runs, from what a user gives.

    Args:
        thing: A runner, a function of one input, or an object that is run or called with one.
        place: Where it stands, for the message.

    Raises:
        CompositionError: It cannot be run, or not with one input.

    Example:
        >>> as_child(len, place="step 1").label
        'len'
    """
    if isinstance(thing, RunnerChild | CalledChild):
        return thing
    if isinstance(thing, Runner):
        return RunnerChild(thing, label_of(thing))
    if isinstance(thing, type) and issubclass(thing, Runner):
        raise CompositionError(f"{place}: {thing.__name__} is a class. Give a runner made of it.")
    run = None if isinstance(thing, type) else getattr(thing, "run", None)
    call = run if callable(run) else thing
    if not callable(call):
        raise CompositionError(
            f"{place}: {shown(thing)} cannot be run. Give a runner, a function of one input, or "
            "an object with run(input)."
        )
    if not _takes(call, None):
        raise CompositionError(
            f"{place}: {label_of(thing)} cannot be called with one input. Let it take one argument."
        )
    plain = call is thing and (
        inspect.isroutine(thing) or isinstance(thing, type | functools.partial)
    )
    return CalledChild(thing, call, "function" if plain else "runner", label_of(thing))


def label_of(thing: Any) -> str:
    """The word for a child: its own name, else that of its type."""
    while isinstance(thing, functools.partial):
        thing = thing.func
    for attribute in ("label", "name", "id", "__name__"):
        found = getattr(thing, attribute, None)
        if isinstance(found, str) and found.strip():
            return found
    return type(thing).__name__


async def asked(
    child: Child,
    value: Any,
    *,
    step: str,
    places: Sequence[dict[str, Any]] = (),
    parts: Sequence[dict[str, Any]] = (),
    branch: str = "",
    resume: Any = None,
) -> Ended:
    """Run a child; whatever it raises is its end.

    Args:
        child: The child.
        value: What it is given, the object itself.
        step: The composition and which child it is, such as `Sequence[2]`.
        places: Occurrences that the value was made from.
        parts: Segments of the value: which node of it came from where.
        branch: Its name among several that run at once.
        resume: Its checkpoint, when it was paused.
    """
    hand = Hand(value, places, parts, branch)
    HAND.set(hand)
    try:
        outcome = await child.outcome(value, resume=resume)
        if isinstance(outcome, Paused):
            _check_plain(outcome.checkpoint, step, child)
    except Exception as error:  # noqa: BLE001 - an outcome holds what was raised
        outcome = Failed(error)
    finally:
        HAND.set(None)
    if isinstance(outcome, Answered):
        place = hand.place_of(outcome.value)
        return Ended(outcome, () if place is None else (place,))
    return Ended(through(_placed(outcome, child.label), step))


def failed_at(error: Exception, *path: str) -> Failed:
    """A failure that came about in a composition itself, with the place in its path."""
    frame = CURRENT.get()
    return Failed(traced(error, Trace("" if frame is None else frame.run.id, (), path)))


def _placed(outcome: Outcome[Any], label: str) -> Outcome[Any]:
    """An end with a path, also of a child that recorded nothing in this run."""
    frame, trace = CURRENT.get(), trace_of(outcome)
    if frame is None or (trace is not None and trace.run == frame.run.id):
        return outcome
    here = Trace(frame.run.id, (), (label,))
    if isinstance(outcome, Refused):
        return Refused(outcome.verdict, here)
    return Failed(traced(outcome.error, here)) if isinstance(outcome, Failed) else outcome


def _check_plain(checkpoint: Any, step: str, child: Child) -> None:
    try:
        json.dumps(checkpoint, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as problem:
        raise ResumeError(
            f"{step}: {child.label} waits, but its checkpoint is no plain JSON ({problem}). "
            "Let it give one that json.dumps takes."
        ) from problem


def _takes(call: Callable[..., Any], *arguments: Any, **options: Any) -> bool:
    try:
        inspect.signature(call).bind(*arguments, **options)
    except TypeError:
        return False
    except ValueError:  # some built-in ones do not tell
        return not options
    return True
