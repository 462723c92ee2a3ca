"""One input, one macrostep: chains grow, the chart moves, picks that nothing holds are answered."""

from dataclasses import replace
from typing import Any

from explainkit.flow.actors.protocols import Receipt
from explainkit.flow.picks.answering_picks import answered, set_by
from explainkit.flow.picks.arriving import Arrival, arrival_of, linked_to
from explainkit.flow.picks.faulting import faulted
from explainkit.flow.picks.hearing import OpenPicks
from explainkit.flow.picks.holding import holders
from explainkit.flow.picks.inputs import (
    Dropped,
    Input,
)
from explainkit.flow.picks.standings import Advanced, Answered, OpenPick, Standing
from explainkit.flow.statecharts import Event, Machine, Snapshot, Steps, start, step
from explainkit.flow.statecharts.menu import allowed
from explainkit.flow.statecharts.snapshots import LiveActor


def begin(machine: Machine, input: Any = None) -> Advanced:  # noqa: A002
    """Start a machine.

    Args:
        machine: The machine.
        input: Its input.
    """
    snapshot, steps = start(machine, input)
    standing = Standing(faulted(snapshot, steps, None))
    return _told(standing, (), steps, Arrival(steps.event), ())


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
    arrival = arrival_of(standing, happened)
    if arrival is None or standing.snapshot.status != "active":
        return Advanced(standing)
    chart = standing.snapshot.machine.chart
    picks, linked = linked_to(chart, standing.picks, arrival)
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
    between = Standing(faulted(after, steps, happened), picks, count, standing.begun_by)
    return _told(between, origin, steps, arrival, linked)


def _without(snapshot: Snapshot, arrival: Arrival) -> Snapshot:
    if not arrival.over or arrival.actor is None:
        return snapshot
    session = arrival.actor.session
    return replace(snapshot, actors=tuple(a for a in snapshot.actors if a.session != session))


def _without_reader(standing: Standing, number: int) -> Standing:
    picks = tuple(
        replace(pick, awaited=False) if pick.number == number else pick for pick in standing.picks
    )
    return replace(standing, picks=picks)


def _told(
    between: Standing,
    origin: tuple[int, ...],
    steps: Steps,
    arrival: Arrival,
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


def _closed(standing: Standing, arrival: Arrival) -> tuple[Answered, ...]:
    if not standing.picks:
        return ()
    snapshot = standing.snapshot
    chart = snapshot.machine.chart
    live = {actor.session for actor in snapshot.actors} if snapshot.status == "active" else set()
    gone = arrival.actor.session if arrival.over and arrival.actor is not None else None
    closed = []
    for pick in standing.picks:
        complete = pick.session not in live
        if complete or not holders(standing, pick):
            now = () if complete else allowed(snapshot, pick.agent)
            receipt = Receipt(pick.event, pick.moved, complete, now)
            read = pick.awaited and pick.session != gone
            closed.append(answered(chart, pick, receipt, read=read))
    return tuple(closed)


def _moved(steps: Steps, event: Event) -> bool:
    """Whether a transition that does anything took the event."""
    return any(
        transition.targets or transition.actions
        for microstep in steps.microsteps
        if microstep.event is event
        for transition in microstep.transitions
    )
