"""Where the words of a failed answer came from, as a backtrack found it, each by its evidence."""

from collections.abc import Sequence
from dataclasses import replace

from explainkit.backtrack.promoting import QUOTES
from explainkit.backtrack.results import ContextUse, Place, Walk
from explainkit.view.story.sentences import Sentence, finished
from explainkit.view.story.wording import called, number, quoted, series
from explainkit.view.words import flat, part

SOURCES = 3
"""Sources that are told one by one."""
SHORT = 8
"""Stretches of fewer characters are only counted beside longer ones."""
_KNOWN = {
    "declared": "as the engine or the author put on record",
    "value": "the same characters on both sides",
}
_MADE = ("output of ", "error of ")
_FORM = ("/id", "/role", "/type")
"""Parts of a message that its form asks for."""


def origins(walk: Walk, subject: str) -> list[Sentence]:
    """The sources of an answer's words, what no source holds, and how far that goes.

    Args:
        walk: The backtrack.
        subject: What was walked from, such as ``the answer``.
    """
    if walk.answer_seq is None or not walk.answer.strip():
        return []
    known = (_contents(use) for use in walk.contexts if use.grade in _KNOWN)
    uses = [use for use in known if use is not None]
    drafts = [use for use in uses if use.refused is not None]
    standing = (use for use in uses if not use.asked and use.refused is None)
    found = sorted(standing, key=lambda use: -len(_words(use))) or drafts
    least = SHORT if found and len(_words(found[0])) >= SHORT else 0
    shown = [use for use in found if len(_words(use)) >= least][:SOURCES]
    told = [_source(walk, use, subject) for use in sorted(shown, key=lambda use: use.seq)]
    rest = [use for use in found if use not in shown]
    if rest:
        holds = "holds" if len(rest) == 1 else "hold"
        text = f"{number(len(rest), 'further source')} {holds} shorter or fewer words of {subject}"
        told.append(Sentence(_seqs(rest), finished(text), "origin", len(rest)))
    told += _asked(uses, subject)
    told += _drafts(subject, drafts if found is not drafts else [])
    said = [_words(use) for use in shown if _is_made(use) and _is_unheld(walk, _words(use))]
    told += _unsupported(walk, subject, said)
    if not told:
        told.append(_nothing(walk, subject))
    return [*told, _limits(walk, [use for use in shown if not _is_made(use)])]


def _source(walk: Walk, use: ContextUse, subject: str) -> Sentence:
    held = [place for place in use.places if _holds(walk.answer, place.text)]
    place = _longest(held or use.places)
    known = _KNOWN[use.grade]
    if place is None or not place.text.strip():
        text = f"{subject} was made from {_name(use, place)}, {known}"
        return Sentence((use.seq,), finished(text), "origin")
    many = len(place.text.split()) > 1
    words = f"{'the words ' if many else ''}{quoted(place.text, 90)}"
    where = f"{_name(use, place)}, {_characters(place)}"
    if not _holds(walk.answer, place.text):
        them = "them" if many else "it"
        text = f"{words} in {where}, went into {subject}, which does not hold {them} in this form"
    elif use.type == "override":
        text = f"{words} of {subject} came in with an override ({flat(use.name, 90)})"
    elif _is_made(use):
        first = f"first appear{'' if many else 's'} in {where}"
        them = "them" if many else "it"
        earlier = f"no earlier text on record holds {them}"
        if not _is_unheld(walk, place.text):
            first = f"go{'' if many else 'es'} back to {where}"
            earlier = "the trail leads no further"
        text = f"{words} of {subject} {first}; {earlier}"
    else:
        stand = "stand" if many else "stands"
        text = f"{words} of {subject} {stand} in {where}, {known}{_way(use)}"
    return Sentence((use.seq,), finished(text), "origin")


def _holds(answer: str, words: str) -> bool:
    wanted = " ".join(words.casefold().split())
    return bool(wanted) and wanted in " ".join(answer.casefold().split())


def _is_unheld(walk: Walk, words: str) -> bool:
    """Whether the walk found all of some words in no earlier text."""
    return any(_holds(each.text, words) for each in walk.unsupported)


def _name(use: ContextUse, place: Place | None) -> str:
    if place is not None and use.name.startswith((*_MADE, "input ")):
        return f"the {flat(part(place), 90)}"
    if use.type == "input":
        return f"the input {flat(use.name, 90)}"
    kind = "" if use.type in ("context", "event") else f"{flat(use.type, 40)} "
    inside = "" if place is None or not place.path else f", at {flat(place.path, 60)}"
    return f"the {kind}{called(use.name)}{inside}"


def _characters(place: Place) -> str:
    """Where the words stand, counted from 1 as a person counts."""
    if place.end - place.start == 1:
        return f"character {place.end:,}"
    return f"characters {place.start + 1:,} to {place.end:,}"


def _way(use: ContextUse) -> str:
    way = [f"it was let in for the reason {quoted(use.allowed, 80)}"] if use.allowed else []
    way += [f"it came by way of {series([flat(each, 60) for each in use.through], 2)}"] * bool(
        use.through
    )
    way += [f"{series([called(each) for each in use.read], 2)} read it"] if use.read else []
    return f"; {series(way)}" if way else ""


def _longest(places: Sequence[Place]) -> Place | None:
    """The place of the most words; leaves stand for a value that holds several of them."""
    leaves = [place for place in places if not any(_is_in(each, place) for each in places)]
    return max(leaves, key=lambda place: (len(place.text), -place.start), default=None)


def _is_in(inner: Place, outer: Place) -> bool:
    same = (inner.seq, inner.slot) == (outer.seq, outer.slot)
    return same and inner.path.startswith(f"{outer.path}/")


def _words(use: ContextUse) -> str:
    place = _longest(use.places)
    return "" if place is None else place.text.strip()


def _contents(use: ContextUse) -> ContextUse | None:
    """A source without the places that only a form asks for; None when it has no others."""
    kept = tuple(place for place in use.places if not place.path.endswith(_FORM))
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
        f"{_name(use, _longest(use.places))} ({flat(use.refused, 60)})"
        for use in drafts
        if use.refused != QUOTES
    ]
    if not told:
        return []
    text = f"a draft that did not stand had said words of {subject} before: {series(told, 2)}"
    return [Sentence(_seqs(drafts), finished(text), "origin", max(len(told) - 2, 0))]


def _is_made(use: ContextUse) -> bool:
    return use.name.startswith(_MADE)


def _unsupported(walk: Walk, subject: str, told: Sequence[str]) -> list[Sentence]:
    places = [
        each
        for each in walk.unsupported
        if any(map(str.isalnum, each.text))
        and not each.path.endswith(_FORM)
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


def _limits(walk: Walk, found: Sequence[ContextUse]) -> Sentence:
    if found:
        text = (
            "that these words were carried is on record; whether it would have come out "
            "otherwise without them, only a re-run can show"
        )
    else:
        text = "where words were put differently on the way, no such trace is left"
    return Sentence(_start(walk), finished(text), "origin")


def _start(walk: Walk) -> tuple[int, ...]:
    return () if walk.answer_seq is None else (walk.answer_seq,)


def _seqs(uses: Sequence[ContextUse]) -> tuple[int, ...]:
    return tuple(sorted({use.seq for use in uses}))
