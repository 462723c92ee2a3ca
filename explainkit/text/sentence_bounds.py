r"""Where the sentences of an answer begin and end, so that each can be told supported or not.

>>> text = "Dr. Li paid 3.50 EUR. Why?\n- first point\n- second point"
>>> [text[a:b] for a, b in sentences(text)]
['Dr. Li paid 3.50 EUR.', 'Why?', '- first point', '- second point']
"""

import re
from typing import Final

_ABBREVIATIONS: Final = frozenset(
    """mr mrs ms dr prof st sr jr vs etc e.g i.e eg ie cf al approx dept est inc ltd co
    corp ed z.b bzw ca usw nr u.a d.h a.m p.m u.s u.k jan feb mar apr jun jul
    aug sep sept oct nov dec""".split()
)
# Words that end a sentence as well ("yes or no."), so they are abbreviations before a number only.
_NUMBERED: Final = frozenset("no nos art sec para p pp vol fig".split())
_STOP: Final = re.compile(
    r"[.!?\u2026]+[\"'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+[\u300d\u300f\u201d]*"
)
_LAST_WORD: Final = re.compile(r"[^\s(\"'\u201c]+$")
_MARKER: Final = re.compile(r"\s*(?:\d{1,3}|[A-Za-z])[.)]$")
_REACH: Final = 24


def _ends_sentence(line: str, stop: re.Match[str]) -> bool:
    if stop[0][0] != "." or len(stop[0]) > 1:
        return True
    if _MARKER.fullmatch(line, 0, stop.start() + 1):
        return False  # the number or letter of a list item
    word = _LAST_WORD.search(line[max(0, stop.start() - _REACH) : stop.start()])
    if word is None:
        return True
    following = line[stop.end() : stop.end() + 2].lstrip()
    if word[0].casefold() in _ABBREVIATIONS:
        return False
    if word[0].casefold() in _NUMBERED:
        return not following[:1].isdigit()
    if len(word[0]) == 1 and word[0].isupper():
        return False  # an initial
    return not following[:1].islower()


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the sentences of a text, without the white space around them.

    A line ends a sentence, so bullets and table rows stand alone; abbreviations, initials, decimal
    numbers and the numbers of list items do not end one.

    Args:
        text: Any text.

    Returns:
        Ranges in order that do not overlap; together they hold every character that is not white
        space.
    """
    ranges: list[tuple[int, int]] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        start = 0
        for stop in _STOP.finditer(line):
            if _ends_sentence(line, stop):
                _add(ranges, line, offset, start, stop.end())
                start = stop.end()
        _add(ranges, line, offset, start, len(line))
        offset += len(line)
    return ranges


def _add(ranges: list[tuple[int, int]], line: str, offset: int, start: int, end: int) -> None:
    part = line[start:end]
    lead = len(part) - len(part.lstrip())
    kept = part.strip()
    if kept:
        ranges.append((offset + start + lead, offset + start + lead + len(kept)))
