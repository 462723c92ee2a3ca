"""In which sense a text says words that another text says: the same, another one, or not to tell.

Negations are known in many languages. What else may turn the sense around (a refusal, a condition,
a bound, a negation that is far away) is no proof: where two texts differ in it, nobody can tell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from explainkit.text.negating_words import (
    AFTER,
    BE,
    CLAUSE_END,
    DOUBT,
    ELIDED,
    EXCEED,
    FRENCH,
    JOINS,
    KOREAN,
    LESS,
    LOWER,
    MAY_NEGATE,
    MORE,
    NEGATE,
    TO,
    TO_MARKS,
    TURNS,
    UPPER,
)
from explainkit.text.spoken_tokens import Spoken, Token, spoken
from explainkit.text.unspaced_negations import UNSPACED, unspaced_negation

Sense = Literal["same", "another", "not said", "unsure"]


class Said(NamedTuple):
    """How a text stands to words.

    Attributes:
        sense: In which sense it says them.
        clause: The clause in which it does.
    """

    sense: Sense
    clause: str = ""


_REACH: Final = 30
"""Words and marks on each side that are read with others (ours)."""
_CLOSE: Final = 2
"""Words between a negation and what it negates (ours)."""
_NEAR: Final = 3
"""Words beside a number that may make it a bound (ours)."""
_SHORTENED: Final = ("n't", "n\u2019t")
_THAN: Final = frozenset(("than", "als", "de", "que", "di"))
_OTHERS: Final = re.compile(
    "[\u0530-\u058f\u0980-\u0dff\u0e80-\u0fff\u1000-\u109f\u10a0-\u10ff\u1200-\u139f\u1780-\u18af"
    "\u0679\u067e\u0686\u0688\u0691\u0698\u06a9\u06af\u06ba\u06be\u06c1\u06cc\u06d2"
    "\u0493\u049b\u04a3\u04d9\u04e9\u04af\u04b1\u04bb]"
)
"""Scripts, and letters of languages, whose negations are not known here."""


def sense_of(text: str, words: str, *, within: str, start: int) -> Said:
    """In which sense a text says words that were selected in another one.

    Args:
        text: The text that is asked.
        words: The words.
        within: The text that they were selected in.
        start: Where they stand in it, in code points.

    Returns:
        ``same``; ``another``, where it negates them or they were negated; ``not said``; ``unsure``;
        with the clause that tells it.

    Example:
        >>> said = "It is approved."
        >>> asked = ("Approved!", "It was not approved.", "No.", "We refuse what is approved.")
        >>> [sense_of(each, "approved", within=said, start=6).sense for each in asked]
        ['same', 'another', 'not said', 'unsure']
    """
    meant = spoken(within)
    within_words = (at for at, each in enumerate(meant) if start <= each.start < start + len(words))
    wanted = [at for at in within_words if meant[at].is_word]
    key = [meant[at].token for at in wanted]
    if not key:
        return Said("same" if words.strip() in text else "not said")
    said, found = spoken(text), Said("not said")
    as_meant = _around(within, meant, wanted[0], wanted[-1])
    for first, last in _stretches(said, key):
        around = _around(text, said, first, last)
        sense = _compared(as_meant, around)
        if sense == "same":
            return Said(sense, around.text)
        if sense == "unsure" or found.sense == "not said":
            found = Said(sense, around.text)
    return found


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around words in their clause.

    Attributes:
        text: The clause.
        clause: All words of it.
        negated: A negation stands close to them.
        turning: What else may turn their sense around.
        bounds: What a number in them is the bound of.
        is_known: The negations of the language are known.
    """

    text: str
    clause: tuple[Token, ...]
    negated: bool
    turning: tuple[str, ...]
    bounds: frozenset[str]
    is_known: bool


def _compared(meant: _Around, said: _Around) -> Sense:
    if meant.clause == said.clause:
        return "same"
    if not (meant.is_known and said.is_known):
        return "unsure"
    if meant.turning != said.turning or meant.bounds != said.bounds:
        return "unsure"
    return "same" if meant.negated == said.negated else "another"


def _stretches(said: list[Spoken], key: list[Token]) -> Iterator[tuple[int, int]]:
    """Where words follow one another, marks between them left out."""
    places = [at for at, each in enumerate(said) if each.is_word]
    size = len(key)
    for at in range(len(places) - size + 1):
        stretch = places[at : at + size]
        if all(_same(said[n].token, other) for n, other in zip(stretch, key, strict=True)):
            yield stretch[0], stretch[-1]


def _same(a: Token, b: Token) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a[0] == b[0] and (a[1] == b[1] or a[1] is None or b[1] is None)


def _around(text: str, tokens: list[Spoken], first: int, last: int) -> _Around:
    """What stands around the words from one token to another."""
    begin, end = first, last + 1
    while begin > max(0, first - _REACH) and not _is_border(tokens[begin - 1].token):
        begin -= 1
    while end < min(len(tokens), last + _REACH) and not _is_border(tokens[end].token):
        end += 1
    before = [each.token for each in reversed(tokens[begin:first])]
    after = [each.token for each in tokens[last + 1 : end]]
    stretch = text[tokens[first].start : tokens[last].end]
    clause = text[tokens[begin].start : tokens[end - 1].end]
    if UNSPACED.search(stretch):
        head = text[tokens[begin].start : tokens[first].start]
        tail = text[tokens[last].end : tokens[end - 1].end]
        negated, others = unspaced_negation(head, stretch, tail)
    else:
        negated, others = _turned(before, tokens[first].token, after)
    return _Around(
        clause,
        tuple(each.token for each in tokens[begin:end] if each.is_word),
        negated,
        tuple(sorted(others)),
        _bounds(before, tokens[first].token, tokens[last].token, after),
        _OTHERS.search(clause) is None,
    )


def _is_border(token: Token) -> bool:
    return isinstance(token, str) and (token in CLAUSE_END or token in TURNS)


def _turned(before: list[Token], first: Token, after: list[Token]) -> tuple[bool, tuple[str, ...]]:
    """Whether a negation stands close, and what else may turn the sense around."""
    words, behind = _texts(before), _texts(after)
    every = [*words, *behind]
    close = [at for at, each in enumerate(words) if _negates(each)]
    later = [at for at, each in enumerate(behind) if _negates(each) or each.startswith(KOREAN)]
    turning = [words[at] for at in close if not _is_close(words, at, first)]
    turning += [behind[at] for at in later if not _comes_after(behind, at)]
    negated = len(turning) < len(close) + len(later)
    turning += [each for each in every if each in DOUBT or each in MAY_NEGATE]
    elided = [each for each in every if each.startswith(ELIDED) or each == "ne"]
    if elided:  # in French they negate together with another word
        turning = [each for each in turning if each != "ne"]
        alone = not close and not later
        negated = negated or (alone and not FRENCH.isdisjoint(every))
        turning += elided if alone and not negated else []
    return negated, tuple(turning)


def _texts(tokens: list[Token]) -> list[str]:
    return [each if isinstance(each, str) else "" for each in tokens]


def _negates(word: str) -> bool:
    return word in NEGATE or word.endswith(_SHORTENED)


def _is_close(words: list[str], at: int, first: Token) -> bool:
    """Whether a negation that comes before, nearest first, is that of what comes next."""
    between = words[:at]
    follows = [*reversed(between), *_texts([first])]
    return at <= _CLOSE and JOINS.isdisjoint(between) and not _exceeds(follows)


def _comes_after(behind: list[str], at: int) -> bool:
    """Whether a negation that comes later is that of what came before."""
    word = behind[at]
    turns = word in AFTER or word.endswith(_SHORTENED) or word.startswith(KOREAN)
    return turns and BE.issuperset(behind[:at]) and not _exceeds(behind[at + 1 :])


def _exceeds(following: list[str]) -> bool:
    """Whether a negation makes a bound with what follows it: not only, no more than."""
    first, *others = [*following, ""]
    return first in EXCEED or (first in MORE and not _THAN.isdisjoint(others[:1]))


def _bounds(before: list[Token], first: Token, last: Token, after: list[Token]) -> frozenset[str]:
    """What the numbers at the ends of the words are the bounds of."""
    found: set[str] = set()
    if _is_number(first):
        if len(before) > 1 and _is_to(before[0]) and _is_number(before[1]):
            found.add("range")
        near = [each for each in before[:_NEAR] if isinstance(each, str)]
        found |= {"lower"} if LOWER.intersection(near) or near[:1] in ([">"], ["\u2265"]) else set()
        found |= {"upper"} if UPPER.intersection(near) or near[:1] in (["<"], ["\u2264"]) else set()
    if _is_number(last):
        if len(after) > 1 and _is_to(after[0]) and _is_number(after[1]):
            found.add("range")
        near = [each for each in after[:_NEAR] if isinstance(each, str)]
        found |= {"lower"} if MORE.intersection(near) or near[:1] == ["+"] else set()
        found |= {"upper"} if LESS.intersection(near) else set()
    return frozenset(found)


def _is_number(token: Token) -> bool:
    return not isinstance(token, str) or token.isdecimal()


def _is_to(token: Token) -> bool:
    return isinstance(token, str) and (token in TO or token in TO_MARKS)
