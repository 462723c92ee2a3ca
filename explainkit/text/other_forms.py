"""Whether a text may say a number or a date of some words in a form that can be read in two ways.

`1.000` is a thousand to some and one to others, and `05/03/2024` is a day in March or in May.
"""

import re
from collections.abc import Iterator
from typing import Final

from explainkit.text.units import find_dates

_NUMBER: Final = re.compile(r"(?<![\d.,])\d{1,40}(?:[.,]\d{1,40}){0,9}(?![\d])")
_GROUPED: Final = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")
_DAY: Final = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")


def may_say(text: str, words: str) -> bool:
    """Whether a number or date of the words may stand in the text in another form.

    Args:
        text: The text that is asked.
        words: The words, which it does not say as they are.

    Example:
        >>> may_say("Total: 1000 Euro", "1.000 Euro"), may_say("On 5 March 2024.", "2024-03-05")
        (True, True)
        >>> may_say("Total: 2000 Euro", "1.000 Euro"), may_say("On 6 March 2024.", "2024-03-05")
        (False, False)
    """
    if not _days(words).isdisjoint(_days(text)):
        return True
    wanted, found = _values(words), _values(text)
    return any(
        len(wanted[value]) > 1 or len(found[value]) > 1 for value in wanted.keys() & found.keys()
    )


def _days(text: str) -> set[str]:
    days = {day for _, _, day in find_dates(text)}
    for each in _DAY.finditer(text):
        first, second, year = each[1].zfill(2), each[3].zfill(2), each[4]
        days |= {f"{year}-{second}-{first}", f"{year}-{first}-{second}"}
    return days


def _values(text: str) -> dict[str, set[str]]:
    """What each number may be, with all that those numbers may be."""
    found: dict[str, set[str]] = {}
    for each in _NUMBER.finditer(text):
        readings = set(_readings(each[0]))
        for value in readings:
            found.setdefault(value, set()).update(readings)
    return found


def _readings(number: str) -> Iterator[str]:
    grouped = _GROUPED.fullmatch(number)
    if grouped:
        yield _plain(re.sub("[.,]", "", number))
    if grouped is None or len(re.findall("[.,]", number)) == 1:
        head, mark, tail = number.replace(",", ".").rpartition(".")
        yield _plain(f"{head.replace('.', '')}.{tail}" if mark else number)


def _plain(number: str) -> str:
    whole, _, part = number.partition(".")
    part = part.rstrip("0")
    return f"{whole.lstrip('0') or '0'}{'.' if part else ''}{part}"
