"""What of an answer is not on record, so that two answers that look the same may not be."""

from collections.abc import Iterator
from typing import Any, Final

from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque

_REDACTED: Final = "[redacted:"
"""How a text begins that stands in the place of a secret."""


def hidden_in(value: Any) -> str | None:
    """What of a recorded value is not known, as a reason; None where it is known whole.

    An object that was kept by its repr is known when that is written as a call (`Refund(3)`), the
    way that says what is in it.

    Args:
        value: A value as it comes out of a record.

    Example:
        >>> hidden_in({"fare": 3}) is None
        True
        >>> hidden_in([Opaque("Plain", {"repr": "<Plain>"}, "<Plain>")])
        'what a Plain in it holds is not on record'
    """
    return next((why for each in _parts(value) if (why := _of(each)) is not None), None)


def holds_objects(value: Any) -> bool:
    """Whether a value has objects in it that are not known whole.

    Args:
        value: A value as it comes out of a record.
    """
    return any(isinstance(each, Opaque) and _of(each) is not None for each in _parts(value))


def _of(part: Any) -> str | None:
    if isinstance(part, str):
        return "a part of it is redacted" if _REDACTED in part else None
    if not isinstance(part, Opaque):
        return None
    if part.is_cut:
        whole = "sha256" in part.fields
        return None if whole else "it is too large or too deep to be on record whole"
    if part.type == "type" or not part.repr or part.fields.get("repr") != part.repr:
        return None
    name = part.type.rpartition(".")[2]
    is_call = part.repr.startswith(f"{name}(") and part.repr.endswith(")") and "<" not in part.repr
    if is_call and "of" not in part.fields:
        return None
    return f"what a {shorten(name, 60)} in it holds is not on record"


def _parts(value: Any) -> Iterator[Any]:
    """Every text and object in a value, and what was kept of the objects."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting += [*part.values(), *part.keys()]
        elif isinstance(part, list | tuple | set | frozenset):
            waiting += part
        else:
            yield part
        if isinstance(part, Opaque):
            waiting += part.fields.values()
