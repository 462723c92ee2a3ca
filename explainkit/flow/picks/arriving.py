"""An input as the chart will see it: an event, perhaps a reply, perhaps a pick."""

from dataclasses import dataclass, replace

from explainkit.flow.picks.holding import at_or_below
from explainkit.flow.picks.inputs import (
    Declined,
    Dropped,
    Due,
    Errored,
    Faulted,
    Finished,
    GateSent,
    Input,
    Told,
)
from explainkit.flow.picks.standings import OpenPick, Standing
from explainkit.flow.statecharts import Event
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.chains import ChainLink, Output, Sent
from explainkit.flow.statecharts.nodes import Chart
from explainkit.flow.statecharts.snapshots import LiveActor

FAULT = "agent.fault"


@dataclass(frozen=True, slots=True)
class Arrival:
    """An input as the chart will see it.

    Attributes:
        event: The event to take.
        actor: The actor that it comes from.
        over: Whether that actor is over with it.
        link: The reply that it is.
        opens: The pick that it opens.
    """

    event: Event
    actor: LiveActor | None = None
    over: bool = False
    link: ChainLink | None = None
    opens: OpenPick | None = None


def arrival_of(standing: Standing, happened: Input) -> Arrival | None:
    """An input as the chart will see it; None when it sees nothing of it."""
    if isinstance(happened, Dropped | Declined):
        return None
    if isinstance(happened, Told):
        return Arrival(Event(happened.event, happened.payload))
    if isinstance(happened, Due):
        return Arrival(Event(happened.event))
    actor = standing.live(happened.session)
    if actor is None:
        return None
    if isinstance(happened, Finished):
        done = Event(f"done.actor.{actor.id}", {"output": happened.output})
        return Arrival(done, actor, True, Output(actor.src, happened.output))
    if isinstance(happened, Errored):
        return Arrival(Event(f"error.actor.{actor.id}", {"error": happened.error}), actor, True)
    if isinstance(happened, Faulted):
        payload = {"agent": actor.src, "reason": happened.reason}
        return Arrival(Event(FAULT, payload), actor, True)
    event = Event(happened.event, happened.payload)
    if isinstance(happened, GateSent):
        return Arrival(event, actor, link=Sent(event))
    pick = OpenPick(
        standing.count + 1, happened.session, actor.src, happened.event, happened.payload
    )
    return Arrival(event, actor, link=Sent(event), opens=pick)


def linked_to(
    chart: Chart, picks: tuple[OpenPick, ...], arrival: Arrival
) -> tuple[tuple[OpenPick, ...], tuple[tuple[int, int], ...]]:
    """Append a reply to the open picks of every Agent at or above the actor's state."""
    actor, link = arrival.actor, arrival.link
    if actor is None or link is None:
        return picks, ()
    states = agent_states(chart)
    # An Agent replies to those above its state; beside another one it is not nested.
    beside = states.get(actor.src, -1)
    grown: list[OpenPick] = []
    linked: list[tuple[int, int]] = []
    for pick in picks:
        state = states[pick.agent]
        if state != beside and at_or_below(chart, state, actor.number):
            linked.append((pick.number, len(pick.chain)))
            grown.append(replace(pick, chain=(*pick.chain, link)))
        else:
            grown.append(pick)
    return tuple(grown), tuple(linked)
