"""How much a run of tokens says, less what boilerplate repeats all over the run of texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.index import TokenIndex
from explainkit.text.seeds import Repeats

# A piece in more texts than this is discounted: in twice as many, its words count half.
COMMON_TEXTS: Final = 8
_TIMES_PER_TEXT: Final = 4  # an id may be named so often in a text before that counts against it


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """Information of tokens after the discount.

    Attributes:
        sums: Running total of the discounted information, float64[n + 1].
        full: Running total before the discount, float64[n + 1].
        units: Discounted information in the characters of ids and numbers, float32[n].
    """

    sums: NDArray[np.float64]
    full: NDArray[np.float64]
    units: NDArray[np.float32]

    def of(self, start: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the discounted information of token ranges, float64[r]."""
        total: NDArray[np.float64] = self.sums[start + length] - self.sums[start]
        return total

    def discount(self, start: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the information that the discount took off, float64[r]."""
        total: NDArray[np.float64] = self.full[start + length] - self.full[start]
        return total - self.of(start, length)


def _running(bits: NDArray[np.float32]) -> NDArray[np.float64]:
    total = np.zeros(len(bits) + 1)
    np.cumsum(bits, out=total[1:])
    return total


def _common(
    positions: NDArray[np.int64], texts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    common = texts > COMMON_TEXTS
    return positions[common], (COMMON_TEXTS / texts[common]).astype(np.float32)


def weigh_tokens(index: TokenIndex, found: Sequence[Repeats]) -> Worth:
    """Discount the tokens of pieces that stand in many texts.

    Args:
        index: The table.
        found: Repeated pieces of each length.

    Returns:
        What each range of tokens is worth.
    """
    share = np.ones(index.size, np.float32)
    units = index.units.copy()
    for part in found:
        if part.nearest.length > 1:
            positions, factor = _common(part.positions, part.texts)
            # A token counts with the commonest piece that holds it.
            for step in range(part.nearest.length):
                share[positions + step] = np.minimum(share[positions + step], factor)
        else:
            times = index.vocabulary.counts[index.ids[part.positions]]
            positions, factor = _common(
                part.positions, np.maximum(part.texts, times // _TIMES_PER_TEXT)
            )
            units[positions] *= factor
    full = _running(index.bits)
    return Worth(_running(index.bits * share) if (share < 1).any() else full, full, units)
