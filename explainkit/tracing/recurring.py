"""Items of lists by what they are, because a chat hands over its whole history at every turn.

An item that was met is not walked, scanned, encoded or hashed again.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from explainkit.tracing.stored import Stored

_LIMIT = 8_000_000
_TEXT = {str}

Identity = str | tuple[tuple[str, str], ...]


class Recurring:
    """Items met recently with what is stored of them, bounded by their size."""

    __slots__ = ("_met", "_size")

    def __init__(self) -> None:
        self._met: dict[Identity, Stored] = {}
        self._size = 0

    def look(self, item: object, look: "Callable[[object], Stored]") -> "Stored":
        """What is stored of an item; ``look`` is asked when it is new, or more than texts.

        Only what is stored as it is, is remembered: each use of a secret is counted.
        """
        known = identity(item)
        if known is None:
            return look(item)
        found = self._met.get(known)
        if found is None:
            found = look(item)
            if found.fidelity == "exact":
                self._remember(known, found)
        return found

    def _remember(self, known: Identity, found: "Stored") -> None:
        self._size += len(found.data)
        if self._size > _LIMIT:
            self._met.clear()
            self._size = len(found.data)
        self._met[known] = found


def identity(item: object) -> Identity | None:
    """What an item is, when it is a text or a dict of texts such as a message.

    Example:
        >>> identity({"role": "user", "content": "How long?"})
        (('role', 'user'), ('content', 'How long?'))
        >>> identity({"role": "user", "content": None}) is None
        True
    """
    if type(item) is str:
        return item
    if type(item) is not dict or not item:
        return None
    try:
        pairs = tuple(item.items())
    except RuntimeError:  # another thread is changing it
        return None
    names, texts = zip(*pairs, strict=True)
    return pairs if {*map(type, names)} == {*map(type, texts)} == _TEXT else None
