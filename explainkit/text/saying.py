"""Whether a text still says some words: numbers by value, negation minded, never by likeness."""

from typing import Final

from explainkit.text.negating_words import CLAUSE_END, JOINS, NEGATE, TURNS
from explainkit.text.senses import sense_of
from explainkit.text.spoken_tokens import Spoken, Token, spoken

_NEARBY: Final = 6
"""Words and marks beside a stretch among which its negation is looked for."""


def still_says(text: str, words: str, *, within: str, start: int) -> bool:
    """Whether a text says words that another text says, in the same sense.

    The words stand in it one after the other, whatever their case, spacing and punctuation; numbers
    are compared by value and unit; and what negates, doubts or bounds them in their clause does so
    in both texts or in none. Words that were put otherwise are not found: no likeness decides.

    Args:
        text: The text that is asked.
        words: The words.
        within: The text that they were selected in.
        start: Where they stand in it, in code points.

    Example:
        >>> still_says("Your claim is not approved.", "approved", within="approved", start=0)
        False
        >>> still_says("It is 1,000.0 km.", "1000 km", within="It is 1000 km.", start=6)
        True
    """
    return sense_of(text, words, within=within, start=start).sense == "same"


def negation_beside(text: str, start: int, end: int) -> str | None:
    """The word that negates a stretch of a text from nearby in its clause, outside of it.

    A clause ends at a mark and at a word such as "but" or "and", and a negation more than six
    words away is taken for that of something else.

    Args:
        text: The text; a few sentences.
        start: First code point of the stretch.
        end: One past the last.

    Example:
        >>> negation_beside("The guest is not charged a fee.", 17, 30)
        'not'
        >>> negation_beside("It is charged and not shown.", 6, 13)
    """
    tokens = spoken(text)
    before = [each for each in tokens if each.end <= start][::-1]
    after = [each for each in tokens if each.start >= end]
    found = _nearby(before) or _nearby(after)
    return None if found is None else text[found.start : found.end]


def _nearby(tokens: list[Spoken]) -> Spoken | None:
    for each in tokens[:_NEARBY]:
        token = each.token
        if token in CLAUSE_END or token in TURNS or token in JOINS:
            return None
        if _is_negator(token):
            return each
    return None


def _is_negator(token: Token) -> bool:
    return isinstance(token, str) and (token in NEGATE or token.endswith(("n't", "n\u2019t")))
