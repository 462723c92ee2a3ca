"""Names what a function reads from outside its arguments, by looking at its code object.

The record cannot hold what nobody handed over; it can say that such sources exist.
"""

import dis
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
)
from typing import Any

MISSING = object()
"""Where a name stands for nothing."""

_NOW = frozenset(("now", "today", "utcnow"))
_TIMELESS = frozenset(("sleep", "strptime", "struct_time"))
_CHANCE = frozenset(("random", "secrets"))
_DRAWN_IDS = frozenset(("uuid1", "uuid4", "uuid6", "uuid7"))
_AROUND = {
    "os": frozenset(("environ", "environb", "getenv", "getenvb", "getcwd")),
    "sys": frozenset(("argv",)),
}
_LOADS = frozenset(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"))
_CODE = (FunctionType, BuiltinFunctionType, MethodType, type)
_PARTS = frozenset(("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM"))

Read = tuple[str, tuple[str, ...]]
"""A name that is read, and the attributes that are read of it one after the other."""


def untracked_sources(fn: Callable[..., Any]) -> list[str]:
    """Closure cells, globals, environment, time and randomness that a function reads.

    Functions that it calls are not looked into, and neither are attributes of what it is given.

    Args:
        fn: The function; its decorators are looked through.

    Returns:
        Lines such as ``global TARIFF``, sorted; empty for builtins.

    Example:
        >>> LIMIT = 60
        >>> def late(minutes): return minutes > LIMIT
        >>> untracked_sources(late)
        ['global LIMIT']
    """
    return sorted(outside_values(fn))


def outside_values(fn: Callable[..., Any]) -> dict[str, Any]:
    """What `untracked_sources` names, each with what stands there now.

    Args:
        fn: The function.

    Returns:
        Values by line; `MISSING` for time, randomness and environment.

    Example:
        >>> LIMIT = 60
        >>> outside_values(lambda minutes: minutes > LIMIT)
        {'global LIMIT': 60}
    """
    inner = inspect.unwrap(fn)
    code = getattr(inner, "__code__", None)
    if not isinstance(code, CodeType):
        return {}
    closure = {name: cell_of(inner, name) for name in code.co_freevars}
    scope = getattr(inner, "__globals__", {})
    found: dict[str, Any] = {}
    for read in reads(code):
        found.update(_told(read, closure, scope))
    for module, parts in imports(code):
        line = ambient(module, module, parts)
        if line is not None:
            found[line] = MISSING
    return found


def _told(
    read: Read, closure: Mapping[str, Any], scope: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    name, parts = read
    where, value = "closure", closure.get(name, MISSING)
    if name not in closure:
        where, value = "global", scope.get(name, MISSING)
    if value is MISSING:
        return
    ambient = ambient_of(name, value, parts)
    if ambient is not None:
        yield ambient, MISSING
    elif is_data(value):
        yield f"{where} {name}", value


def ambient_of(name: str, value: Any, parts: tuple[str, ...]) -> str | None:
    """Time, randomness or environment, where a name stands for it."""
    if _is(value, ModuleType):
        return ambient(name, value.__name__, parts)
    if value is os.environ or value is getattr(os, "environb", MISSING) or value is sys.argv:
        return f"environment {name}"
    if str(type(value).__module__).startswith(("random", "numpy.random")):
        return f"randomness {name}"
    if _is(value, *_CODE):
        drawn = type(getattr(value, "__self__", None)).__module__ == "random"
        module = "random" if drawn else str(getattr(value, "__module__", ""))
        return ambient(name, module, (value.__name__, *parts))
    return None


def ambient(name: str, module: str, parts: tuple[str, ...]) -> str | None:
    """Time, randomness or environment, where a part of a module stands for it."""
    first = parts[0] if parts else ""
    root = {"posix": "os", "nt": "os"}.get(module, module)
    if root == "time":
        return None if first in _TIMELESS else f"time {name}"
    if root in ("datetime", "_pydatetime"):
        return f"time {name}" if _NOW.intersection(parts) else None
    if root in _CHANCE or (root == "uuid" and first in _DRAWN_IDS):
        return f"randomness {name}"
    if (root == "os" and first == "urandom") or (root == "numpy" and first == "random"):
        return f"randomness {name}"
    return f"environment {name}" if first in _AROUND.get(root, ()) else None


def is_data(value: Any) -> bool:
    """Code is not a source of content: functions, classes and modules are not."""
    return not _is(value, ModuleType, *_CODE)


def _is(value: Any, *kinds: type) -> bool:
    """By type, because isinstance would ask the value for its __class__."""
    return issubclass(type(value), kinds)


def cell_of(fn: Any, name: str) -> Any:
    """What a name of a closure stands for; `MISSING` while it stands for nothing."""
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    try:
        return cells[name].cell_contents
    except ValueError:  # the cell is not filled yet
        return MISSING


def reads(code: CodeType) -> Iterator[Read]:
    """Names that are read from outside, in this code and in what is defined in it."""
    own = {*code.co_cellvars}
    for name, parts in chains(code, _LOADS):
        if name not in own:
            yield name, parts
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from (each for each in reads(constant) if each[0] not in own)


def imports(code: CodeType) -> Iterator[Read]:
    """Modules that are imported inside, with what is read of them under any name."""
    for module, parts in chains(code, frozenset(("IMPORT_NAME",))):
        if parts:
            yield from ((module, (part, *code.co_names)) for part in parts)
        elif module == "time" or module in _CHANCE:
            yield module, ()
        else:
            yield from ((module, (name, *code.co_names)) for name in code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from imports(constant)


def _loaded(step: dis.Instruction) -> str:
    """The name that a step loads; of one that loads two, the last, whose attributes come next."""
    names = step.argval
    return str(names[-1] if isinstance(names, tuple) else names)


def chains(code: CodeType, starts: frozenset[str]) -> Iterator[Read]:
    """Names that steps of some kinds load, each with the attributes that are read of it.

    Args:
        code: The code.
        starts: Names of the steps.
    """
    name = ""
    parts: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if name and step.opname in _PARTS:
            parts = (*parts, str(step.argval))
        elif not (name and step.opname.startswith("STORE_") and "IMPORT_NAME" in starts):
            if name:
                yield name, parts
            name, parts = (_loaded(step), ()) if step.opname in starts else ("", ())
    if name:
        yield name, parts
