"""How alike descriptions are, and by which words: a choice between twins is a guess."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

ALIKE: Final = 0.6
"""Share of common words from which two descriptions are twins (ours)."""
FEWEST: Final = 2
"""Common words that twins have at least, unless all are common."""

_WORD: Final = re.compile(r"[^\W_]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LITTLE: Final = frozenset(
    "a an and are as at be by can do does for from has have if in into is it its of on or so "
    "that the their then there these they this to was were what when which who will with you your"
    .split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """Two descriptions that are alike.

    Attributes:
        names: Whose they are.
        shared: Words that stand in both, in the order of the first one.
        words: How many different words both have together.
    """

    names: tuple[str, str]
    shared: tuple[str, ...]
    words: int

    @property
    def share(self) -> float:
        """Share of common words, 0 to 1."""
        return len(self.shared) / self.words if self.words else 0.0


def words_of(text: str) -> tuple[str, ...]:
    """The different words of a text, folded, little ones left out, names taken apart.

    Example:
        >>> words_of("payBack: pay the fare of an order_id back")
        ('pay', 'back', 'fare', 'order', 'id')
    """
    parts = (each.casefold() for each in _WORD.findall(_HUMP.sub(" ", text)))
    return tuple(dict.fromkeys(each for each in parts if each not in _LITTLE))


def twins(descriptions: Mapping[str, str]) -> list[Pair]:
    """Pairs of descriptions that are alike, the most alike first.

    Args:
        descriptions: By name. The names do not count: that they differ is their purpose.

    Example:
        >>> twins({"refund": "Pay an order back.", "cancel": "Pay the order back.", "sun": "Sky."})
        [Pair(names=('refund', 'cancel'), shared=('pay', 'order', 'back'), words=3)]
    """
    found = [each for each in _pairs(descriptions) if is_alike(each)]
    return sorted(found, key=lambda each: -each.share)


def is_alike(pair: Pair) -> bool:
    """Whether two descriptions are twins."""
    enough = len(pair.shared) >= min(FEWEST, pair.words)
    return bool(pair.words) and enough and pair.share >= ALIKE


def _pairs(descriptions: Mapping[str, str]) -> Iterator[Pair]:
    words = {name: words_of(text) for name, text in descriptions.items()}
    for one, other in combinations(words, 2):
        yield pair_of((one, words[one]), (other, words[other]))


def pair_of(one: tuple[str, Sequence[str]], other: tuple[str, Sequence[str]]) -> Pair:
    """What two descriptions have in common.

    Args:
        one: A name and its words.
        other: The other one.
    """
    second = frozenset(other[1])
    shared = tuple(each for each in one[1] if each in second)
    return Pair((one[0], other[0]), shared, len(second.union(one[1])))
