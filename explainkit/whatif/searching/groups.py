"""Sets of several that flip the answer although removing everything does not, nor any one alone.

Removing everything may leave the answer as it was, because without anything it cannot be right.
Then a set has to be found that leaves in what a right answer needs: those that are likely, because
they say the same, and after them halves, quarters and so on, and everything but each of these.

Many items are not tried one by one first: a few likely sets and blocks that halve in size take far
fewer questions, and what flips in a block is narrowed down. Only what they miss is tried alone.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from explainkit.whatif.searching.outcomes import Batch, Item, KnownSets, Outcome

Asking = Generator[Batch[Item], tuple[Outcome, ...], tuple[Item, ...] | None]

_MANY: Final = 16
"""Items up to which each alone takes hardly more questions than blocks of them."""
_SMALLEST_BLOCK: Final = 3
"""Items of a block; where blocks are smaller, single items are asked at nearly the same cost."""


def first_that_flips(sets: KnownSets[Item], candidates: Iterable[tuple[Item, ...]]) -> Asking[Item]:
    """Ask one set after the other, until one flips; None where none does.

    Args:
        sets: What is known.
        candidates: Sets in the order of asking.
    """
    for candidate in candidates:
        (outcome,) = yield from sets.ask([candidate])
        if outcome is Outcome.FLIPS:
            return candidate
    return None


def several_that_flip(
    sets: KnownSets[Item],
    among: Sequence[Item],
    likely: Iterable[tuple[Item, ...]],
    *,
    only_likely: bool = False,
) -> Asking[Item]:
    """A set of several items that flips, as small as it can be made; None where none was found.

    Args:
        sets: What is known; that none of the items flips alone is.
        among: The items.
        likely: Sets that are tried first.
        only_likely: Try no others.
    """
    items = tuple(among)
    found = yield from first_that_flips(sets, _several_of(items, likely))
    if found is None and not only_likely:
        found = yield from first_that_flips(sets, _parts_and_the_rest(items))
    return None if found is None else (yield from minimised(sets, found))


def first_together(
    sets: KnownSets[Item], among: Sequence[Item], likely: Iterable[tuple[Item, ...]]
) -> Asking[Item]:
    """What is found of many items before each is tried alone; None for few, or where none flips.

    A few likely sets come first, then halves, quarters and so on down to blocks of three. A block
    may hold, beside what flips the answer, what a right answer needs: so smaller ones are asked
    where larger ones hold, and None says nothing of single items.

    Args:
        sets: What is known; that everything together does not flip.
        among: The items.
        likely: Sets of several that are likely, the likeliest first.
    """
    items = tuple(among)
    if len(items) <= _MANY:
        return None
    chosen = _several_of(items, likely)
    found = yield from first_that_flips(sets, islice(chosen, len(items).bit_length() // 2))
    if found is None:
        found = yield from first_that_flips(sets, _blocks(items))
    return None if found is None else (yield from minimised(sets, found))


def minimised(
    sets: KnownSets[Item], flipping: tuple[Item, ...]
) -> Generator[Batch[Item], tuple[Outcome, ...], tuple[Item, ...]]:
    """A set made smaller as long as it flips (ddmin).

    Args:
        sets: What is known.
        flipping: A set that flips.
    """
    current, parts = flipping, 2
    while len(current) > 1:
        candidates = parts_of(current, parts)
        found = yield from first_that_flips(sets, candidates)
        if found is not None:
            is_part = candidates.index(found) < parts
            current, parts = found, 2 if is_part else parts - 1
        elif parts < len(current):
            parts = min(len(current), parts * 2)
        else:
            break
    return current


def parts_of(current: tuple[Item, ...], parts: int) -> list[tuple[Item, ...]]:
    """The parts, then everything but each part (which is the same again for two parts).

    Args:
        current: Items in order.
        parts: How many parts they are cut into.
    """
    bounds = [len(current) * at // parts for at in range(parts + 1)]
    cuts = list(pairwise(bounds))
    found = [current[start:end] for start, end in cuts]
    if parts > 2:
        found += [current[:start] + current[end:] for start, end in cuts]
    return found


def _several_of(
    items: tuple[Item, ...], likely: Iterable[tuple[Item, ...]]
) -> Iterator[tuple[Item, ...]]:
    known = frozenset(items)
    return (one for one in likely if len(one) > 1 and known.issuperset(one))


def _blocks(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """Halves, quarters and so on, without their complements."""
    parts = 1 << len(items).bit_length() // 2
    while len(items) // parts >= _SMALLEST_BLOCK:
        yield from parts_of(items, parts)[:parts]
        parts *= 2


def _parts_and_the_rest(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """Halves, quarters and their complements, and so on down to everything but one."""
    parts = 2
    while len(items) > 2:
        yield from (one for one in parts_of(items, parts) if 1 < len(one) < len(items))
        if parts == len(items):
            return
        parts = min(len(items), parts * 2)
