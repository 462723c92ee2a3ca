"""Quantities in a text, because a number is the same fact however it is written.

>>> [(str(q.value), q.unit) for q in find_quantities("It is 1,234.50 EUR for 40 min.")]
[('1234.50', 'eur'), ('40', 'minute')]
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from explainkit.text.measures import CURRENCIES, CURRENCY_SIGNS, canonical_unit

_THIN: Final = "\u00a0\u2009\u202f"
# Digit runs with single separators between them, taken whole so that no digit is read twice.
_CHAIN: Final = re.compile(rf"(?<!\w)\d+(?:[.,'\u2019{_THIN}]\d+| \d{{3}}(?!\d))*")
_DECIMAL: Final = re.compile(r"\d+(?:\.\d+)?")
_GROUPED: Final = re.compile(
    rf"(?!0)\d{{1,3}}(?:(?:,\d{{3}})+|(?:['\u2019]\d{{3}})+|(?:[{_THIN}]\d{{3}})+)(?:\.\d+)?"
)
_EUROPEAN: Final = re.compile(rf"(?!0)\d{{1,3}}(?:[.{_THIN}]\d{{3}})+,\d+")
_SPACED: Final = re.compile(r"(?!0)\d{1,3}(?: \d{3})+(\.\d+)?")
_DECIMAL_COMMA: Final = re.compile(r"\d+,\d{1,2}")
_UNIT: Final = re.compile(
    rf"[ {_THIN}-]?([%\u2030{CURRENCY_SIGNS}\u2103]|\u00b0[CcFf]?|[^\W\d_]+)(?!\w)"
)
_CURRENCY_BEFORE: Final = re.compile(rf"(?:([{CURRENCY_SIGNS}])|\b([A-Z]{{3}})) ?$")
_SIGN_BEFORE: Final = re.compile(r"(?:^|[^\w)\]%-])([-+\u2212])$")
_PART_OF_CODE: Final = re.compile(r"(?:[^\W\d]\w*-|\d+-\d+-|\d{4}-|\w[./:]|[#@\\/:])$")
_GOES_ON_AS_CODE: Final = re.compile(r"[/:]\w|-\d+-\d|-[^\W\d]*\d*[A-Z]\d|\.\w")
_HYPHEN: Final = re.compile(r"\d-$")
_HYPHENED: Final = re.compile(r"-\d")
_MONTH: Final = re.compile(r"-\d\d(?!\d)")
_REACH: Final = 16
_MOST_DIGITS: Final = 60


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in a text.

    Attributes:
        value: The number, with its sign.
        unit: Canonical unit word, or None; magnitudes are not converted.
        start: Offset of the first character, sign and currency sign included.
        end: Offset after the last character, unit included.
        text: The characters.
        significant: Digits that tell it from other numbers: without leading zeros, and without
            the closing zeros of a round number (two or more).
    """

    value: Decimal
    unit: str | None
    start: int
    end: int
    text: str
    significant: int


def _unit_after(text: str, end: int) -> tuple[str | None, int]:
    found = _UNIT.match(text, end)
    unit = canonical_unit(found[1]) if found else None
    return (unit, found.end()) if found and unit else (None, end)


def _currency_before(text: str, start: int) -> tuple[str | None, int]:
    found = _CURRENCY_BEFORE.search(text[max(0, start - 5) : start])
    if not found:
        return None, start
    unit = canonical_unit(found[1] or found[2])
    if unit not in CURRENCIES:
        return None, start
    return unit, start - len(found[0])


def _plain(digits: str) -> str | None:
    """Return a number of any accepted spelling with a point and no groups, else None."""
    if _DECIMAL.fullmatch(digits):
        lead = digits[:1] == "0" and digits[1:2] not in {"", "."}
        return None if lead else digits
    if _GROUPED.fullmatch(digits) or _SPACED.fullmatch(digits):
        return re.sub(rf"[,'\u2019 {_THIN}]", "", digits)
    if _EUROPEAN.fullmatch(digits):
        return re.sub(rf"[.{_THIN}]", "", digits).replace(",", ".")
    return None


def _numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and plain form of what is written as one number."""
    for chain in _CHAIN.finditer(text):
        start, end = chain.span()
        if end - start > 2 * _MOST_DIGITS and " " not in chain[0] and "," not in chain[0]:
            continue
        if _DECIMAL.fullmatch(chain[0]):
            if plain := _plain(chain[0]):
                yield start, end, plain
            continue
        unit = _unit_after(text, end)[0]
        spaced = _SPACED.fullmatch(chain[0])
        whole = spaced is None or spaced[1] or unit or _currency_before(text, start)[0]
        plain = _plain(chain[0]) if whole else None
        if plain is None and unit and _DECIMAL_COMMA.fullmatch(chain[0]):
            plain = chain[0].replace(",", ".")
        if plain is not None:
            yield start, end, plain
            continue
        for column in re.finditer(r"[^ ]+", chain[0]):
            plain = _plain(column[0])
            for piece in re.finditer(r"[^,]+" if plain is None else r".+", column[0]):
                plain = _plain(piece[0])
                at = start + column.start()
                if plain is not None:
                    yield at + piece.start(), at + piece.end(), plain


def significant_digits(plain: str) -> int:
    """Count the digits that tell a number from others.

    >>> [significant_digits(n) for n in ("450", "1500", "0.050", "1234.50")]
    [3, 2, 1, 5]
    """
    whole, _, fraction = plain.partition(".")
    fraction = fraction.rstrip("0")
    digits = (whole + fraction).lstrip("0")
    if not fraction and digits.endswith("00"):
        digits = digits.rstrip("0")
    return max(len(digits), 1)


def _quantity(text: str, start: int, end: int, plain: str) -> Quantity | None:
    if len(plain) > _MOST_DIGITS:
        return None
    before = text[max(0, start - _REACH) : start]
    if before.endswith(".") and before[-2:-1] in {"", " ", "(", "$"} and "." not in plain:
        start, plain, before = start - 1, f"0.{plain}", before[:-1]
    elif _PART_OF_CODE.search(before):
        return None
    if _GOES_ON_AS_CODE.match(text, end) or (_HYPHEN.search(before) and _HYPHENED.match(text, end)):
        return None
    if len(plain) == 4 and plain.isdigit() and _MONTH.match(text, end):
        return None
    unit, stop = _unit_after(text, end)
    if stop == end and (text[end : end + 1].isalpha() or text[end : end + 1] == "_"):
        return None
    value = Decimal(plain)
    currency, begin = _currency_before(text, start)
    if currency:
        unit, stop = currency, end
    sign = _SIGN_BEFORE.search(text[max(0, begin - 2) : begin])
    if sign:
        begin -= 1
        value = value if sign[1] == "+" else -value
    return Quantity(value, unit, begin, stop, text[begin:stop], significant_digits(plain))


def find_quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text with their units, in order, in linear time.

    Digits inside ids, dates, times and versions are not quantities.

    Args:
        text: Any text.

    Returns:
        The quantities; `1,234.5`, `1 234.5` and `1234.5` have the same value.
    """
    found = (_quantity(text, *number) for number in _numbers(text))
    return [quantity for quantity in found if quantity is not None]


def same_quantity(a: Quantity, b: Quantity) -> bool:
    """Return whether value and unit agree; a unit missing on one side agrees.

    >>> same_quantity(*find_quantities("1,234.5 km and 1234.50"))
    True
    """
    return a.value == b.value and (a.unit == b.unit or a.unit is None or b.unit is None)
