"""Turns carries into hops: a verb, both places with their texts, and what a reader should know."""

from collections import defaultdict
from typing import cast

from explainkit.backtrack.differing_forms import form_words
from explainkit.backtrack.following import GRADES, Trail
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Grade, Hop, Place, Verb
from explainkit.graph.stretches import REST, Carry, Stretch


def hops_of(names: Names, trail: Trail, carries: list[Carry]) -> tuple[Hop, ...]:
    """The hops of a trail, by depth and then ``seq``.

    Args:
        names: The run.
        trail: The trail.
        carries: Its moves as ``fused`` gives them, and what was replaced on the way.
    """
    depth = _depths(carries)
    made = [_hop(names, carry, depth) for carry in carries]
    made += [
        hop for node in sorted(trail.held) for hop in _born(names, node, trail.held[node], depth)
    ]
    return tuple(sorted(made, key=_order))


def _order(hop: Hop) -> tuple[int, int, int, int]:
    return hop.depth, -hop.target.seq, hop.target.start, hop.source.seq


def _depths(carries: list[Carry]) -> dict[int, int]:
    """Hops between the answer and each place that characters were held at."""
    depth: dict[int, int] = {}
    for carry in sorted(carries, key=lambda each: (-each.target.node, -each.source.node)):
        below = depth.setdefault(carry.target.node, 0) + 1
        depth[carry.source.node] = min(depth.get(carry.source.node, below), below)
    return depth


def verb_of(names: Names, carry: Carry) -> Verb:
    """What happened to the characters, in one word."""
    evidence = names.evidence
    target = evidence.places.kind_of(carry.target.node)
    source = evidence.places.kind_of(carry.source.node)
    if carry.role == "overrides":
        return "overridden"
    from_slot = source == "input" and _link_type(names, carry.source.node) == "assemble"
    if from_slot:
        return "landed"
    if target in ("answer", "override"):
        return "said" if source == "output" else "carried"
    link = evidence.link_of(carry.target.node)
    if target == "output" and link is not None and evidence.link_of(carry.source.node) == link:
        return "read" if evidence.links.type_of(link) == "model" else "carried"
    return "allowed" if source == "context" and target in ("input", "output") else "carried"


def _link_type(names: Names, node: int) -> str | None:
    link = names.evidence.link_of(node)
    return None if link is None else names.evidence.links.type_of(link)


def _assembled(names: Names, node: int) -> bool:
    is_output = names.evidence.places.kind_of(node) == "output"
    return is_output and _link_type(names, node) == "assemble"


def fused(names: Names, carries: list[Carry]) -> list[Carry]:
    """Join each move into an assembled text with the moves from it into its slots.

    So that a move into a template's output and on into one of its slots is shown as one:
    ``landed``.
    """
    inside: dict[int, list[Carry]] = defaultdict(list)
    for carry in carries:
        if _assembled(names, carry.target.node):
            inside[carry.target.node].append(carry)
    found: list[Carry] = []
    used: set[int] = set()
    for carry in carries:
        fits = inside.get(carry.source.node, ())
        parts = [part for each in fits if (part := _composed(carry, each)) is not None]
        if parts:
            found.extend(parts)
            used.add(carry.source.node)
        else:
            found.append(carry)
    return _best_known([each for each in found if each.target.node not in used])


def _best_known(carries: list[Carry]) -> list[Carry]:
    """The same move is shown once, at the grade that says most."""
    best: dict[tuple[Stretch, Stretch], str] = {}
    for each in carries:
        ends = each.source, each.target
        best[ends] = min(best.get(ends, each.grade), each.grade, key=GRADES.index)
    return [each for each in carries if each.grade == best[each.source, each.target]]


def _composed(outer: Carry, inner: Carry) -> Carry | None:
    """One move out of two, for the characters that both moved."""
    middle, held = outer.source, inner.target
    grade = max(outer.grade, inner.grade, key=GRADES.index)
    if middle == held and middle.end == REST:  # the whole text, and one of its slots
        return inner._replace(target=outer.target, role="produced", grade=grade)
    if REST in (middle.end, held.end) or middle.path != held.path:
        return None
    low, high = max(middle.start, held.start), min(middle.end, held.end)
    if low >= high:
        return None
    return Carry(
        _part(inner.source, held, low, high),
        _part(outer.target, middle, low, high),
        "produced",
        grade,
        outer.strong and inner.strong,
        min(outer.bits, inner.bits),
    )


def _part(stretch: Stretch, beside: Stretch, low: int, high: int) -> Stretch:
    """The part of a stretch that belongs to ``[low, high)`` of the one beside it."""
    if stretch.end == REST or stretch.end - stretch.start != beside.end - beside.start:
        return stretch
    shift = stretch.start - beside.start
    return stretch._replace(start=low + shift, end=high + shift)


def _hop(names: Names, carry: Carry, depth: dict[int, int]) -> Hop:
    verb = verb_of(names, carry)
    target, source = names.place(carry.target), names.place(carry.source)
    notes = [_note(names, carry, verb)]
    if not carry.replaced and carry.grade in ("declared", "value"):
        notes.append(form_words(source.text, target.text))
    return Hop(
        verb=verb,
        grade=cast("Grade", carry.grade),
        target=target,
        source=source,
        depth=depth[carry.target.node] + 1,
        note="; ".join(note for note in notes if note) or None,
        replaced=carry.replaced,
    )


def _note(names: Names, carry: Carry, verb: Verb) -> str | None:
    evidence = names.evidence
    if verb == "allowed":
        why = names.row(evidence.places.seq[carry.source.node]).get("why")
        return None if why is None else str(why)
    if verb == "overridden":
        row = names.row(evidence.places.seq[carry.target.node])
        reason = f": {row['reason']}" if row.get("reason") else ""
        how = "" if not carry.replaced else "replaced " if _is_some(carry.source) else "put in "
        return f"{how}by {row.get('by', 'somebody')}{reason}"
    others = evidence.held_at(carry.source.node) - 2
    if verb == "carried" and carry.grade == "value" and others > 0:
        places = "place" if others == 1 else "places"
        return f"the same value stands at {others:,} other {places}"
    return None


def _is_some(stretch: Stretch) -> bool:
    return stretch.end == REST or stretch.start < stretch.end


def _born(names: Names, node: int, stretches: list[Stretch], depth: dict[int, int]) -> list[Hop]:
    places = names.evidence.places
    if places.kind_of(node) != "context":
        return []
    row = names.row(places.seq[node])
    born = row.get("source")
    if not born:
        return []
    source = Place(places.seq[node], "source", "", 0, len(born), str(born), "source")
    kind, below = str(row.get("type") or "fact"), depth.get(node, 0) + 1
    return [
        Hop("born", "declared", names.place(stretch), source, below, kind) for stretch in stretches
    ]
