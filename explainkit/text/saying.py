"""Whether a text still says some words: numbers by value, negation minded, never by likeness."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from explainkit.text.numbers import find_quantities

Token = str | tuple[Decimal, str | None]

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|[^\w\s]")
_CLAUSE_END: Final = frozenset(".!?;:,\n()")
_TURNS: Final = frozenset({"but", "however", "although", "though", "aber", "mais", "pero", "ma"})
_JOINS: Final = frozenset({"and", "und", "et", "y", "e"})
_NEARBY: Final = 6
"""Words and marks beside a stretch among which its negation is looked for."""
_NEGATORS: Final = frozenset(
    "no not never none nobody nothing neither nor without cannot hardly "
    "nicht nie niemals kein keine keinen keinem keiner ohne "
    "ne pas jamais aucun aucune sans nunca ningún ninguna sin non mai nessuno nessuna senza".split()
)


@dataclass(frozen=True, slots=True)
class _Placed:
    token: Token
    start: int
    end: int


def still_says(text: str, words: str, *, within: str, start: int) -> bool:
    """Whether a text says words that another text says, in the same sense.

    The words stand in it one after the other, whatever their case, spacing and punctuation; numbers
    are compared by value and unit; and a negation in their clause stands in both texts or in none
    (ours). Words that were put otherwise are not found: no likeness decides.

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
    wanted = [each for each in _tokens(within) if start <= each.start < start + len(words)]
    key = [each.token for each in wanted if _is_word(each.token)]
    if not key:
        return words.strip() in text
    meant = _is_negated(_tokens(within), wanted[0].start, wanted[-1].end)
    tokens = _tokens(text)
    spoken = [each for each in tokens if _is_word(each.token)]
    return any(
        _is_negated(tokens, found[0].start, found[-1].end) == meant
        for found in _stretches(spoken, key)
    )


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
    tokens = _tokens(text)
    before = [each for each in tokens if each.end <= start][::-1]
    after = [each for each in tokens if each.start >= end]
    found = _nearby(before) or _nearby(after)
    return None if found is None else text[found.start : found.end]


def _nearby(tokens: list[_Placed]) -> _Placed | None:
    for each in tokens[:_NEARBY]:
        token = each.token
        if token in _CLAUSE_END or token in _TURNS or token in _JOINS:
            return None
        if _is_negator(token):
            return each
    return None


def _tokens(text: str) -> list[_Placed]:
    """Words, marks and quantities in order; newlines are marks, for they end a clause."""
    found: list[_Placed] = []
    at = 0
    for quantity in find_quantities(text):
        found += _plain(text, at, quantity.start)
        unit = quantity.unit
        found.append(_Placed((quantity.value, unit), quantity.start, quantity.end))
        at = quantity.end
    found += _plain(text, at, len(text))
    return found


def _plain(text: str, start: int, end: int) -> list[_Placed]:
    found = [_Placed(m[0].casefold(), m.start(), m.end()) for m in _WORD.finditer(text, start, end)]
    found += [_Placed("\n", n, n + 1) for n in range(start, end) if text[n] == "\n"]
    return sorted(found, key=lambda each: each.start)


def _is_word(token: Token) -> bool:
    return not isinstance(token, str) or token[0].isalnum()


def _stretches(spoken: list[_Placed], key: list[Token]) -> Iterator[list[_Placed]]:
    size = len(key)
    for at in range(len(spoken) - size + 1):
        stretch = spoken[at : at + size]
        if all(_same(each.token, other) for each, other in zip(stretch, key, strict=True)):
            yield stretch


def _same(a: Token, b: Token) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a[0] == b[0] and (a[1] == b[1] or a[1] is None or b[1] is None)


def _is_negated(tokens: list[_Placed], start: int, end: int) -> bool:
    """Whether a negation stands in the clause around a stretch, outside of the stretch itself."""
    before = [each.token for each in tokens if each.end <= start]
    after = [each.token for each in tokens if each.start >= end]
    return _negates(reversed(before)) or _negates(iter(after))


def _negates(tokens: Iterator[Token]) -> bool:
    for token in tokens:
        if not isinstance(token, str):
            continue
        if token in _CLAUSE_END or token in _TURNS:
            return False
        if _is_negator(token):
            return True
    return False


def _is_negator(token: Token) -> bool:
    return isinstance(token, str) and (token in _NEGATORS or token.endswith(("n't", "n\u2019t")))
