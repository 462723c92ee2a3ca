"""Where the pieces of one text stand in chosen other texts, without reading those texts again."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.index import TokenIndex
from explainkit.text.seeds import MOST_REPEATS, PIECES, Seeds, verified

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_AT_ONCE: Final = 1_000_000


class Holders:
    """All pieces of one length, sorted once, with the first place of each in each text."""

    def __init__(self, index: TokenIndex, *, length: int) -> None:
        """Sort the pieces of all texts.

        Args:
            index: The table.
            length: Tokens of a piece.
        """
        self._index = index
        self._length = length
        keys, positions = PIECES[length](index, 0, index.size)
        order = np.lexsort((positions, keys))
        keys, positions = keys[order], positions[order]
        texts = index.documents(positions)
        new = np.ones(len(keys), bool)
        new[1:] = (keys[1:] != keys[:-1]) | (texts[1:] != texts[:-1])
        self._keys, self._positions, self._texts = keys[new], positions[new], texts[new]

    def seeds(self, target: int, chosen: Bools) -> Seeds:
        """Find where the pieces of one text stand first in each of the chosen texts.

        Args:
            target: Index of the text.
            chosen: Which texts count, bool[texts].

        Returns:
            Seeds of text after text, the last text first; ascending by target within each.
        """
        index = self._index
        bounds = int(index.bounds[target]), int(index.bounds[target + 1])
        keys, positions = _few_repeats(*PIECES[self._length](index, *bounds))
        low = np.searchsorted(self._keys, keys)
        count = np.searchsorted(self._keys, keys, side="right") - low
        parts = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
        for part in _slices(count):
            ends = np.cumsum(count[part])
            shift = np.repeat(low[part] - ends + count[part], count[part])
            place = np.arange(len(shift)) + shift
            wanted = chosen[self._texts[place]]
            parts.append((place[wanted], np.repeat(positions[part], count[part])[wanted]))
        place, positions = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        # From the last text to the first, or runs could join from the end of one into the next.
        order = np.lexsort((positions, -self._texts[place]))
        found = Seeds(positions[order], self._positions[place[order]], self._length)
        return verified(index, found)


def _slices(count: Ints) -> Iterator[slice]:
    """Cut pieces into slices that stand in not too many places together."""
    ends = np.cumsum(count)
    low = 0
    while low < len(count):
        before = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + _AT_ONCE, side="right")))
        yield slice(low, high)
        low = high


def _few_repeats(keys: NDArray[np.uint64], positions: Ints) -> tuple[NDArray[np.uint64], Ints]:
    """The pieces of a text without those that it said too often before."""
    order = np.argsort(keys, kind="stable")
    keys, positions = keys[order], positions[order]
    number = np.arange(len(keys))
    again = np.zeros(len(keys), bool)
    again[1:] = keys[1:] == keys[:-1]
    few = number - np.maximum.accumulate(np.where(again, 0, number)) < MOST_REPEATS
    return keys[few], positions[few]
