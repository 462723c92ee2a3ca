"""What is known of a function that an engine calls: its code, and what it reads unrecorded.

A decorated function is looked at when it is decorated. Tools, ports and steps are met when they
are called, each many times; what is found of a function is kept as long as the function lives.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import FunctionType, MethodType
from typing import Any
from weakref import WeakKeyDictionary

from explainkit.tracing.own_attributes import attributes_read
from explainkit.tracing.spec import code_hash
from explainkit.tracing.untracked import is_data, outside_values

_OURS = "explainkit."
_WRITTEN_FOR_USE = "explainkit.demos"
"""Its functions stand for those of a user."""
_DEEPEST = 20
"""Wrappers that are looked through."""


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """What a link says of the function that it calls.

    Attributes:
        code: Hash of its code; None where it has none that can be seen, or is explainkit's own.
        untracked: What it reads from outside its arguments, in lines such as ``global RATES``.
    """

    code: str | None = None
    untracked: tuple[str, ...] = ()

    @property
    def read(self) -> dict[str, Any]:
        """The field that names what is read; none where nothing is."""
        return {"untracked": list(self.untracked)} if self.untracked else {}

    @property
    def fields(self) -> dict[str, Any]:
        """All fields of its link, for one whose result may be supplied."""
        return {"code": self.code, **self.read} if self.code else self.read


NOTHING_KNOWN = CalledFunction()
_Found = tuple[Any, CalledFunction]
_KNOWN: WeakKeyDictionary[Any, _Found] = WeakKeyDictionary()
"""By function, with the code that it had."""


def known_of(call: Any) -> CalledFunction:
    """What is known of something that is called; it is looked at once.

    Args:
        call: A function, a method, an object that can be called, or a ``functools.partial`` of
            one of these. Anything else is looked at as nothing.

    Example:
        >>> known_of(partial({"SEK": 11.2}.get, "SEK")).untracked
        ('bound argument key',)
    """
    try:
        plain = call.__func__ if type(call) is MethodType else call
        found = _KNOWN.get(plain) if type(plain) is FunctionType else None
        if found is not None and found[0] is plain.__code__:
            return found[1]
        fn, owner, bound = _parts(call)
        if bound:  # what is bound tells one from another, and each is made for the moment
            return _looked_at(fn, owner, bound)
        if fn is None:
            return NOTHING_KNOWN
        found = _KNOWN.get(fn)
        if found is None or found[0] is not fn.__code__:
            found = _KNOWN[fn] = fn.__code__, _looked_at(fn, owner, bound)
        return found[1]
    except Exception:  # the tracer's law: an object of a user may do anything
        return NOTHING_KNOWN


def method_of(owner: Any, name: str) -> Any:
    """A method of an object, found without asking the object; None where it has no such function.

    Args:
        owner: The object.
        name: Name of the method.
    """
    found = inspect.getattr_static(owner, name, None)
    return MethodType(found, owner) if type(found) is FunctionType else None


def values_read(call: Any) -> dict[str, Any]:
    """What something that is called reads from outside now, by the line that names it.

    Args:
        call: As `known_of` takes it.
    """
    return _values(*_parts(call))


def _looked_at(fn: Any, owner: Any, bound: Mapping[str, Any]) -> CalledFunction:
    lines = tuple(sorted(_values(fn, owner, bound)))
    return CalledFunction(None if fn is None else code_hash(fn), lines)


def _values(fn: Any, owner: Any, bound: Mapping[str, Any]) -> dict[str, Any]:
    found = {f"bound argument {name}": each for name, each in bound.items() if is_data(each)}
    if fn is not None:
        found |= outside_values(fn)
        if owner is not None:
            found |= attributes_read(fn, owner)
    return found


def _parts(call: Any) -> tuple[Any, Any, dict[str, Any]]:
    """The function of what is called, the object that it is a method of, and bound arguments."""
    bound: dict[str, Any] = {}
    owner = None
    for _ in range(_DEEPEST):
        kind = type(call)
        if kind is MethodType:
            call, owner = call.__func__, call.__self__
        elif issubclass(kind, partial):
            bound = {**_bound(call), **bound}
            call = call.func
        elif kind is FunctionType:
            return (None, None, bound) if _is_ours(call) else (call, owner, bound)
        elif inspect.isclass(call):
            break
        elif (inner := inspect.getattr_static(call, "__wrapped__", None)) is not None:
            call = inner
        else:
            method = inspect.getattr_static(kind, "__call__", None)
            if type(method) is not FunctionType:
                break
            call, owner = method, call
    return None, None, bound


def _bound(call: "partial[Any]") -> dict[str, Any]:
    """Arguments that a partial function holds, by name."""
    names: list[str] = []
    try:
        names = list(inspect.signature(call.func).parameters)
    except (TypeError, ValueError):  # some built-in ones do not tell
        names = []
    by_place = {names[at] if at < len(names) else str(at): a for at, a in enumerate(call.args)}
    return {**by_place, **call.keywords}


def _is_ours(fn: Callable[..., Any]) -> bool:
    """Whether explainkit itself wrote a function: what it reads there is no content."""
    module = f"{getattr(inspect.unwrap(fn), '__module__', '')}."
    return module.startswith(_OURS) and not module.startswith(f"{_WRITTEN_FOR_USE}.")
