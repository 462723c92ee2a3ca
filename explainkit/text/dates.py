"""Dates by their day, because `3 December 2025` and `2025-12-03` share no run of tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from explainkit.text.hashing import key_of
from explainkit.text.index import TokenIndex
from explainkit.text.tokens import NUMBER
from explainkit.text.units import MONTH_WORDS, find_dates

_BEFORE: Final = 24
_AFTER: Final = 8
_YEARS: Final = np.array(sorted(key_of(str(year)) for year in range(1900, 2100)), np.uint64)
_MONTHS: Final = np.array(sorted(map(key_of, MONTH_WORDS)), np.uint64)
_DAY_BITS: Final = 12.8  # log2 of the days of twenty years


@dataclass(frozen=True, slots=True)
class Dated:
    """A date as it stands in a text.

    Attributes:
        text: Index of the text.
        start: Offset of the first character.
        end: Offset after the last.
        day: The date in ISO form.
        spelling: The characters, case folded.
    """

    text: int
    start: int
    end: int
    day: str
    spelling: str


def _candidates(index: TokenIndex) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Tokens that are a year beside a day or a month."""
    keys = index.vocabulary.keys
    is_year, is_month = np.isin(keys, _YEARS)[index.ids], np.isin(keys, _MONTHS)[index.ids]
    small = (index.kinds == NUMBER) & (index.ends - index.starts <= 2)
    beside = np.zeros(index.size + 4, bool)
    beside[2:-2] = small | is_month
    near = beside[:-4] | beside[1:-3] | beside[3:-1] | beside[4:]
    found: np.ndarray[tuple[int], np.dtype[np.int64]] = np.flatnonzero(is_year & near)
    return found


def dated(index: TokenIndex) -> list[Dated]:
    """Return the dates of all texts, text after text, in order."""
    years = _candidates(index)
    found: list[Dated] = []
    places = zip(
        index.documents(years).tolist(), index.starts[years].tolist(), index.ends[years].tolist(),
        strict=True,
    )  # fmt: skip
    for text, start, end in places:
        low = max(0, start - _BEFORE)
        for first, last, day in find_dates(index.texts[text][low : end + _AFTER]):
            if low + first <= start and end <= low + last:
                spelling = index.texts[text][low + first : low + last].casefold()
                found.append(Dated(text, low + first, low + last, day, spelling))
                break
    return found


def day_bits(dates: list[Dated]) -> float:
    """Return the bits of one shared day among these dates."""
    return float(_DAY_BITS - np.log2(max(len({date.day for date in dates}), 2)))


def respelt(dates: list[Dated]) -> Iterator[tuple[Dated, Dated, bool, bool]]:
    """Yield each date with the earlier text that spells the same day otherwise.

    Yields:
        Source, target, whether the source is the nearest such text, whether it is the first.
    """
    seen: dict[str, list[Dated]] = {}
    for date in dates:
        earlier = [
            other
            for other in seen.get(date.day, ())
            if other.text < date.text and other.spelling != date.spelling
        ]
        if earlier:
            nearest, first = max(earlier, key=lambda other: other.text), earlier[0]
            yield nearest, date, True, nearest is first
            if nearest is not first:
                yield first, date, False, True
        # Of each spelling only the first place and the latest one can be asked for again.
        held = seen.setdefault(date.day, [])
        same = [at for at, other in enumerate(held) if other.spelling == date.spelling]
        if len(same) < 2:
            held.append(date)
        else:
            held[same[1]] = date
