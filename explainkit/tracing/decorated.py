"""Finds the functions that ``@link`` decorated, as long as they live: by themselves or by name.

Filled when a function is decorated, so that recording pays nothing for it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

if TYPE_CHECKING:
    from explainkit.tracing.spec import LinkSpec

_SPECS: "WeakKeyDictionary[Callable[..., Any], LinkSpec]" = WeakKeyDictionary()
_NAMED: WeakValueDictionary[tuple[str, str | None], Callable[..., Any]] = WeakValueDictionary()


def remember(wrapper: Callable[..., Any], spec: "LinkSpec") -> None:
    """Keep what is known of a decorated function; the last one of a name and code counts."""
    _SPECS[wrapper] = spec
    _NAMED[spec.name, spec.code] = wrapper


def spec_of(fn: Callable[..., Any]) -> "LinkSpec | None":
    """What is known of a decorated function; None of any other."""
    try:
        return _SPECS.get(fn)
    except TypeError:  # it cannot be hashed, or holds no weak reference
        return None


def functions_named(name: str, code: str | None) -> list[Callable[..., Any]]:
    """Every living function that a link may have been recorded of, such as several closures."""
    specs = list(_SPECS.items())
    return [fn for fn, spec in specs if (spec.name, spec.code) == (name, code)]


def function_named(name: str, code: str | None) -> Callable[..., Any] | None:
    """The living function that a link was recorded of."""
    return _NAMED.get((name, code))
