"""Type names and reprs of foreign objects, because both can be hostile or endless."""

import re
from typing import Any, NamedTuple

_NAME_LENGTH = 200
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]{4,16}")
_ADDRESS_OF_REPR = re.compile(_ADDRESS.pattern + "(?=>|; to )")
# The descriptors of `type` itself: a metaclass cannot override what they return.
_qualified_name = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_mro = type.__dict__["__mro__"].__get__


class Words(NamedTuple):
    """A bounded text and the length that it had."""

    text: str
    length: int


def ancestry(kind: type) -> tuple[type, ...]:
    """Return the method resolution order without running a metaclass's code."""
    mro: tuple[type, ...] = _mro(kind)
    return mro


def type_name(kind: type) -> str:
    """Return ``module.Name`` (``Name`` alone for builtins), at most 200 characters."""
    name = _qualified_name(kind)
    try:
        module = _module(kind)
    except AttributeError:
        module = None
    if type(module) is str and module != "builtins":
        name = f"{module}.{name}"
    return str(name)[:_NAME_LENGTH].encode("utf-8", "replace").decode()


def repr_of(value: Any, *, limit: int) -> Words:
    """Return the repr of any object, bounded, without memory addresses.

    A repr that raises, recurses or returns something else is described instead. Only
    ``KeyboardInterrupt`` passes, because it comes from the person at the keyboard.
    """
    return _guarded(repr, value, limit)


def message_of(error: BaseException, *, limit: int) -> Words:
    """Return the message of an exception, bounded; guarded as :func:`repr_of` is."""
    return _guarded(str, error, limit)


def without_addresses(text: str) -> str:
    """Return a text without the memory addresses of reprs that stand in it; others stay.

    Example:
        >>> without_addresses("<function f at 0x7f21a4e0> jumps to 0x7f21a4e0")
        '<function f> jumps to 0x7f21a4e0'
    """
    return _ADDRESS_OF_REPR.sub("", text)


def _guarded(render: Any, value: Any, limit: int) -> Words:
    try:
        text = str.__str__(render(value))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # user code may raise anything at all
        raised = type_name(type(error))
        return Words(f"<{type_name(type(value))}: {render.__name__} raised {raised}>", 0)
    # Addresses differ between two runs of the same program; digests must not.
    head = _ADDRESS.sub("", text[:limit])
    return Words(head, len(text))
