"""Names of steps, branches and nodes: checked when a composition is built, for good messages."""

from collections.abc import Iterable, Mapping
from typing import Any

from explainkit.errors import CompositionError
from explainkit.safety import shorten


def shown(value: Any) -> str:
    """A value in a message; a repr that fails is no matter of the composition."""
    try:
        return shorten(repr(value), 80)
    except Exception:  # noqa: BLE001 - a foreign repr may do anything
        return f"a {type(value).__name__}"


def checked_name(name: Any, *, place: str) -> str:
    """A name that can stand in a path.

    Raises:
        CompositionError: It is no text, or an empty one.
    """
    if not isinstance(name, str) or not name.strip():
        raise CompositionError(f"{place}: {shown(name)} is no name. Give a text that is not empty.")
    return name


def label_or(name: str | None, default: str) -> str:
    """The word of a composition in paths and records.

    Raises:
        CompositionError: The name is an empty text.
    """
    return default if name is None else checked_name(name, place=f"{default}(name=...)")


def by_name(entries: Any, *, place: str, what: str) -> dict[str, Any]:
    """Branches or nodes by their name.

    Args:
        entries: A mapping, or pairs of a name and what it names.
        place: The composition.
        what: The word for one of them.

    Raises:
        CompositionError: There is none, or a name is empty or there twice.
    """
    if not isinstance(entries, Mapping | Iterable) or isinstance(entries, str | bytes):
        raise CompositionError(
            f"{place}: {shown(entries)} holds no {what}. Give a mapping from names to runners."
        )
    named: dict[str, Any] = {}
    pairs = entries.items() if isinstance(entries, Mapping) else entries
    for entry in pairs:
        if not isinstance(entry, tuple) or len(entry) != 2:
            raise CompositionError(
                f"{place}: {shown(entry)} is no pair of a name and a runner. "
                "Give a mapping from names to runners."
            )
        name = checked_name(entry[0], place=place)
        if name in named:
            raise CompositionError(
                f'{place}: the {what} "{shorten(name, 80)}" is there twice. Rename one of them.'
            )
        named[name] = entry[1]
    if not named:
        raise CompositionError(f"{place}: there is no {what}. Give at least one.")
    return named
