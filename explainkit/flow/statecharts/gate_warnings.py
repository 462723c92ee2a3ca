"""Gates that nobody could hear, or that hide what an Agent is meant to pick: told beforehand."""

from collections.abc import Iterator

from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.matching_names import candidates
from explainkit.flow.statecharts.menu import menu_of
from explainkit.flow.statecharts.nodes import Chart, Invocation, Node


def warnings_of_gates(chart: Chart) -> tuple[str, ...]:
    """What to tell the author of Gates, each text once, in document order."""
    told = [text for node, use in _gates(chart) for text in _deaf(chart, node, use)]
    return tuple(dict.fromkeys((*told, *_hidden(chart))))


def _gates(chart: Chart) -> Iterator[tuple[Node, Invocation]]:
    for node in chart.nodes:
        for use in node.invokes:
            if kind_of(chart.actors[use.src]) == "gate":
                yield node, use


def _accepted(chart: Chart, use: Invocation) -> list[str]:
    return [event.name for event in getattr(chart.actors[use.src], "accepts", ())]


def _deaf(chart: Chart, node: Node, use: Invocation) -> Iterator[str]:
    for name in _accepted(chart, use):
        if not any(any(candidates(each, name)) for each in chart.nodes):
            yield (
                f'the Gate "{use.src}" of "{node.id}" takes "{name}", which no state handles, so '
                f'sending it would move nothing; write on={{"{name}": ...}}, or leave it out of '
                "gate(...)"
            )


def _hidden(chart: Chart) -> Iterator[str]:
    """Events that an Agent would be meant to pick, were the state not a Gate's own matter."""
    for agent, number in agent_states(chart).items():
        menu = menu_of(chart, agent)
        for node, use in _gates(chart):
            if not number < node.number < chart.nodes[number].end:
                continue
            own = _accepted(chart, use)
            for transition in node.transitions:
                event = chart.events.get(transition.event)
                if event is None or event.audience == "external" or transition.trigger != "on":
                    continue
                if event.name not in menu and event.name not in own:
                    yield (
                        f'"{event.name}" is handled at "{node.id}", which invokes the Gate '
                        f'"{use.src}", so the Agent "{agent}" cannot pick it there; give the Gate '
                        "a state of its own"
                    )
