"""Exact shares of the flip, because copies and joint causes show in no single removal."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import Final, Generic

from explainkit.whatif.searching.inquiries import Inquiry
from explainkit.whatif.searching.outcomes import Batch, Item, KnownSets, Outcome, read_outcomes

MOST_ITEMS: Final = 10
"""More items would mean thousands of sets, each with its own re-runs."""

_BOUNDS: Final = {
    Outcome.FLIPS: (1, 1),
    Outcome.HOLDS: (0, 0),
    Outcome.UNRESOLVED: (0, 1),
}


@dataclass(frozen=True, slots=True)
class Share(Generic[Item]):
    """The Shapley value of one item in the game "removing a set flips the answer".

    Attributes:
        item: Whose share.
        low: The least that it can be, whatever the unresolved sets would have shown.
        high: The most; equal to `low` when every set was resolved.
    """

    item: Item
    low: Fraction
    high: Fraction

    @property
    def is_exact(self) -> bool:
        """Was every set that matters resolved?"""
        return self.low == self.high


def shapley_shares(
    items: Sequence[Item], *, known: Mapping[frozenset[Item], Outcome] | None = None
) -> Inquiry[Batch[Item], tuple[Outcome, ...], tuple[Share[Item], ...]]:
    """Ask for every set of the items, and share the flip out (Shapley 1953).

    The exact shares of all items add up to 1 when removing everything flips, else to 0.

    Args:
        items: At most `MOST_ITEMS`.
        known: Outcomes of earlier searches on the same run, answer and judge.

    Raises:
        ValueError: No item, too many, or one stands twice.

    Example:
        >>> from explainkit.whatif.searching import drive
        >>> def both(batch):
        ...     return [Outcome.FLIPS if {"a", "b"} <= set(one) else Outcome.HOLDS for one in batch]
        >>> [str(share.low) for share in drive(shapley_shares("abc"), both)]
        ['1/2', '1/2', '0']
    """
    if len(items) > MOST_ITEMS:
        raise ValueError(
            f"{len(items)} items have {2 ** len(items) - 1:,} sets to re-run. "
            f"Give at most {MOST_ITEMS}."
        )
    return Inquiry(_shares(KnownSets(items, known)), read=read_outcomes)


def _shares(
    sets: KnownSets[Item],
) -> Generator[Batch[Item], tuple[Outcome, ...], tuple[Share[Item], ...]]:
    items = sets.items
    subsets = [one for size in range(len(items) + 1) for one in combinations(items, size)]
    outcomes = yield from sets.ask(subsets)
    bounds = {
        frozenset(one): _BOUNDS[outcome] for one, outcome in zip(subsets, outcomes, strict=True)
    }
    return tuple(_share(item, items, bounds) for item in items)


def _share(
    item: Item, items: tuple[Item, ...], bounds: Mapping[frozenset[Item], tuple[int, int]]
) -> Share[Item]:
    low = high = Fraction(0)
    count = len(items)
    for without, (least, most) in bounds.items():
        if item in without:
            continue
        size = len(without)
        weight = Fraction(factorial(size) * factorial(count - size - 1), factorial(count))
        least_with, most_with = bounds[without | {item}]
        low += weight * (least_with - most)
        high += weight * (most_with - least)
    return Share(item, low, high)
