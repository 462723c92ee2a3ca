"""Where the facts of an answer came from, each by itself: numbers, times, dates, ids and names.

A fact is short, so that a longer stretch around it, which no source holds as it stands, would hide
where it came from. It is therefore followed by itself, as a person would who selects it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from explainkit.backtrack.facts import clock_times, holds_words
from explainkit.backtrack.makers import SAYING
from explainkit.backtrack.results import ContextUse, Place, Walk
from explainkit.text.names import find_names
from explainkit.text.units import MONTH_WORDS, find_units
from explainkit.view.story.places_told import is_form, is_made, longest, place_words, way_words
from explainkit.view.story.sentences import Sentence, finished
from explainkit.view.story.wording import number, quoted, series
from explainkit.view.words import flat

FACTS: Final = 6
"""Facts that are followed."""
SOURCES: Final = 3
"""Sentences about facts; those of one source share one."""
_READ: Final = 20_000
"""Code points of an answer in which facts are looked for."""
_LONGER: Final = 4
"""So many more code points make a stretch around a fact worth telling."""
_KNOWN: Final = ("declared", "value")
_NEW: Final = "; no earlier text on record holds {them}"
_AGAIN: Final = "; no source on record holds {them}"

Source = tuple[int, str]
Follow = Callable[[tuple[int, int]], Walk | None]


class FollowSlot(Protocol):
    """Gives a backtrack."""

    def __call__(self, slot: str, span: tuple[int, int] | None = None, /) -> Walk | None:
        """The walk from an answer slot, or from some words of it; None where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one fact came from.

    Attributes:
        fact: The words of the answer.
        held: The words at the source, where those differ.
        where: The source in words; with its verb left open.
        rest: What is said after it.
        new: A model said it, and no earlier text holds it.
        asked: It stands in the question only.
        seq: The records.
        sources: The sources, each by its record and its name.
    """

    fact: str
    held: str
    where: str
    rest: str
    new: bool
    asked: bool
    seq: tuple[int, ...]
    sources: frozenset[Source] = frozenset()

    @property
    def words(self) -> str:
        """What of the answer came from there."""
        return self.held or self.fact


def facts_of(text: str) -> list[tuple[int, int]]:
    """The facts of a text: numbers, times, dates and ids in their order, and then names.

    Example:
        >>> text = "Mia Li pays 9 euros at 22:00 in Linz."
        >>> [text[start:end] for start, end in facts_of(text)]
        ['9 euros', '22:00', 'Mia Li', 'Linz']
    """
    read = text[:_READ]
    hard = [(unit.start, unit.end) for unit in find_units(read) if unit.kind != "quote"]
    hard += clock_times(read)
    names = [(start, end) for start, end, _ in find_names(read)]
    hard += _days(read, hard, names)
    found: dict[str, tuple[int, int]] = {}
    for spans in (sorted(hard), sorted(names)):
        for start, end in spans:
            inner = any(
                low <= start and end <= high and (low, high) != (start, end)
                for low, high in (*hard, *found.values())
            )
            if end - start > 1 and not inner and not _is_key(read, start, end):
                found.setdefault(read[start:end].casefold(), (start, end))
    return list(found.values())


def _days(
    text: str, numbers: Sequence[tuple[int, int]], names: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Days of a month without a year: ``14 March``, ``March 14``."""
    months = [span for span in names if text[slice(*span)].casefold() in MONTH_WORDS]
    found = []
    for first, second in ((numbers, months), (months, numbers)):
        ends = {end: start for start, end in first}
        found += [(ends[low - 1], high) for low, high in second if low - 1 in ends]
    return [(low, high) for low, high in found if text[low:high].count(" ") == 1]


def _is_key(text: str, start: int, end: int) -> bool:
    """Whether a word is a name of a field of an object, not something that an answer says."""
    return text[start - 1 : start] == '"' and text[end : end + 2] == '":'


def origins_of_facts(walk: Walk, follow: Follow, own: Sequence[str]) -> tuple[list[Origin], int]:
    """Where the first facts of an answer came from, and how many more it has.

    Args:
        walk: The walk from all of the answer.
        follow: Gives the walk from some of its words.
        own: Paths of the parts that the answer is about, as in ``origin_of``.
    """
    spans = facts_of(walk.answer)
    found = []
    for start, end in spans[:FACTS]:
        walked = follow((start, end))
        origin = None if walked is None else origin_of(walked, walk.answer[start:end], own)
        if origin is not None:
            found.append(origin)
    return found, max(0, len(spans) - FACTS)


def origin_of(walk: Walk, fact: str, own: Sequence[str] = ()) -> Origin | None:
    """Where one fact came from, as the walk from it found; None when that is not known.

    Args:
        walk: The walk from the fact.
        fact: Its words.
        own: Paths of the parts that are preferred to others that hold the same words, such as
            ``/items/0``.
    """
    known = [
        use for use in walk.contexts if use.grade in _KNOWN and not all(map(is_form, use.places))
    ]
    uses = [use for use in known if not use.asked and use.refused is None]
    uses = uses or [use for use in known if use.refused is not None]
    if not uses:
        asked = next((use for use in known if use.asked), None)
        return (
            None
            if asked is None
            else Origin(fact, "", "the question", "", False, True, (asked.seq,))
        )
    # What came from outside says more than a model that repeated it.
    uses = [use for use in uses if not _by_model(use)] or uses
    places = [(use, _place(walk, use, fact, own)) for use in uses]
    made = all(_by_model(use) for use in uses)
    where = series([place_words(use, place) for use, place in places], 2)
    first = places[0][1]
    held = "" if first is None or holds_words(first.text, fact) else first.text.strip()
    again = any(use.refused is not None for use in walk.contexts)
    new = made and bool(walk.unsupported) and not again
    if uses[0].refused is not None:
        rest = f"; that was a draft that did not stand ({flat(uses[0].refused, 60)})"
    elif new:
        rest = _NEW
    elif made and again and walk.unsupported:
        rest = _AGAIN
    elif made:
        rest = "; there the trail ends"
    elif uses[0].type == "override":
        rest = ", an override"
    else:
        rest = f", the same characters on both sides{way_words(uses[0])}"
        if first is not None and first.text.strip() not in fact:
            rest = f", written there as {quoted(first.text, 40)}{way_words(uses[0])}"
    held = held if held.casefold() in fact.casefold() else ""
    seqs = tuple(sorted({use.seq for use in uses}))
    return Origin(fact, held, where, rest, new, False, seqs, frozenset(map(source_of, uses)))


def source_of(use: ContextUse) -> Source:
    """A source among others; of one call there may be what it was given and what it gave."""
    return use.seq, use.name


def _by_model(use: ContextUse) -> bool:
    return is_made(use) and use.type in SAYING


def _place(walk: Walk, use: ContextUse, fact: str, own: Sequence[str]) -> Place | None:
    seqs = {place.seq for place in use.places}
    mine = [
        place
        for place in (*use.places, *walk.introducers)
        if place.seq in seqs and _is_own(place, own) and holds_words(place.text, fact)
    ]
    if mine:
        return longest(mine)
    held = [place for place in use.places if holds_words(place.text, fact)]
    return longest(held or list(use.places))


def _is_own(place: Place, own: Sequence[str]) -> bool:
    return any(place.path == each or place.path.startswith(f"{each}/") for each in own)


def told_facts(
    origins: Sequence[Origin], more: int, subject: str, longer: Mapping[Source, str]
) -> list[Sentence]:
    """Sentences about facts, those that tell most first; facts of one source share one.

    Args:
        origins: Where the facts came from.
        more: Further facts that were not followed.
        subject: What has the facts, such as ``the answer``.
        longer: The longest words of the answer that each source holds.
    """
    groups: dict[tuple[str, str], list[Origin]] = {}
    for each in origins:
        if not each.asked:
            groups.setdefault((each.where, each.rest), []).append(each)
    groups_told = list(groups.values())
    longer = dict(longer)
    told = [_sentence(group, subject, longer) for group in groups_told[:SOURCES]]
    left = sum(map(len, groups_told[SOURCES:])) + more
    if left and told:
        facts = f"{number(left, 'further fact')} of {subject} {'is' if left == 1 else 'are'}"
        text = f"{facts} not told here; run.backtrack(span=...) follows one"
        told.append(Sentence((), finished(text), "origin", left))
    return told


def _sentence(group: Sequence[Origin], subject: str, longer: dict[Source, str]) -> Sentence:
    """What the facts of one source are told with; longer words that hold them are told once."""
    first, many = group[0], len(group) > 1
    words = series([quoted(each.words, 60) for each in group], FACTS)
    verb = f"go{'' if many else 'es'} back to"
    if first.new:
        verb = f"first appear{'' if many else 's'} in"
    rest = first.rest
    if rest in (_NEW, _AGAIN):  # others quote what was recorded
        rest = rest.format(them="them" if many else "it")
    seqs = tuple(sorted({seq for each in group for seq in each.seq}))
    sources = sorted({source for each in group for source in each.sources})
    around = max((longer.pop(source, "") for source in sources), key=len, default="")
    inside = any(each.words.casefold() in around.casefold() for each in group)
    if inside and len(around) > _LONGER + max(len(each.words) for each in group):
        rest += f"; the longer words {quoted(around, 90)} stand there too"
    return Sentence(seqs, finished(f"{words} of {subject} {verb} {first.where}{rest}"), "origin")
