"""Finds a record by the name that its author gave it, so that nobody has to look up a number."""

from operator import index
from typing import Any

from explainkit.errors import UnknownRecordError
from explainkit.safety import shorten
from explainkit.store import Recording

LINKS = ("link_opened",)
SOURCES = ("context", "event", "link_opened")
SHOWN = 8


def link_named(recording: Recording, name: str) -> int:
    """``seq`` of the last link of a name.

    Raises:
        UnknownRecordError: No link has it; the message names those there are.
    """
    return _last(recording, name, LINKS, "link")


def source_named(recording: Recording, name: str) -> int:
    """``seq`` of the last context, event or link of a name.

    Raises:
        UnknownRecordError: None has it; the message names those there are.
    """
    return _last(recording, name, SOURCES, "context, event or link")


def number_of_record(given: Any) -> int:
    """The number that somebody gave for a record, such as one out of a table.

    Raises:
        TypeError: It is no whole number; the message says what to give.

    Example:
        >>> number_of_record(5)
        5
    """
    try:
        if isinstance(given, bool):
            raise TypeError
        return index(given)
    except TypeError:
        raise TypeError(
            f"A record is given by its number or its name, not by {type(given).__name__}. "
            "Give the seq of what you have, such as context.seq."
        ) from None


def _last(recording: Recording, name: str, kinds: tuple[str, ...], what: str) -> int:
    found: dict[str, int] = {}
    for kind in kinds:
        for row in recording.rows(kind):
            key = str(row.get("name"))
            found[key] = max(found.get(key, -1), row["seq"])
    if name in found:
        return found[name]
    names = ", ".join(repr(shorten(key, 60)) for key in list(found)[:SHOWN])
    more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    there = f"There are: {names}{more}." if found else "The run has none."
    raise UnknownRecordError(f"The run has no {what} named {name!r:.80}. {there}")
