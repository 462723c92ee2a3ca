"""Number the distinct tokens of a run and say how much information one of them carries."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explainkit.text.hashing import key_of
from explainkit.text.tokens import CODE, FIELD, NUMBER

# A short run says little about how common a word is. English stands in for text that was not
# seen: so many imagined tokens, of which the commonest words take these shares (per mille).
BACKGROUND: Final = 4096
_COMMON: Final = {
    "the": 60, "of": 30, "and": 28, "to": 27, "a": 23, "in": 20, "is": 11, "that": 10, "for": 10,
    "it": 9, "was": 8, "on": 8, "with": 7, "as": 7, "be": 7, "by": 6, "at": 6, "this": 6, "i": 6,
    "you": 6, "are": 6, "or": 5, "from": 5, "an": 4, "have": 4, "not": 4, "but": 4, "we": 4,
    "he": 4, "has": 3, "they": 3, "will": 3, "your": 3, "can": 3, "if": 3, "all": 3, "which": 3,
    "his": 3, "were": 3, "one": 3, "their": 3, "there": 2, "been": 2, "more": 2, "when": 2,
    "my": 2, "do": 2, "no": 2, "so": 2, "would": 2, "what": 2, "who": 2, "its": 2, "any": 2,
    "her": 2, "she": 2, "had": 2, "our": 2, "out": 2, "up": 2, "about": 2, "me": 2, "also": 1,
    "may": 1, "how": 1, "s": 6, "t": 3, "1": 3, "2": 2, "3": 1, "please": 1, "could": 1,
}  # fmt: skip
DIGIT_BITS: Final = 3.32  # log2(10)
CODE_BITS: Final = 4.5  # letters and digits, somewhat uneven
MOST_UNIT_BITS: Final = 60.0


class Vocabulary(NamedTuple):
    """The distinct tokens of a run.

    Attributes:
        keys: Sorted, uint64[v]; the number of a token is its place here.
        counts: How often each occurs, int64[v].
        bits: Information of one occurrence in this run, float64[v].
    """

    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]
    bits: NDArray[np.float64]

    def lookup(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the numbers of the tokens, -1 for unknown ones."""
        if not len(self.keys):
            return np.full(len(keys), -1)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, place, -1)


def position_bits(size: int) -> int:
    """Return how many bits number the positions of a table of this size."""
    return max(1, int(size - 1).bit_length()) if size else 1


def packed_sort(
    keys: NDArray[np.uint64], positions: NDArray[np.int64], size: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Sort positions by key, then by position, as one array of 64-bit words.

    Args:
        keys: Well mixed keys, uint64[n]; their low bits give way to the position.
        positions: Each below `size`, int64[n].
        size: One more than the largest position that may occur.

    Returns:
        The high bits of the keys in order, and the positions in that order.
    """
    low = position_bits(size)
    packed = (keys >> np.uint64(low)) << np.uint64(low)
    packed |= positions.astype(np.uint64)
    packed.sort()
    order = (packed & np.uint64((1 << low) - 1)).astype(np.int64)
    packed >>= np.uint64(low)
    return packed, order


def number_tokens(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int32], Vocabulary]:
    """Number the tokens of a run.

    Args:
        keys: Keys of all tokens, uint64[n].

    Returns:
        The number of each token, int32[n], and the vocabulary.
    """
    size = len(keys)
    high, order = packed_sort(keys, np.arange(size), size)
    new = np.ones(size, bool)
    np.not_equal(high[1:], high[:-1], out=new[1:])
    del high
    distinct = keys[order[new]]
    group = np.cumsum(new, dtype=np.int32) - np.int32(1)
    if not np.array_equal(distinct[group], keys[order]):
        # Two keys agree in their high bits: rare, so the slow exact way is affordable.
        distinct, inverse = np.unique(keys, return_inverse=True)
        ids = inverse.astype(np.int32)
    else:
        ids = np.empty(size, np.int32)
        ids[order] = group
    counts = np.bincount(ids, minlength=len(distinct))
    return ids, Vocabulary(distinct, counts, _bits(distinct, counts, size))


def _bits(keys: NDArray[np.uint64], counts: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    expected = counts.astype(np.float64)
    common = np.array([key_of(word) for word in _COMMON], np.uint64)
    share = np.array(list(_COMMON.values()), np.float64) / 1000
    if len(keys):
        place = np.minimum(np.searchsorted(keys, common), len(keys) - 1)
        known = keys[place] == common
        expected[place[known]] += share[known] * BACKGROUND
    bits: NDArray[np.float64] = np.log2((size + BACKGROUND) / np.maximum(expected, 1e-9))
    return bits


def unit_bits(kinds: NDArray[np.uint8], digits: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Information in the characters of ids and numbers, whatever the run says about them."""
    rate = np.zeros(256, np.float32)
    rate[NUMBER] = DIGIT_BITS
    rate[CODE] = CODE_BITS
    rate[FIELD] = 0
    bits: NDArray[np.float32] = np.minimum(rate[kinds] * digits, np.float32(MOST_UNIT_BITS))
    return bits
