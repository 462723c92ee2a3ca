"""Numbers written differently get one form before tokens are cut, so `1,234.50` is `1234.5`.

Works on arrays: digit runs joined by one separator form a chain; a chain that is one number loses
its group separators and the closing zeros of its fraction. A chain that could be a list, a date or
a version is left alone.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explainkit.text.characters import DIGIT, GROUP_SPACE, LETTER
from explainkit.text.measures import CURRENCY_SIGNS, canonical_unit

_COMMA, _DOT, _QUOTE, _SPACE, _ZERO = map(ord, ",.' 0")
_LINKS: Final = np.zeros(256, bool)
_LINKS[[_COMMA, _DOT, _QUOTE, _SPACE, GROUP_SPACE]] = True
_SPACES: Final = (_SPACE, GROUP_SPACE, 9, 10, 13, 0)
_CLOSERS: Final = (*_SPACES, *map(ord, "\"')}"))
_UNIT_REACH: Final = 12
_MOST_ZEROS: Final = 32  # closing zeros beyond these keep two spellings of one number apart

Codes = NDArray[np.uint8] | NDArray[np.uint32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


class Rewrite(NamedTuple):
    """What to drop and mark so that every number has one form.

    Attributes:
        drop: Positions to delete, int64[d], ascending.
        points: Positions that become the decimal point, int64[p].
        last: Last kept position of each number that loses its end, int64[z].
        end: Where such a number really ends, int64[z].
    """

    drop: Ints
    points: Ints
    last: Ints
    end: Ints


class _Chains(NamedTuple):
    """Digit runs joined by single separators; per run and per chain."""

    starts: Ints  # per run
    ends: Ints
    link: NDArray[np.uint32]  # per run: the separator after it, 0 where the chain ends
    first: Ints  # per chain: index of its first run
    last: Ints  # per chain: index of its last run


def _chains(codes: Codes, kinds: NDArray[np.uint8]) -> _Chains | None:
    digit = kinds == DIGIT
    gap = np.flatnonzero(digit[:-2] & digit[2:] & ~digit[1:-1]) + 1
    found = codes[gap]
    if found.dtype != np.uint8:
        gap = gap[found < len(_LINKS)]
        found = codes[gap]
    gap = gap[_LINKS[found]]
    if not len(gap):
        return None
    edges = np.flatnonzero(np.diff(digit.view(np.int8), prepend=0, append=0))
    starts, ends = edges[0::2], edges[1::2]
    link = np.zeros(len(starts), np.uint32)
    link[np.searchsorted(ends, gap)] = codes[gap]
    # A space joins only what could be a group of three, or it would chain whole columns.
    size = ends - starts
    spaced = np.flatnonzero((link == _SPACE) | (link == GROUP_SPACE))
    previous = link[spaced - 1] * (spaced > 0)
    apart = (size[spaced] > 3) | (size[np.minimum(spaced + 1, len(size) - 1)] != 3)
    apart |= (previous != 0) & (previous != link[spaced])
    link[spaced[apart]] = 0
    linked = link != 0
    before = np.concatenate(([False], linked[:-1]))
    return _Chains(
        starts, ends, link, np.flatnonzero(linked & ~before), np.flatnonzero(~linked & before)
    )


def _at(codes: Codes, where: Ints) -> NDArray[np.uint32]:
    """Characters at positions, 0 outside the text."""
    inside = (where >= 0) & (where < len(codes))
    return np.where(inside, codes[np.clip(where, 0, len(codes) - 1)], 0).astype(np.uint32)


def _total(flags: Bools, first: Ints, stop: Ints) -> Ints:
    """How many flags are set in each range."""
    sums = np.concatenate(([0], np.cumsum(flags, dtype=np.int64)))
    total: Ints = sums[np.maximum(stop, first)] - sums[first]
    return total


def _beside_unit(codes: Codes, start: int, end: int) -> bool:
    """Whether a unit or a currency touches the number, so that its spaces group digits."""
    before = "".join(map(chr, codes[max(0, start - 2) : start].tolist())).rstrip()
    if before and before[-1] in CURRENCY_SIGNS:
        return True
    after = "".join(map(chr, codes[end : end + _UNIT_REACH].tolist())).lstrip()
    word = after[:1]
    for character in after[1:] if word.isalpha() else "":
        if not character.isalpha():
            break
        word += character
    return canonical_unit(word) is not None


def _valid(codes: Codes, kinds: NDArray[np.uint8], chains: _Chains) -> tuple[Bools, Bools]:
    """Which chains are one number, and which of these end in a fraction."""
    starts, ends, link, first, last = chains
    closing = link[last - 1]
    opening = link[first]
    single = last - first == 1
    point = closing == _DOT
    european = (closing == _COMMA) & (opening == _DOT) & ~single
    fraction = point | european
    groups_stop = np.where(fraction, last - 1, last)  # links first..groups_stop-1 group digits
    grouped = groups_stop > first
    size = ends - starts
    changed = np.concatenate(([False], link[1:] != link[:-1]))
    uniform = _total(changed, first + 1, groups_stop) == 0
    threes = _total(size != 3, first + 1, groups_stop + 1) == 0
    lead = (size[first] <= 3) & (_at(codes, starts[first]) != _ZERO)
    good = ~grouped | (uniform & threes & lead & ((opening != _DOT) | european))
    before = _at(codes, starts[first] - 1)
    after = _at(codes, ends[last])
    beyond = _at(codes, ends[last] + 1)
    clean = (starts[first] == 0) | (kinds[np.maximum(starts[first] - 1, 0)] != LETTER)
    listed = (before == _COMMA) | (before == ord("[")) | (after == ord("]"))
    listed |= (after == _COMMA) & ~np.isin(beyond, _CLOSERS)
    good &= clean & ~(grouped & (opening == _COMMA) & listed)
    unsure = np.flatnonzero(good & grouped & (opening == _SPACE) & ~fraction)
    letter = _at(kinds, ends[last[unsure]] + (after[unsure] == _SPACE)) % DIGIT != 0
    signed = np.isin(before[unsure], [*map(ord, CURRENCY_SIGNS), _SPACE])
    good[unsure[~(letter | signed)]] = False
    for chain in unsure[letter | signed].tolist():
        good[chain] = _beside_unit(codes, int(starts[first[chain]]), int(ends[last[chain]]))
    return good, fraction


def _closing_zeros(codes: Codes, start: Ints, end: Ints) -> Ints:
    """How many zeros close each fraction `codes[start:end]`."""
    count = np.zeros(len(end), np.int64)
    active = np.arange(len(end))
    for step in range(_MOST_ZEROS):
        at = end[active] - 1 - step
        active = active[(at >= start[active]) & (_at(codes, at) == _ZERO)]
        if not len(active):
            break
        count[active] += 1
    return count


def spread(start: Ints, count: Ints) -> Ints:
    """Return the numbers of all ranges `start .. start+count`, one range after the other."""
    total = int(count.sum())
    offset = np.repeat(start - (np.cumsum(count) - count), count)
    return offset + np.arange(total)


def rewrite_numbers(codes: Codes, kinds: NDArray[np.uint8]) -> Rewrite | None:
    """Find the numbers that have more than one spelling.

    Args:
        codes: Folded characters, [n]; digits are ASCII.
        kinds: Their kinds, uint8[n].

    Returns:
        What to change, or None when nothing is written with separators.
    """
    if len(codes) < 3 or (chains := _chains(codes, kinds)) is None:
        return None
    good, fraction = _valid(codes, kinds, chains)
    first, last = chains.first[good], chains.last[good]
    with_point = fraction[good]
    links = spread(first, last - first)
    is_point = np.zeros(len(links), bool)
    is_point[(np.cumsum(last - first) - 1)[with_point]] = True
    places = chains.ends[links]
    start, end = chains.starts[last[with_point]], chains.ends[last[with_point]]
    zeros = _closing_zeros(codes, start, end)
    whole = zeros == end - start
    drop = [places[~is_point], spread(end - zeros, zeros), (start - 1)[whole]]
    cut = zeros > 0
    return Rewrite(
        np.sort(np.concatenate(drop)),
        (start - 1)[~whole],
        (end - zeros - 1 - whole)[cut],
        end[cut],
    )
