"""Code that runs by itself when something of an object is read, and what it keeps there."""

import inspect
from collections import defaultdict, deque
from collections.abc import (
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
)
from types import AsyncGeneratorType, GeneratorType
from typing import Any, Final

from explainkit.tracing.untracked import MISSING
from explainkit.whatif.rerunning.surroundings import is_a
from explainkit.whatif.rerunning.watched_values import is_own_class
from explainkit.whatif.shared_state.things import EVERY
from explainkit.whatif.shared_state.wrapped_functions import method_of

ITEM: Final = "[]"
"""An item of an object, among the names of its parts."""
_ITEM_METHODS: Final = ("__getitem__", "__missing__")
_PART_METHODS: Final = ("__getattr__", "__getattribute__")
_TABLES: Final = (
    dict, list, set, deque, Mapping, MutableMapping, MutableSequence, MutableSet,
)  # fmt: skip
_EMPTY_MAKERS: Final = frozenset((list, dict, set, tuple, int, float, str, bool, deque))


def methods_on_reading(kind: type, part: str, held: Mapping[str, Any]) -> Iterator[Any]:
    """The user's methods that run when a part of an object is read.

    Args:
        kind: Its class.
        part: The part; ``[]`` is an item.
        held: What the object holds itself.
    """
    named = method_of(kind, part)
    if part == ITEM:
        yield from (m for name in _ITEM_METHODS if (m := method_of(kind, name)) is not None)
    elif named is not None:
        yield named
    elif part not in held and inspect.getattr_static(kind, part, MISSING) is MISSING:
        yield from catch_alls(kind)


def catch_alls(kind: type) -> Iterator[Any]:
    """The user's methods that answer for attributes which an object has not."""
    yield from (m for name in _PART_METHODS if (m := method_of(kind, name)) is not None)


def methods_of_bases(kind: type, names: tuple[str, ...]) -> Iterator[Any]:
    """The methods that ``super()`` may find by some names.

    Args:
        kind: The class.
        names: Names in the code.
    """
    for base in kind.__mro__[1:] if "super" in names else ():
        if is_own_class(base):
            yield from (vars(base)[name] for name in names if name in vars(base))


def is_changed_by_reading(value: Any, parts: tuple[str, ...]) -> bool:
    """Whether a table is filled by reading it, or a generator goes on with what it is sent.

    Args:
        value: The table or generator; one that makes only what is empty keeps nothing.
        parts: What is read of it.

    Example:
        >>> is_changed_by_reading(defaultdict(list), ("[]",))
        False
        >>> is_changed_by_reading(defaultdict(object), ("[]",))
        True
    """
    if is_a(value, GeneratorType, AsyncGeneratorType):
        return parts[:1] in (("send",), ("asend",))
    if not is_a(value, defaultdict) or ITEM not in parts:
        return False
    made = value.default_factory
    return made is not None and not (isinstance(made, type) and made in _EMPTY_MAKERS)


def part_of_self(kind: type | None, name: str) -> str:
    """What a part of an object is called where several names stand for the same.

    Args:
        kind: Its class, where it is known.
        name: The name in the code.

    Example:
        >>> class Known(dict): ...
        >>> part_of_self(Known, "setdefault"), part_of_self(Known, "title")
        ('[]', 'title')
    """
    if name == "__dict__":
        return EVERY
    if kind is None or not issubclass(kind, _TABLES):
        return name
    of_table = any(name in vars(base) for base in kind.__mro__[:-1] if not is_own_class(base))
    return ITEM if of_table or name == "data" else name


def word_of_part(name: str) -> str:
    """What follows the name of an object in a message.

    Example:
        >>> word_of_part("cache"), word_of_part("[]"), word_of_part("*")
        ('.cache', ' (its items)', '')
    """
    if name == ITEM:
        return " (its items)"
    return "" if name == EVERY else f".{name}"
