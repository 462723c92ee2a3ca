"""One input, one macrostep: chains grow, the chart moves, picks that nothing holds are answered."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explainkit.errors import FaultError
from explainkit.flow.actors.protocols import Receipt
from explainkit.flow.picks.answering_picks import answered, set_by
from explainkit.flow.picks.hearing import OpenPicks
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
from explainkit.flow.picks.standings import Advanced, Answered, OpenPick, Standing
from explainkit.flow.statecharts import Event, Machine, Snapshot, Steps, start, step
from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.chains import ChainLink, Output, Sent
from explainkit.flow.statecharts.menu import allowed
from explainkit.flow.statecharts.nodes import Chart
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.safety import shorten

FAULT = "agent.fault"


@dataclass(frozen=True, slots=True)
class _Arrival:
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


def begin(machine: Machine, input: Any = None) -> Advanced:  # noqa: A002
    """Start a machine.

    Args:
        machine: The machine.
        input: Its input.
    """
    snapshot, steps = start(machine, input)
    standing = Standing(_faulted(snapshot, steps, None))
    return _told(standing, (), steps, _Arrival(steps.event), ())


def advance(standing: Standing, happened: Input) -> Advanced:
    """Apply one input.

    Args:
        standing: Where the machine stands; it stays as it is.
        happened: What happened. What comes from an actor that no longer lives is dropped.

    Returns:
        Where the machine then stands, and everything that it led to.
    """
    if isinstance(happened, Dropped):
        return Advanced(_without_reader(standing, happened.pick))
    arrival = _arrival(standing, happened)
    if arrival is None or standing.snapshot.status != "active":
        return Advanced(standing)
    chart = standing.snapshot.machine.chart
    picks, linked = _linked(chart, standing.picks, arrival)
    origin = tuple(number for number, _ in linked)
    if arrival.opens is not None:
        picks = (*picks, arrival.opens)
        origin = (*origin, arrival.opens.number)
    snapshot = _without(standing.snapshot, arrival)
    audience = OpenPicks(
        chart,
        picks,
        event=arrival.event,
        picked=arrival.opens.number if arrival.opens else None,
    )
    after, steps = step(snapshot, arrival.event, audience=audience)
    # A step that failed leaves the machine where it was.
    if arrival.opens is not None and after.status != "error" and _moved(steps, arrival.event):
        picks = tuple(
            replace(p, moved=True) if p.number == arrival.opens.number else p for p in picks
        )
    count = standing.count + (arrival.opens is not None)
    between = Standing(_faulted(after, steps, happened), picks, count, standing.begun_by)
    return _told(between, origin, steps, arrival, linked)


def _arrival(standing: Standing, happened: Input) -> _Arrival | None:
    if isinstance(happened, Dropped | Declined):
        return None
    if isinstance(happened, Told):
        return _Arrival(Event(happened.event, happened.payload))
    if isinstance(happened, Due):
        return _Arrival(Event(happened.event))
    actor = standing.live(happened.session)
    if actor is None:
        return None
    if isinstance(happened, Finished):
        done = Event(f"done.actor.{actor.id}", {"output": happened.output})
        return _Arrival(done, actor, True, Output(actor.src, happened.output))
    if isinstance(happened, Errored):
        return _Arrival(Event(f"error.actor.{actor.id}", {"error": happened.error}), actor, True)
    if isinstance(happened, Faulted):
        payload = {"agent": actor.src, "reason": happened.reason}
        return _Arrival(Event(FAULT, payload), actor, True)
    event = Event(happened.event, happened.payload)
    if isinstance(happened, GateSent):
        return _Arrival(event, actor, link=Sent(event))
    pick = OpenPick(
        standing.count + 1, happened.session, actor.src, happened.event, happened.payload
    )
    return _Arrival(event, actor, link=Sent(event), opens=pick)


def _linked(
    chart: Chart, picks: tuple[OpenPick, ...], arrival: _Arrival
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
        if state != beside and _holds_state(chart, state, actor.number):
            linked.append((pick.number, len(pick.chain)))
            grown.append(replace(pick, chain=(*pick.chain, link)))
        else:
            grown.append(pick)
    return tuple(grown), tuple(linked)


def _without(snapshot: Snapshot, arrival: _Arrival) -> Snapshot:
    if not arrival.over or arrival.actor is None:
        return snapshot
    session = arrival.actor.session
    return replace(snapshot, actors=tuple(a for a in snapshot.actors if a.session != session))


def _without_reader(standing: Standing, number: int) -> Standing:
    picks = tuple(
        replace(pick, awaited=False) if pick.number == number else pick for pick in standing.picks
    )
    return replace(standing, picks=picks)


def _faulted(snapshot: Snapshot, steps: Steps, happened: Input | None) -> Snapshot:
    """What nobody handles, and `fail()`, end the run; the configuration stays."""
    if snapshot.status != "active":
        return snapshot
    machine = f'Machine "{shorten(snapshot.machine.id, 80)}"'
    reason = None
    if isinstance(happened, Errored) and not steps.handled:
        reason = (
            f'{machine}: "{steps.event.name}" has no route: {shorten(str(happened.error), 300)}'
        )
    elif isinstance(happened, Faulted) and not steps.handled:
        reason = f"{machine}: a Turn could not go on: {shorten(happened.reason, 300)}"
    for actor in steps.started:
        if kind_of(snapshot.machine.chart.actors.get(actor.src)) == "fail":
            reason = _reason_of(actor)
            break
    if reason is None:
        return snapshot
    return replace(snapshot, status="error", error=FaultError(reason))


def _reason_of(actor: LiveActor) -> str:
    given = actor.input
    reason = given.get("reason") if isinstance(given, Mapping) else given
    return shorten(str(reason), 1000) if reason is not None else f'"{actor.id}" failed the run'


def _told(
    between: Standing,
    origin: tuple[int, ...],
    steps: Steps,
    arrival: _Arrival,
    linked: tuple[tuple[int, int], ...],
) -> Advanced:
    """After the chart has moved: which picks are held, which answered, what starts and stops."""
    snapshot = between.snapshot
    begun_by = {
        a.session: between.begun_by.get(a.session, ())
        for a in snapshot.actors
        if a.session in between.begun_by
    } | {a.session: origin for a in steps.started if origin}
    picks, unheard = _with_answers(between.picks, steps)
    between = replace(between, picks=picks, begun_by=begun_by)
    closed = _closed(between, arrival)
    open_now = {each.pick.number for each in closed}
    standing = replace(between, picks=tuple(pick for pick in picks if pick.number not in open_now))
    over = snapshot.status != "active"
    return Advanced(
        standing,
        steps,
        arrival.opens,
        linked,
        unheard,
        closed,
        stopped=_stopped(snapshot, steps) if over else steps.stopped,
        started=() if over else steps.started,
    )


def _stopped(snapshot: Snapshot, steps: Steps) -> tuple[LiveActor, ...]:
    """A run that is over stops all that was started before."""
    new = {actor.session for actor in steps.started}
    stopped = {a.session: a for a in (*steps.stopped, *snapshot.actors) if a.session not in new}
    return tuple(stopped[session] for session in sorted(stopped))


def _with_answers(
    picks: tuple[OpenPick, ...], steps: Steps
) -> tuple[tuple[OpenPick, ...], tuple[Any, ...]]:
    by_number = {pick.number: pick for pick in picks}
    unheard = []
    for microstep in steps.microsteps:
        for said in microstep.said:
            if said.pick is None:
                unheard.append(said.action)
            else:
                pick = by_number[said.pick]
                sets = (*pick.sets, set_by(said.action, said.value, seen=len(pick.chain)))
                by_number[said.pick] = replace(pick, sets=sets)
    return tuple(by_number.values()), tuple(unheard)


def _closed(standing: Standing, arrival: _Arrival) -> tuple[Answered, ...]:
    if not standing.picks:
        return ()
    snapshot = standing.snapshot
    chart = snapshot.machine.chart
    states = agent_states(chart)
    live = {actor.session for actor in snapshot.actors} if snapshot.status == "active" else set()
    closed = []
    for pick in standing.picks:
        complete = pick.session not in live
        if complete or not _held(standing, pick, states[pick.agent]):
            now = () if complete else allowed(snapshot, pick.agent)
            receipt = Receipt(pick.event, pick.moved, complete, now)
            gone = arrival.over and arrival.actor is not None
            left = gone and arrival.actor is not None and arrival.actor.session == pick.session
            closed.append(answered(chart, pick, receipt, read=pick.awaited and not left))
    return tuple(closed)


def holders(standing: Standing, pick: OpenPick) -> tuple[LiveActor, ...]:
    """The actors that hold a pick, in the order in which they were started."""
    chart = standing.snapshot.machine.chart
    state = agent_states(chart)[pick.agent]
    return tuple(
        actor
        for actor in standing.snapshot.actors
        if actor.holds
        and pick.number in standing.begun_by.get(actor.session, ())
        and _holds_state(chart, state, actor.number)
    )


def _held(standing: Standing, pick: OpenPick, state: int) -> bool:
    del state
    return bool(holders(standing, pick))


def _holds_state(chart: Chart, state: int, number: int) -> bool:
    return state <= number < chart.nodes[state].end


def _moved(steps: Steps, event: Event) -> bool:
    """Whether a transition that does anything took the event."""
    return any(
        transition.targets or transition.actions
        for microstep in steps.microsteps
        if microstep.event is event
        for transition in microstep.transitions
    )
