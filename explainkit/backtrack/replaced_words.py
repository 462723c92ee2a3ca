"""What gave the words that an override replaced: no source of the new ones, but worth a look."""

from collections import defaultdict
from typing import Final

from explainkit.backtrack.answers import Chosen
from explainkit.backtrack.naming import Names
from explainkit.backtrack.reasons import CARRIED, Points, quoted
from explainkit.backtrack.results import Hop, Place, Reason, Walk
from explainkit.backtrack.walking import shown_answer, walk
from explainkit.graph.evidence import Evidence

MOST_REPLACED: Final = 20
"""Replaced stretches of one version that are walked; the bounds of a shortlist tell of more."""
_APART: Final = 1
"""Code points that may lie between two stretches that were selected together."""
Range = tuple[int, int]


def givers_of_replaced(evidence: Evidence, names: Names, found: Walk) -> dict[int, list[Points]]:
    """Reasons of the places that gave words which an override on the walk replaced.

    Only where the override kept at least half of the text: it said something in other words. A
    replaced stretch stands for the whole stretch that replaced it, together with the words beside
    it that were kept and are walked, too: `3 photos`, of which `3` became `three`.

    Args:
        evidence: The run.
        names: Its names.
        found: A backtrack of it.

    Returns:
        Reasons by place; empty where no override replaced anything that was walked.
    """
    reasons: dict[int, list[Points]] = defaultdict(list)
    for earlier, by, ranges in _replaced(evidence, names, found):
        for low, high in ranges[:MOST_REPLACED]:
            before = walk(evidence, answer=earlier, span=(low, high))
            words = quoted(before.answer[low:high])
            for node, places in _sources(names, before).items():
                reason = Reason(f"gave {words}, which {by} replaced", places)
                reasons[node].append(Points(CARRIED, reason))
            for node, more in givers_of_replaced(evidence, names, before).items():
                reasons[node] += more
    return reasons


def count_replaced(evidence: Evidence, names: Names, found: Walk) -> int:
    """The most stretches that one override on the walk replaced.

    Args:
        evidence: The run.
        names: Its names.
        found: A backtrack of it.
    """
    return max((len(ranges) for *_, ranges in _replaced(evidence, names, found)), default=0)


def _replaced(
    evidence: Evidence, names: Names, found: Walk
) -> list[tuple[Chosen, str, list[Range]]]:
    """Each earlier version of the answer with the stretches of it that are walked and changed."""
    nodes = evidence.answers.get(found.slot, ())
    versions = {names.record(node): at for at, node in enumerate(nodes, start=1)}
    hops: dict[int, list[Hop]] = defaultdict(list)
    for hop in found.hops:
        known = hop.verb == "overridden" and hop.source.seq in versions
        if known and hop.target.seq == found.answer_seq and _is_reworded(names, hop):
            hops[hop.source.seq].append(hop)
    told = []
    for seq, each in sorted(hops.items()):
        earlier = Chosen(nodes[versions[seq] - 1], seq, versions[seq], found.slot)
        ranges = _ranges(evidence, earlier, each)
        by = str(names.row(each[0].target.seq).get("by") or "an override")
        told.append((earlier, by, ranges))
    return told


def _is_reworded(names: Names, hop: Hop) -> bool:
    """Whether the override kept at least half of the text that it changed.

    One that kept less put a text of its own there, to which the earlier one is nothing.
    """
    find, declared = names.evidence.places.find, names.evidence.carrying.declared
    before, after = (find(each.seq, each.slot) for each in (hop.source, hop.target))
    if before is None or after is None or hop.source.path != hop.target.path:
        return False
    pieces = declared.versions(before, after, hop.source.path) or []
    kept = sum(each.before_end - each.before_start for each in pieces if each.equal)
    return bool(kept) and 2 * kept >= max(each.before_end for each in pieces)


def _ranges(evidence: Evidence, earlier: Chosen, hops: list[Hop]) -> list[Range]:
    """Stretches of a version's text: what was replaced, joined with what was kept beside it."""
    leaves = {leaf.path: leaf.start for leaf in shown_answer(evidence, earlier).leaves}
    pieces = []
    for hop in hops:
        start = leaves.get(hop.source.path)
        if start is not None and hop.source.start < hop.source.end:
            pieces.append((start + hop.source.start, start + hop.source.end, hop.replaced))
    joined: list[tuple[int, int, bool]] = []
    for low, high, replaced in sorted(pieces):
        if joined and low - joined[-1][1] <= _APART:
            first, last, was = joined[-1]
            joined[-1] = (first, max(last, high), was or replaced)
        else:
            joined.append((low, high, replaced))
    return [(low, high) for low, high, replaced in joined if replaced]


def _sources(names: Names, before: Walk) -> dict[int, tuple[Place, ...]]:
    """Where a walk of the earlier words ends, the question left out."""
    found: dict[int, tuple[Place, ...]] = {}
    for use in before.contexts:
        if use.asked or use.grade not in ("declared", "value"):
            continue
        for place in use.places:
            node = names.evidence.places.find(place.seq, place.slot)
            if node is not None:
                found[node] = (*found.get(node, ()), place)
    return found
