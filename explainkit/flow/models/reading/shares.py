"""Shares of an amount ("a quarter of the price"), read as exact fractions."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

_NAMED = {
    "double": Fraction(2),
    "twice": Fraction(2),
    "triple": Fraction(3),
    "three times": Fraction(3),
    "half": Fraction(1, 2),
    "quarter": Fraction(1, 4),
    "three quarters": Fraction(3, 4),
    "third": Fraction(1, 3),
    "two thirds": Fraction(2, 3),
    "fifth": Fraction(1, 5),
    "tenth": Fraction(1, 10),
}
_NAMES = "|".join(sorted(_NAMED, key=len, reverse=True)).replace(" ", r"[\s-]+")
_SHARE = re.compile(
    rf"(?<!\w)(?:(?:an?|one)[\s-]+)?(?:(?P<name>{_NAMES})|(?P<percent>\d{{1,9}}(?:\.\d{{1,9}})?)\s?"
    r"(?:%|per\s?cent))(?!\w)(?:\s+of)?(?:\s+(?:the|your|its|their|a|an|this|that))?"
    r"(?P<base>(?:\s+[^\W\d_]+){0,3})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of something.

    Attributes:
        factor: What the amount is multiplied by.
        base: The up to three words that name the amount; may be empty.
        end: End of its words in the text, `base` left out.
    """

    factor: Fraction
    base: str
    end: int


def find_share(text: str) -> Share | None:
    """Find the first share of a text.

    Example:
        >>> find_share("We charge 25 % of the price.").factor
        Fraction(1, 4)
    """
    match = _SHARE.search(text)
    if match is None:
        return None
    if match["name"]:
        factor = _NAMED[" ".join(re.split(r"[\s-]+", match["name"].casefold()))]
    else:
        factor = Fraction(Decimal(match["percent"])) / 100
    return Share(factor=factor, base=match["base"].strip(), end=match.start("base"))
