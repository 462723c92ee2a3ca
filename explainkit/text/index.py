"""All texts of a run as one table of numbered tokens, which everything else searches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.batches import tokenize_all
from explainkit.text.hashing import mix
from explainkit.text.tokens import CODE, FIELD, NUMBER
from explainkit.text.vocabulary import Vocabulary, number_tokens, unit_bits

SHINGLE: Final = 3
PAIR: Final = 2
_PAIR_BITS: Final = 8.0  # beyond the places of the run, or a pair cannot be told from chance
_ALONE_DIGITS: Final = 3
_SPREAD: Final = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
_UNIT_SALT: Final = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True, eq=False)
class TokenIndex:
    """The tokens of all texts with what one of them is worth.

    Attributes:
        texts: The texts, in order of first appearance.
        starts: Code point offsets within each text, int32[n].
        ends: int32[n].
        ids: Numbers of the tokens in the vocabulary, int32[n].
        kinds: uint8[n].
        bounds: First token of each text, and n, int64[texts + 1].
        vocabulary: The distinct tokens.
        bits: Information of each token against chance, float32[n].
        units: Information in the characters of each token that may match alone, else 0, float32[n].
        alone: Positions of tokens that may match without neighbours, int64[u], ascending.
        unit_variety: How many distinct such tokens there are.
    """

    texts: tuple[str, ...]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    ids: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    bounds: NDArray[np.int64]
    vocabulary: Vocabulary
    bits: NDArray[np.float32]
    units: NDArray[np.float32]
    alone: NDArray[np.int64]
    unit_variety: int

    @property
    def size(self) -> int:
        """How many tokens all texts have together."""
        return len(self.ids)

    def documents(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the text that each token position belongs to."""
        return np.searchsorted(self.bounds, positions, side="right") - 1


def index_tokens(texts: Sequence[str]) -> TokenIndex:
    """Tokenize and number the texts of a run.

    Args:
        texts: Distinct texts in order of first appearance.

    Returns:
        The table.
    """
    table = tokenize_all(texts)
    ids, vocabulary = number_tokens(table.keys)
    bits = vocabulary.bits.astype(np.float32)[ids]
    bits[table.kinds == FIELD] = 0
    enough = (table.kinds == NUMBER) & (table.digits >= _ALONE_DIGITS)
    alone = np.flatnonzero(enough | (table.kinds == CODE))
    units = np.zeros(len(ids), np.float32)
    units[alone] = unit_bits(table.kinds[alone], table.digits[alone])
    return TokenIndex(
        texts=tuple(texts),
        starts=table.starts,
        ends=table.ends,
        ids=ids,
        kinds=table.kinds,
        bounds=table.bounds,
        vocabulary=vocabulary,
        bits=bits,
        units=units,
        alone=alone,
        unit_variety=len(np.unique(ids[alone])),
    )


def shingle_keys(
    index: TokenIndex, start: int, stop: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the keys of all three-token shingles that start in a token range.

    Args:
        index: The table.
        start: First token.
        stop: Token after the last; shingles do not reach over it or over the end of a text.

    Returns:
        Mixed keys uint64[s] and token positions int64[s], ascending.
    """
    if stop - start < SHINGLE:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    ids = index.ids[start:stop].astype(np.uint64)
    keys = ids[:-2] * _SPREAD[0]
    keys += ids[1:-1]
    keys *= _SPREAD[1]
    keys += ids[2:]
    keys = mix(keys)
    inside = np.ones(len(keys), bool)
    ending = index.bounds[(index.bounds > start) & (index.bounds < stop)] - start
    for back in (1, 2):
        at = ending - back
        inside[at[(at >= 0) & (at < len(inside))]] = False
    if len(ending):
        return keys[inside], np.flatnonzero(inside) + start
    return keys, np.arange(start, start + len(keys))


def pair_keys(
    index: TokenIndex, start: int, stop: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the keys and positions of pairs of rare tokens, such as names, in a range."""
    if stop - start < PAIR:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    bits = index.bits[start:stop]
    rare = bits[:-1] + bits[1:] >= np.log2(max(index.size, 2)) + _PAIR_BITS
    ending = index.bounds[(index.bounds > start) & (index.bounds < stop)] - start
    rare[ending - 1] = False
    positions = np.flatnonzero(rare) + start
    ids = index.ids[positions].astype(np.uint64) * _SPREAD[1] + index.ids[positions + 1].astype(
        np.uint64
    )
    return mix(ids * _SPREAD[0]), positions


def alone_keys(
    index: TokenIndex, start: int, stop: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the keys and positions of tokens in a range that may match by themselves."""
    low, high = np.searchsorted(index.alone, [start, stop])
    positions = index.alone[low:high]
    return mix(index.ids[positions].astype(np.uint64) * _UNIT_SALT), positions
