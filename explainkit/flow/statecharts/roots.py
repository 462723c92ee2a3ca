"""The outermost state of a chart written in Python, which makes a machine of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from explainkit.flow.statecharts.builders import Actions, Arrows, Invokes, state
from explainkit.flow.statecharts.definitions import After, Always, Definition
from explainkit.flow.statecharts.event_definitions import EventDefinition
from explainkit.flow.statecharts.machines import Machine, built, told


def machine(
    id: str,  # noqa: A002 - the word of every statechart
    *parts: Always | After,
    context: Mapping[str, Any] | Callable[[Any], Any] | None = None,
    initial: str | None = None,
    states: Mapping[str, Definition] | None = None,
    parallel: bool = False,
    entry: Actions = (),
    exit: Actions = (),  # noqa: A002
    on: Mapping[str, Arrows] | None = None,
    invoke: Invokes = (),
    events: Sequence[EventDefinition] = (),
    actors: Mapping[str, Any] | None = None,
    output: Any = None,
    description: str | None = None,
) -> Machine:
    """Build a machine and check the whole chart.

    Args:
        id: The machine's id, and the root state's.
        *parts: What `always(...)` and `after(...)` give, for the root.
        context: The first context, or a function of the input that gives it.
        initial: Key of the state to start in.
        states: The states, in document order.
        parallel: Whether all of them are active together.
        entry: Actions at the start.
        exit: Actions at the end.
        on: Transitions from anywhere; targets are written `".state"`.
        invoke: Actors that live as long as the machine.
        events: Definitions of events; a machine with Agents needs one for each that it handles.
        actors: By key: an agent, an effect, a gate, `fail()`, a machine, or a function.
        output: A value, or a function of `Args`; that of the final state at the end if not given.
        description: What the machine is for, for people.

    Raises:
        ChartError: The chart is not well built; names machine, state and what is declared.

    Warns:
        ChartWarning: An `answer` is on an entry or exit below no Agent's state: it sets nothing.

    Example:
        >>> from explainkit.flow.statecharts import final, start, state, step, to
        >>> chart = machine("order", initial="open", states={
        ...     "open": state(on={"pay": to("paid")}), "paid": final()})
        >>> step(start(chart)[0], "pay")[0].status
        'done'
    """
    root = state(
        *parts,
        initial=initial,
        states=states,
        parallel=parallel,
        entry=entry,
        exit=exit,
        on=on,
        invoke=invoke,
        description=description,
    )
    root = replace(root, output=output)
    return told(built(id, root, context=context, actors=actors, events=events))
