"""Everything that can happen to a machine, as data, so that it can be journaled and replayed."""

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Picked:
    """An Agent chose an event, accepted by `delivered`.

    Attributes:
        session: The Agent's Turn.
        event: Name of the event.
        payload: What comes with it, parsed.
    """

    session: int
    event: str
    payload: Any


@dataclass(frozen=True, slots=True)
class Declined:
    """A pick was refused: nothing changed, but an Agent that runs again hears it again.

    Attributes:
        session: The Agent's Turn.
        event: What it tried to pick.
        why: What it was told.
    """

    session: int
    event: str
    why: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """The coroutine that awaited a pick is gone, so nobody will read its answer.

    Attributes:
        pick: Number of the pick.
    """

    pick: int


@dataclass(frozen=True, slots=True)
class Finished:
    """An actor gave its output.

    Attributes:
        session: Which actor.
        src: Key of its slot.
        output: What it gave.
    """

    session: int
    src: str
    output: Any


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """What a machine knows of an exception: plain data, the same when a run is replayed.

    Attributes:
        type: Name of its class.
        message: Its text.
    """

    type: str
    message: str

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True, slots=True)
class Errored:
    """An actor raised.

    Attributes:
        session: Which actor.
        error: What it raised.
    """

    session: int
    error: ErrorFacts


@dataclass(frozen=True, slots=True)
class GateSent:
    """Somebody answered at a Gate.

    Attributes:
        session: Which Gate.
        event: Name of the event.
        payload: What comes with it, parsed.
    """

    session: int
    event: str
    payload: Any


@dataclass(frozen=True, slots=True)
class Told:
    """An event from outside that is no reply to anybody.

    Attributes:
        event: Name of the event.
        payload: What comes with it.
    """

    event: str
    payload: Any = None


@dataclass(frozen=True, slots=True)
class Due:
    """A timer is due.

    Attributes:
        event: Its event.
    """

    event: str


@dataclass(frozen=True, slots=True)
class Faulted:
    """A Turn could not go on.

    Attributes:
        session: The Turn.
        reason: Why.
    """

    session: int
    reason: str


Input: TypeAlias = (
    Picked | Declined | Dropped | Finished | Errored | GateSent | Told | Due | Faulted
)
