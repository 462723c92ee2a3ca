"""Lists in sentences, cut where they are long; one that is left is written out, and not counted."""

from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

MOST: Final = 8
"""Names in a sentence."""


def cut(items: Sequence[T], most: int = MOST) -> tuple[Sequence[T], int]:
    """The first of some items, and how many are left.

    Args:
        items: The items.
        most: How many are shown; one more takes no more room than its count.

    Example:
        >>> cut("abcd", 3), cut("abcde", 3)
        (('abcd', 0), ('abc', 2))
    """
    left = len(items) - most
    return (items, 0) if left <= 1 else (items[:most], left)


def listed(names: Sequence[str], most: int = MOST) -> str:
    """Names in a sentence, the rest counted.

    Args:
        names: The names.
        most: How many are shown.

    Example:
        >>> listed(["a", "b", "c"], 2), listed(["a", "b", "c", "d"], 2)
        ('a, b, c', 'a, b and 2 more')
    """
    shown, left = cut(names, most)
    return ", ".join(shown) + (f" and {left:,} more" if left else "")
