"""What a machine gives to the actors that it starts, and what it asks of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from explainkit.flow.clocks import Clock
from explainkit.flow.statecharts.event_definitions import EventDefinition

Source: TypeAlias = Literal["answer", "reply", "receipt"]


@dataclass(frozen=True, slots=True)
class Stage:
    """What an effect is started with.

    Attributes:
        name: Key of the actor in the machine.
        input: What the state's `invoke` gives it.
        clock: Tells the time and waits.
        folder: Where its files are: the workspace of the run; None outside of one.
    """

    name: str
    input: Any
    clock: Clock
    folder: Path | None = None


class Effect(Protocol):
    """Acts on the world and gives every result as output."""

    @property
    def kind(self) -> Literal["effect"]:
        """What it is to a machine."""
        ...

    async def work(self, stage: Stage) -> Any:
        """Do it; a cancellation must leave nothing running."""
        ...

    def stored(self, output: Any) -> Any:
        """The output as plain JSON data, for the record."""
        ...

    def restored(self, data: Any) -> Any:
        """The output again, from the record."""
        ...


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a machine says to every pick.

    Attributes:
        event: The event that was picked.
        moved: Whether a transition took it.
        turn_complete: Whether the Turn is over.
        allowed: Events that the Agent may pick now.
    """

    event: str
    moved: bool
    turn_complete: bool
    allowed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, `moved: false` first when nothing moved."""
        told = {"event": self.event, "moved": self.moved}
        if not self.moved:
            told = {"moved": False, "event": self.event}
        return told | {"turn_complete": self.turn_complete, "allowed": list(self.allowed)}


@dataclass(frozen=True, slots=True)
class Read:
    """What an Agent reads when its pick is answered.

    Attributes:
        value: The answer that was set, else the last reply, as JSON; None with a receipt alone.
        source: Which of them it is.
        receipt: Rides along with every answer.
        event: The event that was picked.
        payload: What was picked with it.
        slot: Slot of the answer in the record, `pick:<id>`; empty when nothing records.
    """

    value: Any
    source: Source
    receipt: Receipt
    event: str
    payload: Any
    slot: str = ""


class Turn(Protocol):
    """One stay of a machine in an Agent's state, as the Agent sees it."""

    @property
    def name(self) -> str:
        """Key of the Agent in the machine."""
        ...

    @property
    def input(self) -> Any:
        """What the state's `invoke` gives the Agent."""
        ...

    @property
    def menu(self) -> Sequence[EventDefinition]:
        """Every event that this Agent can ever pick here."""
        ...

    @property
    def allowed(self) -> Sequence[str]:
        """Names of those that it may pick now."""
        ...

    @property
    def over(self) -> bool:
        """Whether the Turn is over; then every pick is refused."""
        ...

    @property
    def history(self) -> Sequence[Read]:
        """What was picked and read before, when a run was resumed in the middle of a Turn."""
        ...

    @property
    def standing(self) -> tuple[str, Any] | None:
        """Event and payload of the pick that stands open, when a run was resumed."""
        ...

    async def pick(
        self, event: str, payload: Mapping[str, Any] | None = None, *, uses: Sequence[object] = ()
    ) -> Read:
        """Choose an event of the menu and wait for the answer.

        Args:
            event: Name of the event.
            payload: What comes with it.
            uses: Recorded values that the choice was made from.

        Raises:
            RefusedError: The event or its payload is not accepted now; no pick was opened.
        """
        ...


class Agent(Protocol):
    """Chooses events of its menu until its Turn is over."""

    @property
    def kind(self) -> Literal["agent"]:
        """What it is to a machine."""
        ...

    async def work(self, turn: Turn) -> Any:
        """Take a Turn; an exception is an `agent.fault` with its message as the reason."""
        ...
