"""Join short common pieces to maximal common runs and keep those that chance does not explain."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explainkit.text.index import TokenIndex
from explainkit.text.seeds import Seeds
from explainkit.text.worth import Worth

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Bits are minus log2 of how often chance alone would give such a run in the target text. The
# thresholds were measured: docs/decisions/0002-value-matching.md.
LOOSE_BITS: Final = 6.5
ALONE_BITS: Final = 2.0  # a number or an id by itself; a reader wants to see these
STRONG_BITS: Final = LOOSE_BITS + 11
_HOPE_BITS: Final = 24.0  # a piece this far below loose is not worth extending
_BLOCKS: Final = (4, 16, 64)
_WORK_PER_TOKEN: Final = 32
_FEWER: Final = 8


class Runs(NamedTuple):
    """Common runs of tokens.

    Attributes:
        target: First token in the later text, int64[r].
        source: First token in the other text, int64[r].
        length: Tokens, int64[r].
        near: Whether the source is the nearest earlier text, bool[r].
        first: Whether the source is the first text, bool[r].
    """

    target: Ints
    source: Ints
    length: Ints
    near: Bools
    first: Bools

    def take(self, chosen: Ints | Bools) -> "Runs":
        """Return the chosen runs."""
        return Runs(
            self.target[chosen], self.source[chosen], self.length[chosen],
            self.near[chosen], self.first[chosen],
        )  # fmt: skip


def joined(index: TokenIndex, seeds: Seeds, *, near: bool, first: bool) -> Runs:
    """Join seeds that continue each other on both sides (equal diagonals) inside their texts."""
    target, source = seeds.target, seeds.source
    begins = np.ones(len(target), bool)
    begins[1:] = (target[1:] != target[:-1] + 1) | (source[1:] != source[:-1] + 1)
    if seeds.length == 1:  # longer seeds overlap, so they continue in one text only
        going = np.flatnonzero(~begins)
        text = index.documents
        here = text(target[going]) != text(target[going] - 1)
        begins[going[here | (text(source[going]) != text(source[going] - 1))]] = True
    at = np.flatnonzero(begins)
    count = np.diff(np.append(at, len(target)))
    flags = np.ones(len(at), bool)
    return Runs(target[at], source[at], count + seeds.length - 1, flags & near, flags & first)


def concatenated(parts: list[Runs]) -> Runs:
    """Put runs of several kinds together."""
    return Runs(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def score(index: TokenIndex, worth: Worth, runs: Runs) -> tuple[Floats, Bools]:
    """Return the bits of each run, float64[r], and whether a unit alone gives them, bool[r].

    Bits are the information of its tokens less that of the choice among all places of the run and
    of the target text where chance could have put it.
    """
    text = index.documents(runs.target)
    room = (index.bounds[text + 1] - index.bounds[text]) * float(index.size)
    bits: Floats = worth.of(runs.target, runs.length) - np.log2(room)
    short = np.flatnonzero(runs.length <= 4)
    best = np.zeros(len(short))
    for step in range(4):
        inside = runs.length[short] > step
        at = np.minimum(runs.target[short] + step, index.size - 1)
        best = np.maximum(best, np.where(inside, worth.units[at], 0.0))
    alone = best - np.log2(max(index.unit_variety, 2))
    by_unit = np.zeros(len(bits), bool)
    by_unit[short] = (best > 0) & (alone > bits[short])
    bits[short] = np.where(by_unit[short], alone, bits[short])
    return bits, by_unit


def _extend_one_way(
    index: TokenIndex, target: Ints, source: Ints, room: Ints, step: int, budget: int
) -> Ints:
    """Count equal tokens from two places onwards (`step` 1) or backwards (-1)."""
    grown = np.zeros(len(target), np.int64)
    active = np.flatnonzero(room > 0)
    block_number, spent = 0, 0
    while len(active):
        block = _BLOCKS[min(block_number, len(_BLOCKS) - 1)]
        block_number += 1
        spent += len(active) * block
        if spent > budget and len(active) > 1:
            # Text that repeats itself: only those that can become longest go on.
            by_room = np.argsort(grown[active] - room[active], kind="stable")
            active = np.sort(active[by_room[: max(1, len(active) // _FEWER)]])
            budget, spent = budget // 2, 0
        still = []
        slice_size = max(1, 1_000_000 // block)
        for low in range(0, len(active), slice_size):
            part = active[low : low + slice_size]
            offset = grown[part, None] + np.arange(block)
            inside = offset < room[part, None]
            offset = np.where(inside, offset, 0) * step
            equal = index.ids[target[part, None] + offset] == index.ids[source[part, None] + offset]
            equal &= inside
            count = np.where(equal.all(axis=1), block, np.argmin(equal, axis=1))
            grown[part] += count
            still.append(part[count == block])
        active = np.concatenate(still)
    return grown


def extended(index: TokenIndex, runs: Runs) -> Runs:
    """Grow each run to both sides while the tokens are equal, then merge equal runs.

    The number of comparisons is bounded by a multiple of the tokens and runs, so that a text of
    one repeated phrase costs no more than another; beyond it only the longest runs grow on.
    """
    budget = _WORK_PER_TOKEN * (index.size + len(runs.target)) // 2
    target_text, source_text = index.documents(runs.target), index.documents(runs.source)
    bounds = index.bounds
    stop, source_stop = runs.target + runs.length, runs.source + runs.length
    room = np.minimum(bounds[target_text + 1] - stop, bounds[source_text + 1] - source_stop)
    after = _extend_one_way(index, stop, source_stop, room, 1, budget)
    room = np.minimum(runs.target - bounds[target_text], runs.source - bounds[source_text])
    before = _extend_one_way(index, runs.target - 1, runs.source - 1, room, -1, budget)
    length = runs.length + before + after
    grown = runs._replace(
        target=runs.target - before,
        source=runs.source - before,
        length=length,
    )
    return _merged(grown)


def _merged(runs: Runs) -> Runs:
    """Keep one of the runs that begin at the same two places: the longest, with all its flags."""
    order = np.lexsort((-runs.length, runs.source, runs.target))
    runs = runs.take(order)
    if not len(runs.target):
        return runs
    new = np.ones(len(order), bool)
    new[1:] = (runs.target[1:] != runs.target[:-1]) | (runs.source[1:] != runs.source[:-1])
    at = np.flatnonzero(new)
    near = np.logical_or.reduceat(runs.near, at)
    first = np.logical_or.reduceat(runs.first, at)
    return runs.take(at)._replace(near=near, first=first)


def _contained(stop: Ints, owner: Ints) -> Bools:
    """Flag ranges, sorted by owner, start and falling length, that lie inside an earlier one."""
    top = int(stop.max(initial=0)) + 1
    reach = np.maximum.accumulate(stop + owner * top)
    inside = np.zeros(len(stop), bool)
    inside[1:] = (stop[1:] + owner[1:] * top) <= reach[:-1]
    return inside


def pruned(
    index: TokenIndex, runs: Runs, bits: Floats, *, each_source: bool
) -> tuple[Runs, Floats]:
    """Drop runs that say nothing new.

    A run inside a longer one from the same text goes; so does a loose one inside a longer one
    from any text, unless each source is asked about by itself.
    """
    source_text = index.documents(runs.source)
    target_text = index.documents(runs.target)
    pair = target_text * (len(index.texts) + 1) + source_text
    _, pair = np.unique(pair, return_inverse=True)
    order = np.lexsort((runs.source, -runs.length, runs.target, pair))
    runs, bits = runs.take(order), bits[order]
    keep = ~_contained(runs.target + runs.length, pair[order])
    runs, bits = runs.take(keep), bits[keep]
    order = np.lexsort((runs.source, -runs.length, runs.target))
    runs, bits = runs.take(order), bits[order]
    if each_source:
        return runs, bits
    same_range = np.zeros(len(bits), bool)
    same_range[1:] = (runs.target[1:] == runs.target[:-1]) & (runs.length[1:] == runs.length[:-1])
    inside = _contained(runs.target + runs.length, np.zeros(len(bits), np.int64))
    keep = ~inside | same_range | (bits >= STRONG_BITS)
    return runs.take(keep), bits[keep]


def settled(
    index: TokenIndex, worth: Worth, parts: list[Runs], *, each_source: bool = False
) -> tuple[Runs, Floats]:
    """Turn raw joined seeds into the maximal runs worth reporting, with their bits.

    Args:
        index: The table.
        worth: What its tokens are worth.
        parts: Joined seeds of each kind.
        each_source: Keep what each source holds, whatever another one holds around it.

    Returns:
        Runs by place in the target, and their bits.
    """
    runs = concatenated(parts)
    bits, _ = score(index, worth, runs)
    runs = extended(index, runs.take(bits >= LOOSE_BITS - _HOPE_BITS))
    bits, by_unit = score(index, worth, runs)
    good = bits >= np.where(by_unit, ALONE_BITS, LOOSE_BITS)
    return pruned(index, runs.take(good), bits[good], each_source=each_source)
