"""Where the words of a failed answer came from, as a backtrack found it, each by its evidence."""

from collections.abc import Sequence
from dataclasses import replace

from explainkit.backtrack.differing_forms import forms_of
from explainkit.backtrack.promoting import QUOTES
from explainkit.backtrack.results import ContextUse, Place, Walk
from explainkit.view.story.facts_told import Follow, Origin, origins_of_facts, source_of, told_facts
from explainkit.view.story.places_told import is_form, is_made, longest, place_words, way_words
from explainkit.view.story.sentences import Sentence, finished
from explainkit.view.story.wording import called, number, quoted, series
from explainkit.view.words import flat

SOURCES = 3
"""Sources that are told one by one."""
SHORT = 8
"""Stretches of fewer characters are only counted beside longer ones."""
_KNOWN = {
    "declared": "as the engine or the author put on record",
    "value": "the same characters on both sides",
}


def origins(
    walk: Walk, subject: str, follow: Follow, *, own: Sequence[str], measured: bool
) -> list[Sentence]:
    """The sources of an answer's facts, then of its longer stretches, and what no source holds.

    Args:
        walk: The backtrack.
        subject: What was walked from, such as ``the answer``.
        follow: Gives the backtrack of some words of it.
        own: Paths of the parts of values that it is about.
        measured: Whether a re-run showed something of it already.
    """
    if walk.answer_seq is None or not walk.answer.strip():
        return []
    known = (_contents(use) for use in walk.contexts if use.grade in _KNOWN)
    uses = [use for use in known if use is not None]
    drafts = [use for use in uses if use.refused is not None]
    standing = (use for use in uses if not use.asked and use.refused is None)
    found = sorted(standing, key=lambda use: -len(_words(use))) or drafts
    facts, more = origins_of_facts(walk, follow, own)
    told = told_facts(facts, more, subject, {source_of(use): _words(use) for use in found})
    least = SHORT if found and len(_words(found[0])) >= SHORT else 0
    shown = [use for use in found if len(_words(use)) >= least][:SOURCES]
    shown = [use for use in shown if not _is_told(walk, use, facts)]
    told += [_source(walk, use, subject, facts) for use in sorted(shown, key=lambda use: use.seq)]
    rest = [use for use in found if use not in shown and not _is_told(walk, use, facts)]
    if rest:
        holds = "holds" if len(rest) == 1 else "hold"
        text = f"{number(len(rest), 'further source')} {holds} shorter or fewer words of {subject}"
        told.append(Sentence(_seqs(rest), finished(text), "origin", len(rest)))
    told += _asked(uses, subject)
    told += _drafts(subject, drafts if found is not drafts else [])
    new = [use for use in found if is_made(use) and _is_unheld(walk, _words(use))]
    said = [_words(use) for use in found if use in new or use.type == "override"]
    said += [each.fact for each in facts]
    told += _unsupported(walk, subject, said)
    if not told:
        told.append(_nothing(walk, subject))
    carried = any(not is_made(use) for use in shown) or any(not each.new for each in facts)
    return [*told, _limits(walk, carried=carried, measured=measured)]


def _is_told(walk: Walk, use: ContextUse, facts: Sequence[Origin]) -> bool:
    """Whether a source was told with a fact of it, or is nothing but the answer itself."""
    words = _words(use)
    if any(
        source_of(use) in each.sources and (_holds(words, each.words) or _holds(each.words, words))
        for each in facts
    ):
        return True
    carried = _carried(use, words, facts)
    if any(_holds(each.words, words) for each in carried):
        return True
    whole = is_made(use) and use.type == "model" and _holds(words, walk.answer)
    return whole and not _is_unheld(walk, words) and not carried


def _source(walk: Walk, use: ContextUse, subject: str, facts: Sequence[Origin]) -> Sentence:
    held = [place for place in use.places if _holds(walk.answer, place.text)]
    place = longest(held or use.places)
    known = _known(walk, use, place)
    if place is None or not place.text.strip():
        text = f"{subject} was made from {place_words(use, place)}, {known}"
        return Sentence((use.seq,), finished(text), "origin")
    many = len(place.text.split()) > 1
    words = f"{'the words ' if many else ''}{quoted(place.text, 90)}"
    where = f"{place_words(use, place)}, {_characters(place)}"
    if not _holds(walk.answer, place.text):
        them = "them" if many else "it"
        text = f"{words} in {where}, went into {subject}, which does not hold {them} in this form"
    elif use.type == "override":
        text = f"{words} of {subject} {'were' if many else 'was'} put in by {_override(use)}"
    elif is_made(use):
        text = f"{words} of {subject} {_first(walk, use, place, where, facts, many=many)}"
    else:
        stand = "stand" if many else "stands"
        text = f"{words} of {subject} {stand} in {where}, {known}{way_words(use)}"
    return Sentence((use.seq,), finished(text), "origin")


def _first(
    walk: Walk,
    use: ContextUse,
    place: Place,
    where: str,
    facts: Sequence[Origin],
    *,
    many: bool,
) -> str:
    """Who said some words first, or gave them."""
    them = "them" if many else "it"
    carried = _carried(use, place.text, facts)
    if carried and use.type == "model":
        words = series([quoted(each.words, 40) for each in carried])
        were = "were" if many else "was"
        return f"{were} put like that first in {where}; {words} came from elsewhere"
    if _is_unheld(walk, place.text) and any(each.refused is not None for each in walk.contexts):
        return f"{'were' if many else 'was'} said by {where}; no source on record holds {them}"
    if _is_unheld(walk, place.text):
        first = f"first appear{'' if many else 's'} in {where}"
        return f"{first}; no earlier text on record holds {them}"
    return f"go{'' if many else 'es'} back to {where}; there the trail ends"


def _carried(use: ContextUse, words: str, facts: Sequence[Origin]) -> list[Origin]:
    """Facts in some words that came from elsewhere."""
    return [
        each for each in facts if source_of(use) not in each.sources and _holds(words, each.words)
    ]


def _override(use: ContextUse) -> str:
    version, _, by = use.name.partition(" by ")
    return f"{called(by)} ({flat(version, 60)})" if by else f"an override ({flat(use.name, 90)})"


def _known(walk: Walk, use: ContextUse, place: Place | None) -> str:
    """How it is known that words came from a source, and whether as they stand there."""
    if use.grade != "value" or place is None or place.text.strip() in walk.answer:
        return _KNOWN[use.grade]
    hops = (hop for hop in walk.hops if hop.grade == "value" and not hop.replaced)
    forms = forms_of((hop.source.text, hop.target.text) for hop in hops)
    return forms[0] if forms else _KNOWN[use.grade]


def _holds(answer: str, words: str) -> bool:
    wanted = " ".join(words.casefold().split())
    return bool(wanted) and wanted in " ".join(answer.casefold().split())


def _is_unheld(walk: Walk, words: str) -> bool:
    """Whether the walk found all of some words in no earlier text, in one stretch or in several."""
    if any(_holds(each.text, words) for each in walk.unsupported):
        return True
    left = " ".join(words.casefold().split())
    for each in walk.unsupported:
        left = left.replace(" ".join(each.text.casefold().split()), " ")
    return bool(walk.unsupported) and not any(map(str.isalnum, left))


def _characters(place: Place) -> str:
    """Where the words stand, counted from 1 as a person counts."""
    if place.end - place.start == 1:
        return f"character {place.end:,}"
    return f"characters {place.start + 1:,} to {place.end:,}"


def _words(use: ContextUse) -> str:
    place = longest(use.places)
    return "" if place is None else place.text.strip()


def _contents(use: ContextUse) -> ContextUse | None:
    """A source without the places that only a form asks for; None when it has no others."""
    kept = tuple(place for place in use.places if not is_form(place))
    return replace(use, places=kept) if kept or not use.places else None


def _asked(uses: Sequence[ContextUse], subject: str) -> list[Sentence]:
    asked = next((use for use in uses if use.asked and _words(use)), None)
    if asked is None:
        return []
    text = f"the question itself holds words of {subject}: {quoted(_words(asked), 80)}"
    return [Sentence((asked.seq,), finished(text), "origin")]


def _drafts(subject: str, drafts: Sequence[ContextUse]) -> list[Sentence]:
    """Drafts that said words of an answer before, and did not stand."""
    told = [
        f"{place_words(use, longest(use.places))} ({flat(use.refused, 60)})"
        for use in drafts
        if use.refused != QUOTES
    ]
    if not told:
        return []
    text = f"a draft that did not stand had said words of {subject} before: {series(told, 2)}"
    return [Sentence(_seqs(drafts), finished(text), "origin", max(len(told) - 2, 0))]


def _unsupported(walk: Walk, subject: str, told: Sequence[str]) -> list[Sentence]:
    places = [
        each
        for each in walk.unsupported
        if any(map(str.isalnum, each.text))
        and not is_form(each)
        and not any(_holds(text, each.text) for text in told)
    ]
    if not places:
        return []
    first = sorted(places, key=lambda each: -len(each.text))
    words = series([quoted(each.text, 70) for each in first[:2]], 2)
    rest = len(places) - len(first[:2])
    more = f", nor {number(rest, 'shorter stretch', 'shorter stretches')}" if rest else ""
    text = f"no earlier text on record holds these words of {subject}: {words}{more}"
    seqs = tuple(sorted({each.seq for each in first[:2]}))
    return [Sentence(seqs, finished(text), "origin", rest)]


def _nothing(walk: Walk, subject: str) -> Sentence:
    seen = len(walk.exposures)
    tail = f"; the model had {number(seen, 'other text')} before it" if seen else ""
    text = f"no context on record holds words of {subject}{tail}"
    return Sentence(_start(walk), finished(text), "origin")


def _limits(walk: Walk, *, carried: bool, measured: bool) -> Sentence:
    text = "words that were put differently on the way cannot be followed like this"
    if carried and measured:
        text = "that these words were carried is on record; what re-runs showed of it is told above"
    elif carried:
        text = (
            "that these words were carried is on record; whether it would have come out "
            "otherwise without them, only a re-run can show"
        )
    return Sentence(_start(walk), finished(text), "origin")


def _start(walk: Walk) -> tuple[int, ...]:
    return () if walk.answer_seq is None else (walk.answer_seq,)


def _seqs(uses: Sequence[ContextUse]) -> tuple[int, ...]:
    return tuple(sorted({use.seq for use in uses}))
