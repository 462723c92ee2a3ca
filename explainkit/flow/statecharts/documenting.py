"""A chart told as plain JSON, for records and pages that must not hold functions."""

from typing import Any

from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.event_definitions import EventDefinition
from explainkit.flow.statecharts.fingerprinting import fingerprint_of
from explainkit.flow.statecharts.menu import menu_of
from explainkit.flow.statecharts.nodes import Chart, Node, Transition
from explainkit.flow.statecharts.scopes import AnswerSite, answer_sites

BY_EVENT = "the pick whose event took the transition"


def documented(chart: Chart) -> dict[str, Any]:
    """Everything that is known of a chart before it runs, as plain JSON."""
    return {
        "machine": chart.id,
        "fingerprint": fingerprint_of(chart),
        "states": [_state(chart, node) for node in chart.nodes],
        "transitions": [_transition(t) for node in chart.nodes for t in node.transitions],
        "actors": [_actor(chart, key, actor) for key, actor in chart.actors.items()],
        "events": [_event(event) for event in chart.events.values()],
        "menus": {agent: list(menu_of(chart, agent)) for agent in agent_states(chart)},
        "answers": [_answer(site) for site in answer_sites(chart)],
    }


def _state(chart: Chart, node: Node) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": node.id,
        "key": node.key,
        "type": node.kind,
        "description": node.description,
        "parent": chart.nodes[node.parent].id if node.parent >= 0 else None,
        "initial": chart.nodes[node.initial].id if node.initial >= 0 else None,
    }
    if node.kind == "history":
        leads = [chart.nodes[number].id for number in node.defaults]
        told |= {"history": "deep" if node.deep else "shallow", "leads": leads}
    return told


def _transition(transition: Transition) -> dict[str, Any]:
    return {
        "source": transition.source,
        "trigger": transition.trigger,
        "event": transition.event,
        "targets": list(transition.targets),
        "guard": transition.guard.name if transition.guard else None,
        "actions": [action.name for action in transition.actions],
        "reenter": transition.reenter,
        "delay": transition.delay,
    }


def _actor(chart: Chart, key: str, actor: Any) -> dict[str, Any]:
    uses = (use for node in chart.nodes for use in node.invokes if use.src == key)
    invoked = [
        {"state": chart.nodes[use.state].id, "id": use.id, "holds": use.holds} for use in uses
    ]
    return {"key": key, "kind": kind_of(actor), "invoked": invoked}


def _event(event: EventDefinition) -> dict[str, Any]:
    return {
        "name": event.name,
        "description": event.description,
        "audience": event.audience,
        "schema": event.schema,
    }


def _answer(site: AnswerSite) -> dict[str, Any]:
    scope = {"event": BY_EVENT}
    if site.agent is not None:
        scope = {"agent": site.agent}
    elif site.warning is not None:
        scope = {"none": site.warning}
    action = site.action
    return {
        "state": action.state,
        "place": action.place,
        "index": action.index,
        "action": action.name,
        "scope": scope,
    }
