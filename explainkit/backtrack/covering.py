"""Coverage: what of each sentence of an answer its sources say and what they do not, in words."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from explainkit.backtrack.beside_sources import AROUND, Beside, Likened, likened
from explainkit.backtrack.bounding import NOT_FURTHER
from explainkit.backtrack.facts import FACTS, facts_in, introducers_of
from explainkit.backtrack.makers import own_words
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Place, SentenceCoverage
from explainkit.backtrack.supporting import Ranges, Support, is_inside
from explainkit.graph.small_values import SHORTEST
from explainkit.graph.stretches import REST, Stretch, merged
from explainkit.text.numbers import find_quantities
from explainkit.text.overlap import coverage as text_coverage
from explainkit.text.sentence_bounds import sentences

SENTENCES: Final = 400
"""Sentences of a text that are compared with their sources word by word."""
_PLACES: Final = 12
_LONGEST_LISTED: Final = f"of the sources of a sentence {_PLACES} at most are listed"
_READ: Final = 6
"""Sources of a sentence that are put beside it, the longest first."""
_COMPARED: Final = 200_000
_FIELD: Final = 80
"""Code points of a field up to which the fields beside it are read with it."""
_FIELDS: Final = 400
"""Fields of a value that are looked through for those beside one."""
_MOST_BESIDE: Final = 2_000
"""Code points of a source that are put beside a sentence."""
Leaf = tuple[Stretch, tuple[int, int]]
"""A source, and a range of the answer that it became."""


class _Part(NamedTuple):
    """The part of a sentence that is asked about, and the sentence."""

    start: int
    end: int
    first: int
    last: int


def coverage_of(
    names: Names, text: str, support: Support, within: Ranges | None
) -> tuple[SentenceCoverage, ...]:
    """What supports each sentence of the answer, or of the selected stretches.

    Args:
        names: The run.
        text: The answer, or a leaf of it.
        support: From ``supports_of``.
        within: The stretches, ascending and apart; ``None`` for the whole answer.
    """
    selected = within or [(0, len(text))]
    parts = [part for part in _parts(sentences(text), selected) if _says_anything(text, part)]
    disagree = dict(_disagreements(names, text, support, (selected[0][0], selected[-1][1])))
    leaves = _leaves_of(parts, support)
    if any(len({leaf for leaf, _ in found}) > _PLACES for found in leaves):
        support.caps.append(_LONGEST_LISTED)
    if len(parts) > SENTENCES:
        support.caps.append(
            f"{NOT_FURTHER}which words of a sentence its sources say, beyond the first "
            f"{SENTENCES:,} sentences"
        )
    return tuple(
        _row(names, text, part, support, found, disagree if at < SENTENCES else None)
        for at, (part, found) in enumerate(zip(parts, leaves, strict=True))
    )


def _row(
    names: Names, text: str, part: _Part, support: Support, leaves: list[Leaf],
    disagree: dict[int, str] | None,
) -> SentenceCoverage:  # fmt: skip
    row = SentenceCoverage(part.start, part.end, text[part.start : part.end], "nothing", ())
    if not leaves:
        return row
    row = replace(row, places=_places(names, [leaf for leaf, _ in leaves]))
    if disagree is None:
        ranges = support.supported
        at = bisect_right(ranges, (part.start, len(text) + 1)) - 1
        is_whole = at >= 0 and ranges[at][1] >= part.end
        return replace(row, state="supported" if is_whole else "partly")
    told = _likened(names, text, part, leaves)
    said = {start + part.first: line for start, line in told.disagree}
    said |= {at: line for at, line in disagree.items() if part.start <= at < part.end}
    says = bool(told.held) or told.is_whole
    whole = says and told.is_whole and not said
    return replace(
        row,
        # Of what is declared to be made from a source, the source may say nothing.
        state="supported" if whole else "partly" if says else "nothing",
        disagree=tuple(said[at] for at in sorted(said)),
        held=told.held,
        missing=told.missing,
        turned=told.turned,
    )


def _parts(whole: Iterable[tuple[int, int]], selected: Ranges) -> list[_Part]:
    """The parts of sentences that lie in selected stretches; both ascend."""
    firsts = [start for start, _ in selected]
    found: list[_Part] = []
    for first, last in whole:
        at = max(bisect_right(firsts, first) - 1, 0)
        while at < len(selected) and selected[at][0] < last:
            low, high = max(first, selected[at][0]), min(last, selected[at][1])
            if low < high:
                found.append(_Part(low, high, first, last))
            at += 1
    return found


def _says_anything(text: str, part: _Part) -> bool:
    """Whether a part has a letter or a digit; a line of marks claims nothing."""
    return any(map(str.isalnum, text[part.start : part.end]))


def _leaves_of(parts: list[_Part], support: Support) -> list[list[Leaf]]:
    """The sources that reach into each part, the longest first."""
    found: list[list[Leaf]] = [[] for _ in parts]
    starts = [part.start for part in parts]
    for leaf, ranges in support.leaves:
        for low, high in ranges:
            at = max(bisect_right(starts, low) - 1, 0)
            while at < len(parts) and parts[at].start < high:
                if parts[at].end > low:
                    found[at].append((leaf, (low, high)))
                at += 1
    return found


def _likened(names: Names, text: str, part: _Part, leaves: list[Leaf]) -> Likened:
    """A sentence beside what stands around its words in its longest sources."""
    sentence = text[part.first : part.last]
    asked = part.start - part.first, part.end - part.first
    longest = sorted(leaves, key=lambda each: (each[1][0] - each[1][1], each))
    others = [(low - part.first, high - part.first) for _, (low, high) in longest[_READ:]]
    return likened(
        sentence, asked, [_beside(names, part, each) for each in longest[:_READ]], merged(others)
    )


def _beside(names: Names, part: _Part, leaf: Leaf) -> Beside:
    """What stands around the words of a part in one of its sources.

    Where a number is put otherwise in the source, lengths differ, and they stand there or nearby.
    """
    source, (low, high) = leaf
    gave = low - part.first, high - part.first
    evidence = names.evidence
    if source.end == REST:
        head = evidence.carrying.head(source.node, _MOST_BESIDE)
        return Beside(head, 0, len(head), gave)
    longer = (source.end - source.start) - (high - low)
    start = source.start + max(part.start - low, 0) + min(longer, 0)
    end = source.start + min(part.end, high) - low + max(longer, 0)
    start = min(max(start, source.start), source.end - 1)
    end = max(min(end, source.end), start + 1)
    return _read_around(names, source, start, end, gave)


def _places(names: Names, leaves: list[Stretch]) -> tuple[Place, ...]:
    longest = sorted(set(leaves), key=lambda each: (each.start - each.end, each))[: 4 * _PLACES]
    return tuple(sorted((names.place(leaf) for leaf in longest), key=_longest)[:_PLACES])


def _longest(place: Place) -> tuple[int, int, int]:
    return -len(place.text), place.seq, place.start


def _disagreements(
    names: Names, text: str, support: Support, within: tuple[int, int]
) -> list[tuple[int, str]]:
    """Numbers of the answer that its own sources put otherwise, with where they stand."""
    low, high = within
    quantities = [
        each
        for each in find_quantities(text[low:high])
        if not is_inside(each.start + low, support.supported)
    ]
    if not quantities or not support.leaves:
        return []
    sources: dict[str, None] = {}
    size = len(text)
    for leaf, _ in support.leaves:
        if leaf.end == REST:
            continue
        value = names.evidence.givers.value(leaf.node)
        length = names.evidence.holding.leaf(value, leaf.path) or 0
        size += length
        if size > _COMPARED:
            support.caps.append(
                f"{NOT_FURTHER}numbers that disagree, beyond {_COMPARED:,} characters of the "
                "answer and its sources"
            )
            break
        sources.setdefault(names.evidence.holding.text(value, leaf.path, 0, length))
    if not sources:
        return []
    return sorted(
        (other.said.start, f"{other.said.text}, but upstream {other.read.text}")
        for each in text_coverage(text, list(sources))
        for other in each.disagreements
    )


def with_facts(
    names: Names, rows: Iterable[SentenceCoverage], before: int, *, selected: bool
) -> tuple[list[SentenceCoverage], tuple[str, ...]]:
    """Rows in which a sentence that shares no run of words may still share a number or a time.

    Beside them a line for what was not looked up.

    Args:
        names: The run.
        rows: Rows of one answer.
        before: Place of the answer.
        selected: The words were selected, and so followed however short they are.
    """
    found: list[SentenceCoverage] = []
    left, passed, cut, many = FACTS, 0, False, False
    for row in rows:
        facts: list[str] = []
        if row.state == "nothing" and left:
            every = facts_in(row.text, named=False)
            facts, cut = every[:left], len(every) > left
        elif row.state == "nothing":
            passed += 1
        left -= len(facts)
        first = {word: _introducers(names, word, before) for word in facts}
        held = [word for word, each in first.items() if each]
        places = dict.fromkeys(place for each in first.values() for place in each)
        many = many or len(places) > _PLACES
        listed = (*places, *row.places)[:_PLACES]
        told = _with(names, row, first, listed) if held else row
        if told.state == "nothing" and left and not selected and len(row.text.strip()) < SHORTEST:
            told, left = _short(names, row, before), left - 1
        found.append(told)
    lines = (_LONGEST_LISTED,) if many else ()
    if not passed and not cut:
        return found, lines
    line = f"{NOT_FURTHER}numbers and dates of sentences that nothing supports, beyond the first"
    more = f"; {passed:,} such sentences were left" if passed else ""
    return found, (*lines, f"{line} {FACTS}{more}")


def _short(names: Names, row: SentenceCoverage, before: int) -> SentenceCoverage:
    """A sentence of a few characters, which were not followed and may stand earlier."""
    return replace(row, short=bool(_introducers(names, row.text.strip(), before)))


def _introducers(names: Names, word: str, before: int) -> list[Place]:
    found = introducers_of(names, word, before=before)
    return [place for place in found if not _is_own(names, place)]


def _with(
    names: Names,
    row: SentenceCoverage,
    first: Mapping[str, list[Place]],
    places: tuple[Place, ...],
) -> SentenceCoverage:
    """A sentence of which figures stand upstream, and what stands around them there."""
    beside = [
        _around(names, place, (at, at + len(word)))
        for word, found in first.items()
        if (at := row.text.find(word)) >= 0
        for place in found[:_READ]
    ]
    told = likened(row.text, (0, len(row.text)), beside[: 2 * _READ])
    if not told.held:
        return row  # what stands there is only a part of a figure
    return replace(
        row,
        state="partly",
        places=places,
        disagree=tuple(line for _, line in told.disagree),
        held=told.held,
        missing=told.missing,
        turned=told.turned,
    )


def _around(names: Names, place: Place, gave: tuple[int, int]) -> Beside:
    """What stands around a place."""
    node = names.evidence.places.find(place.seq, place.slot)
    if node is None:
        return Beside(place.text, 0, len(place.text), gave)
    stretch = Stretch(node, place.path, place.start, place.end)
    return _read_around(names, stretch, place.start, place.end, gave)


def _read_around(
    names: Names, source: Stretch, start: int, end: int, gave: tuple[int, int]
) -> Beside:
    """What stands around characters of a leaf; of a short one, the row that it is a field of."""
    evidence = names.evidence
    value = evidence.givers.value(source.node)
    length = evidence.holding.leaf(value, source.path) or 0 if value >= 0 else 0
    if source.path and 0 < length <= _FIELD:
        return _row_of(names, source, value, gave)
    kept = min(end, start + _MOST_BESIDE)
    first, last = max(start - AROUND, 0), min(kept + AROUND, length)
    around = evidence.holding.text(value, source.path, first, last) if length else ""
    return Beside(around, start - first, kept - first, gave, is_cut=kept < end)


def _row_of(names: Names, source: Stretch, value: int, gave: tuple[int, int]) -> Beside:
    """The fields beside a short one, each with its name."""
    holding = names.evidence.holding
    above = source.path.rpartition("/")[0]
    text, at = "", 0
    for path, size in islice(holding.leaves_of(value), _FIELDS):
        if path.rpartition("/")[0] == above and size <= _FIELD and len(text) < _MOST_BESIDE:
            text += f"{path.rpartition('/')[2]} "
            at = len(text) if path == source.path else at
            text += f"{holding.text(value, path, 0, size)}, "
    if not at:  # it is one of very many
        text = holding.text(value, source.path, 0, _FIELD)
    return Beside(text, at, at + source.end - source.start, gave)


def _is_own(names: Names, place: Place) -> bool:
    node = names.evidence.places.find(place.seq, place.slot)
    return node is None or own_words(names, node)


def moved(row: SentenceCoverage, shift: int) -> SentenceCoverage:
    """A row with its offsets in the shown answer instead of in a leaf of it."""
    return row if not shift else replace(row, start=row.start + shift, end=row.end + shift)
