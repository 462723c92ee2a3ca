"""Why a machine in which nobody works can go no further: an Agent left before its time."""

from explainkit.errors import StalledError
from explainkit.flow.picks.standings import Standing
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.menu import allowed
from explainkit.safety import shorten


def stall(standing: Standing) -> StalledError | None:
    """Why a machine in which nobody works goes no further; None when no Agent is to blame."""
    snapshot = standing.snapshot
    live = {actor.number for actor in snapshot.actors}
    for agent, number in agent_states(snapshot.machine.chart).items():
        if number in snapshot.active and number not in live:
            menu = shorten(", ".join(allowed(snapshot, agent)) or "nothing", 300)
            state = snapshot.machine.chart.nodes[number].id
            return StalledError(
                f'Machine "{shorten(snapshot.machine.id, 80)}" goes no further: the Agent '
                f'"{agent}" ended without leaving "{state}", and nobody else works. It could have '
                f"picked: {menu}. Let it pick until its Turn is over, or handle "
                f'"done.actor.…" with on_done= of its invoke.'
            )
    return None
