"""Fisher's exact test, because flip counts are far too small for anything asymptotic."""

from functools import lru_cache
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explainkit.errors import MissingExtraError

SLACK: Final = 1 + 1e-9
"""Two p-values closer than this factor are equal: they differ by rounding only."""

_TIES: Final = 1 + 1e-7  # how scipy's own test tells equal probabilities


def scipy_stats() -> Any:
    """Import `scipy.stats`.

    Raises:
        MissingExtraError: scipy is not installed; the message has the command.
    """
    try:
        return import_module("scipy.stats")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "scipy":
            raise
        raise MissingExtraError("stats", "scipy") from error


@lru_cache(maxsize=4096)
def fisher_p(n: int, changed: int, unchanged: int) -> float:
    """Two-sided p of Fisher's exact test of two arms of `n` re-runs each.

    Args:
        n: Re-runs per arm.
        changed: Flips of the changed arm.
        unchanged: Flips of the unchanged arm.

    Raises:
        MissingExtraError: scipy is not installed.

    Example:
        >>> round(fisher_p(5, 5, 0), 4)
        0.0079
    """
    table = [[changed, n - changed], [unchanged, n - unchanged]]
    return float(scipy_stats().fisher_exact(table).pvalue)


@lru_cache(maxsize=16)
def fisher_table(n: int) -> NDArray[np.float64]:
    """`fisher_p` of every pair of counts, float64[n + 1, n + 1] by changed, then unchanged.

    It sums scipy's hypergeometric distribution once for each total of flips, because one test
    for each of the 1,681 tables of the last look takes seconds.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    hypergeometric = scipy_stats().hypergeom
    found = np.ones((n + 1, n + 1))
    for total in range(2 * n + 1):
        changed = np.arange(max(0, total - n), min(n, total) + 1)
        chance = hypergeometric.pmf(changed, 2 * n, total, n)
        as_extreme = chance[None, :] <= chance[:, None] * _TIES
        found[changed, total - changed] = np.minimum(1.0, as_extreme @ chance)
    found.setflags(write=False)
    return found
