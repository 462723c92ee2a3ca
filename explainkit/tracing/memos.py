"""Gives each re-run a cache of its own where a link's function keeps its results (`lru_cache`).

What was kept from the recorded run would be handed out again, and nobody would be asked.
"""

import functools
from collections.abc import Callable
from typing import Any

_MARKS = ("cache_info", "cache_clear", "cache_key", "__cache_key__")

Fresh = Callable[[], Callable[..., Any]]
"""Makes the function anew, with nothing kept in it."""


def memo_of(fn: Callable[..., Any]) -> Fresh | None:
    """How a function that keeps its results is made anew; None of one that is not known to.

    Args:
        fn: The function. `functools.cache` and `lru_cache` are known, and what says the same of
            itself: it has `__wrapped__` and a name of theirs.

    Example:
        >>> fresh = memo_of(functools.lru_cache(str.upper))
        >>> fresh is not None and fresh()("half")
        'HALF'
    """
    inner = getattr(fn, "__wrapped__", None)
    if inner is None or not any(hasattr(fn, each) for each in _MARKS):
        return None
    if not isinstance(fn, functools._lru_cache_wrapper):
        return lambda: inner  # how it tells calls apart is its own matter: they all run
    settings = fn.cache_parameters()
    return lambda: functools.lru_cache(**settings)(inner)
