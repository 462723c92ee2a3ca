"""Exact arithmetic on what was read, written again in the words of the text it came from."""

import re
from decimal import Decimal
from fractions import Fraction

from explainkit.flow.models.reading.measured import Measure

_DIGITS = re.compile(r"[-+−]?\d(?:[\d.,'\u00a0\u202f_]*\d)?(?:[eE][-+]?\d+)?")
_LONGEST = 60  # digits before or behind the point; beyond, nothing is computed
_DECIMALS = 12


def exact(value: Decimal) -> Fraction | None:
    """Give a number as a fraction, or `None` if it is too large or fine to compute with."""
    if not value.is_finite():
        return None
    _, digits, exponent = value.as_tuple()
    if len(digits) > 2 * _LONGEST or abs(int(exponent)) > _LONGEST:
        return None
    return Fraction(value)


def written(amount: Fraction, like: Measure) -> str:
    """Write an amount as a measure is written; what does not come out has two decimals.

    Example:
        >>> from explainkit.flow.models.reading.measured import measures
        >>> written(Fraction(81, 2), measures("81 EUR")[0])
        '40.5 EUR'
    """
    decimals = -int(like.value.as_tuple().exponent)
    digits = number(amount, decimals=decimals if 0 < decimals <= _DECIMALS else 0)
    if like.counts and amount == 1 and like.value != 1:
        return digits  # not "1 apples"
    return _DIGITS.sub(lambda _match: digits, like.text, count=1)


def number(amount: Fraction, *, decimals: int = 0) -> str:
    """Write an amount in digits, with at least so many decimals.

    What does not come out within 12 decimals is rounded to two.
    """
    digits = decimals
    while digits < _DECIMALS and (amount * 10**digits).denominator != 1:
        digits += 1
    if (amount * 10**digits).denominator != 1:
        digits = max(2, decimals)
    scaled = round(amount * 10**digits)
    sign, text = "-" if scaled < 0 else "", str(abs(scaled)).rjust(digits + 1, "0")
    if not digits:
        return sign + text
    return f"{sign}{text[:-digits]}.{text[-digits:]}"
