"""Quantities with the thing they count, so that apples are added to apples and hours to minutes."""

import re
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException

from explainkit.flow.models.reading.wording import words
from explainkit.text.measures import canonical_unit
from explainkit.text.numbers import find_quantities

_SCALES = {
    "millisecond": ("second", "0.001"),
    "second": ("second", "1"),
    "minute": ("second", "60"),
    "hour": ("second", "3600"),
    "day": ("second", "86400"),
    "week": ("second", "604800"),
    "millimetre": ("metre", "0.001"),
    "centimetre": ("metre", "0.01"),
    "metre": ("metre", "1"),
    "kilometre": ("metre", "1000"),
    "milligram": ("gram", "0.001"),
    "gram": ("gram", "1"),
    "kilogram": ("gram", "1000"),
    "tonne": ("gram", "1000000"),
    "millilitre": ("litre", "0.001"),
    "litre": ("litre", "1"),
}
_GAP = re.compile(r"[ \u00a0-]([^\W\d_]+)")
_OPERATORS = frozenset({"plus", "minus", "times", "divided", "x"})
_EXACT = Context(prec=400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number that a text states.

    Attributes:
        value: As written.
        unit: Its unit, else the meaning of the word that follows it, else `None`.
        counts: Whether `unit` is such a word, and not a unit of measurement.
        start: First character in the text.
        end: End in the text.
        text: Its characters, unit included.
    """

    value: Decimal
    unit: str | None
    counts: bool
    start: int
    end: int
    text: str

    @property
    def base(self) -> tuple[str | None, Decimal]:
        """The value in the smallest common unit, so that an hour compares with minutes."""
        base, scale = _SCALES.get(self.unit or "", (self.unit, "1"))
        try:
            return base, _EXACT.multiply(self.value, Decimal(scale))
        except DecimalException:
            return self.unit, self.value


def measures(text: str) -> list[Measure]:
    """Find what a text measures or counts, in order.

    Example:
        >>> [(str(m.value), m.unit) for m in measures("3 apples in 20 minutes")]
        [('3', 'appl'), ('20', 'minute')]
    """
    found = []
    for quantity in find_quantities(text):
        unit, end = quantity.unit, quantity.end
        counted = _counted(text, end) if unit is None else None
        if counted:
            unit, end = counted
        found.append(
            Measure(
                value=quantity.value,
                unit=unit,
                counts=counted is not None and canonical_unit(counted[0]) is None,
                start=quantity.start,
                end=end,
                text=text[quantity.start : end],
            )
        )
    return found


def same_kind(one: Measure, other: Measure) -> bool:
    """Whether two measures can be compared; a bare number compares with any count."""
    if one.unit is None or other.unit is None:
        return (one.unit is None or one.counts) and (other.unit is None or other.counts)
    return one.base[0] == other.base[0]


def _counted(text: str, end: int) -> tuple[str, int] | None:
    following = _GAP.match(text, end)
    if following is None or following[1].casefold() in _OPERATORS:
        return None
    unit = canonical_unit(following[1])
    if unit:
        return unit, following.end()
    word = words(following[1])[0]
    return (word.meaning, following.end()) if word.is_content else None
