"""Names what a function reads from outside its arguments, by looking at its code object.

The record cannot hold what nobody handed over; it can say that such sources exist.
"""

import dis
import inspect
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

_CLOCKS = {"time", "datetime", "date"}
_CHANCE = {"random", "secrets", "uuid"}


def untracked_sources(fn: Callable[..., Any]) -> list[str]:
    """Closure cells, globals, environment, time and randomness that a function reads.

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
    inner = inspect.unwrap(fn)
    code = getattr(inner, "__code__", None)
    if not isinstance(code, CodeType):
        return []
    scope = getattr(inner, "__globals__", {})
    found = {f"closure {name}" for name in code.co_freevars if _is_data(_cell(inner, name))}
    for name in _global_reads(code):
        found.update(_named(name, scope.get(name)))
    return sorted(found)


def _named(name: str, value: Any) -> Iterator[str]:
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    root = str(module).split(".")[0]
    if root in _CLOCKS and (isinstance(value, (ModuleType, BuiltinFunctionType, type))):
        yield f"time {name}"
    elif root in _CHANCE or type(value).__module__ == "random":
        yield f"randomness {name}"
    elif isinstance(value, ModuleType) and value.__name__ == "os":
        yield f"environment {name}"
    elif _is_data(value):
        yield f"global {name}"


def _is_data(value: Any) -> bool:
    """Code is not a source of content: functions, classes, modules and missing names are not."""
    return value is not None and not isinstance(
        value, (ModuleType, FunctionType, BuiltinFunctionType, type)
    )


def _cell(fn: Any, name: str) -> Any:
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    try:
        return cells[name].cell_contents
    except ValueError:  # the cell is not filled yet
        return None


def _global_reads(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield str(step.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_reads(constant)
