"""Tells characters that moved from words made out of others, which have no older origin."""

from typing import Final

from explainkit.text.matching import build_index

_COMPARED: Final = 200
"""Code points of two differing texts that are compared as numbers and dates."""


def says_the_same(before: str, after: str) -> bool:
    """Whether two texts are the same words, apart from case, white space and how numbers are put.

    Example:
        >>> says_the_same("Half of  the fare", "half of the fare")
        True
        >>> says_the_same("1234.5", "1,234.5")
        True
        >>> says_the_same("3", "Refused, code 3.")
        False
    """
    if _folded(before) == _folded(after):
        return True
    before, after = before.strip(), after.strip()
    if not before or not after or max(len(before), len(after)) > _COMPARED:
        return False
    if not any(map(str.isdigit, before)) or not any(map(str.isdigit, after)):
        return False  # only numbers and dates are written in several ways
    return (0, 0, len(before)) in build_index([before]).find(after)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
