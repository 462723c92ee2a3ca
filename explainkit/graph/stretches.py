"""Characters at a place, and how they moved from an earlier place: what a walk is made of."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

REST: Final = -1
"""End of a stretch that goes to the end of its leaf, or covers a whole container."""


class Stretch(NamedTuple):
    """Code points ``[start, end)`` of the leaf at ``path`` of the value that a place holds.

    With ``end == REST`` and an empty path it is the whole value, whatever its shape.
    """

    node: int
    path: str
    start: int
    end: int


class Carry(NamedTuple):
    """A later stretch, the earlier stretch that it came from, and how that is known.

    Of a pair that is ``replaced`` the later words took the place of the earlier ones, so that they
    do not come from them: the way back ends there.
    """

    source: Stretch
    target: Stretch
    role: str
    grade: str
    strong: bool = True
    bits: float = 0.0
    replaced: bool = False


def joined(carries: list[Carry]) -> list[Carry]:
    """Join carries that continue each other on both sides; order by target, then source.

    Example:
        >>> a = Carry(Stretch(0, "", 0, 3), Stretch(1, "", 5, 8), "carries", "value")
        >>> b = Carry(Stretch(0, "", 3, 6), Stretch(1, "", 8, 11), "carries", "value")
        >>> [carry.target for carry in joined([b, a])]
        [Stretch(node=1, path='', start=5, end=11)]
    """
    found: list[Carry] = []
    for carry in sorted(dict.fromkeys(carries), key=_by_source):
        last = found[-1] if found else None
        if last is not None and _continues(last, carry):  # the same diagonal, without a gap
            found[-1] = last._replace(
                source=last.source._replace(end=max(last.source.end, carry.source.end)),
                target=last.target._replace(end=max(last.target.end, carry.target.end)),
                bits=max(last.bits, carry.bits),
                strong=last.strong or carry.strong,
            )
        else:
            found.append(carry)
    return sorted(found, key=lambda each: (each.target, each.source))  # ties stay as they came


def _by_source(carry: Carry) -> tuple[int, str, Stretch, Stretch]:
    return carry.source.node, carry.source.path, carry.target, carry.source


def _continues(last: Carry, carry: Carry) -> bool:
    a, b = last.source, carry.source
    c, d = last.target, carry.target
    if (a.node, a.path, c.node, c.path, last.grade, last.role, last.replaced) != (
        b.node, b.path, d.node, d.path, carry.grade, carry.role, carry.replaced,
    ):  # fmt: skip
        return False
    if REST in (a.end, b.end, c.end, d.end):
        return a == b and c == d
    if a.end - a.start != c.end - c.start or b.end - b.start != d.end - d.start:
        return False  # reworded: joined, it would no longer be known which part is which
    if b.start == a.end and d.start == c.end:
        return True
    # One inside the other on the same diagonal says nothing new.
    return b.start - a.start == d.start - c.start and d.start <= c.end


def without(ranges: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Take ``[start, end)`` out of sorted ranges.

    Example:
        >>> without([(0, 10)], 3, 5)
        [(0, 3), (5, 10)]
    """
    left: list[tuple[int, int]] = []
    for low, high in ranges:
        if high <= start or low >= end:
            left.append((low, high))
            continue
        if low < start:
            left.append((low, start))
        if high > end:
            left.append((end, high))
    return left


def without_all(
    ranges: list[tuple[int, int]], taken: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Take many ranges, in any order, out of sorted ranges, in one pass.

    Example:
        >>> without_all([(0, 10), (20, 30)], [(8, 22), (3, 5)])
        [(0, 3), (5, 8), (22, 30)]
    """
    left: list[tuple[int, int]] = []
    cuts = merged([each for each in taken if each[0] < each[1]])
    at = 0
    for low, high in ranges:
        while at < len(cuts) and cuts[at][1] <= low:
            at += 1
        done = low
        while at < len(cuts) and cuts[at][0] < high:
            if done < cuts[at][0]:
                left.append((done, cuts[at][0]))
            done = cuts[at][1]
            if done > high:
                break  # this cut goes on into the next range
            at += 1
        if done < high:
            left.append((done, high))
    return left


class Remaining:
    """Ranges of which parts are taken one by one, each found by bisection."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, start: int, end: int) -> None:
        self._starts = [start] if start < end else []
        self._ends = [end] if start < end else []

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._starts, self._ends, strict=True)

    @classmethod
    def of(cls, ranges: list[tuple[int, int]]) -> "Remaining":
        """Sorted ranges of which nothing is taken yet."""
        made = cls(0, 0)
        made._starts, made._ends = [low for low, _ in ranges], [high for _, high in ranges]
        return made

    def touches(self, start: int, end: int) -> bool:
        """Whether anything of a range is left."""
        return bisect_right(self._ends, start) < bisect_left(self._starts, end)

    def take(self, start: int, end: int) -> list[tuple[int, int]]:
        """Take what is left of a range, and return it.

        Example:
            >>> left = Remaining(0, 10)
            >>> left.take(3, 5), left.take(4, 8), list(left)
            ([(3, 5)], [(5, 8)], [(0, 3), (8, 10)])
        """
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        if first >= last or start >= end:
            return []
        low, high = self._starts[first], self._ends[last - 1]
        taken = list(zip(self._starts[first:last], self._ends[first:last], strict=True))
        taken[0] = max(low, start), taken[0][1]
        taken[-1] = taken[-1][0], min(high, end)
        kept = [each for each in ((low, start), (end, high)) if each[0] < each[1]]
        self._starts[first:last] = [each[0] for each in kept]
        self._ends[first:last] = [each[1] for each in kept]
        return taken


def merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort ranges and join those that touch or overlap.

    Example:
        >>> merged([(5, 8), (0, 3), (3, 5)])
        [(0, 8)]
    """
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found
