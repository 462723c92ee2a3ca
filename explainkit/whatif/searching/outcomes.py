"""What removing a set did, kept by the set, so that nothing is asked twice."""

from collections.abc import Collection, Generator, Hashable, Mapping, Sequence
from enum import Enum
from typing import Generic, TypeVar

from explainkit.whatif.statistics.judgements import Judgement

Item = TypeVar("Item", bound=Hashable)
Batch = tuple[tuple[Item, ...], ...]
"""Sets to remove, each in the order of the items; they may be tried at the same time."""


class Outcome(Enum):
    """What removing a set did to the answer, as far as it was measured."""

    FLIPS = "flips"
    HOLDS = "holds"
    UNRESOLVED = "unresolved"


def outcome_of(judgement: Judgement) -> Outcome:
    """Only a measured verdict decides; everything else leaves the set unresolved.

    Example:
        >>> outcome_of(Judgement("inconclusive"))
        <Outcome.UNRESOLVED: 'unresolved'>
    """
    words = {"cause": Outcome.FLIPS, "not shown": Outcome.HOLDS}
    return words.get(judgement.word, Outcome.UNRESOLVED)


class KnownSets(Generic[Item]):
    """Outcomes by set of items.

    Unresolved ones of an earlier search are asked again; within one search they stay.
    """

    def __init__(
        self, items: Sequence[Item], known: Mapping[frozenset[Item], Outcome] | None = None
    ) -> None:
        """Take the items in their order, and what earlier searches found.

        Raises:
            ValueError: There is no item, or one stands twice.
        """
        if not items:
            raise ValueError("There is nothing to remove. Give at least one item.")
        if len(set(items)) < len(items):
            twice = next(item for at, item in enumerate(items) if item in items[:at])
            raise ValueError(f"The item {twice!r} stands twice. Give each item once.")
        self.items = tuple(items)
        earlier = (known or {}).items()
        self._found: dict[frozenset[Item], Outcome] = {
            key: outcome for key, outcome in earlier if outcome is not Outcome.UNRESOLVED
        }
        self.asked: dict[frozenset[Item], Outcome] = {}

    def without(self, kept: Collection[Item]) -> tuple[Item, ...]:
        """All items but these, in order."""
        left_in = frozenset(kept)
        return tuple(item for item in self.items if item not in left_in)

    def ask(
        self, sets: Sequence[tuple[Item, ...]]
    ) -> Generator[Batch[Item], tuple[Outcome, ...], tuple[Outcome, ...]]:
        """Ask for those that are not known, at once, and give the outcome of each.

        Removing nothing is the unchanged run: it holds, or its judge was named as unfit before.
        """
        keys = [frozenset(one) for one in sets]
        waiting: dict[frozenset[Item], tuple[Item, ...]] = {}
        for key, one in zip(keys, sets, strict=True):
            if key and key not in self._found:
                waiting.setdefault(key, one)
        if waiting:
            outcomes = yield tuple(waiting.values())
            fresh = dict(zip(waiting, outcomes, strict=True))
            self._found.update(fresh)
            self.asked.update(fresh)
        return tuple(self._found[key] if key else Outcome.HOLDS for key in keys)


def read_outcomes(batch: Batch[Item], given: object) -> tuple[Outcome, ...]:
    """Read the answer to a batch: one outcome for each set, in order.

    Raises:
        TypeError: Something is not an `Outcome`; a bare yes or no would be one sample.
        ValueError: There are fewer or more outcomes than sets.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise TypeError(f"{given!r} answers a batch of {len(batch)}. Give a list of outcomes.")
    outcomes = tuple(given)
    for one in outcomes:
        if not isinstance(one, Outcome):
            raise TypeError(
                f"{one!r} is no outcome, and one sample never decides. "
                "Give outcome_of(judgement), or one of Outcome."
            )
    if len(outcomes) != len(batch):
        raise ValueError(f"{len(outcomes)} outcomes answer {len(batch)} sets. Give one for each.")
    return outcomes
