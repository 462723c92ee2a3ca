"""Turn a definition into the frozen chart that runs: every name looked up, every law checked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from explainkit.flow.statecharts import checking
from explainkit.flow.statecharts.chains import Answer
from explainkit.flow.statecharts.checking_actors import check_cast
from explainkit.flow.statecharts.definitions import Arrow, Definition, Use
from explainkit.flow.statecharts.naming import Names
from explainkit.flow.statecharts.nodes import (
    ActionUse,
    Chart,
    GuardUse,
    Invocation,
    Node,
    Timer,
    Transition,
)
from explainkit.flow.statecharts.outline import Outline, Spot
from explainkit.flow.statecharts.routing import fixed_route
from explainkit.flow.statecharts.vocabulary import Assign, Raise, Trigger

RAISE = "xstate.raise"


def compiled(
    machine: str,
    root: Definition,
    context: Any,
    *,
    actors: Mapping[str, Any],
    events: Mapping[str, Any],
) -> Chart:
    """Look up and check everything.

    Args:
        machine: The machine's id.
        root: What its author wrote.
        context: The first context, or a function of the input.
        actors: Implementations by key.
        events: Event definitions by name.

    Raises:
        ChartError: The chart is not well built; names machine, state and what is declared.
    """
    return _Compiler(machine, root).chart(context, actors, events)


class _Compiler:
    def __init__(self, machine: str, root: Definition) -> None:
        self._outline = Outline(machine, root)
        self._guards = Names()
        self._actions = Names()
        self._count = 0

    def chart(self, context: Any, actors: Mapping[str, Any], events: Mapping[str, Any]) -> Chart:
        spots = self._outline.spots
        for spot in spots:
            checking.check_state(self._outline, spot)
        nodes = tuple(self._node(spot) for spot in spots)
        leads = {
            node.number: node.defaults or node.children
            if node.kind in ("history", "parallel")
            else (node.initial,)
            for node in nodes
            if node.kind in ("history", "parallel", "compound")
        }
        checking.check_defaults(self._outline, leads)
        chart = Chart(
            self._outline.machine,
            nodes,
            context,
            self._guards.known,
            self._actions.known,
            actors,
            events,
            eventless=any(node.always for node in nodes),
            histories=any(node.kind == "history" for node in nodes),
            parallel=any(node.kind == "parallel" for node in nodes),
        )
        check_cast(chart)
        transitions = (t for node in nodes for t in node.transitions)
        return replace(chart, routes=tuple(fixed_route(chart, t) for t in transitions))

    def _node(self, spot: Spot) -> Node:
        spots, written = self._outline.spots, spot.definition
        transitions = self._transitions(spot)
        handled = [t for t in transitions if t.trigger != "always"]
        by_name: dict[str, tuple[Transition, ...]] = {}
        for transition in handled:
            by_name[transition.event] = (*by_name.get(transition.event, ()), transition)
        # Only what an author handles: an id in the name of an own event may end with a star.
        starred = (n for n in written.on if n.endswith("*") and n in by_name)
        wildcards = sorted(starred, key=len, reverse=True)
        delays = sorted({t.delay for t in handled if t.delay is not None})
        return Node(
            number=spot.number,
            end=spot.end,
            parent=spot.parent,
            id=spot.id,
            key=spot.key,
            custom_id=written.id is not None,
            kind=spot.kind,
            children=tuple(n for n in spot.children.values() if spots[n].kind != "history"),
            histories=tuple(n for n in spot.children.values() if spots[n].kind == "history"),
            initial=-1 if written.initial is None else spot.children[written.initial],
            deep=written.deep,
            target=written.target,
            defaults=self._defaults(spot),
            entry=self._uses(spot, "entry", written.entry),
            exit=self._uses(spot, "exit", written.exit),
            transitions=transitions,
            exact=by_name,
            wildcards=tuple((name[:-1].rstrip("."), by_name[name]) for name in wildcards),
            always=tuple(t for t in transitions if t.trigger == "always"),
            timers=tuple(Timer(f"after.{delay}.{spot.id}", delay) for delay in delays),
            invokes=self._invokes(spot),
            output=written.output,
            description=written.description,
            tags=written.tags,
            meta=written.meta,
        )

    def _invokes(self, spot: Spot) -> tuple[Invocation, ...]:
        return tuple(
            Invocation(
                id=invocation_id(spot, index),
                src=use.src,
                input=use.input,
                holds=use.holds,
                state=spot.number,
                custom_id=use.id is not None,
            )
            for index, use in enumerate(spot.definition.invoke)
        )

    def _defaults(self, spot: Spot) -> tuple[int, ...]:
        if spot.kind != "history":
            return ()
        parent = self._outline.spots[spot.parent]
        if spot.definition.target is not None:
            aim = self._outline.find(spot.definition.target, spot, "the history")
            if not self._outline.descends(aim, parent.number):
                self._outline.fail(
                    spot.id,
                    f'its target "{self._outline.spots[aim].id}" is not below "{parent.id}". '
                    "A history leads back into its own parent.",
                )
            return (aim,)
        if parent.definition.initial is not None:
            return (parent.children[parent.definition.initial],)
        regions = parent.children.values()
        return tuple(n for n in regions if self._outline.spots[n].kind != "history")

    def _transitions(self, spot: Spot) -> tuple[Transition, ...]:
        written = spot.definition
        made: list[Transition] = []
        for event, arrows in written.on.items():
            made += self._handler(spot, "on", event, f"on.{event}", arrows)
        made += self._handler(spot, "on_done", f"done.state.{spot.id}", "on_done", written.on_done)
        for after in written.after:
            event = f"after.{after.delay}.{spot.id}"
            delay = after.delay if isinstance(after.delay, int) else None
            made += self._handler(spot, "after", event, f"after.{delay}", after.arrows, delay)
        for index, use in enumerate(written.invoke):
            id, place = invocation_id(spot, index), f"invoke[{index}]"  # noqa: A001
            done, error = f"done.actor.{id}", f"error.actor.{id}"
            made += self._handler(spot, "actor_done", done, f"{place}.on_done", use.on_done)
            made += self._handler(spot, "actor_error", error, f"{place}.on_error", use.on_error)
        made += self._handler(spot, "always", "", "always", written.always)
        return tuple(made)

    def _handler(
        self,
        spot: Spot,
        trigger: Trigger,
        event: str,
        handler: str,
        arrows: Sequence[object],
        delay: int | None = None,
    ) -> list[Transition]:
        made = []
        for position, arrow in enumerate(arrows):
            place = f"{handler}[{position}]"
            if not isinstance(arrow, Arrow):
                self._outline.fail(
                    spot.id, f"{place} is no transition: {repr(arrow)[:80]}. Use to(...)."
                )
            aims = tuple(self._outline.find(target, spot, place) for target in arrow.targets)
            checking.check_targets(self._outline, spot, place, aims)
            transition = Transition(
                number=self._count,
                source=spot.id,
                trigger=trigger,
                event=event,
                place=place,
                targets=tuple(self._outline.spots[aim].id for aim in aims),
                written=arrow.targets,
                guard=self._guard(spot, place, arrow.guard),
                actions=self._uses(spot, place, arrow.actions),
                reenter=arrow.reenter,
                delay=delay,
                origin=spot.number,
                aims=aims,
            )
            made.append(transition)
            self._count += 1
        return made

    def _guard(self, spot: Spot, place: str, use: Use | None) -> GuardUse | None:
        if use is None:
            return None
        if not callable(use.run):
            self._outline.fail(spot.id, f"the guard of {place} is no function: {use.run!r:.80}.")
        return GuardUse(self._guards.name(use), use.run, use.params)

    def _uses(self, spot: Spot, place: str, uses: Sequence[Use]) -> tuple[ActionUse, ...]:
        return tuple(self._action(spot, place, use, index) for index, use in enumerate(uses))

    def _action(self, spot: Spot, place: str, use: Use, index: int) -> ActionUse:
        if isinstance(use.run, Raise):
            checking.check_raised(self._outline, spot, use.run.name)
            if not use.fixed:  # plain data: it needs no name to be found by
                return ActionUse(RAISE, use.run, use.params, spot.id, place, index)
        elif not isinstance(use.run, Assign | Answer) and not callable(use.run):
            self._outline.fail(spot.id, f"{place}[{index}] is no action: {repr(use.run)[:80]}.")
        return ActionUse(self._actions.name(use), use.run, use.params, spot.id, place, index)


def invocation_id(spot: Spot, index: int) -> str:
    """The id of a state's invocation: its own, else its place and the state."""
    return spot.definition.invoke[index].id or f"{index}.{spot.id}"
