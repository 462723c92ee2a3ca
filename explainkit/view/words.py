"""Plain sentences about a walk, so that text, HTML and the page say the same thing the same way."""

from collections.abc import Iterable, Sequence

from explainkit.backtrack.differing_forms import forms_of
from explainkit.backtrack.facts import holds_words
from explainkit.backtrack.parts_in_words import PARTS, place_words
from explainkit.backtrack.promoting import QUOTES
from explainkit.backtrack.results import ContextUse, Grade, Place, VerdictLine, Walk
from explainkit.safety import visible
from explainkit.text.telling_words import share_words

GRADES: dict[str, str] = {
    "declared": "wired by the engine or the author; exact",
    "value": "the same words or numbers on both sides",
    "exposure": "it was in the input; it could have mattered",
    "order": "it happened before; says nothing about the cause",
}
"""What each grade claims, in words."""

_MADE = ("output of ", "error of ")
"""How the names of what a link made begin."""
NAMES = 160
"""Code points of the names in one sentence, after the first of them; the others are counted."""
_READ = 4_000
"""Code points in which two texts are looked through for common words."""
ORDER: tuple[Grade, ...] = ("declared", "value", "exposure", "order")
STATES: dict[str, str] = {
    "supported": "supported",
    "partly": "partly supported",
    "nothing": "nothing upstream supports it",
}
STATUSES: dict[str, str] = {
    "crashed": "crashed: the record stops without an end",
    "running": "still running",
    "answered": "answered",
    "error": "ended on an error",
    "verdict": "ended on a verdict",
    "paused": "paused",
    "exhausted": "ran out of its limits",
    "cancelled": "cancelled",
}


def counted(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun.

    Example:
        >>> counted(1, "hop"), counted(1200, "hop"), counted(2, "entry", "entries")
        ('1 hop', '1,200 hops', '2 entries')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def flat(text: str | None, limit: int = 160) -> str:
    """A recorded text on one harmless line; what is cut shows as an ellipsis.

    Example:
        >>> flat("half of   the fare", 12)
        'half of the…'
    """
    # A cut first, so that a text of many megabytes costs no more than its beginning.
    start = (text or "")[: 4 * limit + 16]
    line = " ".join(visible(start).split())
    cut = len(line) > limit or len(start) < len(text or "")
    return f"{line[: limit - 1].rstrip()}…" if cut else line


def part(place: Place) -> str:
    """A place in words: what holds the characters, and which part of it."""
    return parts_words(place.label, [place])


def parts_words(label: str, places: Sequence[Place]) -> str:
    """Places in one value in words, under a name of that value."""
    slot = places[0].slot if places else ""
    return place_words(label, slot, [place.path for place in places])


def status_words(status: str) -> str:
    """How a run ended, in words."""
    return STATUSES.get(status, status)


def verdict_words(verdict: VerdictLine) -> str:
    """``failed, says reviewer (answer version 2)``; a stale one, and one on a step, says so."""
    judge = f", says {verdict.judge}" if verdict.judge else ""
    stale = "; stale: a later version replaced it" if verdict.stale else ""
    words = f"{verdict.status}{judge} ({verdict.target}{stale})"
    return f"on a step, not on the answer: {words}" if verdict.target.startswith("link ") else words


def context_words(use: ContextUse) -> str:
    """A source with what it is and where it was born: ``note (memory, memory/2025-12)``."""
    if use.asked:
        return "the question"
    about = [use.type] if use.type not in {"context", "event"} else []
    if use.born and not use.born.startswith(("put out by", "raised in")):
        about.append(use.born)
    name = source_words(use)
    return f"{name} ({', '.join(about)})" if about else name


def source_words(use: ContextUse) -> str:
    """A source's name, with the parts of it that the characters come from."""
    return parts_words(use.name, use.places)


def answer_words(walk: Walk) -> str:
    """Which version the walk starts from, and who said that it is the answer."""
    if walk.ended is not None:
        return f"{walk.ended[:1].upper()}{walk.ended[1:]}. This run has no answer."
    if walk.answer_seq is None:
        return "This run has no answer."
    if walk.inferred:
        return "Inferred: nobody said which output is the answer; this is the last one of a model."
    changed = [step for step in walk.overrides if step.outcome in {"applied", "cleared"}]
    if not changed:
        return f"Version {walk.version}."
    by = ", ".join(dict.fromkeys(step.by for step in changed))
    return f"Version {walk.version}, after {counted(len(changed), 'override')} by {by}."


def sources(walk: Walk) -> list[ContextUse]:
    """The contexts that a finding names: carried by characters or wiring, not only seen."""
    return [use for use in walk.contexts if use.grade in {"declared", "value"}]


def headline(walk: Walk, *, selected: str | None) -> str:
    """The finding in one sentence; the word cause is never used.

    Args:
        walk: What the backtrack found.
        selected: The selected words, when there are some.
    """
    if walk.answer_seq is None:
        if walk.ended is not None:
            return f"This run has no answer. No text is kept of {flat(walk.ended, 200)}."
        return "This run has no answer to walk back from."
    what = walk.ended or "the answer"
    whole = f"{what[:1].upper()}{what[1:]}"
    subject = f"“{flat(selected, 80)}”" if selected is not None else whole
    found = [use for use in sources(walk) if not use.asked and use.refused is None]
    drafts = [use for use in sources(walk) if use.refused is not None]
    if drafts and all(map(_is_made, found)):
        return _only_drafts(subject, found, drafts)
    told = _told(walk, subject, selected, what, found)
    return f"{told} {_drafts_told(drafts)}" if drafts else told


def _told(
    walk: Walk, subject: str, selected: str | None, what: str, found: list[ContextUse]
) -> str:
    asked = any(use.asked for use in walk.contexts)
    if not found:
        return _without_source(walk, subject, asked)
    if selected is not None:
        if part_found := _in_part(walk, selected, found):
            return f"{part_found} {_whole_first(walk, selected)}"
        found, rest = _apart(selected, found)
        if rest:
            also = _joined([context_words(use) for use in rest], 3)
            told = _from(walk, found, subject, selected, what, asked)
            return f"{told} Parts of it also stand in {also}."
    return _from(walk, found, subject, selected, what, asked)


def _is_made(use: ContextUse) -> bool:
    """Whether a source is what a link or an override put out by itself."""
    return use.name.startswith(_MADE) or use.type == "override"


def _only_drafts(subject: str, found: list[ContextUse], drafts: list[ContextUse]) -> str:
    """What is so of words that no source holds, and that a draft said before."""
    if not found:
        return f"{subject} first appears in a draft of which words were kept: {_drafts(drafts)}."
    names = _joined([context_words(use) for use in found], 2)
    return (
        f"{subject} was said by {names}. {_drafts_told(drafts)} No source was found to hold all of "
        "it."
    )


def _drafts_told(drafts: list[ContextUse]) -> str:
    return f"A draft that did not stand had said words of it before: {_drafts(drafts)}."


def _drafts(drafts: list[ContextUse]) -> str:
    told = [f"{source_words(use)} ({use.refused})" for use in drafts if use.refused != QUOTES]
    return _joined(told or [source_words(use) for use in drafts], 2)


def _apart(selected: str, found: list[ContextUse]) -> tuple[list[ContextUse], list[ContextUse]]:
    """Sources that hold all of the selected words, or what they were made from, and the others."""
    rest = [
        use
        for use in found
        if use.grade == "value" and not any(holds_words(each.text, selected) for each in use.places)
    ]
    whole = [use for use in found if use not in rest]
    return (whole, rest) if any(use.grade == "value" for use in whole) else (found, [])


def _from(
    walk: Walk, found: list[ContextUse], subject: str, selected: str | None, what: str, asked: bool
) -> str:
    names = _joined([context_words(use) for use in found], 3)
    all_made = all(map(_is_made, found))
    if (selected is None or not all_made) and _only_made_from(walk, selected, found):
        return f"{subject} was made from {names}, as was declared; no word of it stands there."
    if all_made:
        if selected is None and len(found) > 1:
            return f"Parts of {what} first appear in {names}."
        if selected is None and not walk.unsupported and found[0].type == "model":
            return (
                f"{subject} was said by {names}. Its words stand earlier too, and are too few to "
                "show that they came from there; select them to follow them."
            )
        if selected is None:
            return (
                f"{subject} first appears in {names}; no earlier text was found to hold all of it."
            )
        earlier = _earlier(walk, found)
        made = not _held(selected, found)
        if earlier:
            how = "was made from" if made else "goes back to"
            return (
                f"{subject} {how} {names}. The same words stand earlier in {_joined(earlier, 2)}; "
                "nothing shows that they came from there."
            )
        if made:
            return f"{subject} was made from {names}, as was declared; no earlier text holds it."
        return f"{subject} first appears in {names}; no earlier text holds all of it."
    also = " The question holds the words too." if asked and selected is not None else ""
    how = weakest(use.grade for use in found if use.type != "override")
    verb = "goes back to" if selected is not None else "carries words of"
    return f"{subject} {verb} {names}; evidence: {how}, {_claim(walk, how)}.{also}"


def _only_made_from(walk: Walk, selected: str | None, found: list[ContextUse]) -> bool:
    """Whether sources are declared to be what words were made from, and hold none of them."""
    said = (walk.answer if selected is None else selected)[:_READ]
    return all(
        use.grade == "declared"
        and use.type != "override"
        and not any(share_words(place.text[:_READ], said) for place in use.places)
        for use in found
    )


def _claim(walk: Walk, grade: Grade) -> str:
    """What a grade claims of a walk: the same characters only where they are the same."""
    if grade != "value":
        return GRADES[grade]
    moved = (hop for hop in walk.hops if hop.grade == "value" and not hop.replaced)
    forms = forms_of((hop.source.text, hop.target.text) for hop in moved)
    if not forms:
        return "the same characters on both sides"
    return forms[0] if len(forms) == 1 else f"{forms[0]} and the like"


def _earlier(walk: Walk, found: Sequence[ContextUse]) -> list[str]:
    """What holds the selected words before anything that was found."""
    first = min((place.seq for use in found for place in use.places), default=0)
    held = sorted((*walk.introducers, *walk.carriers), key=lambda place: place.seq)
    return list(dict.fromkeys(part(place) for place in held if place.seq < first))


def _in_part(walk: Walk, selected: str, found: Sequence[ContextUse]) -> str | None:
    """What is so when the characters that came along are only some of the selected ones."""
    if any(use.grade != "value" for use in found):
        return None  # what words were made from, as was declared, need not hold them
    places = [place for use in found for place in use.places]
    if not places or any(holds_words(place.text, selected) for place in places):
        return None
    quotes = list(dict.fromkeys(f"“{flat(place.text, 60)}”" for place in places))
    names = _joined([context_words(use) for use in found], 3)
    verb = "goes" if len(quotes) == 1 else "go"
    if len(quotes) <= PARTS and _covers(selected, [place.text for place in places]):
        return (
            f"“{flat(selected, 80)}” goes back to {names} in parts, {_joined(quotes, PARTS)}; "
            f"evidence: value, {_claim(walk, 'value')}."
        )
    return (
        f"Of “{flat(selected, 80)}” only {_joined(quotes, PARTS)} {verb} back to {names}; "
        f"evidence: value, {_claim(walk, 'value')}."
    )


def _covers(selected: str, texts: Sequence[str]) -> bool:
    """Whether every word of the selected ones stands in one of the parts."""
    held = {word for text in texts for word in text.casefold().split()}
    return all(word in held for word in selected.casefold().split())


def _whole_first(walk: Walk, selected: str) -> str:
    """Where all of some words stand first, of which only parts came from earlier."""
    held = sorted((*walk.introducers, *walk.carriers), key=lambda place: place.seq)
    whole = [part(place) for place in held if holds_words(place.text, selected)]
    if not whole:
        return "No earlier text was found to hold all of it."
    return f"All of it first appears in {whole[0]}."


def _held(selected: str, found: Sequence[ContextUse]) -> bool:
    """Whether a word of the selected ones stands in what was found, and not only feeds it."""
    texts = " ".join(place.text for use in found for place in use.places).casefold().split()
    return any(word in texts for word in selected.casefold().split())


def weakest(grades: Iterable[Grade]) -> Grade:
    """The weakest of some grades; ``order`` when there are none."""
    return max(grades, key=ORDER.index, default="order")


def _without_source(walk: Walk, subject: str, asked: bool) -> str:
    if asked:
        return f"{subject} repeats words of the question; no other context holds them."
    makers = [part(place) for place in walk.introducers]
    if makers and all(_is_own(walk, place) for place in walk.introducers):
        return f"{subject} is in no upstream text; it first appears in {_joined(makers, 2)}."
    if makers:
        return f"{subject} first appears in {_joined(makers, 2)}; no earlier text holds it."
    seen = len(walk.exposures)
    tail = f" The model saw {counted(seen, 'other text')}; see below." if seen else ""
    return f"{subject} is in no upstream text.{tail}"


def _is_own(walk: Walk, place: Place) -> bool:
    """Whether a place is a version of the answer itself, and so nothing upstream of it."""
    return place.seq == walk.answer_seq or any(place.seq == each.seq for each in walk.overrides)


def _joined(names: Sequence[str], limit: int) -> str:
    names = list(dict.fromkeys(names))
    shown = [flat(name, 90) for name in names[:limit]]
    while len(shown) > 1 and sum(map(len, shown)) > NAMES:
        shown.pop()
    if len(names) > len(shown):
        return f"{', '.join(shown)} and {len(names) - len(shown):,} more"
    return " and ".join(shown) if len(shown) < 3 else f"{', '.join(shown[:-1])} and {shown[-1]}"
