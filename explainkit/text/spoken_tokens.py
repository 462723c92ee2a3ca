"""A text as words, quantities and marks, where some scripts have no spaces between their words.

>>> [each.token for each in spoken("Nicht 1,000.0 km.")]
['nicht', (Decimal('1000.0'), 'kilometre'), '.']
>>> [each.token for each in spoken("未批准")]
['未', '批', '准']
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from explainkit.text.numbers import find_quantities

Token = str | tuple[Decimal, str | None]
"""A word or mark as it is compared, or a number with its unit."""

_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, kana and Chinese characters: each is a token of its own."""
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff"
)
"""Signs that are part of a word and no letters by themselves."""
_LETTER: Final = rf"(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])"
_WORD: Final = re.compile(
    rf"[{_UNSPACED}]|{_LETTER}+(?:['\u2019\u05f3\u05f4\"]{_LETTER}+)*|[^\w\s]"
)
_SILENT: Final = re.compile("[\u0640\u064b-\u065f\u0670\u0591-\u05bd\u05bf-\u05c7]")
"""Signs of Arabic and Hebrew that are written or left out."""
_SAME: Final = str.maketrans("\u0623\u0625\u0622\u0649\u0451", "\u0627\u0627\u0627\u064a\u0435")
"""Spellings of one letter: of alef, of ya, and the Russian yo."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A token where it stands.

    Attributes:
        token: What it is compared by.
        start: Its first code point.
        end: One past its last one.
    """

    token: Token
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number, and no mark."""
        return not isinstance(self.token, str) or self.token[0].isalnum()


def spoken(text: str) -> list[Spoken]:
    """Words, marks and quantities in order; newlines are marks, for they end a clause.

    Args:
        text: Any text.
    """
    found: list[Spoken] = []
    at = 0
    for quantity in find_quantities(text):
        found += _plain(text, at, quantity.start)
        token = (quantity.value, quantity.unit)
        found.append(Spoken(token, quantity.start, quantity.end))
        at = quantity.end
    found += _plain(text, at, len(text))
    return found


def _plain(text: str, start: int, end: int) -> list[Spoken]:
    found = [
        Spoken(folded(each[0]), each.start(), each.end())
        for each in _WORD.finditer(text, start, end)
    ]
    found += [Spoken("\n", at, at + 1) for at in range(start, end) if text[at] == "\n"]
    return sorted(found, key=lambda each: each.start)


def folded(word: str) -> str:
    """A word as it is compared: whatever its case, and signs that may be left out.

    Args:
        word: The word.

    Example:
        >>> folded("Straße"), folded("لَمْ") == folded("لم")
        ('strasse', True)
    """
    if word.isascii():
        return word.casefold()
    plain = unicodedata.normalize("NFKC", word).casefold()
    return _SILENT.sub("", plain).translate(_SAME) or word
