"""What a value is, as far as it can be shared: a container, an object of a class of the user's."""

import itertools
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from enum import Enum
from inspect import getattr_static
from typing import Any, Final

from explainkit.whatif.rerunning.surroundings import is_a, is_plain, root_of
from explainkit.whatif.rerunning.watched_values import is_own_class

_TABLES: Final = ("numpy", "pandas", "polars", "pyarrow")
_KEEP_NOTHING: Final = frozenset("random logging re pathlib uuid explainkit".split())
"""Modules of objects that hold no content: loggers, paths, generators of chance."""
_LOCKS: Final = frozenset(
    "lock Lock RLock Condition Semaphore BoundedSemaphore Event Barrier Thread".split()
)
"""Objects of threading and asyncio that hold none."""
_ITEMS: Final = 50
"""Items of a container that are looked at."""


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object holds itself."""
    try:
        return dict(object.__getattribute__(value, "__dict__"))
    except Exception:  # noqa: BLE001 - it has slots, or a class of its own mind
        return {}


def is_container(value: Any) -> bool:
    """Whether what is done with a value tells whether it is changed: a list, a table, an array."""
    own = type(value).__module__
    return own in ("builtins", "collections") or root_of(own) in _TABLES


def holds_more(value: Any) -> bool:
    """Whether something in a container can be changed itself."""
    return any(not is_plain(each) for each in items_of(value))


def instances_in(value: Any) -> Iterator[Any]:
    """Objects of the user's own classes that a value is or holds, not deeper than two steps."""
    waiting = [(value, 0)]
    while waiting:
        each, depth = waiting.pop()
        if is_own_instance(each):
            yield each
            inner = list(attributes_of(each).values())[:_ITEMS]
        else:
            inner = items_of(each)
        waiting += [(one, depth + 1) for one in inner if depth < 2]


def is_own_instance(value: Any) -> bool:
    """Whether a value is an object of a class of the user's."""
    kind = type(value)
    return not issubclass(kind, (type, Enum, BaseException)) and is_own_class(kind)


def is_model(value: Any) -> bool:
    """Whether an object of the user's completes prompts, told without running its code."""
    return is_own_instance(value) and callable(getattr_static(type(value), "complete", None))


def told_class(kind: type) -> str:
    """What tells a class apart, also where only the code of a method is known."""
    return f"{kind.__module__}.{kind.__qualname__}"


def own_bases(kind: type) -> list[str]:
    """A class and those that it is made of, as far as they are the user's."""
    return [told_class(each) for each in kind.__mro__ if is_own_class(each)]


def is_iterator(value: Any) -> bool:
    """Whether a value gives something else each time that it is asked."""
    return hasattr(type(value), "__next__")


def keeps_nothing(value: Any) -> bool:
    """Whether an object holds no content that one call could leave to the next."""
    kind = type(value)
    root = root_of(kind.__module__)
    is_lock = root in ("thread", "threading", "asyncio") and kind.__name__ in _LOCKS
    return is_lock or root in _KEEP_NOTHING


def is_of_context(value: Any) -> bool:
    """Whether a value is set for one re-run only, because each has a context of its own."""
    return is_a(value, ContextVar)


def held_by(variable: "ContextVar[Any]") -> Any:
    """What a variable of a context holds now; None when that is nothing."""
    try:
        return variable.get()
    except LookupError:
        return None


def items_of(value: Any) -> list[Any]:
    """The first items of a list, a table or a set, whatever its class makes of them."""
    if is_a(value, dict):
        return [*itertools.islice(dict.values(value), _ITEMS)]
    kind = next((k for k in (list, tuple, set, frozenset, deque) if is_a(value, k)), None)
    return [] if kind is None else [*itertools.islice(kind.__iter__(value), _ITEMS)]
