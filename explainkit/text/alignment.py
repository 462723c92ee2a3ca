"""Which characters of one version of a text became which of the next, so overrides keep spans.

    >>> pieces = align("Mia Li gets half back.", "The passenger gets half back.")
    >>> [(p.before_start, p.before_end, p.after_start, p.after_end, p.equal) for p in pieces]
    [(0, 6, 0, 13, False), (6, 22, 13, 29, True)]
    >>> map_range(pieces, 0, 3, backward=False), map_range(pieces, 19, 23, backward=True)
    ((0, 13), (12, 16))

Tokens that occur once on both sides are anchors (patience diff); what lies between two anchors
is aligned the same way, to a bounded depth, so that text made of repeats costs no more.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.hashing import mix

_TOKEN: Final = re.compile(r"\w+|\s+|[^\w\s]")
_HAS_WORD: Final = re.compile(r"\w")
_DEPTH: Final = 12
_SPARSE: Final = 32  # with fewer anchors than one per so many tokens, longer ones are tried
_WINDOW: Final = 8
_SMALL: Final = 4096  # products of sizes up to this are aligned exactly
Ids = NDArray[np.int64]
Block = tuple[int, int, int]  # first token before, first token after, how many


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of the text before and the range of the text after that it became.

    Attributes:
        before_start: Offset in the text before.
        before_end: Offset after it; equal to the start for an insertion.
        after_start: Offset in the text after.
        after_end: Offset after it; equal to the start for a deletion.
        equal: Whether the characters are the same, one to one.
    """

    before_start: int
    before_end: int
    after_start: int
    after_end: int
    equal: bool


def _cut(text: str, numbers: dict[str, int]) -> tuple[Ids, Ids]:
    """Number the tokens of a text and give the offsets at which they begin, and the end."""
    words = _TOKEN.findall(text)
    ids = np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int64)
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    return ids, np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))


def _common_prefix(a: Ids, b: Ids) -> int:
    size = min(len(a), len(b))
    different = np.flatnonzero(a[:size] != b[:size])
    return int(different[0]) if len(different) else size


def _rising(places: list[int]) -> list[int]:
    """Return the indexes of a longest rising subsequence."""
    tops: list[int] = []
    tails: list[int] = []
    back: list[int] = []
    for index, place in enumerate(places):
        at = bisect_left(tops, place)
        back.append(tails[at - 1] if at else -1)
        if at == len(tops):
            tops.append(place)
            tails.append(index)
        else:
            tops[at] = place
            tails[at] = index
    chosen: list[int] = []
    index = tails[-1] if tails else -1
    while index >= 0:
        chosen.append(index)
        index = back[index]
    return chosen[::-1]


def _windows(ids: Ids, width: int) -> Ids:
    """Give each run of `width` tokens a number that equal runs share."""
    keys = ids[: len(ids) - width + 1].astype(np.uint64)
    for step in range(1, width):
        keys = mix(keys) + ids[step : len(ids) - width + 1 + step].astype(np.uint64)
    return keys.view(np.int64)


def _anchors(a: Ids, b: Ids) -> list[tuple[int, int]]:
    """Places of what is unique on both sides: a token or, where words repeat, a run of them."""
    anchors = _unique_on_both(a, b)
    if len(anchors) * _SPARSE < min(len(a), len(b)) and min(len(a), len(b)) >= _WINDOW:
        wide = _unique_on_both(_windows(a, _WINDOW), _windows(b, _WINDOW))
        wide = [(i, j) for i, j in wide if a[i] == b[j]]
        return max(anchors, wide, key=len)
    return anchors


def _unique_on_both(a: Ids, b: Ids) -> list[tuple[int, int]]:
    """Pairs of places of what occurs once in each, in an order that holds on both sides."""
    a_ids, a_first, a_count = np.unique(a, return_index=True, return_counts=True)
    b_ids, b_first, b_count = np.unique(b, return_index=True, return_counts=True)
    a_ids, a_first = a_ids[a_count == 1], a_first[a_count == 1]
    b_ids, b_first = b_ids[b_count == 1], b_first[b_count == 1]
    _, a_at, b_at = np.intersect1d(a_ids, b_ids, assume_unique=True, return_indices=True)
    order = np.argsort(a_first[a_at])
    left, right = a_first[a_at][order].tolist(), b_first[b_at][order].tolist()
    return [(left[index], right[index]) for index in _rising(right)]


def _exact(a: Ids, b: Ids) -> list[Block]:
    matcher = SequenceMatcher(None, a.tolist(), b.tolist(), autojunk=False)
    return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks()]


def _blocks(a: Ids, b: Ids) -> list[Block]:
    """Equal runs of tokens, in order; an explicit stack, so depth never meets Python's limit."""
    found: list[Block] = []
    stack = [(0, len(a), 0, len(b), 0)]
    while stack:
        a_low, a_high, b_low, b_high, depth = stack.pop()
        prefix = _common_prefix(a[a_low:a_high], b[b_low:b_high])
        if prefix:
            found.append((a_low, b_low, prefix))
            a_low, b_low = a_low + prefix, b_low + prefix
        suffix = _common_prefix(a[a_low:a_high][::-1], b[b_low:b_high][::-1])
        if suffix:
            a_high, b_high = a_high - suffix, b_high - suffix
            found.append((a_high, b_high, suffix))
        left, right = a[a_low:a_high], b[b_low:b_high]
        if not len(left) or not len(right):
            continue
        if len(left) * len(right) <= _SMALL:
            found.extend((a_low + i, b_low + j, size) for i, j, size in _exact(left, right))
            continue
        anchors = _anchors(left, right) if depth < _DEPTH else []
        previous_a, previous_b = a_low, b_low
        for i, j in anchors:
            found.append((a_low + i, b_low + j, 1))
            if previous_a < a_low + i and previous_b < b_low + j:
                stack.append((previous_a, a_low + i, previous_b, b_low + j, depth + 1))
            previous_a, previous_b = a_low + i + 1, b_low + j + 1
        if anchors:
            stack.append((previous_a, a_high, previous_b, b_high, depth + 1))
    return sorted(block for block in found if block[2])


def _joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Join equal runs that touch."""
    held: Block | None = None
    for a, b, size in blocks:
        if held and held[0] + held[2] == a and held[1] + held[2] == b:
            held = (held[0], held[1], held[2] + size)
            continue
        if held:
            yield held
        held = (a, b, size)
    if held:
        yield held


def common_runs(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[Block]:
    """Equal runs of two sequences of anything, in order.

    Args:
        before: The earlier sequence.
        after: The later one.

    Returns:
        ``(start before, start after, length)`` of each.

    Example:
        >>> common_runs(["a", "b", "c"], ["a", "x", "c"])
        [(0, 0, 1), (2, 2, 1)]
    """
    numbers: dict[Hashable, int] = {}
    a, b = (
        np.array([numbers.setdefault(each, len(numbers)) for each in side], np.int64)
        for side in (before, after)
    )
    return list(_joined(_blocks(a, b)))


def align(before: str, after: str) -> list[Piece]:
    """Align two versions of a text.

    Args:
        before: The earlier version.
        after: The later version.

    Returns:
        Pieces that cover both texts completely, in order; replaced and equal ones alternate. Both
        texts empty: no piece.
    """
    if before == after:
        return [Piece(0, len(before), 0, len(after), equal=True)] if before else []
    numbers: dict[str, int] = {}
    a, a_at = _cut(before, numbers)
    b, b_at = _cut(after, numbers)
    pieces: list[Piece] = []
    a_done, b_done = 0, 0
    for i, j, size in _joined(_blocks(a, b)):
        a_start, a_end = int(a_at[i]), int(a_at[i + size])
        b_start, b_end = int(b_at[j]), int(b_at[j + size])
        # Space or punctuation that two different phrases share by chance does not tie them.
        inner = i > 0 and j > 0 and i + size < len(a) and j + size < len(b)
        if inner and not _HAS_WORD.search(before, a_start, a_end):
            continue
        if a_start > a_done or b_start > b_done:
            pieces.append(Piece(a_done, a_start, b_done, b_start, equal=False))
        pieces.append(Piece(a_start, a_end, b_start, b_end, equal=True))
        a_done, b_done = a_end, b_end
    if a_done < len(before) or b_done < len(after):
        pieces.append(Piece(a_done, len(before), b_done, len(after), equal=False))
    return pieces


def _sides(piece: Piece, *, backward: bool) -> tuple[int, int, int, int]:
    before = (piece.before_start, piece.before_end)
    after = (piece.after_start, piece.after_end)
    return (*after, *before) if backward else (*before, *after)


def map_range(pieces: Sequence[Piece], start: int, end: int, *, backward: bool) -> tuple[int, int]:
    """Map a range of one version to the other.

    Args:
        pieces: From `align`.
        start: First offset.
        end: Offset after the last, at least `start`.
        backward: Map from the text after to the text before.

    Returns:
        The range in the other version: characters of equal ranges one to one, any part of a
        replaced range to the whole replacing range. A deleted range maps to an empty one.

    Raises:
        ValueError: The range lies outside the text.
    """
    sides = [_sides(piece, backward=backward) for piece in pieces]
    size = sides[-1][1] if sides else 0
    if not 0 <= start <= end <= size:
        raise ValueError(f"range {start}..{end} is outside the text of {size} characters")
    if not sides:
        return 0, 0
    starts = [side[0] for side in sides]
    # An empty piece at `start` came before the range; it belongs to it only if the range is empty.
    first = max(bisect_right(starts, start) - 1, 0)
    last = first if end == start else max(bisect_left(starts, end) - 1, first)
    low, _, to_low, to_high = sides[first]
    mapped_start = to_low + (start - low) if pieces[first].equal else to_low
    low, _, to_low, to_high = sides[last]
    mapped_end = to_low + (end - low) if pieces[last].equal else to_high
    return mapped_start, mapped_end
