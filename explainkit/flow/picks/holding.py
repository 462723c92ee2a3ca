"""What keeps a pick open: actors that it, or a reply to it, has started."""

from explainkit.flow.picks.standings import OpenPick, Standing
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.nodes import Chart
from explainkit.flow.statecharts.snapshots import LiveActor


def holders(standing: Standing, pick: OpenPick) -> tuple[LiveActor, ...]:
    """The actors that hold a pick, in the order in which they were started."""
    chart = standing.snapshot.machine.chart
    state = agent_states(chart)[pick.agent]
    return tuple(
        actor
        for actor in standing.snapshot.actors
        if actor.holds
        and pick.number in standing.begun_by.get(actor.session, ())
        and at_or_below(chart, state, actor.number)
    )


def at_or_below(chart: Chart, state: int, number: int) -> bool:
    """Whether a state is another one or inside of it, both by number."""
    return state <= number < chart.nodes[state].end
