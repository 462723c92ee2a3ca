"""What an author's guards and actions are given, and the two actions that are plain data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, or that a machine told itself.

    Attributes:
        name: Its name; ``done.*`` and ``after.*`` are the machine's own.
        payload: What came with it.
    """

    name: str
    payload: Any = None

    @property
    def output(self) -> Any:
        """What a finished state or actor gave; None for other events."""
        return self._part("output")

    @property
    def error(self) -> Any:
        """What an actor raised; None for other events."""
        return self._part("error")

    def _part(self, key: str) -> Any:
        is_own = self.name.startswith(("done.", "error."))
        return self.payload.get(key) if is_own and isinstance(self.payload, Mapping) else None


@dataclass(frozen=True, slots=True)
class Args:
    """What a guard, an action or a function of a value is called with.

    Attributes:
        context: The machine's context; read it, never change it in place.
        event: The event that is being taken.
        params: What the chart gives this use of a named guard or action.
    """

    context: Any
    event: Event
    params: Any = None


@dataclass(frozen=True, slots=True)
class Assign:
    """An action that gives the context new values.

    Attributes:
        update: A function of the arguments that gives a mapping, or values by name; a value that
            is a function is called with the arguments.
    """

    update: "Callable[[Args], Mapping[str, Any]] | Mapping[str, Any]"


@dataclass(frozen=True, slots=True)
class Raise:
    """An action that puts an event into the machine's own queue.

    Attributes:
        name: The event's name.
        payload: Its payload, or a function of the arguments that gives it.
    """

    name: str
    payload: Any = None


Guard: TypeAlias = Callable[[Args], object]
Kind: TypeAlias = Literal["atomic", "compound", "parallel", "final", "history"]
Trigger: TypeAlias = Literal["on", "always", "after", "on_done", "actor_done", "actor_error"]
