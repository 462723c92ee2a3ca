"""What was available and never reached a model, and what reached it and left nothing."""

from typing import Any, Final

from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Exposure, LeftOut
from explainkit.graph.evidence import Evidence
from explainkit.graph.places import CONTEXT
from explainkit.graph.stretches import REST, merged
from explainkit.text.overlap import lexical_overlap

_MISSING_FROM: Final = 16
"""Code points of a missing part from which a context counts as truncated."""
_COMPARED: Final = 60
_LISTED: Final = 20


def contexts(evidence: Evidence) -> list[int]:
    """Places of all contexts that were let in."""
    left = evidence.nearest.left_out
    kinds = evidence.places.kind
    return [node for node in range(len(kinds)) if kinds[node] == CONTEXT and node not in left]


def read_by_models(evidence: Evidence, models: tuple[int, ...] | None = None) -> frozenset[int]:
    """Places whose characters reached what a model received.

    Args:
        evidence: The run.
        models: Rows of model links; all of them when not given.
    """
    key = ("read_by_models", models)
    if key not in evidence.memo:
        links = evidence.links
        rows = models
        if rows is None:
            rows = tuple(row for row in range(len(links)) if links.type_of(row) == "model")
        starts = [
            node for row in rows for node in range(links.first[row], links.first[row] + links.inputs[row])
        ]
        found = evidence.ancestors(starts, grade="value").tolist()
        evidence.memo[key] = frozenset([*found, *starts])
    known: frozenset[int] = evidence.memo[key]
    return known


def left_out_of(names: Names) -> tuple[LeftOut, ...]:
    """Contexts that were left out, that no model read, or of which a part did not land."""
    evidence = names.evidence
    if "left_out" not in evidence.memo:
        found = [_dropped(names, node) for node in sorted(evidence.nearest.left_out)]
        read = read_by_models(evidence)
        models = any(evidence.links.type_of(row) == "model" for row in range(len(evidence.links)))
        for node in contexts(evidence):
            if node not in read:
                if models:
                    found.append(_line(names, node, "never read", _text(names, node)))
            else:
                found.extend(_truncated(names, node))
        evidence.memo["left_out"] = tuple(sorted(found, key=lambda each: each.seq))
    known: tuple[LeftOut, ...] = evidence.memo["left_out"]
    return known


def _row(names: Names, node: int) -> dict[str, Any]:
    return names.row(names.evidence.places.seq[node])


def _text(names: Names, node: int) -> str:
    from explainkit.graph.stretches import Stretch

    return names.evidence.carrying.text(Stretch(node, "", 0, REST))


def _dropped(names: Names, node: int) -> LeftOut:
    return _line(names, node, str(_row(names, node).get("how") or "dropped"), _text(names, node))


def _line(names: Names, node: int, how: str, text: str) -> LeftOut:
    row = _row(names, node)
    why = row.get("why") if how != "never read" else None
    return LeftOut(row["seq"], str(row.get("name", "")), how, None if why is None else str(why), text)


def _truncated(names: Names, node: int) -> list[LeftOut]:
    """The parts of a context that went nowhere, when only a part of it landed."""
    evidence = names.evidence
    landed: dict[str, list[tuple[int, int]]] = {}
    for edge in evidence.edges.edges_from(node):
        if edge.grade == "exposure" or edge.role == "judges":
            continue
        if edge.evidence.source_end == REST:
            return []
        shown = edge.evidence
        landed.setdefault(shown.source_path, []).append((shown.source_start, shown.source_end))
    found = []
    for leaf in evidence.carrying.leaves(node):
        if leaf.path not in landed:
            continue
        at = leaf.start
        for low, high in [*merged(landed[leaf.path]), (leaf.end, leaf.end)]:
            missing = evidence.carrying.text(leaf._replace(start=at, end=low)) if low > at else ""
            if len(missing.strip()) >= _MISSING_FROM:
                found.append(_line(names, node, "truncated", missing))
            at = max(at, high)
    return found


def exposures_of(
    names: Names, text: str, seen: frozenset[int], carried: set[int]
) -> tuple[tuple[Exposure, ...], tuple[str, ...]]:
    """What the models saw that carried nothing, ranked by words in common (a proxy).

    Args:
        names: The run.
        text: The span, or the answer.
        seen: Places that reached a model.
        carried: Places on the walk.
    """
    kinds = ("context", "question", "event", "argument")
    places = names.evidence.places
    nodes = [node for node in sorted(seen) if places.kind_of(node) in kinds and node not in carried]
    caps: tuple[str, ...] = ()
    if len(nodes) > _COMPARED:
        caps = (f"{len(nodes) - _COMPARED:,} earlier exposures were not compared with the span",)
        nodes = nodes[-_COMPARED:]
    found = []
    known: set[int] = set()
    for node in nodes:
        digest = places.digest[node]
        if digest in known:
            continue
        known.add(digest)
        overlap = lexical_overlap(text, _text(names, node))
        found.append(Exposure(names.record(node), _name(names, node), round(overlap, 4)))
    found.sort(key=lambda each: (-each.overlap, each.seq))
    return tuple(found[:_LISTED]), caps


def _name(names: Names, node: int) -> str:
    if names.evidence.places.kind_of(node) in ("context", "event"):
        return str(_row(names, node).get("name", ""))
    return names.label(node)
