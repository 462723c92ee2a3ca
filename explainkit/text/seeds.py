"""Where each short piece of a text stood before: in the nearest earlier text and in the first."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explainkit.text.index import (
    PAIR,
    SHINGLE,
    TokenIndex,
    alone_keys,
    pair_keys,
    shingle_keys,
)
from explainkit.text.vocabulary import packed_sort

Ints = NDArray[np.int64]

# A piece that one text repeats more often seeds no further run there: text made of one phrase would
# give a run per repeat. Runs that start at the earlier repeats still grow over the later ones.
MOST_REPEATS: Final = 64


class Seeds(NamedTuple):
    """Short common runs, one per target position.

    Attributes:
        target: First token of the piece in the later text, int64[s], ascending.
        source: First token of the same piece in the other text, int64[s].
        length: Tokens of the piece.
    """

    target: Ints
    source: Ints
    length: int


def _grouped(
    index: TokenIndex, keys: NDArray[np.uint64], positions: Ints
) -> tuple[Ints, NDArray[np.bool_]]:
    """Sort positions by key; keep those whose key occurs twice; flag the first of each group."""
    high, order = packed_sort(keys, positions, index.size)
    same = high[1:] == high[:-1]
    del high
    repeated = np.zeros(len(order), bool)
    repeated[1:] = same
    repeated[:-1] |= same
    new = np.ones(len(order), bool)
    np.logical_not(same, out=new[1:])
    return order[repeated], new[repeated]


class Repeats(NamedTuple):
    """Pieces that stand in the run more than once.

    Attributes:
        nearest: Seeds into the nearest earlier text.
        first: Seeds into the first text that holds the piece.
        positions: Every place of such a piece, int64[p].
        texts: In how many texts the piece at that place stands, int64[p].
        left_out: Places that got no seed because the piece stands too often in one text.
    """

    nearest: Seeds
    first: Seeds
    positions: Ints
    texts: Ints
    left_out: int


def repeats(index: TokenIndex, keys: NDArray[np.uint64], positions: Ints, length: int) -> Repeats:
    """Find, for every piece, the nearest earlier text and the first text that hold it.

    Args:
        index: The table.
        keys: One mixed key per piece, uint64[s].
        positions: First token of each piece, int64[s], ascending.
        length: Tokens of a piece.

    Returns:
        The repeated pieces with their seeds.
    """
    order, new = _grouped(index, keys, positions)
    if not len(order):
        none = np.zeros(0, np.int64)
        empty = Seeds(none, none, length)
        return Repeats(empty, empty, none, none, 0)
    text = index.documents(order)
    place = np.arange(len(order))
    group_start = np.maximum.accumulate(np.where(new, place, 0))
    text_new = new.copy()
    text_new[1:] |= text[1:] != text[:-1]
    text_start = np.maximum.accumulate(np.where(text_new, place, 0))
    group = np.cumsum(new) - 1
    texts = np.bincount(group[text_new])[group]
    earlier = text_start > group_start
    carried = np.flatnonzero(earlier & (place - text_start < MOST_REPEATS))
    left_out = int(np.count_nonzero(earlier)) - len(carried)
    target = order[carried]
    nearest = order[text_start[carried] - 1]
    first = order[group_start[carried]]
    by_place = np.argsort(target)
    target = target[by_place]
    return Repeats(
        verified(index, Seeds(target, nearest[by_place], length)),
        verified(index, Seeds(target, first[by_place], length)),
        order,
        texts,
        left_out,
    )


def verified(index: TokenIndex, seeds: Seeds) -> Seeds:
    """Drop the seeds whose keys agreed by chance only."""
    equal = np.ones(len(seeds.target), bool)
    for step in range(seeds.length):
        equal &= index.ids[seeds.target + step] == index.ids[seeds.source + step]
    if equal.all():
        return seeds
    return Seeds(seeds.target[equal], seeds.source[equal], seeds.length)


PIECES: Final = {SHINGLE: shingle_keys, PAIR: pair_keys, 1: alone_keys}
