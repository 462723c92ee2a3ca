"""Whether a machine accepts an event now: asked before anything is opened or journaled."""

from collections.abc import Sequence
from typing import Any

from explainkit.errors import PayloadError, RefusedError
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.flow.picks.standings import Standing
from explainkit.flow.statecharts.checking import RESERVED
from explainkit.flow.statecharts.event_definitions import EventDefinition
from explainkit.flow.statecharts.menu import allowed
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.safety import shorten


def delivered(standing: Standing, session: int, event: str, payload: Any) -> Any:
    """The payload of a pick that is accepted, parsed, with defaults applied.

    Args:
        standing: Where the machine stands.
        session: The Turn that picks.
        event: Name of the event.
        payload: What comes with it.

    Raises:
        RefusedError: The Turn is over, the event is not accepted now, or the payload does not fit.
    """
    actor = standing.live(session)
    if actor is None or standing.snapshot.status != "active":
        raise RefusedError(f'"{shorten(str(event), 80)}" was refused: the Turn is over.')
    accepted = allowed(standing.snapshot, actor.src)
    if event not in accepted:
        raise RefusedError(
            f'"{shorten(str(event), 80)}" is not accepted now. '
            f"Accepted: {shorten(', '.join(accepted) or 'nothing', 300)}.",
            accepted,
        )
    return parsed(standing.snapshot.machine.chart.events.get(event), payload, accepted)


def from_outside(standing: Standing, event: str, payload: Any) -> Any:
    """The payload of an event that somebody outside sends, parsed.

    Args:
        standing: Where the machine stands.
        event: Name of the event.
        payload: What comes with it.

    Raises:
        RefusedError: It is no event that can be sent from outside, or the payload does not fit.
    """
    events = standing.snapshot.machine.chart.events
    definition = events.get(event)
    if (events and definition is None) or event.startswith(RESERVED):
        raise RefusedError(
            f'"{shorten(event, 80)}" is no event that can be sent. '
            f"Defined: {shorten(', '.join(events) or 'plain names', 300)}.",
            tuple(events),
        )
    if definition is not None and definition.audience == "agent":
        outside = [name for name, each in events.items() if each.audience != "agent"]
        raise RefusedError(
            f'"{shorten(event, 80)}" is for Agents. From outside: '
            f"{shorten(', '.join(outside) or 'nothing', 300)}.",
            outside,
        )
    return payload if definition is None else parsed(definition, payload, ())


def at_gate(
    standing: Standing,
    actor: LiveActor,
    accepts: Sequence[EventDefinition],
    event: Any,
    payload: Any,
) -> Any:
    """The payload of an event that somebody sends at a Gate, parsed.

    Args:
        standing: Where the machine stands.
        actor: The Gate as it was opened.
        accepts: What it takes.
        event: Name of the event.
        payload: What comes with it.

    Raises:
        RefusedError: The Gate is over, does not take the event, or the payload does not fit.
    """
    names = tuple(each.name for each in accepts)
    if standing.live(actor.session) is None:
        raise RefusedError(f'The Gate "{actor.src}" is over: nobody waits there any more.')
    definition = next((each for each in accepts if each.name == event), None)
    if definition is None:
        raise RefusedError(
            f'The Gate "{actor.src}" does not take {shorten(repr(event), 80)}. '
            f"Accepted, by name: {shorten(', '.join(names), 300)}.",
            names,
        )
    return parsed(definition, payload, names)


def parsed(definition: EventDefinition | None, payload: Any, accepted: tuple[str, ...]) -> Any:
    """A payload that fits an event's definition, as JSON.

    Raises:
        RefusedError: It does not fit.
    """
    try:
        return json_form(payload if definition is None else definition.parsed(payload))
    except (PayloadError, NoJsonForm) as problem:
        told = shorten(repr(payload), 120)
        raise RefusedError(
            f"{problem}. Nothing was taken; the payload was {told}.", accepted
        ) from problem
