"""The hops of a walk as a trail of lines and as a nested list: a person reads either one."""

from collections import defaultdict
from collections.abc import Sequence

from explainkit.backtrack.facts import facts_in
from explainkit.backtrack.results import Hop, Place, Walk
from explainkit.view.board import Branch, Step
from explainkit.view.passages import Passage, passage
from explainkit.view.words import counted, flat, part, parts_words
from explainkit.whatif.cut_lists import listed

QUOTE = 240
"""Code points of a quoted stretch."""

FEW = 2
"""Words of a hop that may be minor."""
SOURCES = frozenset({"allowed", "born", "landed"})
"""Hops that lead on to a source."""

Key = tuple[int, str, str]
"""A slot: record, slot, path."""


def trail_of(walk: Walk, *, limit: int) -> tuple[tuple[Step, ...], tuple[Step, ...], int]:
    """The hops as lines, the way to the first source first when not all of them fit.

    Args:
        walk: What the backtrack found.
        limit: Lines at most.

    Returns:
        The lines, those of a word or two that lead to no source, and how many hops are not among
        either.
    """
    minor = _minor(walk)
    hops = [hop for hop in walk.hops if hop.source.text not in minor]
    steps = _merged(hops)
    if len(steps) > limit:
        steps = (_merged(main_way(walk, hops)) or steps)[:limit]
    small = _merged([hop for hop in walk.hops if hop.source.text in minor])[:limit]
    shown = sum(step.count for step in (*steps, *small))
    return tuple(steps), tuple(small), len(walk.hops) - shown


def small_words(steps: Sequence[Step]) -> str:
    """A trail's hops of a word or two in one line: ``2 hops of a word or two: “Dear”``."""
    count = sum(step.count for step in steps)
    texts = ("".join(piece.text for piece in step.quote.pieces).strip() for step in steps)
    said = [f"“{flat(text, 40)}”" for text in dict.fromkeys(texts) if text]
    return f"{counted(count, 'hop')} of a word or two: {listed(said, 4)}"


def _minor(walk: Walk) -> frozenset[str]:
    """Texts of a word or two without a fact, such as a greeting, that lead to no source.

    An override is the source of the words that it put in, so one such word is never minor.
    Where nothing else was carried, they are what was asked about, and none is minor.
    """
    texts = {hop.source.text for hop in walk.hops if hop.verb != "born"}
    led = {hop.source.text for hop in walk.hops if hop.verb in SOURCES or not hop.leads_on}
    led |= {hop.source.text for hop in walk.hops if hop.source.slot == "question"}
    put_in = (use.places for use in walk.contexts if use.type == "override")
    led |= {place.text for places in put_in for place in places}
    led = {text.strip() for text in led}
    few = {each for each in texts if each.strip() and each.strip() not in led and _is_few(each)}
    return frozenset(few) if few < texts else frozenset()


def _is_few(text: str) -> bool:
    return sum(any(map(str.isalnum, word)) for word in text.split()) <= FEW and not facts_in(text)


def main_way(walk: Walk, hops: Sequence[Hop]) -> list[Hop]:
    """The hops from the answer to the first context that is not the question, in order.

    Args:
        walk: What the backtrack found.
        hops: Those of it that may be gone along.
    """
    leaf = _first_leaf(walk)
    if leaf is None or not hops:
        return []
    below = _below(hops)
    start = hops[0].target
    came: dict[Key, Hop | None] = {_key(start): None}
    queue = [start]
    end: Place | None = None
    for place in queue:  # grows while it is read
        if place.seq == leaf:
            end = place
            break
        for hop in below[_key(place)]:
            if hop.leads_on and _key(hop.source) not in came:
                came[_key(hop.source)] = hop
                queue.append(hop.source)
    way: list[Hop] = []
    while end is not None and (last := came[_key(end)]) is not None:
        way.append(last)
        end = last.target
    way.reverse()
    return way + [hop for hop in hops if hop.target.seq == leaf and hop not in way]


def _below(hops: Sequence[Hop]) -> dict[Key, list[Hop]]:
    below: dict[Key, list[Hop]] = defaultdict(list)
    for hop in hops:
        below[_key(hop.target)].append(hop)
    return below


def branches_of(walk: Walk, *, limit: int) -> tuple[Branch, ...]:
    """The walk as a nested list: what was held, and below it where it came from.

    Args:
        walk: What the backtrack found.
        limit: Places to show; children beyond it are counted, and a place that was already
            opened is named again but not opened twice.
    """
    if not walk.hops:
        return ()
    below = _below(walk.hops)
    sources = {_key(hop.source) for hop in walk.hops}
    roots: dict[Key, Place] = {}
    for hop in walk.hops:
        if _key(hop.target) not in sources:
            roots.setdefault(_key(hop.target), hop.target)
    return _grown(roots or {_key(walk.hops[0].target): walk.hops[0].target}, below, limit)


def _grown(roots: dict[Key, Place], below: dict[Key, list[Hop]], limit: int) -> tuple[Branch, ...]:
    """Choose what is shown breadth first (near the answer first), then build from the leaves up."""
    opened: set[Key] = set()
    nodes: list[tuple[int, Place, Hop | None, bool]] = []  # parent, place, hop, again
    folded: dict[int, int] = defaultdict(int)
    queue: list[tuple[int, Place, Hop | None]] = [(-1, place, None) for place in roots.values()]
    for parent, place, hop in queue:  # grows while it is read
        if len(nodes) >= limit:
            folded[parent] += 1
            continue
        key = _key(place)
        replaced = hop is not None and not hop.leads_on
        again = key in opened and not replaced
        nodes.append((parent, place, hop, again))
        if not again and not replaced:
            opened.add(key)
            queue.extend((len(nodes) - 1, child.source, child) for child in below.get(key, ()))
    children: dict[int, list[Branch]] = defaultdict(list)
    for index in range(len(nodes) - 1, -1, -1):
        parent, place, found, again = nodes[index]
        born = found is not None and found.verb == "born"
        branch = Branch(
            label=place.text if born else part(place),
            grade=found.grade if found else None,
            verb=found.verb if found else "held",
            quote=Passage(()) if born else quoted(place),
            seq=place.seq,
            children=tuple(reversed(children.pop(index, []))),
            folded=folded.get(index, 0),
            again=again and _key(place) in below,
        )
        children[parent].append(branch)
    return tuple(reversed(children[-1]))


def quoted(place: Place) -> Passage:
    """The stretch of a place, marked as the characters that moved."""
    return passage(place.text, [(0, len(place.text), "span")], limit=QUOTE)


def _merged(hops: Sequence[Hop]) -> list[Step]:
    """Hops as lines, those that read the same as one."""
    groups: dict[tuple[object, ...], list[Hop]] = defaultdict(list)
    for hop in hops:
        ends = hop.target.label, hop.source.label
        groups[(hop.verb, hop.grade, *ends, hop.source.text, hop.note)].append(hop)
    return [_step(group) for group in groups.values()]


def _step(hops: Sequence[Hop]) -> Step:
    hop = hops[0]
    born = hop.verb == "born"
    return Step(
        verb=hop.verb,
        grade=hop.grade,
        held=parts_words(hop.target.label, [each.target for each in hops]),
        source=hop.source.text
        if born
        else parts_words(hop.source.label, [each.source for each in hops]),
        quote=Passage(()) if born else quoted(hop.source),
        note=hop.note,
        seq=hop.source.seq,
        target=hop.target.seq,
        count=len(hops),
    )


def _first_leaf(walk: Walk) -> int | None:
    leaves: Sequence[int] = [use.seq for use in walk.contexts if not use.asked]
    return leaves[0] if leaves else None


def _key(place: Place) -> Key:
    return place.seq, place.slot, place.path
