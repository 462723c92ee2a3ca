"""Characters at a place, and how they moved from an earlier place: what a walk is made of."""

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
    """A later stretch, the earlier stretch that it came from, and how that is known."""

    source: Stretch
    target: Stretch
    role: str
    grade: str
    strong: bool = True
    bits: float = 0.0


def joined(carries: list[Carry]) -> list[Carry]:
    """Join carries that continue each other on both sides; order by target, then source.

    Example:
        >>> a = Carry(Stretch(0, "", 0, 3), Stretch(1, "", 5, 8), "carries", "value")
        >>> b = Carry(Stretch(0, "", 3, 6), Stretch(1, "", 8, 11), "carries", "value")
        >>> [carry.target for carry in joined([b, a])]
        [Stretch(node=1, path='', start=5, end=11)]
    """
    found: list[Carry] = []
    for carry in sorted(set(carries), key=_by_source):
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
    return sorted(found, key=lambda each: (each.target, each.source))


def _by_source(carry: Carry) -> tuple[int, str, Stretch, Stretch]:
    return carry.source.node, carry.source.path, carry.target, carry.source


def _continues(last: Carry, carry: Carry) -> bool:
    a, b = last.source, carry.source
    c, d = last.target, carry.target
    if (a.node, a.path, c.node, c.path, last.grade, last.role) != (
        b.node, b.path, d.node, d.path, carry.grade, carry.role,
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
