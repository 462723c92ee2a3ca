"""What a decorated method reads from outside its arguments, looked at once for each class."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from explainkit.tracing.own_attributes import attributes_read
from explainkit.tracing.untracked import untracked_sources


def is_method(fn: Callable[..., Any], parameters: Sequence[str]) -> bool:
    """Whether a function takes its object, or its class, first.

    Args:
        fn: The function.
        parameters: Names of its positional parameters.
    """
    named = parameters[:1] in (["self"], ["cls"])
    return named and "." in str(getattr(fn, "__qualname__", ""))


def first_parameters(fn: Callable[..., Any]) -> list[str]:
    """The name of the first parameter of a function; none where nobody knows it.

    Args:
        fn: The function.
    """
    code = getattr(inspect.unwrap(fn), "__code__", None)
    return list(code.co_varnames[: min(1, code.co_argcount)]) if code is not None else []


class MethodReads:
    """The untracked sources of a method, with those of the object that it is called on.

    Args:
        fn: The function that was decorated.
    """

    __slots__ = ("_fn", "_known")

    def __init__(self, fn: Callable[..., Any]) -> None:
        """Look at nothing yet: globals may stand below the function."""
        self._fn = fn
        self._known: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()

    def of(self, owner: Any) -> tuple[str, ...]:
        """The lines, such as ``attribute self.rates``, sorted.

        Args:
            owner: The object or class of the call.
        """
        # By type, because isinstance would ask the object for its __class__.
        kind = owner if issubclass(type(owner), type) else type(owner)
        try:
            found = self._known.get(kind)
            if found is None:
                lines = {*untracked_sources(self._fn), *attributes_read(self._fn, owner)}
                found = self._known[kind] = tuple(sorted(lines))
        except Exception:  # the tracer's law: an object of a user may do anything
            return tuple(untracked_sources(self._fn))
        return found
