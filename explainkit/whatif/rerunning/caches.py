"""Caches that the code of links asks (`functools.lru_cache`), begun anew where a change feeds them.

A cache hands out the one sample that it keeps, so repeats of a call would be no repeats.
"""

import functools
import inspect
from collections.abc import Iterator
from threading import Lock
from types import FunctionType, MethodType
from typing import Any, Final

from explainkit.safety.own_frames import is_own
from explainkit.tracing.decorated import spec_of
from explainkit.tracing.untracked import MISSING, cell_of, reads

_CACHE: Final = functools._lru_cache_wrapper
_FOLLOWED: Final = (FunctionType, MethodType, _CACHE)
_MOST: Final = 300
"""Functions that are looked into."""
_STEPS: Final = 3
"""Attributes that a name is followed along."""


class Caches:
    """The caches of a run that is made again, by how often they were fed.

    A cache that gave a re-run only what it held, such as an index that is read once, stays filled:
    it is the same in both arms.
    """

    def __init__(self) -> None:
        """Know none yet."""
        self._lock = Lock()
        self._fed: dict[int, Any] = {}
        self._before: dict[int, tuple[Any, int]] = {}

    @property
    def are_fed(self) -> bool:
        """Whether there are some that re-runs fill, so that two at once would share a sample."""
        return bool(self._fed)

    def begin(self) -> None:
        """A re-run begins: what an earlier one filled is empty."""
        with self._lock:
            for each in self._fed.values():
                each.cache_clear()
            self._before.clear()

    def look(self, call: Any) -> None:
        """A link is about to run: remember how often its caches were fed until now."""
        found = list(caches_in(call))
        with self._lock:
            for each in found:
                self._before.setdefault(id(each), (each, each.cache_info().misses))

    def end(self) -> None:
        """A re-run is over: what was fed in it begins anew in the next one."""
        with self._lock:
            for key, (each, misses) in self._before.items():
                if each.cache_info().misses > misses:
                    self._fed[key] = each


def caches_in(call: Any) -> Iterator[Any]:
    """The caches that a function and the helpers that it names ask.

    Args:
        call: What is called.

    Example:
        >>> @functools.lru_cache
        ... def complete(prompt):
        ...     return prompt.upper()
        >>> def ask(prompt):
        ...     return complete(prompt)
        >>> [each is complete for each in caches_in(ask)]
        [True]
    """
    todo, seen = [call], set[int]()
    while todo and len(seen) < _MOST:
        at = todo.pop()
        if type(at) is MethodType:
            at = at.__func__
        if id(at) in seen:
            continue
        seen.add(id(at))
        if type(at) is _CACHE:
            yield at
            at = at.__wrapped__
        if type(at) is FunctionType and is_own(at.__code__):
            todo.extend(_named_in(at))


def _named_in(fn: FunctionType) -> Iterator[Any]:
    """The functions and caches that a function names; a link looks after its own."""
    for name, parts in dict.fromkeys(reads(fn.__code__)):
        free = name in fn.__code__.co_freevars
        value = cell_of(fn, name) if free else fn.__globals__.get(name, MISSING)
        for part in ("", *parts[:_STEPS]):
            value = _part(value, part) if part else value
            if type(value) in _FOLLOWED and spec_of(value) is None:
                yield value


def _part(value: Any, name: str) -> Any:
    """An attribute, without running code of the user's."""
    found = inspect.getattr_static(value, name, MISSING)
    return found.__func__ if type(found) in (staticmethod, classmethod) else found
