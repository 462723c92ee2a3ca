"""Whether a machine accepts an event now: asked before anything is opened or journaled."""

from typing import Any

from explainkit.errors import PayloadError, RefusedError
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.flow.picks.standings import Standing
from explainkit.flow.statecharts.menu import allowed
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
    return parsed(standing, event, payload, accepted)


def parsed(standing: Standing, event: str, payload: Any, accepted: tuple[str, ...]) -> Any:
    """A payload that fits the event's definition, as JSON.

    Raises:
        RefusedError: It does not fit.
    """
    definition = standing.snapshot.machine.chart.events.get(event)
    try:
        return json_form(payload if definition is None else definition.parsed(payload))
    except (PayloadError, NoJsonForm) as problem:
        raise RefusedError(f"{problem}. Nothing was taken.", accepted) from problem
