"""Stretches of an answer that a reader of a page is likely to select, the likeliest first."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any, Final

from explainkit.backtrack.facts import facts_in
from explainkit.backtrack.results import Walk
from explainkit.text.numbers import find_quantities
from explainkit.text.sentence_bounds import sentences

ANSWER: Final = 200_000
"""Code points of an answer in which stretches are looked for."""
PLACES: Final = 8
"""Places of one fact in an answer."""
LONG_WORD: Final = 4
"""Letters of a word that is prepared by itself."""
SHORT: Final = 4_000
"""Code points of an answer whose words and phrases are prepared too."""
PHRASES: Final = 400
WORD: Final = re.compile(r"\w+(?:[.,:'\u2019@/&+-]\w+)*")
DIGITS: Final = re.compile(r"\d(?:[\d.,'\u2019]*\d)?")
EDGES: Final = ".,;:!?()[]{}\"'“”‘’«»…"

Stretch = tuple[int, int]


def stretches_of(walk: Walk, suspects: Sequence[Mapping[str, Any]] = ()) -> list[Stretch]:
    """Stretches of an answer, in code points, each once; the whole answer is none of them.

    Its facts (numbers with their units, names, dates, times, quotes), what its suspects carried,
    its sentences, what was carried into it, its words and its phrases are taken in turns, so that
    no kind crowds out another where there is room for some only.

    Args:
        walk: The walk from the whole answer.
        suspects: Their cards.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     _ = ek.answer("The desk opens at 7:45. It costs 12 euros.")
        >>> answer = run.answer
        >>> [answer[start:end] for start, end in stretches_of(run.backtrack().walk)][:3]
        ['7:45', 'The desk opens at 7:45.', 'desk']
    """
    text = walk.answer[:ANSWER]
    kinds = (_facts(text), _suspected(text, suspects), sentences(text), _carried(text, walk),
             _words(text), islice(_phrases(text), PHRASES))  # fmt: skip
    turns = (each for turn in zip_longest(*kinds) for each in turn if each is not None)
    found = dict.fromkeys((start, end) for start, end in turns if start < end)
    telling = (each for each in found if any(map(str.isalnum, text[each[0] : each[1]])))
    return [each for each in telling if each != (0, len(walk.answer))]


def _facts(text: str) -> list[Stretch]:
    """Facts where they stand first, then the bare numbers in them, then further places of them."""
    places = [list(_places(text, word)) for word in facts_in(text)]
    bare = [
        (each.start + found.start(), each.start + found.end())
        for each in find_quantities(text)
        if (found := DIGITS.search(each.text))
    ]
    first = [found[0] for found in places if found]
    return [*first, *bare, *(each for found in places for each in found[1:])]


def _suspected(text: str, suspects: Iterable[Mapping[str, Any]]) -> list[Stretch]:
    """The words for which records are suspects, where the answer holds them."""
    said = [
        "".join(piece[0] for piece in pieces)
        for card in suspects
        for _, places in card["reasons"]
        for _, pieces in places
    ]
    return [each for words in dict.fromkeys(said) for each in _near(text, words)]


def _carried(text: str, walk: Walk) -> list[Stretch]:
    """What was carried into the answer, and the words of its sources; the longest first."""
    parts = [
        _trimmed(text, hop.target.start, hop.target.end)
        for hop in walk.hops
        if hop.target.seq == walk.answer_seq
        and text[hop.target.start : hop.target.end] == hop.target.text
    ]
    for place in (place for use in walk.contexts for place in use.places):
        parts += _near(text, place.text)
    return sorted(set(parts), key=lambda each: (each[0] - each[1], each[0]))


def _words(text: str) -> Iterator[Stretch]:
    """Words by themselves, as a double click takes them."""
    for start, end in _spans(text):
        if end - start >= LONG_WORD and text.count(text[start:end]) <= PLACES:
            yield start, end


def _phrases(text: str) -> Iterator[Stretch]:
    """Words that follow each other in a sentence: two, three, and so on."""
    held = [[each for each in _spans(text) if low <= each[0] < high]
            for low, high in sentences(text[:SHORT])]  # fmt: skip
    for size in range(2, max(map(len, held), default=0) + 1):
        for words in held:
            for at in range(len(words) - size + 1):
                start, end = words[at][0], words[at + size - 1][1]
                if text.count(text[start:end]) <= PLACES:
                    yield start, end


def _spans(text: str) -> list[Stretch]:
    """Where words stand in an answer that is short enough to be taken apart."""
    return [each.span() for each in WORD.finditer(text)] if len(text) <= SHORT else []


def _near(text: str, words: str) -> list[Stretch]:
    """Where some words stand, whatever their case; their ends without marks."""
    low, high = _trimmed(words, 0, len(words))
    lower, wanted = text.lower(), words[low:high].lower()
    at = lower.find(wanted) if wanted and len(lower) == len(text) else -1
    return [(at, at + len(wanted))] if at >= 0 else []


def _places(text: str, word: str) -> Iterator[Stretch]:
    at = text.find(word)
    for _ in range(PLACES):
        if at < 0:
            return
        yield at, at + len(word)
        at = text.find(word, at + len(word))


def _trimmed(text: str, start: int, end: int) -> Stretch:
    """A stretch without the space and the marks at its ends."""
    while start < end and (text[start].isspace() or text[start] in EDGES):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in EDGES):
        end -= 1
    return start, end
