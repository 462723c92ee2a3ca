"""Where a machine with Agents stands between two inputs, and what one input led to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from explainkit.flow.actors.protocols import Receipt, Source
from explainkit.flow.statecharts import ActionUse, Snapshot, Steps
from explainkit.flow.statecharts.chains import Chain
from explainkit.flow.statecharts.snapshots import LiveActor

Outcome: TypeAlias = Literal["applied", "cleared", "superseded", "unheard", "unread"]


@dataclass(frozen=True, slots=True)
class SetAnswer:
    """An `answer` that ran for a pick.

    Attributes:
        action: Where it is written.
        seen: How many replies it could see.
        value: What it set, as JSON; None when it cleared.
        cleared: Whether it took back what was set.
        why: Why it cleared.
    """

    action: ActionUse
    seen: int
    value: Any = None
    cleared: bool = False
    why: str | None = None


@dataclass(frozen=True, slots=True)
class OpenPick:
    """A pick that waits for its answer.

    Attributes:
        number: Position among the picks of the machine, from 1.
        session: The Turn that picked.
        agent: Name of the Agent.
        event: Name of the event.
        payload: What came with it.
        moved: Whether a transition took it.
        awaited: Whether a coroutine still waits for it.
        chain: Every reply since, oldest first.
        sets: Every answer that ran for it, in order.
    """

    number: int
    session: int
    agent: str
    event: str
    payload: Any
    moved: bool = False
    awaited: bool = True
    chain: Chain = ()
    sets: tuple[SetAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A pick and what the Agent reads.

    Attributes:
        pick: The pick.
        first: What would be read had nothing been set, as JSON.
        first_source: Whether that is the last reply or the receipt.
        value: What is read, as JSON; the receipt itself when there is nothing else.
        source: Where it comes from.
        receipt: Rides along.
        overrides: Every answer that ran for it, with what became of it.
        note: What the record must say about the reply.
    """

    pick: OpenPick
    first: Any
    first_source: Source
    value: Any
    source: Source
    receipt: Receipt
    overrides: tuple[tuple[SetAnswer, Outcome], ...]
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a machine stands, its open picks included.

    Attributes:
        snapshot: Where its chart stands.
        picks: Open picks, oldest first.
        count: How many picks there were until now.
        begun_by: By session of a live actor: the picks in whose macrosteps it was started.
    """

    snapshot: Snapshot
    picks: tuple[OpenPick, ...] = ()
    count: int = 0
    begun_by: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def live(self, session: int) -> LiveActor | None:
        """The actor of a session, if it lives."""
        return next((a for a in self.snapshot.actors if a.session == session), None)


@dataclass(frozen=True, slots=True)
class Advanced:
    """What one input led to, in the order in which it is told.

    Attributes:
        standing: Where the machine then stands.
        steps: What the chart did; None when it was not asked.
        opened: The pick that the input opened.
        linked: Number of the pick and position in its chain, for each chain that grew.
        unheard: Answers that nobody heard.
        answered: Picks that were answered, oldest first.
        stopped: Actors to stop, in the order in which they were started.
        started: Actors to start, in order.
    """

    standing: Standing
    steps: Steps | None = None
    opened: OpenPick | None = None
    linked: tuple[tuple[int, int], ...] = ()
    unheard: tuple[ActionUse, ...] = ()
    answered: tuple[Answered, ...] = ()
    stopped: tuple[LiveActor, ...] = ()
    started: tuple[LiveActor, ...] = ()
