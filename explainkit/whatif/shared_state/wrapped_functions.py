"""Functions behind what wraps them, methods by their name, and classes by that of a method."""

import functools
from collections.abc import Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from explainkit.tracing.own_runs import is_traced
from explainkit.whatif.rerunning.surroundings import is_a
from explainkit.whatif.shared_state.things import Scope

FUNCTIONS: Final = (FunctionType, BuiltinFunctionType, MethodType, functools._lru_cache_wrapper)
MAKERS: Final = frozenset(("__init__", "__new__", "__post_init__", "__init_subclass__"))


def plain_function(fn: Any) -> Any:
    """What is wrapped by a decorator that records nothing, by a cache, or by a descriptor."""
    for _ in range(20):
        if is_a(fn, staticmethod, classmethod):
            fn = fn.__func__
        elif is_a(fn, property):
            fn = fn.fget
        elif is_a(fn, functools.cached_property):
            fn = fn.func
        elif is_a(fn, functools._lru_cache_wrapper) or (is_a(fn, FunctionType) and is_traced(fn)):
            fn = getattr(fn, "__wrapped__", None)
        else:
            break
    return fn


def method_of(kind: type, name: str, *, sets: bool = False) -> Any:
    """A method or property of a class of the user's; None of anything else.

    Args:
        kind: The class.
        name: The name.
        sets: A property is set, and not read.
    """
    for each in kind.__mro__:
        part = vars(each).get(name)
        if sets and isinstance(part, property):
            part = part.fset
        if is_a(plain_function(part), FunctionType):
            return part
    return None


def class_of(code: CodeType, scope: Scope) -> type | None:
    """The class of a method, where its module names it."""
    found: Any = scope.names
    for step in code.co_qualname.split(".")[:-1]:
        found = found.get(step) if isinstance(found, Mapping) else getattr(found, step, None)
    return found if isinstance(found, type) else None


def builtins_of(scope: Scope) -> Mapping[str, Any]:
    """The names that a module has without any import."""
    found = scope.names.get("__builtins__", {})
    return vars(found) if isinstance(found, ModuleType) else found
