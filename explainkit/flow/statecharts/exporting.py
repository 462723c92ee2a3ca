"""A chart written back as an xstate v5 config, so that other tools can draw and check it."""

from collections.abc import Sequence
from typing import Any

from explainkit.flow.statecharts.compiling import RAISE
from explainkit.flow.statecharts.nodes import ActionUse, Chart, Invocation, Node, Transition
from explainkit.flow.statecharts.vocabulary import Raise


def as_dict(chart: Chart) -> dict[str, Any]:
    """The config of a chart; targets as their author wrote them."""
    root = _state(chart, chart.nodes[0])
    head = {"id": chart.id}
    if chart.context is not None:
        head["context"] = chart.context
    return head | root


def _state(chart: Chart, node: Node) -> dict[str, Any]:
    children = [chart.nodes[number] for number in sorted((*node.children, *node.histories))]
    written: dict[str, Any] = {
        "id": node.id if node.custom_id else None,
        "type": node.kind if node.kind in ("parallel", "final", "history") else None,
        "history": "deep" if node.deep else None,
        "target": node.target,
        "initial": chart.nodes[node.initial].key if node.initial >= 0 else None,
        "description": node.description,
        "tags": node.tags,
        "meta": node.meta,
        "output": node.output,
        "invoke": _alone([_invocation(node, use) for use in node.invokes]),
        "entry": [_action(action) for action in node.entry] or None,
        "exit": [_action(action) for action in node.exit] or None,
        "on": _grouped(node, "on") or None,
        "always": _handler([t for t in node.transitions if t.trigger == "always"]),
        "after": _grouped(node, "after") or None,
        "onDone": _handler([t for t in node.transitions if t.trigger == "on_done"]),
        "states": {child.key: _state(chart, child) for child in children} or None,
    }
    return {key: value for key, value in written.items() if value is not None}


def _grouped(node: Node, trigger: str) -> dict[str, Any]:
    groups: dict[str, list[Transition]] = {}
    for transition in node.transitions:
        if transition.trigger == trigger:
            key = transition.event if transition.delay is None else str(transition.delay)
            groups.setdefault(key, []).append(transition)
    return {key: _handler(transitions) for key, transitions in groups.items()}


def _invocation(node: Node, use: Invocation) -> dict[str, Any]:
    done, error = f"done.actor.{use.id}", f"error.actor.{use.id}"
    of_actors = [t for t in node.transitions if t.trigger in ("actor_done", "actor_error")]
    written: dict[str, Any] = {
        "src": use.src,
        "id": use.id if use.custom_id else None,
        "input": use.input,
        "onDone": _handler([t for t in of_actors if t.event == done]),
        "onError": _handler([t for t in of_actors if t.event == error]),
        "holds": None if use.holds else False,
    }
    return {key: value for key, value in written.items() if value is not None}


def _handler(transitions: Sequence[Transition]) -> Any:
    return _alone([_transition(transition) for transition in transitions])


def _alone(written: list[Any]) -> Any:
    """One thing by itself, several as a list, none as None."""
    if not written:
        return None
    return written[0] if len(written) == 1 else written


def _transition(transition: Transition) -> dict[str, Any]:
    written: dict[str, Any] = {}
    if transition.written:
        targets = list(transition.written)
        written["target"] = targets[0] if len(targets) == 1 else targets
    if transition.guard is not None:
        written["guard"] = _named(transition.guard.name, transition.guard.params)
    if transition.actions:
        written["actions"] = [_action(action) for action in transition.actions]
    if transition.reenter:
        written["reenter"] = True
    return written


def _action(action: ActionUse) -> Any:
    if action.name == RAISE and isinstance(action.run, Raise):
        params = {"event": action.run.name}
        if action.run.payload is not None:
            params["payload"] = action.run.payload
        return _named(RAISE, params)
    return _named(action.name, action.params)


def _named(name: str, params: Any) -> Any:
    return name if params is None else {"type": name, "params": params}
