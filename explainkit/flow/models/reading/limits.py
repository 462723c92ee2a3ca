"""Limits on quantities ("60 minutes or more"), so that a rule is read only where it applies."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from explainkit.flow.models.reading.measured import Measure, measures, same_kind

_WINDOW = 40  # characters looked at on each side of a quantity
_SMALLER = "less|fewer|shorter|smaller|lower|younger|earlier|sooner|lighter|cheaper|below|under"
_LARGER = (
    "more|longer|later|larger|higher|greater|older|bigger|heavier|farther|further|over|above|"
    "upwards?|up|beyond"
)
_BEFORE = re.compile(
    rf"""(?<!\w)(?:
        (?P<not_above>(?:no|not)\s+(?:{_LARGER})\s+than)
      | (?P<not_below>(?:no|not)\s+(?:{_SMALLER})\s+than)
      | (?P<below>(?:{_SMALLER})\s+than|under|below|<)
      | (?P<above>(?:more|\w+er)\s+than|over|above|beyond|exceed(?:s|ing|ed)?|in\s+excess\s+of|>)
      | (?P<at_most>at\s+most|up\s+to|(?:a\s+)?maximum(?:\s+of)?|within|until|<=|=<|≤)
      | (?P<at_least>at\s+least|(?:a\s+)?minimum(?:\s+of)?|as\s+of|starting\s+(?:at|from)|from
                    |after|>=|=>|≥)
    )\s*(?:the\s+|an?\s+)?\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER = re.compile(
    rf"""(?:\s+[^\W\d_]+)??[\s-]*(?:
        (?P<at_least>\+|(?:or|and)\s+(?:{_LARGER})\b|at\s+least\b|minimum\b)
      | (?P<at_most>(?:or|and)\s+(?:{_SMALLER})\b|at\s+most\b|maximum\b)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_RANGE = re.compile(r"\s*(?:to|until|up\s+to|-|–|—)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"(?<!\w)between\s+\Z", re.IGNORECASE)
_FROM = re.compile(r"(?<!\w)from\s+\Z", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A range that a measure must lie in.

    Attributes:
        low: Lower end, or `None`; part of the range if `with_low`.
        high: Upper end, or `None`; part of the range if `with_high`.
        start: First character of its words in the text.
        end: End of its words in the text.
    """

    low: Measure | None = None
    high: Measure | None = None
    with_low: bool = True
    with_high: bool = True
    start: int
    end: int

    @property
    def ends(self) -> list[Measure]:
        """The ends that it has, one or two."""
        return [end for end in (self.low, self.high) if end is not None]

    def concerns(self, measure: Measure) -> bool:
        """Whether the measure is of the kind that is limited."""
        return same_kind(self.ends[-1], measure)

    def admits(self, measure: Measure) -> bool:
        """Whether a measure that it concerns lies in the range."""
        value = measure.base[1]
        if self.low is not None:
            low = self.low.base[1]
            if value < low or (value == low and not self.with_low):
                return False
        if self.high is None:
            return True
        high = self.high.base[1]
        return value < high or (value == high and self.with_high)

    def closeness(self, measure: Measure) -> float:
        """How near a measure is to the nearer end: 1 on it, towards 0 far away."""
        return max(_ratio(measure.base[1], end.base[1]) for end in self.ends)


def find_limits(text: str) -> list[Limit]:
    """Find the limits of a text, in order.

    Example:
        >>> [(limit.start, limit.end) for limit in find_limits("Under 5 kg, or 9 kg and more.")]
        [(0, 10), (15, 28)]
    """
    return list(_limits(text, measures(text)))


def _limits(text: str, found: list[Measure]) -> Iterator[Limit]:
    index = 0
    while index < len(found):
        following = found[index + 1] if index + 1 < len(found) else None
        ranged = _ranged(text, found[index], following) if following else None
        limit = ranged or _bounded(text, found[index])
        if limit:
            yield limit
        index += 2 if ranged else 1


def _ranged(text: str, first: Measure, second: Measure) -> Limit | None:
    if first.unit not in {None, second.unit}:
        return None
    before = _before(text, first)
    opening = _BETWEEN.search(before) or _FROM.search(before)
    is_between = opening is not None and opening[0].casefold().startswith("between")
    if not (_AND if is_between else _RANGE).fullmatch(text[first.end : second.start]):
        return None
    low = replace(first, unit=second.unit, counts=second.counts)
    if low.value > second.value:
        return None
    start = first.start - len(opening[0]) if opening else first.start
    return Limit(low=low, high=second, start=start, end=second.end)


def _bounded(text: str, measure: Measure) -> Limit | None:
    before = _BEFORE.search(_before(text, measure))
    after = _AFTER.match(text[measure.end : measure.end + _WINDOW])
    found = after or before
    if found is None:
        return None
    kind = found.lastgroup
    start = measure.start - len(before[0]) if before else measure.start
    end = measure.end + len(after[0]) if after else measure.end
    if kind in {"at_least", "above", "not_below"}:
        return Limit(low=measure, with_low=kind != "above", start=start, end=end)
    return Limit(high=measure, with_high=kind != "below", start=start, end=end)


def _before(text: str, measure: Measure) -> str:
    return text[max(0, measure.start - _WINDOW) : measure.start]


def _ratio(one: Decimal, other: Decimal) -> float:
    small, large = sorted((abs(float(one)), abs(float(other))))
    if large == 0 or one == other:
        return 1.0
    return small / large if math.isfinite(large) else 0.0
