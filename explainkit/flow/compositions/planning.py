"""Which node of a graph comes when, found out when it is built, so that a mistake is told then."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from explainkit.errors import CompositionError
from explainkit.flow.compositions.children import Child, as_child
from explainkit.flow.compositions.naming import by_name, shown
from explainkit.flow.runners import Runner
from explainkit.safety import shorten


@dataclass(frozen=True, slots=True)
class Plan:
    """A graph that can be run.

    Attributes:
        nodes: What runs, by name.
        before: The nodes before each.
        joins: What makes one input of several answers, by node.
        levels: Names in the order in which they run; those of one level run at once.
    """

    nodes: dict[str, Child]
    before: dict[str, list[str]]
    joins: dict[str, Child]
    levels: list[list[str]]


def planned(nodes: Any, edges: Any, joins: Mapping[str, Any], *, label: str) -> Plan:
    """Look a graph over.

    Raises:
        CompositionError: It cannot be run; names the offender.
    """
    named = by_name(nodes, place=label, what="node")
    children = {name: as_child(each, place=f"{label}.{name}") for name, each in named.items()}
    before = _before(children, edges, label)
    levels = _levels(before, label)  # a cycle is told before what is odd about its nodes
    return Plan(children, before, _joins(before, joins, label), levels)


def _before(nodes: Mapping[str, Any], edges: Any, label: str) -> dict[str, list[str]]:
    before: dict[str, list[str]] = {name: [] for name in nodes}
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise CompositionError(f"{label}: {shown(edges)} are no edges. Give pairs of names.")
    for edge in edges:
        if not isinstance(edge, tuple | list) or len(edge) != 2:
            raise CompositionError(
                f"{label}: {shown(edge)} is no edge. Give a pair of names, (before, after)."
            )
        for end in edge:
            if not isinstance(end, str) or end not in nodes:
                raise CompositionError(
                    f"{label}: the edge {shown(edge)} names {shown(end)}, which is no node. "
                    f"Nodes: {shorten(', '.join(nodes), 300)}."
                )
        first, then = edge
        if first in before[then]:
            raise CompositionError(
                f"{label}: the edge {shown(edge)} is there twice. Leave one out."
            )
        before[then].append(first)
    return before


def _levels(before: Mapping[str, list[str]], label: str) -> list[list[str]]:
    levels: list[list[str]] = []
    done: set[str] = set()
    while len(done) < len(before):
        level = [n for n in before if n not in done and done.issuperset(before[n])]
        if not level:
            circle = " -> ".join(_cycle(before, done))
            raise CompositionError(
                f"{label}: nodes wait for each other in a cycle: {shorten(circle, 300)}. "
                "Take an edge out, or use Loop."
            )
        levels.append(level)
        done |= set(level)
    return levels


def _cycle(before: Mapping[str, list[str]], done: set[str]) -> list[str]:
    """A cycle among the nodes that never get their turn, from its first one to itself."""
    walked = [next(name for name in before if name not in done)]
    while walked[-1] not in walked[:-1]:
        walked.append(next(name for name in before[walked[-1]] if name not in done))
    return walked[walked.index(walked[-1]) :][::-1]


def _joins(
    before: Mapping[str, list[str]], joins: Mapping[str, Any], label: str
) -> dict[str, Child]:
    for name in joins:
        if name not in before:
            raise CompositionError(f"{label}(joins=...): {shown(name)} is no node.")
        if len(before[name]) < 2:
            raise CompositionError(
                f'{label}(joins=...): "{shorten(name, 80)}" has {len(before[name])} node before '
                "it, so there is nothing to join. Leave the join out."
            )
        if isinstance(joins[name], Runner):
            raise CompositionError(
                f'{label}(joins=...): the join of "{shorten(name, 80)}" is a runner. Give a '
                "function, and make the runner a node."
            )
    for name, several in before.items():
        if len(several) > 1 and name not in joins:
            raise CompositionError(
                f'{label}: "{shorten(name, 80)}" comes after {shorten(", ".join(several), 200)}, '
                "and nothing says how to join their answers. Give "
                f"joins={{{shown(name)}: a function of the answers by name}}."
            )
    return {name: as_child(join, place=f"{label}, join of {name}") for name, join in joins.items()}
