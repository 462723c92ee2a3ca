"""Whether the answer depends on the order of things, and on that of which two.

Any two things stand in different halves of a stretch at exactly one size of stretch, when it is
halved again and again. So swapping the halves of all stretches of one size, for each size, turns
every two of them round once in about log2 n tries. The size that flips the answer is then narrowed
down to one stretch, to what has to move, and to what it has to move behind.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from explainkit.whatif.searching.inquiries import Inquiry
from explainkit.whatif.searching.outcomes import Batch, Outcome, read_outcomes

Order = tuple[int, ...]
Asking = Generator[Batch[int], tuple[Outcome, ...], bool]

NOTHING_MOVES: Order = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Some of a stretch of places move behind others of it.

    Attributes:
        moved: Places that move, in order.
        passed: Places behind them that they pass, in order.
    """

    moved: Order
    passed: Order


@dataclass(frozen=True, slots=True)
class FoundOrder:
    """What a search for an order found.

    Attributes:
        order: Places in an order that flips the answer; empty where none was found.
        moves: What moves behind what in it; one move of one place where it could be narrowed down.
    """

    order: Order = NOTHING_MOVES
    moves: tuple[Move, ...] = ()

    @property
    def pair(self) -> tuple[int, int] | None:
        """The two whose order decides: it flips when one passes the other, and not before.

        None where it could not be narrowed down to two.
        """
        if len(self.moves) != 1:
            return None
        (move,) = self.moves
        one_moves = len(move.moved) == 1 or len(move.passed) == 1
        return (move.moved[0], move.passed[-1]) if one_moves else None


def find_order(count: int) -> Inquiry[Batch[int], tuple[Outcome, ...], FoundOrder]:
    """Search for an order of things that flips the answer, in about 4 log2 n tries.

    Where no size of stretch flips it, each thing is moved behind all others, then in front of all
    (2 n more tries): a whole size changes much at once, and some of it may undo the flip.

    Args:
        count: How many things stand in order.

    Returns:
        An inquiry; each question holds one order, as the places in it.

    Example:
        >>> from explainkit.whatif.searching import drive
        >>> def one_before_six(batch):
        ...     return [Outcome.FLIPS if o.index(6) < o.index(1) else Outcome.HOLDS for o in batch]
        >>> drive(find_order(8), one_before_six).pair
        (1, 6)
    """
    return Inquiry(_search(_Tried(count)), read=read_outcomes)


class _Tried:
    """The orders that were tried."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.known: dict[Order, bool] = {tuple(range(count)): False}

    def flips(self, moves: Sequence[Move]) -> Asking:
        order = order_of(self.count, moves)
        if order not in self.known:
            (outcome,) = yield (order,)
            self.known[order] = outcome is Outcome.FLIPS
        return self.known[order]


def order_of(count: int, moves: Sequence[Move]) -> Order:
    """The places in the order that some moves make.

    Args:
        count: How many there are.
        moves: Moves of stretches that do not overlap.

    Example:
        >>> order_of(5, [Move((1,), (2, 3))])
        (0, 2, 3, 1, 4)
    """
    order = list(range(count))
    for move in moves:
        start, end = move.moved[0], move.passed[-1]
        stay = [at for at in order[start : end + 1] if at not in move.moved]
        order[start : end + 1] = [*stay, *move.moved]
    return tuple(order)


def _search(tried: _Tried) -> Generator[Batch[int], tuple[Outcome, ...], FoundOrder]:
    for moves in _sizes(tried.count):
        if (yield from tried.flips(moves)):
            return (yield from _narrowed(tried, moves))
    for at in range(tried.count - 1):
        if (yield from tried.flips([_behind((at,), tried.count - 1)])):
            return (yield from _narrowed(tried, [_behind((at,), tried.count - 1)]))
    for at in range(1, tried.count):
        if (yield from tried.flips([_in_front(at, 0)])):
            near, far = at, 0
            while near - far > 1:
                middle = (near + far) // 2
                flips = yield from tried.flips([_in_front(at, middle)])
                near, far = (near, middle) if flips else (middle, far)
            found = _in_front(at, far)
            return FoundOrder(order_of(tried.count, [found]), (found,))
    return FoundOrder()


def _sizes(count: int) -> list[list[Move]]:
    """For each size of stretch the moves that swap the halves of every stretch of that size."""
    found: list[list[Move]] = []
    stretches = [(0, count)]
    while stretches := [(start, end) for start, end in stretches if end - start > 1]:
        halves = [(start, (start + end) // 2, end) for start, end in stretches]
        found.append([Move(tuple(range(a, b)), tuple(range(b, c))) for a, b, c in halves])
        stretches = [each for a, b, c in halves for each in ((a, b), (b, c))]
    return found


def _narrowed(
    tried: _Tried, moves: Sequence[Move]
) -> Generator[Batch[int], tuple[Outcome, ...], FoundOrder]:
    while len(moves) > 1:
        middle = len(moves) // 2
        for half in (moves[:middle], moves[middle:]):
            if (yield from tried.flips(half)):
                moves = half
                break
        else:
            return FoundOrder(order_of(tried.count, moves), tuple(moves))
    (move,) = moves
    moved = move.moved
    while len(moved) > 1:
        middle = len(moved) // 2
        for part in (moved[:middle], moved[middle:]):
            if (yield from tried.flips([_behind(part, move.passed[-1])])):
                moved = part
                break
        else:
            break
    # How far it has to go: behind the last place it flips, and in its own it does not.
    near, far = moved[-1], move.passed[-1]
    while far - near > 1:
        middle = (near + far) // 2
        flips = yield from tried.flips([_behind(moved, middle)])
        near, far = (near, middle) if flips else (middle, far)
    found = _behind(moved, far)
    return FoundOrder(order_of(tried.count, [found]), (found,))


def _behind(moved: Order, last: int) -> Move:
    """Some move behind a later place."""
    return Move(moved, tuple(range(moved[-1] + 1, last + 1)))


def _in_front(at: int, first: int) -> Move:
    """One moves in front of an earlier place, so what is between moves behind it."""
    return Move(tuple(range(first, at)), (at,))
