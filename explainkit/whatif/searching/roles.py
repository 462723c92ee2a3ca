"""Who is needed, who is a copy and who has no part, because a copy looks innocent when alone.

Leaving one out shows which items the answer needs: without them it flips. Adding one in, to the
needed ones and with all others removed, shows which items are enough: with them it holds. An item
that is not needed, and yet is enough, has a copy elsewhere.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from explainkit.whatif.searching.groups import several_that_flip
from explainkit.whatif.searching.inquiries import Inquiry
from explainkit.whatif.searching.outcomes import Batch, Item, KnownSets, Outcome, read_outcomes


@dataclass(frozen=True, slots=True)
class Roles(Generic[Item]):
    """The part that each item has in the answer; every item stands in one of the tuples.

    Attributes:
        whole: Outcome of removing everything; unless it flips, nobody is cleared.
        needed: Removing it alone flips. Several: a joint cause, all of them together.
        copies: Not needed, but each of several is enough beside the needed ones: redundant copies.
        bystanders: Neither needed, nor wanted by those that are.
        unexplained: Not needed, and neither copies nor without a part: two of three are enough, or
            one of them is, and without it only others together; `smallest_set` finds one way.
        unresolved: A question about it was left open by the measurement.
        together: Outcome of removing all that are needed, where removing everything holds.
        outcomes: Every set asked, in the order of asking.
    """

    whole: Outcome
    needed: tuple[Item, ...] = ()
    copies: tuple[Item, ...] = ()
    bystanders: tuple[Item, ...] = ()
    unexplained: tuple[Item, ...] = ()
    unresolved: tuple[Item, ...] = ()
    together: Outcome | None = None
    outcomes: Mapping[frozenset[Item], Outcome] | None = None

    @property
    def is_joint(self) -> bool:
        """Are several items needed together?"""
        return len(self.needed) > 1 and Outcome.FLIPS in (self.whole, self.together)

    @property
    def is_redundant(self) -> bool:
        """Does any one of several items suffice, so that none of them flips the answer alone?"""
        return len(self.copies) > 1


def find_roles(
    items: Sequence[Item],
    *,
    known: Mapping[frozenset[Item], Outcome] | None = None,
    likely: Iterable[tuple[Item, ...]] = (),
) -> Inquiry[Batch[Item], tuple[Outcome, ...], Roles[Item]]:
    """Leave each item out, then add each one in; at most 2 n + 3 sets, most of them in two batches.

    Where removing everything does not flip, and no item alone, several are tried as `smallest_set`
    tries them: all of a set that flips, and of which no part does, are copies.

    Args:
        items: What may be removed.
        known: Outcomes of earlier searches on the same run, answer and judge.
        likely: Sets of several that are tried first in that case.

    Raises:
        ValueError: No item, or one stands twice.

    Example:
        >>> from explainkit.whatif.searching import drive
        >>> def either_copy(batch):
        ...     return [Outcome.FLIPS if {"a", "c"} <= set(one) else Outcome.HOLDS for one in batch]
        >>> roles = drive(find_roles("abcd"), either_copy)
        >>> roles.needed, roles.copies, roles.bystanders
        ((), ('a', 'c'), ('b', 'd'))
    """
    return Inquiry(_roles(KnownSets(items, known), likely), read=read_outcomes)


def _roles(
    sets: KnownSets[Item], likely: Iterable[tuple[Item, ...]]
) -> Generator[Batch[Item], tuple[Outcome, ...], Roles[Item]]:
    everything = sets.items
    (whole,) = yield from sets.ask([everything])
    left_out = yield from sets.ask([(item,) for item in everything])
    needed = _with(everything, left_out, Outcome.FLIPS)
    if whole is not Outcome.FLIPS:
        return (yield from _beside_the_rest(sets, whole, needed, likely))
    open_ones = _with(everything, left_out, Outcome.UNRESOLVED)
    rest = tuple(item for item in everything if item not in {*needed, *open_ones})
    (with_needed,) = yield from sets.ask([sets.without(needed)])
    if with_needed is Outcome.HOLDS:
        return Roles(whole, needed, bystanders=rest, unresolved=open_ones, outcomes=sets.asked)
    if with_needed is Outcome.UNRESOLVED:
        return Roles(whole, needed, unresolved=sets.without(needed), outcomes=sets.asked)
    return (yield from _among_the_rest(sets, needed, open_ones, rest))


def _beside_the_rest(
    sets: KnownSets[Item],
    whole: Outcome,
    needed: tuple[Item, ...],
    likely: Iterable[tuple[Item, ...]],
) -> Generator[Batch[Item], tuple[Outcome, ...], Roles[Item]]:
    """Without anything the answer may be what the wrong one made of it, so this clears nobody."""
    together: Outcome | None = None
    copies: tuple[Item, ...] = ()
    if len(needed) > 1:
        (together,) = yield from sets.ask([needed])
    elif not needed:
        found = yield from several_that_flip(sets, sets.items, likely)
        less = [tuple(i for i in found or () if i != item) for item in found or ()]
        outcomes = yield from sets.ask(less)
        copies = found if found and set(outcomes) == {Outcome.HOLDS} else ()
    return Roles(
        whole,
        needed,
        copies,
        unresolved=sets.without((*needed, *copies)),
        together=together,
        outcomes=sets.asked,
    )


def _among_the_rest(
    sets: KnownSets[Item],
    needed: tuple[Item, ...],
    open_ones: tuple[Item, ...],
    rest: tuple[Item, ...],
) -> Generator[Batch[Item], tuple[Outcome, ...], Roles[Item]]:
    """The needed ones are not enough: who of the others makes them so?"""
    added_in = yield from sets.ask([sets.without((*needed, item)) for item in rest])
    copies = _with(rest, added_in, Outcome.HOLDS)
    doubtful = _with(rest, added_in, Outcome.UNRESOLVED)
    idle = _with(rest, added_in, Outcome.FLIPS)
    settled = Outcome.HOLDS
    if len(copies) == 1:
        # A copy is one of several that are enough, each alone. Of this one no other was shown to
        # be: without it the answer holds as others do together, or as one does that is not decided.
        if open_ones or doubtful:
            doubtful = (*doubtful, *copies)
        else:
            idle = tuple(item for item in rest if item in {*copies, *idle})
        copies = ()
    if len(copies) > 1:
        # Without all copies the answer must flip; else the others are enough without them.
        (settled,) = yield from sets.ask([copies])
    explained = settled is Outcome.FLIPS
    return Roles(
        Outcome.FLIPS,
        needed,
        copies,
        bystanders=idle if explained else (),
        unexplained=() if explained else idle,
        unresolved=tuple(i for i in sets.items if i in {*open_ones, *doubtful}),
        outcomes=sets.asked,
    )


def _with(items: Sequence[Item], outcomes: Sequence[Outcome], wanted: Outcome) -> tuple[Item, ...]:
    return tuple(i for i, outcome in zip(items, outcomes, strict=True) if outcome is wanted)
