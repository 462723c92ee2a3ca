"""The facts of a text, and who held each first: a number or a time is too short for a run of words.

A fact is a number with its unit, a clock time, a date, an id, an address or a quote; of an answer
also a name.
"""

from bisect import bisect_left
from typing import Final

from explainkit.backtrack.introducing import Holders, holders_of
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Place
from explainkit.text.matching import build_index
from explainkit.text.names import find_names
from explainkit.text.telling_words import days_in, figures
from explainkit.text.tokens import tokenize
from explainkit.text.units import find_dates, find_units

FACTS: Final = 40
"""Facts of a text that are looked up, the first ones."""


def facts_in(text: str, *, named: bool = True) -> list[str]:
    """The facts of a text, each once, in order.

    Args:
        text: The text.
        named: Names as well.

    Example:
        >>> facts_in("Open until 22:00 for 9 euros.")
        ['22:00', '9 euros']
    """
    units = find_units(text)
    spans = [(unit.start, unit.end) for unit in units if unit.kind != "quote"]
    spans += clock_times(text) + days_in(text)
    kept = _outermost(spans)
    if named:
        kept += _apart([(start, end) for start, end, _ in find_names(text)], kept)
    quotes = [(unit.start, unit.end) for unit in units if unit.kind == "quote"]
    kept = sorted({*kept, *quotes})
    words = dict.fromkeys(text[start:end].strip() for start, end in kept)
    return [word for word in words if len(word) > 1]


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that lie in no other."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or end > found[-1][1]:
            found.append((start, end))
    return found


def _apart(spans: list[tuple[int, int]], known: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that touch no known one: “EUR” is no name in “450 EUR”, nor “March” in a date."""
    firsts = [start for start, _ in known]
    found = []
    for start, end in spans:
        at = bisect_left(firsts, end) - 1
        if at < 0 or known[at][1] <= start:
            found.append((start, end))
    return found


def clock_times(text: str) -> list[tuple[int, int]]:
    """Where clock times stand in a text.

    Example:
        >>> clock_times("Open until 22:00.")
        [(11, 16)]
    """
    return [(each.start, each.end) for each in figures(text) if each.kind == "clock"]


def _spellings(word: str) -> list[str]:
    """A fact as it is written, and a time of the day also as a clock of 24 hours shows it."""
    times = [each for each in figures(word) if each.kind == "clock" and each.end == len(word)]
    return list(dict.fromkeys([word, *(each.key for each in times if each.start == 0)]))


def introducers_of(names: Names, word: str, *, before: int) -> tuple[Place, ...]:
    """The places that held a fact first, looked up once.

    Args:
        names: The run.
        word: The fact.
        before: Place of the answer.
    """
    return _holders(names, word, before).introducers


def is_cut(names: Names, word: str, *, before: int) -> bool:
    """Whether a fact stands in more places than are looked at.

    Args:
        names: The run.
        word: The fact.
        before: Place of the answer.
    """
    return bool(_holders(names, word, before).caps)


def _holders(names: Names, word: str, before: int) -> Holders:
    memo, key = names.evidence.memo, ("holders", word, before)
    if key not in memo:
        memo[key] = holders_of(names, _spellings(word), before=before)
    known: Holders = memo[key]
    return known


def holds_words(text: str, words: str) -> bool:
    """Whether a text holds all of some words; marks, case and the spelling of a date do not count.

    Example:
        >>> holds_words("It costs 1,234.5 km.", "1234.5 KM"), holds_words("9", "9 euros")
        (True, False)
    """
    if bare(words) in bare(text):
        return True
    same = [text[start:end] for _, start, end in build_index([text]).find(words)]
    size = len(tokenize(words))
    return any(len(tokenize(each)) >= size or find_dates(each) for each in same)


def bare(text: str) -> str:
    """The letters and digits of a text, folded."""
    return "".join(each for each in text.casefold() if each.isalnum())
