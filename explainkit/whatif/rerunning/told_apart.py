"""Functions that their name and code do not tell apart: what each of them holds may differ."""

import functools
import inspect
import sys
from types import FunctionType, MethodType
from typing import Any

from explainkit.tracing.untracked import MISSING, cell_of, is_data

_DEEPEST = 10

Elsewhere = dict[FunctionType, bool]
"""Functions, and whether a class, a module or a round of a loop may have one like it."""


def is_one_of_many(call: Any, elsewhere: Elsewhere) -> bool:
    """Whether there may be another function with the same name and code that gives another result.

    That is so for a `functools.partial`, a method of an object, a method of a class that has
    subclasses, and a function that was made by another one and holds something of its maker's;
    for one with defaults that its module does not name; and for one that two modules have.

    Args:
        call: What is called.
        elsewhere: What was found so far, which is added to. Modules are looked through once for
            each function, because a re-run makes thousands of calls.

    Example:
        >>> def route(word):
        ...     return lambda mail: word
        >>> is_one_of_many(route("paid"), {}), is_one_of_many(route, {})
        (True, False)
    """
    return _holds_its_own(call, elsewhere, _DEEPEST)


def _holds_its_own(call: Any, elsewhere: Elsewhere, deepest: int) -> bool:
    kind = type(call)  # a proxy of the user's says what it likes of its class
    if deepest == 0 or issubclass(kind, functools.partial):
        return True
    if kind is MethodType:
        return not issubclass(type(call.__self__), type)
    if kind is not FunctionType:
        return False
    if call not in elsewhere:
        elsewhere[call] = _is_elsewhere(call)
    if elsewhere[call]:
        return True
    held = (cell_of(call, name) for name in call.__code__.co_freevars)
    return any(
        _holds_its_own(each, elsewhere, deepest - 1)
        if callable(each)
        else each is MISSING or is_data(each)
        for each in held
    )


def _is_elsewhere(fn: FunctionType) -> bool:
    """Whether a subclass, another module or another round of a loop may have one like it."""
    scope, owner, _ = fn.__qualname__.rpartition(".")
    if owner and not scope.endswith(("<locals>", ">")):
        return _has_subclasses(fn, scope)
    if owner or _named(fn.__globals__, fn.__qualname__) is not fn:
        return bool(fn.__defaults__ or fn.__kwdefaults__)
    if not fn.__code__.co_names:
        return False  # nothing that a module holds is read
    every = (vars(each) for each in list(sys.modules.values()) if type(each) is type(sys))
    others = (_named(each, fn.__name__) for each in every if each is not fn.__globals__)
    return any(each is not fn and _is_like(each, fn) for each in others)


def _has_subclasses(fn: FunctionType, scope: str) -> bool:
    """A class that cannot be found counts as one that has some."""
    first, *parts = scope.split(".")
    found = fn.__globals__.get(first)
    for part in parts:
        found = inspect.getattr_static(found, part, None)
    return not isinstance(found, type) or bool(type.__subclasses__(found))


def _named(names: dict[str, Any], name: str) -> Any:
    """What a module calls so, without its decorators."""
    found = names.get(name)
    return inspect.unwrap(found) if type(found) is FunctionType else found


def _is_like(other: Any, fn: FunctionType) -> bool:
    if type(other) is not FunctionType:
        return False
    mine, its = fn.__code__, other.__code__
    return (mine.co_code, mine.co_names) == (its.co_code, its.co_names)
