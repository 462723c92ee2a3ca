"""The smallest set whose removal flips the answer, because one context is often not enough."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from explainkit.whatif.searching.groups import (
    first_that_flips,
    first_together,
    minimised,
    several_that_flip,
)
from explainkit.whatif.searching.inquiries import Inquiry
from explainkit.whatif.searching.outcomes import Batch, Item, KnownSets, Outcome, read_outcomes


@dataclass(frozen=True, slots=True)
class SmallestSet(Generic[Item]):
    """A set whose removal flips the answer.

    Attributes:
        items: The set; empty when no set was shown to flip.
        whole: Outcome of removing everything; unless it flips, an item was found on its own, or
            several that flip together.
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
    items: Sequence[Item],
    *,
    known: Mapping[frozenset[Item], Outcome] | None = None,
    likely: Iterable[tuple[Item, ...]] = (),
    only_likely: bool = False,
) -> Inquiry[Batch[Item], tuple[Outcome, ...], SmallestSet[Item]]:
    """Search by delta debugging (ddmin; Zeller and Hildebrandt 2002).

    What is found is 1-minimal: no single item can be left out. A smaller set elsewhere may exist.
    At most about n^2 questions, about 2 log2 n for a single cause. Where removing everything does
    not flip, each item is tried alone: without any rule the answer may be what the wrong one made.
    Of many items a few likely sets and ever smaller blocks are tried before, as that takes fewer
    questions. Where none flips alone, several are: those that are likely, then halves, quarters and
    so on, and everything but each of them (about 5 n more questions).

    Args:
        items: What may be removed; sets are asked in this order.
        known: Outcomes of earlier searches on the same run, answer and judge.
        likely: Sets of several that are tried first where none flips alone, such as copies.
        only_likely: Try no others there.

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
    return Inquiry(_smallest(sets, likely, only_likely=only_likely), read=read_outcomes)


def _smallest(
    sets: KnownSets[Item], likely: Iterable[tuple[Item, ...]], *, only_likely: bool
) -> Generator[Batch[Item], tuple[Outcome, ...], SmallestSet[Item]]:
    everything = sets.items
    (whole,) = yield from sets.ask([everything])
    if whole is Outcome.FLIPS:
        found = yield from minimised(sets, everything)
    else:
        likely = iter(likely)  # worked out one by one; what was tried together is not tried again
        together = yield from first_together(sets, everything, likely)
        alone = together or (yield from first_that_flips(sets, [(item,) for item in everything]))
        several = alone or (
            yield from several_that_flip(sets, everything, likely, only_likely=only_likely)
        )
        if several is None:
            return SmallestSet((), whole, (), sets.asked)
        found = several
    less = [found[:at] + found[at + 1 :] for at in range(len(found))]
    outcomes = yield from sets.ask(less)
    asked = zip(less, outcomes, strict=True)
    uncertain = tuple(one for one, outcome in asked if outcome is Outcome.UNRESOLVED)
    return SmallestSet(found, whole, uncertain, sets.asked)
