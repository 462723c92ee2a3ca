"""The graph as networkx objects, made only for what is shown or asked for."""

from typing import TYPE_CHECKING, Any

import networkx as nx

from explainkit.graph.edges import Edge
from explainkit.graph.places import FIRST_VALUE

if TYPE_CHECKING:
    from explainkit.graph.evidence import Evidence

_LABEL = 60
Shown = tuple[str, int, int, str, int, int]


def drawn(run: "Evidence") -> "nx.MultiDiGraph[str]":
    """Every place and edge of a run, in order of time."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(run=run.recording.run, name=run.recording.name)
    for node in range(len(run.places)):
        graph.add_node(run.places.id(node), **_attributes(run, node))
    _control(run, graph)
    for node in range(len(run.places)):
        _data(run, graph, list(run.edges.edges_into(node)))
    return graph


def _attributes(run: "Evidence", node: int) -> dict[str, Any]:
    places = run.places
    row = run.row(places.seq[node])
    link = run.link_of(node)
    if places.kind_of(node) == "link":
        link = run.links.row(places.seq[node])
    name = str(row.get("name") or "") if link is None else run.links.name_of(link)
    kind = places.kind_of(node)
    status = row.get("status") if link is None else run.links.status_of(link)
    if kind == "run":
        status = run.recording.status
    slot = places.slot_name(node)
    words = (kind, name, slot if kind in ("input", "argument") else "")
    label = " ".join(word for word in words if word)
    return {
        "kind": kind,
        "name": name,
        "label": label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}\u2026",
        "status": status,
        "seq": places.seq[node],
        "digest": places.digest_of(node),
    }


def _control(run: "Evidence", graph: "nx.MultiDiGraph[str]") -> None:
    """``part_of`` from a whole to its parts, ``next`` from each record to the one after."""
    places = run.places
    before: str | None = None
    for node in range(len(places)):
        name = places.id(node)
        whole = _whole(run, node)
        if whole is not None and whole < node:
            graph.add_edge(places.id(whole), name, role="part_of", grade="declared", evidence=[])
        if node == 0 or places.seq[node - 1] != places.seq[node]:
            if before is not None:
                graph.add_edge(before, name, role="next", grade="order", evidence=[])
            before = name


def _whole(run: "Evidence", node: int) -> int | None:
    """The place of the link that a place is a part of."""
    places = run.places
    if places.kind[node] >= FIRST_VALUE:
        link = run.link_of(node)
        if link is not None:
            return places.find(run.links.opened[link])
    return places.find(places.inside[node]) if places.inside[node] >= 0 else None


def _data(run: "Evidence", graph: "nx.MultiDiGraph[str]", edges: list[Edge]) -> None:
    """Rows with one source, role and grade are one edge with a list of evidence."""
    together: dict[tuple[int, int, str, str, bool], list[Shown]] = {}
    for edge in edges:
        key = (edge.source, edge.target, edge.role, edge.grade, edge.strong)
        together.setdefault(key, []).append(edge.evidence[:3] + edge.evidence[3:])
    for (source, target, role, grade, strong), evidence in together.items():
        graph.add_edge(
            run.places.id(source),
            run.places.id(target),
            role=role,
            grade=grade,
            strong=strong,
            evidence=evidence,
        )
