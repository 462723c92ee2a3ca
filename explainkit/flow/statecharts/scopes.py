"""Which pick an `answer` speaks to follows from where it is written, so it is told beforehand."""

from collections.abc import Iterator
from dataclasses import dataclass

from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.chains import Answer
from explainkit.flow.statecharts.nodes import ActionUse, Chart


@dataclass(frozen=True, slots=True)
class AnswerSite:
    """A place where an `answer` is written.

    Attributes:
        action: The answer at its place.
        agent: The innermost Agent at whose state, or below it, it is written.
        warning: Why it can never set anything; None where it can. Without an Agent and without a
            warning, it speaks to the pick whose event took the transition.
    """

    action: ActionUse
    agent: str | None
    warning: str | None


def answer_sites(chart: Chart) -> tuple[AnswerSite, ...]:
    """Every `answer` of a chart, in document order."""
    states = agent_states(chart)
    return tuple(
        _site(chart, states, number, action)
        for number, action in _actions(chart)
        if isinstance(action.run, Answer)
    )


def scope_warnings(chart: Chart) -> tuple[str, ...]:
    """What to tell the author of answers that never set anything, each text once."""
    told = (site.warning for site in answer_sites(chart))
    return tuple(dict.fromkeys(warning for warning in told if warning is not None))


def _site(chart: Chart, states: dict[str, int], number: int, action: ActionUse) -> AnswerSite:
    # Agents' states that contain one state contain each other: the last one is the innermost.
    above = [name for name, top in states.items() if top <= number < chart.nodes[top].end]
    if above:
        return AnswerSite(action, above[-1], None)
    if action.place not in ("entry", "exit"):
        return AnswerSite(action, None, None)
    first = next((chart.nodes[top].id for top in states.values()), None)
    return AnswerSite(action, None, _warning(action, first))


def _warning(action: ActionUse, agent_state: str | None) -> str:
    move = "move it onto a transition"
    if agent_state is not None:
        move = f'move it under "{agent_state}", or onto a transition'
    return (
        f'an answer on the {action.place} of "{action.state}" is below no Agent\'s state, so it '
        f"shapes no pick — an {action.place} there is no transition an Agent's event takes; {move}"
    )


def _actions(chart: Chart) -> Iterator[tuple[int, ActionUse]]:
    for node in chart.nodes:
        for action in (*node.entry, *node.exit):
            yield node.number, action
        for transition in node.transitions:
            for action in transition.actions:
                yield node.number, action
