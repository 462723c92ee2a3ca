"""The custody of each context: born, allowed, landed, read, said, overridden."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from explainkit.backtrack.following import GRADES, Trail
from explainkit.backtrack.hopping import verb_of
from explainkit.backtrack.naming import Names
from explainkit.backtrack.parts_in_words import place_words
from explainkit.backtrack.results import ContextUse, Grade
from explainkit.graph.stretches import REST, Carry, Stretch

_MOST_LABELS: Final = 20
_COUNTED: Final = 200
"""Labels of a verb that a place keeps: in a long run each place leads to all later ones."""
_ORDER: Final = {
    "context": 0, "event": 0, "output": 1, "error": 1, "override": 1, "input": 2, "argument": 2,
    "question": 3,
}  # fmt: skip
Labels = dict[str, dict[str, int]]
"""For each verb what is told with it, and the place that it is told of."""


def uses_of(names: Names, trail: Trail, carries: list[Carry]) -> tuple[ContextUse, ...]:
    """Contexts and other sources of a walk, those with the strongest and longest evidence first.

    Args:
        names: The run.
        trail: The walk.
        carries: Its moves as they are shown.
    """
    custody = _custody(names, carries)
    found = []
    kinds = names.evidence.places.kind_of
    shown = {carry.source.node for carry in carries} | {carry.target.node for carry in carries}
    for node in sorted(trail.depth):
        kind = kinds(node)
        leaf = trail.leaves.get(node) or trail.drafts.get(node)
        met = node in shown or len(trail.depth) == 1
        if kind == "context" or (leaf and kind in _ORDER and met):
            whole = [Stretch(node, "", 0, REST)]
            stretches = trail.held.get(node) if kind == "context" and leaf != whole else leaf
            stretches = stretches or whole
            found.append(_use(names, trail, node, stretches, custody.get(node, {})))
    return tuple(sorted(found, key=_rank))


def plain_use(names: Names, node: int, grade: Grade) -> ContextUse:
    """A context without a walk to it."""
    return _make(names, node, (), grade, {})


def _rank(use: ContextUse) -> tuple[bool, bool, int, int, int, int]:
    """Drafts that did not stand come last, and before them what overrides put in, born there.

    Else the strongest grade first, then contexts before other sources, then the longest stretch.
    """
    put_in = use.type == "override"
    kind = _ORDER["question"] if use.asked else _ORDER.get(_kind(use), 1)
    longest = max((len(place.text) for place in use.places), default=0)
    return use.refused is not None, put_in, GRADES.index(use.grade), kind, -longest, use.seq


def _kind(use: ContextUse) -> str:
    return use.places[0].slot if use.places and use.places[0].slot == "output" else "context"


def _custody(names: Names, carries: list[Carry]) -> dict[int, Labels]:
    """For each place, what happened to its characters on all ways to the answer."""
    held: dict[int, Labels] = defaultdict(lambda: defaultdict(dict))
    for carry in sorted(carries, key=lambda each: (-each.target.node, -each.source.node)):
        mine = held[carry.source.node]
        for verb, labels in held[carry.target.node].items():
            mine[verb].update(labels)
            if len(mine[verb]) > 2 * _COUNTED:
                mine[verb] = {label: mine[verb][label] for label in _in_time(mine[verb])}
        for verb, label, node in _happened(names, carry):
            mine[verb][label] = node
    return held


def _in_time(told: dict[str, int]) -> list[str]:
    """The first labels in order of time."""
    return sorted(told, key=lambda label: (told[label], label))[:_COUNTED]


def _happened(names: Names, carry: Carry) -> Iterator[tuple[str, str, int]]:
    """What one move did: the verb, with what or where, and the place that it is told of."""
    evidence, target = names.evidence, carry.target.node
    kind, verb = evidence.places.kind_of(target), verb_of(names, carry)
    link = evidence.link_of(target)
    if verb == "landed":
        yield "landed", _part(names, carry.source), carry.source.node
    if kind == "input" and _type(names, link) == "model" and verb != "landed":
        yield "landed", _part(names, carry.target), target
    if verb == "read" and link is not None:
        yield "read", names.call(link), target
    elif kind in ("answer", "override") and verb != "overridden":
        yield "said", names.label(target), target
    elif verb == "overridden":
        by = names.row(evidence.places.seq[target]).get("by", "somebody")
        yield "overridden", str(by), target
    elif kind in ("output", "context", "event") and _type(names, link) != "assemble":
        yield "through", _part(names, carry.target), target


def _part(names: Names, stretch: Stretch) -> str:
    """A place with the part of it that holds the characters."""
    slot = names.evidence.places.slot_name(stretch.node)
    return place_words(names.label(stretch.node), slot, [stretch.path])


def _type(names: Names, link: int | None) -> str | None:
    return None if link is None else names.evidence.links.type_of(link)


def _use(
    names: Names, trail: Trail, node: int, stretches: list[Stretch], labels: Labels
) -> ContextUse:
    made = _make(names, node, tuple(stretches), GRADES[trail.grade[node]], labels)
    return replace(made, refused=trail.refused.get(node))


def _make(
    names: Names, node: int, stretches: tuple[Stretch, ...], grade: Grade, labels: Labels
) -> ContextUse:
    places = names.evidence.places
    kind = places.kind_of(node)
    row = names.row(names.record(node))
    asked = kind == "question" or (kind == "argument" and _is_question(names, node))
    name = names.label(node) if kind not in ("context", "event") else str(row.get("name", ""))
    what = str(row.get("type") or "fact") if kind in ("context", "output") else kind
    return ContextUse(
        seq=names.record(node),
        name=name,
        type="question" if asked else what,
        grade=grade,
        asked=asked,
        places=tuple(names.place(stretch) for stretch in stretches),
        born=_born(kind, row),
        allowed=row.get("why") if kind == "context" else None,
        through=_list(labels, "through"),
        landed=_list(labels, "landed"),
        read=_list(labels, "read"),
        said=_list(labels, "said"),
        overridden=_list(labels, "overridden"),
        source_index=row.get("source_index"),
    )


def _is_question(names: Names, node: int) -> bool:
    places = names.evidence.places
    question = places.find(places.seq[node], "question")
    return question is not None and places.digest[question] == places.digest[node]


def _born(kind: str, row: dict[str, object]) -> str | None:
    if kind == "context":
        return None if row.get("source") is None else str(row["source"])
    if kind == "event":
        return None if row.get("sender") is None else f"from {row['sender']}"
    return {
        "question": "asked",
        "argument": "an argument of the run",
        "input": "passed by the program",
        "output": f"put out by {row.get('name', '')}",
        "error": f"raised in {row.get('name', '')}",
        "override": f"put in by {row.get('by', '')}",
    }.get(kind)


def _list(labels: Labels, verb: str) -> tuple[str, ...]:
    """What is told with a verb, in order of time."""
    found = _in_time(labels.get(verb, {}))
    if len(found) > _MOST_LABELS:
        least = "at least " if len(found) == _COUNTED else ""
        return (*found[:_MOST_LABELS], f"and {least}{len(found) - _MOST_LABELS} more")
    return tuple(found)
