"""What was available and never reached a model, and what reached it and left nothing."""

from dataclasses import replace
from typing import Any, Final

from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Exposure, LeftOut
from explainkit.graph.evidence import Evidence
from explainkit.graph.landing import Landing
from explainkit.graph.places import ARGUMENT, CONTEXT, EVENT, QUESTION
from explainkit.graph.stretches import REST, Stretch
from explainkit.text.overlap import lexical_overlap, weigh

_ITSELF: Final = "not read itself"
"""How a context is left out of which other links were told, and models of what they made."""
_MISSING_FROM: Final = 16
"""Code points of a missing part from which a context counts as truncated."""
_COMPARED: Final = 60
_LISTED: Final = 20


def contexts(evidence: Evidence) -> list[int]:
    """Places of all contexts that were let in."""
    left = evidence.nearest.left_out
    kinds = evidence.places.kind
    return [node for node in range(len(kinds)) if kinds[node] == CONTEXT and node not in left]


def _offered(evidence: Evidence) -> list[int]:
    """Places of what a model may have been shown: contexts, events, the question, arguments."""
    if "offered" not in evidence.memo:
        kinds, left = evidence.places.kind, evidence.nearest.left_out
        wanted = (CONTEXT, EVENT, QUESTION, ARGUMENT)
        evidence.memo["offered"] = [
            node for node in range(len(kinds)) if kinds[node] in wanted and node not in left
        ]
    known: list[int] = evidence.memo["offered"]
    return known


def landing(evidence: Evidence, models: tuple[int, ...] | None = None) -> Landing:
    """What reached some model links (rows of ``links``), or any; kept with the run."""
    key = ("landing", models)
    if key not in evidence.memo:
        evidence.memo[key] = Landing(evidence, None if models is None else frozenset(models))
    known: Landing = evidence.memo[key]
    return known


def left_out_of(names: Names) -> tuple[LeftOut, ...]:
    """Contexts that were left out, that no model read, or of which a part did not land."""
    evidence = names.evidence
    if "left_out" not in evidence.memo:
        found = [_dropped(names, node) for node in sorted(evidence.nearest.left_out)]
        read = landing(evidence)
        for node in contexts(evidence) if read else ():
            found.extend(_unread(names, node, read))
        evidence.memo["left_out"] = tuple(sorted(found, key=lambda each: each.seq))
    known: tuple[LeftOut, ...] = evidence.memo["left_out"]
    return known


def _row(names: Names, node: int) -> dict[str, Any]:
    return names.row(names.evidence.places.seq[node])


def _text(names: Names, node: int) -> str:
    return names.evidence.carrying.text(Stretch(node, "", 0, REST))


def _dropped(names: Names, node: int) -> LeftOut:
    return _line(names, node, str(_row(names, node).get("how") or "dropped"), _text(names, node))


def _line(names: Names, node: int, how: str, text: str) -> LeftOut:
    row = _row(names, node)
    why = row.get("why") if how != "never read" else None
    reason = None if why is None else str(why)
    return LeftOut(row["seq"], str(row.get("name", "")), how, reason, text)


def _unread(names: Names, node: int, read: Landing) -> list[LeftOut]:
    """The whole context when no model read it, else the parts that did not land."""
    leaves = names.evidence.carrying.leaves(node)
    landed = [read.landed(leaf) for leaf in leaves]
    if leaves and not any(landed):
        given = _given_to(names, node, read)
        if given is None:
            return [_line(names, node, "never read", _text(names, node))]
        why = f"{given} was given it, and a model read what came of that"
        return [replace(_line(names, node, _ITSELF, _text(names, node)), why=why)]
    found = []
    for leaf, ranges in zip(leaves, landed, strict=True):
        if not ranges:
            continue
        at = leaf.start
        for low, high in [*ranges, (leaf.end, leaf.end)]:
            if low - at >= _MISSING_FROM:
                missing = names.evidence.carrying.text(leaf._replace(start=at, end=low))
                if len(missing.strip()) >= _MISSING_FROM:
                    found.append(_line(names, node, "truncated", missing))
            at = max(at, high)
    return found


def _given_to(names: Names, node: int, read: Landing) -> str | None:
    """The link that was given a context of which no model read a word, but what came of it."""
    evidence = names.evidence
    if "led to models" not in evidence.memo:
        evidence.memo["led to models"] = set(evidence.base.ancestors(sorted(read.aims)).tolist())
    led: set[int] = evidence.memo["led to models"]
    for edge in evidence.base.edges_from(node):
        link = evidence.link_of(edge.target)
        if link is None or evidence.places.kind_of(edge.target) != "input":
            continue
        output = evidence.links.output[link]
        if edge.target in led or (output >= 0 and read.is_read(output)):
            return names.call(link)
    return None


def exposures_of(
    names: Names, text: str, read: Landing, *, before: int, carried: set[int]
) -> tuple[tuple[Exposure, ...], tuple[str, ...]]:
    """What the models saw that carried nothing, ranked by words in common (a proxy).

    Args:
        names: The run.
        text: The span, or the answer.
        read: What reached the models.
        before: Place of the answer.
        carried: Places on the walk.
    """
    places = names.evidence.places
    nodes = [node for node in _offered(names.evidence) if node < before and node not in carried]
    caps: tuple[str, ...] = ()
    if len(nodes) > _COMPARED:
        caps = (f"{len(nodes) - _COMPARED:,} earlier exposures were not compared with the span",)
        nodes = nodes[-_COMPARED:]
    texts: dict[int, str] = {}
    known: set[int] = set()
    for node in nodes:
        digest = places.digest[node]
        if digest not in known and read.is_read(node):
            known.add(digest)
            texts[node] = _text(names, node)
    # Words that all of them hold tell nothing apart.
    weights = weigh(list(texts.values()))
    found = [
        Exposure(
            seq=names.record(node),
            name=_name(names, node),
            overlap=round(lexical_overlap(text, seen, weights=weights), 4),
        )
        for node, seen in texts.items()
    ]
    found.sort(key=lambda each: (-each.overlap, each.seq))
    if len(found) > _LISTED:
        caps = (*caps, f"{len(found) - _LISTED:,} more exposures are not listed")
    return tuple(found[:_LISTED]), caps


def _name(names: Names, node: int) -> str:
    kind = names.evidence.places.kind_of(node)
    return (
        names.label(node).removeprefix(f"{kind} ")
        if kind in ("context", "event")
        else (names.label(node))
    )
