"""Whether a strong run between a few short texts is possible, before any run is looked for."""

from collections.abc import Iterable, Iterator, Sequence
from math import log2
from typing import Final

from explainkit.text.index import TokenIndex
from explainkit.text.runs import STRONG_BITS
from explainkit.text.worth import Worth

_SLACK: Final = 1e-6
_MOST: Final = 4_096
"""Tokens on either side up to which looking is cheaper than searching."""


def may_be_strong(
    index: TokenIndex,
    worth: Worth,
    target: int,
    ranges: Iterable[tuple[int, int]],
    sources: Sequence[int],
) -> bool:
    """Whether some stretches of a text may have a strong run with one of the given texts.

    A run is of tokens that all stand in its source, and says no more than they do together.

    Args:
        index: The table.
        worth: What its tokens are worth.
        target: Index of the text.
        ranges: First code point and one past the last of each stretch.
        sources: Indexes of the other texts.

    Returns:
        False only where there is none.
    """
    low, high = int(index.bounds[target]), int(index.bounds[target + 1])
    known = None if high - low > _MOST else _tokens_of(index, sources)
    if known is None:
        return True
    chance = log2(max(high - low, 1) * float(index.size))
    units = log2(max(index.unit_variety, 2))
    blocks = list(_blocks(index.ids[low:high].tolist(), known))
    for first, stop in blocks:
        says = worth.sums[low + stop] - worth.sums[low + first] - chance
        alone = float(worth.units[low + first : low + stop].max()) - units
        if max(says, alone) < STRONG_BITS - _SLACK:
            continue
        start, end = index.starts[low + first], index.ends[low + stop - 1]
        if any(start < after and end > before for before, after in ranges):
            return True
    return False


def _tokens_of(index: TokenIndex, texts: Sequence[int]) -> set[int] | None:
    """The numbers of the tokens of some texts; None where they are many."""
    found: set[int] = set()
    left = _MOST
    for text in texts:
        low, high = int(index.bounds[text]), int(index.bounds[text + 1])
        left -= high - low
        if left < 0:
            return None
        found.update(index.ids[low:high].tolist())
    return found


def _blocks(ids: Sequence[int], known: set[int]) -> Iterator[tuple[int, int]]:
    """Maximal stretches of tokens that are all known."""
    first = None
    for at, each in enumerate(ids):
        if each in known:
            first = at if first is None else first
        elif first is not None:
            yield first, at
            first = None
    if first is not None:
        yield first, len(ids)
