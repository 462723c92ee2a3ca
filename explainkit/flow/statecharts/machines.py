"""A statechart that was checked when it was built: what `machine(...)` and `from_dict` give."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explainkit.errors import ChartWarning
from explainkit.flow.machine_runner import MachineRunner
from explainkit.flow.statecharts.compiling import compiled
from explainkit.flow.statecharts.definitions import Definition
from explainkit.flow.statecharts.documenting import documented
from explainkit.flow.statecharts.event_definitions import EventDefinition, declared_events
from explainkit.flow.statecharts.exporting import as_dict
from explainkit.flow.statecharts.fingerprinting import fingerprint_of
from explainkit.flow.statecharts.gate_warnings import warnings_of_gates
from explainkit.flow.statecharts.in_dot import dot_text
from explainkit.flow.statecharts.in_mermaid import mermaid_text
from explainkit.flow.statecharts.nodes import Chart
from explainkit.flow.statecharts.scopes import scope_warnings
from explainkit.flow.statecharts.shapes import read_shape
from explainkit.openers import chart_display


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Machine(MachineRunner):
    """A hierarchical and parallel statechart with the order of xstate v5.

    Attributes:
        chart: Its states, as the interpreter walks them.

    Example:
        >>> lamp = Machine.from_dict({
        ...     "id": "lamp", "initial": "off",
        ...     "states": {"off": {"on": {"press": "on"}}, "on": {"on": {"press": "off"}}},
        ... })
        >>> lamp.states
        ('lamp', 'lamp.off', 'lamp.on')
    """

    chart: Chart

    @classmethod
    def from_definition(
        cls,
        id: str,  # noqa: A002 - the word of every statechart
        root: Definition,
        *,
        context: Any = None,
        actors: Mapping[str, Any] | None = None,
        events: Sequence[EventDefinition] = (),
    ) -> "Machine":
        """Build a machine from its root state.

        Args:
            id: The machine's id, and the root's.
            root: What `state(...)` gives.
            context: The first context, or a function of the input that gives it.
            actors: What each key of an `invoke` stands for.
            events: Definitions of the events that are handled.

        Raises:
            ChartError: The chart is not well built.

        Warns:
            ChartWarning: An `answer` is written where it can never set anything.
        """
        return told(built(id, root, context=context, actors=actors, events=events))

    @classmethod
    def from_dict(
        cls,
        shape: Mapping[str, Any],
        *,
        guards: Mapping[str, Any] | None = None,
        actions: Mapping[str, Any] | None = None,
        actors: Mapping[str, Any] | None = None,
        events: Sequence[EventDefinition] = (),
    ) -> "Machine":
        """Build a machine from a dict in the shape of an xstate v5 config.

        Args:
            shape: `id, context, initial, type, states, entry, exit, on, always, after, onDone,
                invoke, output, description, tags, meta`; in transitions `target, guard, actions,
                reenter`; in `invoke` `src, id, input, onDone, onError, holds`.
            guards: What each guard's name stands for.
            actions: What each action's name stands for.
            actors: What the `src` of each `invoke` stands for.
            events: Definitions of the events that are handled.

        Raises:
            ChartError: A key, a name, a target or a state is not as it must be.

        Warns:
            ChartWarning: An `answer` is written where it can never set anything.
        """
        name, root, context = read_shape(shape, guards=guards or {}, actions=actions or {})
        return told(built(name, root, context=context, actors=actors, events=events))

    @property
    def id(self) -> str:
        """The machine's id."""
        return self.chart.id

    @property
    def states(self) -> tuple[str, ...]:
        """Ids of all states in document order, history nodes included."""
        return tuple(node.id for node in self.chart.nodes)

    @property
    def guards(self) -> dict[str, Any]:
        """Every guard's implementation by name, as `from_dict` takes them."""
        return dict(self.chart.guards)

    @property
    def actions(self) -> dict[str, Any]:
        """Every action's implementation by name, as `from_dict` takes them."""
        return dict(self.chart.actions)

    @property
    def actors(self) -> dict[str, Any]:
        """Every actor by key, as `from_dict` takes them."""
        return dict(self.chart.actors)

    @property
    def events(self) -> tuple[EventDefinition, ...]:
        """The definitions of its events, as `from_dict` takes them."""
        return tuple(self.chart.events.values())

    def to_dict(self) -> dict[str, Any]:
        """The chart in the shape of an xstate v5 config, guards, actions and actors by name.

        Plain JSON, unless a context, payload, input or output is a function: it stays that
        function. `Machine.from_dict(m.to_dict(), guards=m.guards, actions=m.actions,
        actors=m.actors, events=m.events)` is the same machine.
        """
        return as_dict(self.chart)

    def doc(self) -> dict[str, Any]:
        """Everything that is known of the chart before it runs, as plain JSON.

        States, transitions, actors, events with their JSON Schema, the menu of each Agent, and
        for every `answer` which pick it speaks to. It holds no function, only their names.
        """
        return documented(self.chart)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of ids, nesting, kinds, what is invoked and where events lead, as hex text.

        No function is part of it: a machine of the same build with other guards has the same one.
        """
        return fingerprint_of(self.chart)

    def to_mermaid(self) -> str:
        """The chart as a Mermaid state diagram."""
        return mermaid_text(self.chart)

    def to_dot(self) -> str:
        """The chart in Graphviz's language."""
        return dot_text(self.chart)

    def _repr_html_(self) -> str:
        return chart_display()(self.doc())

    def __repr__(self) -> str:
        return f"Machine({self.id!r}, {len(self.chart.nodes)} states)"


def built(
    id: str,  # noqa: A002 - the word of every statechart
    root: Definition,
    *,
    context: Any = None,
    actors: Mapping[str, Any] | None = None,
    events: Sequence[EventDefinition] = (),
) -> Machine:
    """A machine that was checked, and not yet warned about.

    Raises:
        ChartError: The chart is not well built.
    """
    declared = declared_events(id, events)
    return Machine(compiled(id, root, context, actors=dict(actors or {}), events=declared))


def told(machine: Machine) -> Machine:
    """Warn about a machine, at the line that called the caller of this."""
    for warning in (*scope_warnings(machine.chart), *warnings_of_gates(machine.chart)):
        warnings.warn(warning, ChartWarning, stacklevel=3)
    return machine
