"""Numbers of a value, named as they are written: a walk prints `80`, the value holds 80."""

from decimal import Decimal
from typing import Any

from explainkit.safety.pointers import token
from explainkit.text.numbers import find_quantities


def is_number(value: Any) -> bool:
    """Whether a value is a number; a truth value is none.

    Example:
        >>> is_number(80), is_number(True), is_number("80")
        (True, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool)


def number_of(words: str) -> int | float | None:
    """The number that words are, however it is written; None where they are none.

    Example:
        >>> number_of("1,234.50 EUR"), number_of("80"), number_of("80 or 90")
        (1234.5, 80, None)
    """
    value = _decimal_of(words)
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)


def numbers_named(value: Any, words: str) -> list[tuple[str, int | float]]:
    """Addresses of the numbers in a value that words name.

    Args:
        value: The value.
        words: A number as it is written, with or without a unit.

    Example:
        >>> numbers_named([{"zone": "a", "sold": 950}], "950")
        [('/0/sold', 950)]
    """
    wanted = _decimal_of(words)
    return [] if wanted is None else [at for at in _numbers(value, "") if _is(at[1], wanted)]


def _decimal_of(words: str) -> Decimal | None:
    text = words.strip()
    found = find_quantities(text)
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(text))
    return found[0].value if whole else None


def _is(number: float, wanted: Decimal) -> bool:
    if isinstance(number, int):
        return number == wanted
    return number - number == 0 and Decimal(repr(number)) == wanted


def _numbers(value: Any, path: str) -> list[tuple[str, int | float]]:
    if is_number(value):
        return [(path, value)]
    if isinstance(value, dict):
        inner = [(f"{path}/{token(str(key))}", each) for key, each in value.items()]
    elif isinstance(value, list | tuple):
        inner = [(f"{path}/{at}", each) for at, each in enumerate(value)]
    else:
        return []
    return [found for at, each in inner for found in _numbers(each, at)]
