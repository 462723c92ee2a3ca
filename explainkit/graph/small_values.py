"""Which values are too small to tell where they came from: ``yes`` and ``12`` are everywhere."""

from typing import Final

from explainkit.errors import UnknownRecordError
from explainkit.store.values import Values
from explainkit.text.numbers import significant_digits

SHORTEST: Final = 8
"""Code points from which a text makes edges by itself."""
FEWEST_DIGITS: Final = 3
"""Significant digits from which a number makes edges by itself."""
_BYTES: Final = 4 * SHORTEST


class SmallValues:
    """Remembers, digest by digest, which values are small."""

    __slots__ = ("_known", "_values")

    def __init__(self, values: Values) -> None:
        self._values = values
        self._known: dict[str, bool] = {}

    def is_small(self, digest: str) -> bool:
        """Whether a value makes edges only when it is unique upstream or selected by the user."""
        known = self._known.get(digest)
        if known is None:
            known = self._known[digest] = self._looked_up(digest)
        return known

    def _looked_up(self, digest: str) -> bool:
        try:
            size = self._values.size(digest)
        except UnknownRecordError:
            return True  # nothing of it can be compared
        return size <= _BYTES and is_small(self._values.tagged(digest))


def is_small(value: object) -> bool:
    """Whether a tagged value holds fewer than 8 code points, or 3 significant digits.

    Example:
        >>> [is_small(value) for value in ("yes", "half of the fare", 12, 1234.5, None, [])]
        [True, False, True, False, True, True]
    """
    if isinstance(value, str):
        return len(value.strip()) < SHORTEST
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return significant_digits(str(abs(value))) < FEWEST_DIGITS
    return not value
