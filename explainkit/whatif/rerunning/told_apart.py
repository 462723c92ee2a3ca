"""Functions that their name and code do not tell apart: what each of them holds may differ."""

import functools
from types import FunctionType, MethodType
from typing import Any

from explainkit.tracing.untracked import MISSING, cell_of, is_data

_DEEPEST = 10


def is_one_of_many(call: Any) -> bool:
    """Whether there may be another function with the same name and code that gives another result.

    That is so for a `functools.partial`, a method of an object, and a function that was made by
    another one and holds something of its maker's.

    Args:
        call: What is called.

    Example:
        >>> def route(word):
        ...     return lambda mail: word
        >>> is_one_of_many(route("paid")), is_one_of_many(route)
        (True, False)
    """
    return _holds_its_own(call, _DEEPEST)


def _holds_its_own(call: Any, deepest: int) -> bool:
    kind = type(call)  # a proxy of the user's says what it likes of its class
    if deepest == 0 or issubclass(kind, functools.partial):
        return True
    if kind is MethodType:
        return not issubclass(type(call.__self__), type)
    if kind is not FunctionType:
        return False
    held = (cell_of(call, name) for name in call.__code__.co_freevars)
    return any(
        _holds_its_own(each, deepest - 1) if callable(each) else each is MISSING or is_data(each)
        for each in held
    )
