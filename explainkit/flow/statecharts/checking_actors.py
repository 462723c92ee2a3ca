"""What a chart says of actors and events must fit what is declared, or a run finds out late."""

from collections.abc import Iterable

from explainkit.errors import ChartError
from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.definitions import Invoke
from explainkit.flow.statecharts.nodes import Chart, Invocation, Node
from explainkit.flow.statecharts.outline import Outline, Spot
from explainkit.safety import shorten

_SHOWN = 300


def check_invokes(outline: Outline, spot: Spot) -> None:
    """Check that what a state invokes is written as it must be.

    Raises:
        ChartError: One is no invocation, or its id cannot be part of an event's name.
    """
    for index, use in enumerate(spot.definition.invoke):
        problem = _problem(use)
        if problem is not None:
            outline.fail(spot.id, f"invoke[{index}] {problem}")


def check_cast(chart: Chart) -> None:
    """Check actors, invocations and handled events against one another.

    Raises:
        ChartError: A name stands for nothing, or one that must be single is not.
    """
    for key, actor in chart.actors.items():
        if kind_of(actor) is None:
            raise ChartError(
                f'Machine "{chart.id}": the actor "{shorten(str(key), 80)}" is '
                f"{shorten(repr(actor), 80)}, which is no agent, effect, gate, fail(), machine or "
                "function."
            )
    seen: dict[str, Node] = {}
    agents: dict[str, Node] = {}
    for node in chart.nodes:
        for index, use in enumerate(node.invokes):
            _check_known(chart, node, index, use)
            _check_single_id(chart, node, use, seen)
            if kind_of(chart.actors[use.src]) == "agent":
                _check_single_state(chart, node, use, agents)
    if agent_states(chart):
        for node in chart.nodes:
            _check_defined(chart, node)


def _problem(use: object) -> str | None:
    if not isinstance(use, Invoke):
        return f"is no invocation: {shorten(repr(use), 80)}. Use invoke(...)."
    src: object = use.src
    if not isinstance(src, str):
        return f"names the actor {shorten(repr(src), 80)}: write its key among the actors."
    if use.id is not None and not _fits_in_a_name(use.id):
        return (
            f"has the id {shorten(repr(use.id), 80)}, which is part of the names of its events: "
            "a text without spaces and stars."
        )
    return None


def _fits_in_a_name(id: object) -> bool:  # noqa: A002 - the word of every statechart
    return isinstance(id, str) and bool(id) and not any(c == "*" or c.isspace() for c in id)


def _check_known(chart: Chart, node: Node, index: int, use: Invocation) -> None:
    if use.src not in chart.actors:
        _fail(
            chart,
            node,
            f'invoke[{index}] names the actor "{shorten(use.src, 80)}", which is unknown. '
            f"Declared actors: {_listed(chart.actors)}.",
        )


def _check_single_id(chart: Chart, node: Node, use: Invocation, seen: dict[str, Node]) -> None:
    if use.id in seen:
        _fail(
            chart,
            node,
            f'the invocation id "{shorten(use.id, 80)}" is used in "{seen[use.id].id}" too: '
            "give each its own id.",
        )
    seen[use.id] = node


def _check_single_state(chart: Chart, node: Node, use: Invocation, agents: dict[str, Node]) -> None:
    if use.src in agents:
        name = shorten(use.src, 80)
        _fail(
            chart,
            node,
            f'it invokes the Agent "{name}", {_elsewhere(node, agents[use.src])}: the name of an '
            "Agent stands for one state. Declare a second actor with the same agent.",
        )
    agents[use.src] = node


def _elsewhere(node: Node, other: Node) -> str:
    return "twice" if node is other else f'and so does "{other.id}"'


def _check_defined(chart: Chart, node: Node) -> None:
    for transition in node.transitions:
        name = transition.event
        is_ours = "." in name or name == "*"
        if transition.trigger == "on" and not is_ours and name not in chart.events:
            _fail(
                chart,
                node,
                f'it handles "{shorten(name, 80)}", which is not defined. A machine with Agents '
                "defines every event: pass define_event(...) in events=. "
                f"Defined events: {_listed(chart.events)}.",
            )


def _listed(names: Iterable[str]) -> str:
    return shorten(", ".join(map(str, names)) or "none", _SHOWN)


def _fail(chart: Chart, node: Node, problem: str) -> None:
    raise ChartError(f'Machine "{shorten(chart.id, 80)}", state "{node.id}": {problem}')
