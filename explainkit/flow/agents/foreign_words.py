"""Words of foreign objects, for verdicts and records: whatever somebody gave, a verdict stands."""

from contextlib import suppress
from typing import Any

from explainkit.safety.described import repr_of

_SHOWN = 500


def words_of(said: Any) -> str:
    """A reason as a text; a text stays as it is, of anything else it is the repr."""
    return said if isinstance(said, str) else repr_of(said, limit=_SHOWN).text


def own_name(thing: Any, *attributes: str) -> str:
    """What a thing is called: the first of its attributes that says something, else its type.

    Example:
        >>> own_name(len, "id", "__name__")
        'len'
    """
    for attribute in attributes:
        found = None
        with suppress(Exception):  # a property of a foreign object may raise anything
            found = getattr(thing, attribute, None) or None
        if found is not None:
            return words_of(found)
    return type(thing).__name__
