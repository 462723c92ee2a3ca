"""The smallest set whose removal flips the answer, because one context is often not enough."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic

from explainkit.whatif.searching.inquiries import Inquiry
from explainkit.whatif.searching.outcomes import Batch, Item, KnownSets, Outcome, read_outcomes


@dataclass(frozen=True, slots=True)
class SmallestSet(Generic[Item]):
    """A set whose removal flips the answer.

    Attributes:
        items: The set; empty when neither everything nor any item alone was shown to flip.
        whole: Outcome of removing everything; where it holds, an item was found on its own.
        uncertain: Sets of one item less whose outcome stayed unresolved; one of them may flip too.
        outcomes: Every set asked, in the order of asking; give it to a later search as `known`.
    """

    items: tuple[Item, ...]
    whole: Outcome
    uncertain: tuple[tuple[Item, ...], ...]
    outcomes: Mapping[frozenset[Item], Outcome]

    @property
    def is_minimal(self) -> bool:
        """Was every set of one item less shown not to flip?"""
        return bool(self.items) and not self.uncertain


def smallest_set(
    items: Sequence[Item], *, known: Mapping[frozenset[Item], Outcome] | None = None
) -> Inquiry[Batch[Item], tuple[Outcome, ...], SmallestSet[Item]]:
    """Search by delta debugging (ddmin; Zeller and Hildebrandt 2002).

    What is found is 1-minimal: no single item can be left out. A smaller set elsewhere may exist.
    At most about n^2 questions, about 2 log2 n for a single cause. Where removing everything does
    not flip, each item is tried alone: without any rule the answer may be what the wrong one made.

    Args:
        items: What may be removed; sets are asked in this order.
        known: Outcomes of earlier searches on the same run, answer and judge.

    Returns:
        An inquiry whose questions hold one set each.

    Raises:
        ValueError: No item, or one stands twice.

    Example:
        >>> from explainkit.whatif.searching import drive
        >>> def flips(batch):
        ...     return [Outcome.FLIPS if {"b", "d"} <= set(one) else Outcome.HOLDS for one in batch]
        >>> drive(smallest_set("abcdefgh"), flips).items
        ('b', 'd')
    """
    sets = KnownSets(items, known)
    return Inquiry(_minimise(sets), read=read_outcomes)


def _minimise(
    sets: KnownSets[Item],
) -> Generator[Batch[Item], tuple[Outcome, ...], SmallestSet[Item]]:
    current, parts = sets.items, 2
    (whole,) = yield from sets.ask([current])
    if whole is not Outcome.FLIPS:
        singles = [(item,) for item in current if whole is Outcome.HOLDS]
        alone = yield from _first_that_flips(sets, singles)
        return SmallestSet(() if alone is None else singles[alone], whole, (), sets.asked)
    while len(current) > 1:
        candidates = _candidates(current, parts)
        at = yield from _first_that_flips(sets, candidates)
        if at is not None:
            current, parts = candidates[at], 2 if at < parts else parts - 1
        elif parts < len(current):
            parts = min(len(current), parts * 2)
        else:
            break
    less = [_less(current, at) for at in range(len(current))]
    outcomes = yield from sets.ask(less)
    found = zip(less, outcomes, strict=True)
    uncertain = tuple(one for one, outcome in found if outcome is Outcome.UNRESOLVED)
    return SmallestSet(current, whole, uncertain, sets.asked)


def _first_that_flips(
    sets: KnownSets[Item], candidates: Sequence[tuple[Item, ...]]
) -> Generator[Batch[Item], tuple[Outcome, ...], int | None]:
    for at, candidate in enumerate(candidates):
        (outcome,) = yield from sets.ask([candidate])
        if outcome is Outcome.FLIPS:
            return at
    return None


def _candidates(current: tuple[Item, ...], parts: int) -> list[tuple[Item, ...]]:
    """The parts, then everything but each part (which is the same again for two parts)."""
    bounds = [len(current) * at // parts for at in range(parts + 1)]
    cuts = list(pairwise(bounds))
    found = [current[start:end] for start, end in cuts]
    if parts > 2:
        found += [current[:start] + current[end:] for start, end in cuts]
    return found


def _less(current: tuple[Item, ...], at: int) -> tuple[Item, ...]:
    return current[:at] + current[at + 1 :]
