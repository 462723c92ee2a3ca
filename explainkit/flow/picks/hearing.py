"""Which picks an `answer` speaks to: told by where it is written and what began the macrostep."""

from collections.abc import Iterable, Sequence

from explainkit.flow.picks.standings import OpenPick
from explainkit.flow.statecharts import Event
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.chains import Chain
from explainkit.flow.statecharts.nodes import Chart


class OpenPicks:
    """The audience of one macrostep.

    Args:
        chart: The chart.
        picks: Open picks, their chains up to date.
        event: The event that began the macrostep.
        picked: Number of the pick that began it.
    """

    def __init__(
        self,
        chart: Chart,
        picks: Sequence[OpenPick],
        *,
        event: Event,
        picked: int | None,
    ) -> None:
        self._chart = chart
        self._picks = picks
        self._event = event
        self._picked = picked

    def hear(self, state: str, place: str, event: Event) -> Iterable[tuple[int, Chain]]:
        """The picks that an answer speaks to, each with its chain."""
        agents = _innermost(self._chart, _number(self._chart, state))
        if agents:
            return self._heard_by(agents)
        if place in ("entry", "exit") or event is not self._event:
            return ()
        return [(pick.number, pick.chain) for pick in self._picks if pick.number == self._picked]

    def _heard_by(self, agents: Sequence[str]) -> Iterable[tuple[int, Chain]]:
        """The pick that began the macrostep, if it is theirs; else all that they have open."""
        own = [pick for pick in self._picks if pick.agent in agents]
        if self._picked is not None and any(pick.number == self._picked for pick in own):
            return [(pick.number, pick.chain) for pick in own if pick.number == self._picked]
        return [(pick.number, pick.chain) for pick in own]


def _innermost(chart: Chart, number: int) -> Sequence[str]:
    """The Agents of the innermost state, this one or above it, that has any."""
    states = agent_states(chart)
    above = [state for state in states.values() if state <= number < chart.nodes[state].end]
    return [name for name, state in states.items() if above and state == max(above)]


def _number(chart: Chart, state: str) -> int:
    return next(node.number for node in chart.nodes if node.id == state)
