"""Measured changes by what was changed: the words that went, the value that came, the new order."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError
from explainkit.safety import shorten
from explainkit.safety.pointers import untoken
from explainkit.whatif.varying.item_names import ORDER, first_words, moved_items, place_words

if TYPE_CHECKING:
    from explainkit.store import Recording

WORDS: Final = 40
NAME: Final = 60


def change_named(recording: "Recording", told: Any) -> str:
    """A change as a person reads it.

    Args:
        recording: The run that was varied.
        told: The change as its finding holds it.
    """
    if not isinstance(told, Mapping):
        return shorten(str(told), 80)
    verb, place = str(told.get("verb") or "change"), _place(recording, told)
    old, by = _words(recording, told), _shown(told.get("by"))
    if verb == "remove":
        return f"remove {old} from {place}" if old else f"remove {place}"
    if verb == "replace":
        what = f"{old} in {place}" if old else place
        return f"replace {what} by {by}" if by else f"replace {what}"
    if verb == "swap":
        return f"swap what {place} gave for {by}" if by else f"swap what {place} gave"
    if verb == "reorder":
        return _reordered(told, place)
    if verb == "edit":
        slots = ", ".join(shorten(str(each), WORDS) for each in _list(told.get("slots")))
        return f"edit {slots} of {place}" if slots else f"edit {place}"
    if verb == "hold":
        return f"hold off the override by {shorten(str(told.get('by') or ''), NAME)}"
    return f"{verb} {place}".strip()


def _place(recording: "Recording", told: Mapping[str, Any]) -> str:
    """What was changed: its name, and the item of a list."""
    names = ", ".join(shorten(str(each), NAME) for each in _list(told.get("names")))
    name = shorten(str(told.get("name") or names), NAME)
    steps = _steps(told)
    if not steps or told.get("slot"):
        return name  # that of a part of what the run was given says which one it is
    seq = told.get("seq")
    held = _leaf(recording, seq, ()) if isinstance(seq, int) else None
    return place_words(name, held, steps)


def _words(recording: "Recording", told: Mapping[str, Any]) -> str:
    """The words that were changed, in quotation marks; empty where all of it was, or none is."""
    start, end, seq = told.get("start"), told.get("end"), told.get("seq")
    if not (isinstance(start, int) and isinstance(end, int) and isinstance(seq, int)):
        return ""
    leaf = _leaf(recording, seq, _steps(told), slot=told.get("slot"))
    if not isinstance(leaf, str) or not leaf[start:end]:
        return f"characters {start} to {end}"
    return f"“{first_words(leaf[start:end], WORDS)}”"


def _leaf(recording: "Recording", seq: int, steps: Sequence[str], *, slot: Any = None) -> Any:
    """The text at a place of what a record gave, or was given; None where it cannot be read."""
    try:
        row = recording.raw(seq)
        digest = row.get("value") or row.get("output")
        if slot is not None:
            given = row.get("inputs") or ()
            digest = next((each.get("value") for each in given if each.get("slot") == slot), None)
        elif row.get("kind") == "link_opened":
            closed = recording.rows("link_closed")
            digest = next((each.get("output") for each in closed if each.get("link") == seq), None)
        value: Any = None if digest is None else recording.values.object(str(digest))
        for step in steps:
            value = value[int(step)] if isinstance(value, list | tuple) else value[step]
    except (ExplainkitError, LookupError, TypeError, ValueError):
        return None
    return value


def order_words(told: Mapping[str, Any]) -> str:
    """A recorded change of an order in words; empty where the record does not say which.

    Args:
        told: The change as its finding holds it.

    Example:
        >>> order_words({"verb": "reorder", "order": [2, 0, 1]})
        'item 3 before item 1'
        >>> order_words({"verb": "reorder", "order": [1, 2, 0]})
        'item 1 behind item 3'
        >>> order_words({"verb": "reorder", "names": ["mail", "note"]})
        'mail before note'
    """
    if names := [shorten(str(each), WORDS) for each in _list(told.get("names"))]:
        return " before ".join(names) if len(names) <= ORDER else ", ".join(names[:ORDER]) + ", ..."
    order = _list(told.get("order"))
    return moved_items(order) if all(type(each) is int for each in order) else ""


def _reordered(told: Mapping[str, Any], place: str) -> str:
    if told.get("names"):
        return f"reorder {order_words(told)}"
    return f"reorder {place}: {order_words(told)}".removesuffix(": ")


def _steps(told: Mapping[str, Any]) -> list[str]:
    return [untoken(each) for each in str(told.get("path") or "").split("/")[1:]]


def _shown(by: Any) -> str:
    return "" if by is None else shorten(str(by), WORDS)


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()
