"""Where the Agents of a chart are: an Agent's state is the one that invokes it."""

from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.nodes import Chart


def agent_states(chart: Chart) -> dict[str, int]:
    """Numbers of the Agents' states by name, in document order."""
    return {
        use.src: node.number
        for node in chart.nodes
        for use in node.invokes
        if kind_of(chart.actors.get(use.src)) == "agent"
    }
