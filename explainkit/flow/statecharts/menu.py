"""What an Agent may ever pick, and what of it something would take now, read off the chart."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeAlias

from explainkit.errors import ChartError
from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.matching_names import candidates
from explainkit.flow.statecharts.nodes import Chart, Node, Transition
from explainkit.flow.statecharts.vocabulary import Args, Event
from explainkit.safety import shorten

if TYPE_CHECKING:
    from explainkit.flow.statecharts.snapshots import Snapshot

# What an event may come to: something is done, it is blocked, or nobody takes it.
Fate: TypeAlias = Literal["acts", "blocked", "untaken"]
_UNTAKEN: Final[frozenset[Fate]] = frozenset(("untaken",))


def menu_of(chart: Chart, agent: str) -> tuple[str, ...]:
    """Names of the events that an Agent may ever pick, in document order.

    They are handled at the Agent's state, above it, or below it, and their audience is `agent` or
    `any`. A state below that invokes a Gate or another Agent is that one's own matter.

    Args:
        chart: The chart.
        agent: Name of the Agent.

    Raises:
        ChartError: The chart invokes no such Agent.
    """
    found: dict[str, None] = {}
    for node in _reach(chart, _state_of(chart, agent)):
        for transition in node.transitions:
            event = chart.events.get(transition.event) if transition.trigger == "on" else None
            if event is not None and event.audience in ("agent", "any"):
                found[event.name] = None
    return tuple(found)


def allowed(snapshot: "Snapshot", agent: str) -> tuple[str, ...]:
    """Names of the events of an Agent's menu that something would take now, in document order.

    A handler that only blocks takes nothing. Guards are asked without a payload: one that reads
    it, or raises, may hold.

    Args:
        snapshot: Where the machine stands.
        agent: Name of the Agent.

    Raises:
        ChartError: The machine invokes no such Agent.
    """
    chart = snapshot.machine.chart
    names = menu_of(chart, agent)
    if snapshot.status != "active":
        return ()
    return tuple(name for name in names if _acts(chart, snapshot, name))


class _Unsent(Event):
    """An event that nobody sent yet, so it has no payload; whoever asks for it is found out."""

    asked: bool

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "asked", False)

    def __getattribute__(self, attribute: str) -> Any:
        if attribute == "payload":
            object.__setattr__(self, "asked", True)
            raise _UnsentError
        return super().__getattribute__(attribute)


class _UnsentError(Exception):
    """The payload of an event that nobody sent yet was read."""


def _state_of(chart: Chart, agent: str) -> Node:
    states = agent_states(chart)
    if agent not in states:
        _unknown(chart, agent, states)
    return chart.nodes[states[agent]]


def _unknown(chart: Chart, agent: str, states: dict[str, int]) -> NoReturn:
    listed = shorten(", ".join(states) or "none", 300)
    raise ChartError(
        f'Machine "{chart.id}" invokes no Agent "{shorten(agent, 80)}". Its Agents: {listed}.'
    )


def _reach(chart: Chart, own: Node) -> Iterator[Node]:
    """The states that an Agent's menu is read from, in document order."""
    above: list[Node] = []
    number = own.parent
    while number >= 0:
        above.append(chart.nodes[number])
        number = chart.nodes[number].parent
    yield from reversed(above)
    yield own
    number = own.number + 1
    while number < own.end:
        node = chart.nodes[number]
        is_apart = any(kind_of(chart.actors.get(u.src)) in ("gate", "agent") for u in node.invokes)
        if not is_apart:
            yield node
        number = node.end if is_apart else number + 1


def _acts(chart: Chart, snapshot: "Snapshot", name: str) -> bool:
    fates, _ = _asked(chart, snapshot, 0, name)
    return "acts" in fates


def _asked(
    chart: Chart, snapshot: "Snapshot", position: int, name: str
) -> tuple[frozenset[Fate], int]:
    """What may come of an event at an active state, and the position after its last descendant.

    As when an event is really taken: those below are asked first, and the state itself only when
    none of them took it.
    """
    active = snapshot.active
    node = chart.nodes[active[position]]
    fates, following = _UNTAKEN, position + 1
    while following < len(active) and active[following] < node.end:
        below, following = _asked(chart, snapshot, following, name)
        fates = _together(fates, below)
    if "untaken" in fates:
        fates = (fates - _UNTAKEN) | _answered(node, snapshot.context, name)
    return fates, following


def _together(one: frozenset[Fate], other: frozenset[Fate]) -> frozenset[Fate]:
    """What may come of an event that is put to two regions."""
    taken = (one | other) - _UNTAKEN
    return taken | (_UNTAKEN & one & other)


def _answered(node: Node, context: Any, name: str) -> frozenset[Fate]:
    fates: set[Fate] = set()
    for handler in candidates(node, name):
        for transition in handler:
            holds = _holds(transition, context, name)
            if holds is not False:
                fates.add("acts" if transition.targets or transition.actions else "blocked")
            if holds:
                return frozenset(fates)
    return frozenset(fates) | _UNTAKEN


def _holds(transition: Transition, context: Any, name: str) -> bool | None:
    """Whether a guard holds; None where only the payload, or nobody, can tell."""
    guard = transition.guard
    if guard is None:
        return True
    event = _Unsent(name)
    try:
        held = bool(guard.run(Args(context, event, guard.params)))
    except Exception:  # noqa: BLE001 - the list is no place to fault a run: delivery asks again
        return None
    return None if event.asked else held
