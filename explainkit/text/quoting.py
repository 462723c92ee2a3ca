r"""Quotations of a text, and whether they stand word for word in what they quote.

>>> [words for _, _, words in quotations('It says “half of the\nfare” and "no\u00a0more".')]
['half of the\nfare', 'no\xa0more']
>>> Quoted(["Half of the  fare is paid, no more."]).holds("of the fare")
True
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from explainkit.text.characters import DIGIT, LETTER, kind_of

LONGEST: Final = 4_000
"""Characters of a quotation; what opens one and does not close it so far is `unclosed`."""

_LINE_END: Final = r"\n(?![^\S\n]*\n)"  # a quotation goes over a line, not over a paragraph
_PAIRS: Final = ("“”", "„“”", "«»", "»«", "\u2039\u203a", "\u203a\u2039", "「」", "『』")
# A straight mark behind a word or a digit stands for inches or seconds, or closes.
_STRAIGHT: Final = rf'(?<![\w"])"(?=[^\s"])((?:[^"\n]|{_LINE_END}){{1,{LONGEST}}})"'
# A single mark is an apostrophe where a letter follows it.
_SINGLE: Final = rf"(?<!\w)‘((?:[^‘’\n]|’(?=\w)|{_LINE_END}){{1,{LONGEST}}})’(?!\w)"


def _paired(pair: str) -> str:
    opening, closing = pair[0], pair[1:]
    inside = rf"[^{opening}{closing}\n]|{_LINE_END}"
    return rf"{opening}((?:{inside}){{1,{LONGEST}}})[{closing}]"


_QUOTATION: Final = re.compile("|".join([*map(_paired, _PAIRS), _SINGLE, _STRAIGHT]))
_OPENING: Final = re.compile(r'[“„«「『]|(?<![\w"])"(?=\w)')
_ALIKE: Final = str.maketrans(
    dict.fromkeys("“”„‟«»\u2039\u203a「」『』", '"')
    | dict.fromkeys("‘’\u201a\u201b\u02bc`\u00b4", "'")
    | dict.fromkeys("\u2010\u2011", "-")
)


def quotations(text: str) -> list[tuple[int, int, str]]:
    """Return what stands between quotation marks as `(start, end, words)`.

    Straight and typographic marks of several languages count; backticks do not, for they mark
    code. A quotation may go over the end of a line, and has at most 4,000 characters.
    """
    found = []
    for quotation in _QUOTATION.finditer(text):
        group = quotation.lastindex or 0
        found.append((*quotation.span(group), quotation[group]))
    return found


def unclosed(text: str) -> list[int]:
    """Return where marks stand that open a quotation which does not close."""
    taken = quotations(text)
    found = []
    at = 0
    for mark in _OPENING.finditer(text):
        while at < len(taken) and taken[at][1] < mark.start():
            at += 1
        # The mark of a quotation stands one before its words; inside of one it may be a quoted one.
        if at == len(taken) or mark.start() < taken[at][0] - 1:
            found.append(mark.start())
    return found


class Quoted:
    """Texts that are quoted.

    Words agree letter for letter, with their case. White space of every kind and length is one,
    quotation marks, apostrophes and hyphens are alike however they were typed, accents may stand
    in their letter or apart, and invisible characters count for nothing.

    Args:
        texts: The texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [_folded(text) for text in texts]

    def holds(self, words: str) -> bool:
        """Whether words stand in one of the texts, and cut none of its words in two.

        A comma or a full stop at their end may be the writer's own.
        """
        folded = _folded(words)
        options = [folded, folded[:-1].rstrip()] if folded[-1:] in (",", ".") else [folded]
        return any(self._stands(each) for each in options if each)

    def _stands(self, words: str) -> bool:
        return any(
            not _joined(text[start - 1 : start], words[0])
            and not _joined(words[-1], text[start + len(words) : start + len(words) + 1])
            for text in self._texts
            for start in _starts(text, words)
        )


def _starts(text: str, words: str) -> Iterator[int]:
    start = text.find(words)
    while start >= 0:
        yield start
        start = text.find(words, start + 1)


def _joined(before: str, after: str) -> bool:
    """Whether a word goes on from one character to the next."""
    return all(each and kind_of(ord(each)) in (LETTER, DIGIT) for each in (before, after))


def _folded(text: str) -> str:
    shown = (letter for letter in unicodedata.normalize("NFC", text).translate(_ALIKE))
    seen = "".join(letter for letter in shown if unicodedata.category(letter) != "Cf")
    return " ".join(seen.split())
