"""Which characters of one spelling of the same words are which of another: token by token.

Equal tokens need not be spelt alike (`1,234.50` is `1234.5`), so a part of a common stretch is cut
at whole tokens, except inside tokens whose characters agree one to one.
"""

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import Final, NamedTuple

from explainkit.text.tokens import tokenize

_KEPT: Final = 64


class Pairing(NamedTuple):
    """The tokens of two texts of equal tokens, in order; none when their tokens differ.

    Attributes:
        one: The first text.
        other: The second text.
        starts: First code points of the tokens, in each.
        ends: One past their last, in each.
    """

    one: str
    other: str
    starts: tuple[list[int], list[int]]
    ends: tuple[list[int], list[int]]

    def part(self, low: int, high: int, *, by_source: bool) -> tuple[int, int, int, int] | None:
        """The range of both texts that a range of one of them stands for.

        Args:
            low: First code point.
            high: One past the last.
            by_source: The range is one of the second text.

        Returns:
            Start and end in the first text, then in the second; ``None`` when no token, and no
            part of one that is spelt alike, lies in the range.
        """
        side = int(by_source)
        first = bisect_right(self.ends[side], low)
        last = bisect_left(self.starts[side], high) - 1
        begin = end = None
        while first <= last and begin is None:
            begin = self._begin(first, low, side)
            first += begin is None
        while first <= last and end is None:
            end = self._end(last, high, side)
            last -= end is None
        if begin is None or end is None:
            return None
        return begin[0], end[0], begin[1], end[1]

    def _begin(self, token: int, low: int, side: int) -> tuple[int, int] | None:
        starts = self.starts[0][token], self.starts[1][token]
        inside = max(0, low - starts[side])
        if inside and not self._is_alike(token):
            return None
        return starts[0] + inside, starts[1] + inside

    def _end(self, token: int, high: int, side: int) -> tuple[int, int] | None:
        ends = self.ends[0][token], self.ends[1][token]
        inside = max(0, ends[side] - high)
        if inside and not self._is_alike(token):
            return None
        return ends[0] - inside, ends[1] - inside

    def _is_alike(self, token: int) -> bool:
        one = self.one[self.starts[0][token] : self.ends[0][token]]
        other = self.other[self.starts[1][token] : self.ends[1][token]]
        return len(one) == len(other) and one.casefold() == other.casefold()


@lru_cache(maxsize=_KEPT)
def paired(one: str, other: str) -> Pairing:
    """Pair the tokens of two texts.

    Example:
        >>> paired("fee 1,234.50 due", "FEE 1234.5 due").part(0, 8, by_source=False)
        (0, 3, 0, 3)
        >>> paired("fee 1,234.50 due", "FEE 1234.5 due").part(2, 11, by_source=True)
        (2, 12, 2, 10)
    """
    tokens = tokenize(one), tokenize(other)
    if len(tokens[0]) != len(tokens[1]) or not (tokens[0].keys == tokens[1].keys).all():
        return Pairing(one, other, ([], []), ([], []))
    starts, ends = (
        [each.starts.tolist() for each in tokens],
        [each.ends.tolist() for each in tokens],
    )
    return Pairing(one, other, (starts[0], starts[1]), (ends[0], ends[1]))
