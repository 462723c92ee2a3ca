"""Names what a method reads of its own object, which no record holds: `attribute self.rates`.

The object of a method is on record by the name of its class at most. What the method calls on it
is followed, by code and never by running it; a link that it calls is not, as that names its own.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import cached_property
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any, Final

from explainkit.tracing.decorated import spec_of
from explainkit.tracing.untracked import MISSING, ambient_of, chains, is_data

_OWN: Final = frozenset(
    "LOAD_FAST LOAD_FAST_BORROW LOAD_DEREF LOAD_FAST_LOAD_FAST STORE_FAST_LOAD_FAST "
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW".split()
)
"""Steps that load a name; of those that do two things, the second one does."""
_FOLLOWED: Final = 60
"""Methods of one object that are looked into."""


def attributes_read(fn: Callable[..., Any], owner: Any) -> dict[str, Any]:
    """What a method reads of the object that it is bound to, itself or by what it calls on it.

    Args:
        fn: The function of the method.
        owner: The object, or the class.

    Returns:
        Values by line, such as ``attribute self.rates``; as `outside_values` gives them.

    Example:
        >>> class Desk:
        ...     def __init__(self): self.rates = {"SEK": 11.2}
        ...     def rate(self, name): return self.rates[name]
        ...     def price(self, euros): return euros * self.rate("SEK")
        >>> attributes_read(Desk.price, Desk())
        {'attribute self.rates': {'SEK': 11.2}}
    """
    first = _code_of(fn)
    if first is None:
        return {}
    own, found = first.co_varnames[0], dict[str, Any]()
    waiting = [first]
    for code in waiting:  # it grows while it is read
        for parts in _parts_of(code, code.co_varnames[0]):
            inner = _called(owner, parts[0])
            if inner is not None and inner not in waiting and len(waiting) < _FOLLOWED:
                waiting.append(inner)
            name, value = f"{own}.{parts[0]}", _attribute(owner, parts[0])
            line = None if value is MISSING else ambient_of(name, value, parts[1:])
            if line is not None:
                found[line] = MISSING
            elif value is not MISSING and is_data(value):
                found[f"attribute {name}"] = value
    return found


def _code_of(fn: Any) -> CodeType | None:
    """The code of a function that takes its object first."""
    code = getattr(inspect.unwrap(fn), "__code__", None)
    return code if isinstance(code, CodeType) and code.co_argcount else None


def _called(owner: Any, name: str) -> CodeType | None:
    """The code of a method or property of an object; None for anything else, and for a link."""
    value = inspect.getattr_static(owner, name, MISSING)
    kind = type(value)
    if kind is classmethod:
        value = value.__func__
    elif kind is property:
        value = value.fget
    elif kind is cached_property:
        value = value.func
    if type(value) is not FunctionType or spec_of(value) is not None:
        return None
    return _code_of(value)


def _attribute(owner: Any, name: str) -> Any:
    """What is kept under a name, without running a property or a method of the object."""
    value = inspect.getattr_static(owner, name, MISSING)
    if type(value) is MemberDescriptorType:  # of __slots__
        try:
            return value.__get__(owner)
        except AttributeError:  # nothing is kept there yet
            return MISSING
    return MISSING if hasattr(type(value), "__get__") else value


def _parts_of(code: CodeType, own: str) -> Iterator[tuple[str, ...]]:
    """Attributes that are read of one name, in this code and in what is defined in it."""
    for name, parts in chains(code, _OWN):
        if name == own and parts:
            yield parts
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and own in constant.co_freevars:
            yield from _parts_of(constant, own)
