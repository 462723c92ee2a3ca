"""Tells what of a run is missing from what only has another type now: no line cries wolf."""

import re
from typing import Any, Final

_RETYPED: Final = re.compile(r"(.*): type (\S+) \(1 of 1 kept\)", re.DOTALL)
"""A loss of a type alone; the reason is written by the recorder."""
_WHOLE: Final = "the whole value"


class Losses:
    """Reads ends of links and ``lost`` records of a run, in order.

    An error counts as recorded whole: by its class, its message and where it was raised.

    Example:
        >>> losses = Losses()
        >>> losses.ended({"error": "e1"})
        >>> reason = "the whole value: type ValueError (1 of 1 kept)"
        >>> losses.counts({"what": "unencodable", "reason": reason, "value": "e1"})
        False
        >>> losses.counts({"what": "dropped", "reason": "the disk is full"})
        True
    """

    def __init__(self) -> None:
        """Begin before the first record."""
        self._errors: set[str] = set()
        self._retyped: set[str] = set()
        self._lacking: set[str] = set()

    def is_whole(self, digest: str) -> bool:
        """Whether everything that was lost of a value is of which Python type it was."""
        return digest in self._retyped and digest not in self._lacking

    def ended(self, row: dict[str, Any]) -> None:
        """A link closed."""
        if isinstance(row.get("error"), str):
            self._errors.add(row["error"])

    def counts(self, row: dict[str, Any]) -> bool:
        """Whether a ``lost`` record says that something is missing."""
        found, digest = _retyped(row), row.get("value")
        if isinstance(digest, str):
            (self._lacking if found is None else self._retyped).add(digest)
        is_error = isinstance(digest, str) and digest in self._errors
        return not is_error or found is None or found[1] != _WHOLE


def loss_words(row: dict[str, Any]) -> str:
    """What is missing, in words.

    Example:
        >>> loss_words({"what": "unencodable", "reason": "/k: type app.Fare (1 of 1 kept)"})
        '/k: its content is kept, but not that it was of type app.Fare'
        >>> loss_words({"what": "truncated", "reason": "/k: text (10 of 99 kept)"})
        'truncated: /k: text (10 of 99 kept)'
    """
    found = _retyped(row)
    if found is not None:
        return f"{found[1]}: its content is kept, but not that it was of type {found[2]}"
    what, reason = str(row.get("what") or "lost"), row.get("reason")
    return f"{what}: {reason}" if reason else what


def _retyped(row: dict[str, Any]) -> "re.Match[str] | None":
    if row.get("what") != "unencodable" or not isinstance(row.get("reason"), str):
        return None
    return _RETYPED.fullmatch(row["reason"])
