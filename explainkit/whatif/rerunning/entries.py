"""How a recorded run is called again: a function, or a runner, and its arguments."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from explainkit.flow.outcomes import (
    Answered,
    Cancelled,
    Exhausted,
    Failed,
    Outcome,
    Paused,
    Refused,
)

ENDS = (Answered, Cancelled, Exhausted, Failed, Paused, Refused)


class Entry(Protocol):
    """What can be called again.

    Attributes:
        name: The name of the run that it makes.
        settings: Settings of that run, as `ek.trace` takes them.
        awaits: Whether calling it gives something to await.
        answers: Whether its value is the answer, where nothing in it says what is.
        skips: Recorded links that it does not run, whatever is changed.
        opens: Whether it opens the run that is made again by itself; of a function that is called
            without its decorator a run that opens in it is another one.
        takes: What of its arguments can be others, as they are recorded, with the parameter.
    """

    @property
    def takes(self) -> Mapping[str, str]:
        """What of its arguments can be others, as they are recorded, with the parameter."""
        ...

    @property
    def opens(self) -> bool:
        """Whether it opens the run that is made again by itself."""
        ...

    @property
    def skips(self) -> frozenset[int]:
        """Recorded links that it does not run, whatever is changed."""
        ...

    @property
    def name(self) -> str:
        """The name of the run that it makes."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of that run."""
        ...

    @property
    def awaits(self) -> bool:
        """Whether calling it gives something to await."""
        ...

    @property
    def answers(self) -> bool:
        """Whether its value is the answer, where nothing in it says what is."""
        ...

    def call(self) -> Any:
        """Call it: gives its value, or an `Outcome`, or something to await for one of them."""
        ...


@dataclass(frozen=True)
class CalledEntry:
    """A function with the arguments that it is called with.

    Attributes:
        fn: The function, without its decorator.
        args: Arguments by position.
        kwargs: Arguments by name.
        name: The name of the run.
        settings: Settings of the run.
        own: Names of arguments that are plain data: each call gets a copy of its own, because a
            function may change what it is given.
        answers: Whether its value is the answer, where nothing in it says what is.
        opens: Whether it opens the run by itself, as a function of the user's may.
        takes: What of its arguments can be others, as they are recorded, with the parameter.
        imported: It was found by the path in a record that another process may have made.
    """

    fn: Callable[..., Any]
    args: Sequence[Any] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    name: str = "what-if"
    settings: Mapping[str, Any] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    answers: bool = True
    skips: frozenset[int] = frozenset()
    opens: bool = False
    takes: Mapping[str, str] = field(default_factory=dict)
    imported: bool = False

    @property
    def awaits(self) -> bool:
        """Whether the function is one to await."""
        return inspect.iscoroutinefunction(inspect.unwrap(self.fn))

    def call(self) -> Any:
        """Call it."""
        if not self.own:
            return self.fn(*self.args, **self.kwargs)
        bound = inspect.signature(self.fn).bind(*self.args, **self.kwargs)
        for name in self.own & bound.arguments.keys():
            bound.arguments[name] = deepcopy(bound.arguments[name])
        return self.fn(*bound.args, **bound.kwargs)


@dataclass(frozen=True)
class CellEntry:
    """A notebook cell that is run again in a copy of the notebook's names.

    Attributes:
        cell: The cell, with `rerun` and `is_async`.
        name: The name of the run.
        settings: Settings of the run.
        answers: Its value is its names, and no answer.
        opens: A cell may hold the block that is its run.
    """

    cell: Any
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    answers: bool = False
    skips: frozenset[int] = frozenset()
    opens: bool = True
    takes: Mapping[str, str] = field(default_factory=dict)

    @property
    def awaits(self) -> bool:
        """Whether it awaits at its top."""
        return bool(self.cell.is_async)

    def call(self) -> Any:
        """Run it."""
        return self.cell.rerun()


def given_others(entry: Entry, given: Mapping[str, Any]) -> Entry:
    """What is called, with other arguments.

    Args:
        entry: What is called.
        given: The new arguments as they are recorded, each one that it takes.
    """
    if not given or not isinstance(entry, CalledEntry):
        return entry
    bound = inspect.signature(entry.fn).bind(*entry.args, **entry.kwargs)
    bound.arguments |= {entry.takes[slot]: new for slot, new in given.items()}
    own = entry.own | {entry.takes[slot] for slot in given}
    return replace(entry, args=bound.args, kwargs=bound.kwargs, own=own)


def given_in_part(entry: Entry, edits: Mapping[str, Sequence[Callable[[Any], Any]]]) -> Entry:
    """What is called, with parts of its arguments changed; nothing that it holds is touched.

    Args:
        entry: What is called.
        edits: Changes of each argument as it is recorded, in the order of their places in it.
    """
    if not edits or not isinstance(entry, CalledEntry):
        return entry
    bound = inspect.signature(entry.fn).bind(*entry.args, **entry.kwargs)
    bound.apply_defaults()
    for slot, changes in edits.items():
        if slot in entry.takes:
            name = entry.takes[slot]
            bound.arguments[name] = _changed(bound.arguments[name], changes)
            continue
        # An answer flow is called with the parts of its recorded input by their names.
        parts = {each: bound.arguments[name] for each, name in entry.takes.items()}
        for each, new in _changed(parts, changes).items():
            bound.arguments[entry.takes[each]] = new
    return replace(entry, args=bound.args, kwargs=bound.kwargs)


def _changed(value: Any, edits: Sequence[Callable[[Any], Any]]) -> Any:
    for edit in reversed(edits):  # later places first, so that the earlier addresses stay right
        value = edit(value)
    return value


def ended_with(value: Any) -> Outcome[Any]:
    """What a call gave as an outcome; a plain value is an answer."""
    return value if isinstance(value, ENDS) else Answered(value)


def is_awaitable(value: Any) -> bool:
    """Whether a call gave something to await, asked of its type only."""
    return hasattr(type(value), "__await__")
