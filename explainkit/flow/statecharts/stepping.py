"""The pure core: a machine starts, an event comes, it runs until it is stable; nothing waits."""

from typing import Any

from explainkit.errors import StepError, UnsettledError
from explainkit.flow.statecharts.chains import Audience, Nobody
from explainkit.flow.statecharts.machines import Machine
from explainkit.flow.statecharts.performing import first_context
from explainkit.flow.statecharts.routing import start_entries
from explainkit.flow.statecharts.selecting import eventless, selected
from explainkit.flow.statecharts.snapshots import Snapshot, Steps
from explainkit.flow.statecharts.vocabulary import Event
from explainkit.flow.statecharts.working import Working
from explainkit.safety import shorten

START = "machine.start"
LIMIT = 1000


def start(
    machine: Machine,
    input: Any = None,  # noqa: A002 - the word of every statechart
    *,
    audience: Audience | None = None,
    limit: int = LIMIT,
) -> tuple[Snapshot, Steps]:
    """Enter a machine's first states and run until it is stable.

    Args:
        machine: The machine.
        input: Its input; the function of its context is called with it.
        audience: Who hears an `answer`; nobody when not given.
        limit: Microsteps that may follow one another before the machine counts as unsettled.

    Returns:
        Where it stands, and what was done. A fault does not raise: the snapshot then has status
        `error`, no configuration, and the error.

    Example:
        >>> lamp = Machine.from_dict({"id": "lamp", "initial": "off", "states": {"off": {}}})
        >>> snapshot, steps = start(lamp)
        >>> snapshot.configuration, steps.entered
        (('lamp', 'lamp.off'), ('lamp', 'lamp.off'))
    """
    event = Event(START, input)
    before = Snapshot(machine, "active", (), None)
    working = Working(before, audience or Nobody())
    try:
        working.context = first_context(machine.chart, input, event)
        working.enter_first(start_entries(machine.chart), event)
        _settle(working, event, limit)
    except StepError as error:
        return _failed(before, error, Steps(event, True, tuple(working.microsteps)))
    return _stable(before, working), _steps(before, working, event, handled=True)


def step(
    snapshot: Snapshot,
    event: Event | str,
    *,
    audience: Audience | None = None,
    limit: int = LIMIT,
) -> tuple[Snapshot, Steps]:
    """Take one event and run until the machine is stable again.

    Args:
        snapshot: Where the machine stands; it stays as it is.
        event: The event, or the name of one without payload.
        audience: Who hears an `answer`; nobody when not given.
        limit: Microsteps that may follow one another before the machine counts as unsettled.

    Returns:
        Where it then stands, and what was done. A machine that is over does nothing. A fault does
        not raise: the snapshot then has status `error`, all else as before the event, and the
        steps hold what had run.

    Example:
        >>> door = Machine.from_dict({
        ...     "id": "door", "initial": "shut",
        ...     "states": {"shut": {"on": {"open": "wide"}}, "wide": {}},
        ... })
        >>> snapshot, _ = start(door)
        >>> snapshot, steps = step(snapshot, "open")
        >>> snapshot.leaves, steps.handled
        (('door.wide',), True)
    """
    event = Event(event) if isinstance(event, str) else event
    if snapshot.status != "active":
        return snapshot, Steps(event, False)
    working = Working(snapshot, audience or Nobody())
    handled = False
    try:
        transitions = selected(working.chart, working.active, working.context, event)
        if transitions:
            handled = True
            working.take(transitions, event)
        _settle(working, event, limit)
    except StepError as error:
        return _failed(snapshot, error, Steps(event, handled, tuple(working.microsteps)))
    if not working.microsteps:
        return snapshot, Steps(event, False)
    return _stable(snapshot, working), _steps(snapshot, working, event, handled=handled)


def _settle(working: Working, event: Event, limit: int) -> None:
    """Eventless transitions first, then the machine's own events, until there is neither."""
    chart = working.chart
    try_eventless = chart.eventless
    while not working.done:
        before = (working.active, working.recorded)
        context = working.context
        transitions = eventless(chart, working.active, context, event) if try_eventless else []
        unprompted = bool(transitions)
        if not transitions:
            if not working.queue:
                return
            event = working.queue.popleft()
            transitions = selected(chart, working.active, context, event)
        if transitions:
            if len(working.microsteps) >= limit:
                raise UnsettledError(_unsettled(working, event, limit))
            working.take(transitions, event)
        unchanged = working.context is context and before == (working.active, working.recorded)
        # One that changed nothing would be taken for ever; the next event makes it worth a try.
        try_eventless = chart.eventless and not (unprompted and unchanged)


def _steps(before: Snapshot, working: Working, event: Event, *, handled: bool) -> Steps:
    """What was done; an actor that came and went in one macrostep was never started."""
    if before.actors == working.actors:
        return Steps(event, handled, tuple(working.microsteps))
    old = {actor.session for actor in before.actors}
    new = {actor.session for actor in working.actors}
    return Steps(
        event,
        handled,
        tuple(working.microsteps),
        tuple(actor for actor in working.actors if actor.session not in old),
        tuple(actor for actor in before.actors if actor.session not in new),
    )


def _stable(before: Snapshot, working: Working) -> Snapshot:
    return Snapshot(
        before.machine,
        "done" if working.done else "active",
        working.active,
        working.context,
        working.recorded,
        working.output,
        None,
        working.actors,
        working.sessions,
    )


def _failed(before: Snapshot, error: StepError, steps: Steps) -> tuple[Snapshot, Steps]:
    failed = Snapshot(
        before.machine,
        "error",
        before.active,
        before.context,
        before.recorded,
        None,
        error,
        before.actors,
        before.sessions,
    )
    return failed, steps


def _unsettled(working: Working, event: Event, limit: int) -> str:
    latest = working.microsteps[-3:]
    places = ", ".join(f"{t.source} {t.place}" for step in latest for t in step.transitions)
    return (
        f'Machine "{working.chart.id}" did not settle within {limit} steps '
        f'after "{shorten(event.name, 80)}"; the last ones: {shorten(places, 200)}. '
        "Guard the eventless transition or the raised event that goes round."
    )
