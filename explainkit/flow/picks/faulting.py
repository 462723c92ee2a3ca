"""What ends a run beside its own end: what nobody handles, and `fail()`."""

from collections.abc import Mapping
from dataclasses import replace

from explainkit.errors import FaultError
from explainkit.flow.picks.inputs import Errored, Faulted, Input
from explainkit.flow.statecharts import Snapshot, Steps
from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.safety import shorten


def faulted(snapshot: Snapshot, steps: Steps, happened: Input | None) -> Snapshot:
    """What nobody handles, and `fail()`, end the run; the configuration stays."""
    if snapshot.status != "active":
        return snapshot
    machine = f'Machine "{shorten(snapshot.machine.id, 80)}"'
    reason = None
    if isinstance(happened, Errored) and not steps.handled:
        reason = f"{machine}: {_unrouted(snapshot, steps.event.name, happened)}"
    elif isinstance(happened, Faulted) and not steps.handled:
        told = shorten(happened.reason, 300)
        reason = (
            f'{machine}: the Turn of "{steps.event.payload["agent"]}" could not go on: {told}. '
            'Handle "agent.fault", or mend the Agent.'
        )
    for actor in steps.started:
        if kind_of(snapshot.machine.chart.actors.get(actor.src)) == "fail":
            reason = _reason_of(actor)
            break
    if reason is None:
        return snapshot
    return replace(snapshot, status="error", error=FaultError(reason))


def _unrouted(snapshot: Snapshot, event: str, happened: Errored) -> str:
    error = shorten(str(happened.error), 300)
    for node in snapshot.machine.chart.nodes:
        for use in node.invokes:
            if event == f"error.actor.{use.id}":
                return (
                    f'the actor "{use.src}" raised {error}. Give invoke("{use.src}") of '
                    f'"{node.id}" an on_error=, or mend the actor.'
                )
    return f'"{event}" has no route: {error}'


def _reason_of(actor: LiveActor) -> str:
    given = actor.input
    reason = given.get("reason") if isinstance(given, Mapping) else given
    return shorten(str(reason), 1000) if reason is not None else f'"{actor.id}" failed the run'
