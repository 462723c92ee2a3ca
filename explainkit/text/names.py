"""Names and quoted words of a text, which an answer must not invent.

>>> [name for _, _, name in find_names("Yesterday Mia Li wrote to Deutsche Bahn.")]
['Mia Li', 'Deutsche Bahn']
>>> find_quotes('She said "half of the fare" twice.')
[(10, 26, 'half of the fare')]
"""

import re
from typing import Final

_CAPITALISED: Final = r"[^\W\d_a-z][\w'\u2019-]*"
_NAME: Final = re.compile(rf"(?<!\w){_CAPITALISED}(?:[ \u00a0]{_CAPITALISED})*")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;\n\u2022*#>|][\"'\u201c(\s]*|[\n][-\s]*)$")
_PAIRS: Final = ('""', "\u201c\u201d", "\u00ab\u00bb", "\u201e\u201c", "\u2018\u2019", "``")
_QUOTE: Final = re.compile(
    "|".join(
        f"{re.escape(pair[0])}([^{re.escape(pair[0] + pair[1])}\n]{{1,400}}){re.escape(pair[1])}"
        for pair in _PAIRS
    )
)
_REACH: Final = 6


def find_names(text: str) -> list[tuple[int, int, str]]:
    """Return runs of capitalised words as `(start, end, name)`.

    A single capitalised word that opens a sentence is left out: any word is capitalised there.
    So is a pronoun or another small word by itself, wherever it is capitalised.
    """
    found = []
    for run in _NAME.finditer(text):
        start, end = run.span()
        if not any(character.isupper() or character.istitle() for character in run[0][:1]):
            continue
        if run[0].casefold() in _OPENERS or _is_short_form(run[0]):
            continue
        if _SENTENCE_START.search(text[max(0, start - _REACH) : start]):
            first, _, rest = run[0].partition(" ")
            if not rest:
                continue
            if first.casefold() in _OPENERS:
                start += len(first) + 1
        found.append((start, end, text[start:end]))
    return found


def _is_short_form(name: str) -> bool:
    """Whether a capitalised word is a small one with another one behind it, such as ``I'll``."""
    word, _, rest = name.replace("\u2019", "'").partition("'")
    return bool(rest) and word.casefold() in _OPENERS


_OPENERS: Final = frozenset(
    """a an the this that these those i you he she it we they my your his her its our their in on
    at by for from to of and or but so if when while after before since as with without about
    is are was were do does did can could will would should may might must not no yes dear hello
    hi please thank yesterday today tomorrow here there what who which where why how""".split()
)


def find_quotes(text: str) -> list[tuple[int, int, str]]:
    """Return quoted strings as `(start, end, words)`; offsets are those of the words inside."""
    found = []
    for quote in _QUOTE.finditer(text):
        group = quote.lastindex or 0
        found.append((*quote.span(group), quote[group]))
    return found
