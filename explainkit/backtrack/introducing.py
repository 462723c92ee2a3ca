"""Who held the selected words first, and who only carried them."""

from bisect import bisect_left
from dataclasses import replace
from typing import Final, NamedTuple

from explainkit.backtrack.bounding import NOT_FURTHER
from explainkit.backtrack.drafts import drafts_before
from explainkit.backtrack.makers import is_judging, is_saying
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Place
from explainkit.graph.nearest import NEVER
from explainkit.graph.stretches import Stretch, without_all

Hit = tuple[int, int, int]
_HITS: Final = 200
MOST_HOLDERS: Final = 400
"""Places that hold the words and are looked at; more are counted."""


class Holders(NamedTuple):
    """Places that hold the words.

    Attributes:
        introducers: Those that carry them from nowhere earlier, in order of time.
        carriers: The others.
        caps: What was not looked at.
    """

    introducers: tuple[Place, ...]
    carriers: tuple[Place, ...]
    caps: tuple[str, ...]


def holders_of(names: Names, words: list[str], *, before: int) -> Holders:
    """Sort every place upstream that holds one of the words into introducers and carriers.

    Args:
        names: The run.
        words: Stretches of text.
        before: Place of the answer; it counts only when an override put the words in there.
    """
    held: dict[Stretch, list[Hit]] = {}
    cut = unread = False
    for text in dict.fromkeys(words):
        evidence = names.evidence
        hits = evidence.written.spelt(text, evidence.matches.find(text))
        for stretch in _stretches(names, hits, before + 1):
            if len(held) >= MOST_HOLDERS:
                cut = True
                break
            held.setdefault(stretch, hits)
    introducers: list[Stretch] = []
    carriers: list[Stretch] = []
    put_in: list[Stretch] = []
    nodes = sorted({stretch.node for stretch in held})
    for stretch in sorted(held):
        carries = _carries(names, stretch, nodes, held[stretch])
        if stretch.node == before and (carries or not _is_override(names, before)):
            put_in.append(stretch)
            continue  # the answer itself is neither, unless its override put the words in
        if not carries and len(held[stretch]) > _HITS and _is_output(names, stretch.node):
            unread = True
        (carriers if carries else introducers).append(stretch)
    if not _is_override(names, before):
        put_in = []
    introducers, carriers, drafts = _without_drafts(names, before, introducers, carriers, put_in)
    caps = [f"more than {MOST_HOLDERS} places hold the words; these are the first"] if cut else []
    if unread:
        caps.append(
            f"{NOT_FURTHER}whether what said the words first had received them, beyond {_HITS} of "
            "the places where they stand"
        )
    return Holders(
        tuple(map(names.place, introducers)),
        tuple(_labelled(names, each, drafts.get(each)) for each in carriers),
        tuple(caps),
    )


def _without_drafts(
    names: Names, before: int, first: list[Stretch], later: list[Stretch], put_in: list[Stretch]
) -> tuple[list[Stretch], list[Stretch], dict[Stretch, str]]:
    """Introducers and carriers, of which drafts that did not stand are carriers.

    What said their words again then introduced them; where nothing did, the draft did.

    Returns:
        The introducers, the carriers, and of each that is a draft what became of it.
    """
    known = drafts_before(names, before)
    every = ((each, known.why(each)) for each in (*first, *later)) if known else ()
    drafts = {each: why for each, why in every if why is not None}
    gone = [each for each in first if each in drafts]
    if not gone:
        return first, later, drafts
    gone += [each for each in first if is_judging(names, each.node)]
    rest = [each for each in first if each not in gone]
    again = [each for each in later if is_saying(names, each.node) and each not in drafts]
    rest = rest or again[:1] or put_in[:1]
    if not rest:
        return first, later, drafts
    return rest, sorted({*gone, *later}.difference(rest)), drafts


def carrier(names: Names, before: int | None, stretch: Stretch) -> Place:
    """A place that carried words, and of a draft that did not stand what became of it.

    Args:
        names: The run.
        before: Place of the answer.
        stretch: Where the words stand.
    """
    known = None if before is None else drafts_before(names, before)
    return _labelled(names, stretch, known.why(stretch) if known else None)


def _labelled(names: Names, stretch: Stretch, why: str | None) -> Place:
    place = names.place(stretch)
    return place if why is None else replace(place, label=f"{place.label}, a draft ({why})")


def _is_output(names: Names, node: int) -> bool:
    return names.evidence.places.kind_of(node) == "output"


def _stretches(names: Names, hits: list[Hit], before: int) -> list[Stretch]:
    evidence = names.evidence
    found: dict[Stretch, None] = {}
    for atom, low, high in hits:
        for given in evidence.givers.holders(atom, low, high, before=before):
            if given.node in evidence.nearest.left_out:
                continue
            for stand in given.stands:
                if stand.end - stand.start == high - low:
                    found.setdefault(Stretch(given.node, stand.path, stand.start, stand.end))
        if len(found) > MOST_HOLDERS:
            break
    return list(found)


def _carries(names: Names, stretch: Stretch, holders: list[int], hits: list[Hit]) -> bool:
    """Whether a place that holds the words can have them from an earlier one that does."""
    evidence = names.evidence
    node = stretch.node
    if _is_output(names, node) and not _is_model(names, node):
        # A tool may know a few words by itself: only what chance excludes says that it read them.
        return _is_covered(names, stretch)
    for each in holders[_first_seen(names, node, holders) : bisect_left(holders, node)]:
        if evidence.nearest.level(node, each, whole=False) < NEVER:
            return True
    if _is_output(names, node):
        inputs = evidence.carrying.inputs(node)
        if any(evidence.givers.stands(each, *hit) for each in inputs for hit in hits[:_HITS]):
            return True
    edges = list(evidence.base.edges_into(node))
    if any(edge.role == "carries" and edge.grade == "value" for edge in edges):
        return True
    declared = any(edge.grade == "declared" and edge.role != "overrides" for edge in edges)
    return declared and any(
        carry.role != "overrides"
        for carry in evidence.carrying.declared.sources(stretch, moved=True)
    )


def _first_seen(names: Names, node: int, holders: list[int]) -> int:
    """Index of the first holder that may have given something: of a model, one in its own link."""
    places, links = names.evidence.places, names.evidence.links
    row = names.evidence.link_of(node)
    is_output = places.kind_of(node) == "output"
    if not is_output or row is None or not links.inputs[row] or not _is_model(names, node):
        return 0
    return bisect_left(holders, places.of_seq(links.opened[row]).start)


def _is_model(names: Names, node: int) -> bool:
    link = names.evidence.link_of(node)
    return link is not None and names.evidence.links.type_of(link) == "model"


def _is_covered(names: Names, stretch: Stretch) -> bool:
    """Whether declared, equal or strongly matching values explain all of a stretch."""
    carries = names.evidence.carrying.sources(stretch)
    ends = [(carry.target.start, carry.target.end) for carry in carries]
    left = without_all([(stretch.start, stretch.end)], ends)
    text = names.evidence.carrying.text
    return not any(text(stretch._replace(start=a, end=b)).strip() for a, b in left)


def _is_override(names: Names, node: int) -> bool:
    return names.evidence.places.kind_of(node) == "override"
