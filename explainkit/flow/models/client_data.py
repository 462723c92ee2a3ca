"""Plain JSON data of what clients take and give, because their objects differ by version."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

_DEEPEST: Final = 64
_ABSENT: Final = frozenset(("NotGiven", "Omit"))


def as_data(value: Any, depth: int = 0) -> Any:
    """Plain data of a request or a reply, as it goes over the wire.

    Models of a client become dicts of the fields that were set; arguments that were not given are
    left out. Anything else stays what it is; nothing is consumed or changed.

    Example:
        >>> as_data({"content": ("a", "b")})
        {'content': ['a', 'b']}
    """
    if value is None or isinstance(value, str | int | float) or depth >= _DEEPEST:
        return value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    if isinstance(value, Mapping):
        return {
            str(key): as_data(item, depth + 1) for key, item in value.items() if not is_absent(item)
        }
    if isinstance(value, list | tuple):
        return [as_data(item, depth + 1) for item in value]
    return value


def is_absent(value: object) -> bool:
    """Whether a client's marker for "not given" stands in place of a value."""
    return type(value).__name__ in _ABSENT


def mapping(value: Any) -> Mapping[str, Any]:
    """A mapping as it is; an empty one for anything else, as hostile servers send anything."""
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> list[Any]:
    """A list as it is; an empty one for anything else."""
    return value if isinstance(value, list) else []


def count(value: Any) -> int:
    """A count of tokens; 0 for anything else.

    Example:
        >>> count(12), count(None), count(True)
        (12, 0, 0)
    """
    return value if type(value) is int and value >= 0 else 0
