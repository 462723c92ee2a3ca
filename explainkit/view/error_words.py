"""A recorded error as a person looks for it: what it says, and where in their own code it was."""

from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError
from explainkit.safety import shorten_at_words

if TYPE_CHECKING:
    from explainkit.store import Recording

_PLACES: Final = 3
"""Frames of the user's own code that are named, innermost first."""
_CHAIN: Final = 4
_MESSAGE: Final = 120


def error_text(recording: "Recording", digest: str) -> str:
    """A recorded error in words; anything else that stands for one as it is shown.

    Args:
        recording: The run.
        digest: Of the value.

    Raises:
        ExplainkitError: The value cannot be read.
    """
    try:
        told = _told(recording.values.tagged(digest))
    except ExplainkitError:
        told = None
    return recording.values.shown(digest) if told is None else told


def lines_of_error(recording: "Recording", digest: str) -> list[str]:
    """Lines of the user's own code that a recorded error came from, innermost first.

    Args:
        recording: The run.
        digest: Of the value.
    """
    try:
        value = recording.values.tagged(digest)
    except ExplainkitError:
        return []
    body = value.get("$exception") if isinstance(value, dict) else None
    at = body.get("at") if isinstance(body, dict) else None
    return [str(each) for each in at[:_PLACES]] if isinstance(at, list) else []


def _told(value: Any) -> str | None:
    body = value.get("$exception") if isinstance(value, dict) else None
    if not isinstance(body, dict):
        return None
    parts: list[str] = []
    while isinstance(body, dict) and len(parts) < _CHAIN:
        parts.append(_one(body))
        body = body.get("cause")
    return "; raised for ".join(parts)


def _one(body: dict[str, Any]) -> str:
    """Such as ``KeyError: 'missing' (jobs.py:5 deep, jobs.py:9 main)``."""
    name = str(body.get("type") or "error").rpartition(".")[2]
    message = shorten_at_words(str(body.get("message") or ""), _MESSAGE)
    at = body.get("at")
    places = [str(each) for each in at[:_PLACES]] if isinstance(at, list) else []
    where = f" ({', '.join(places)})" if places else ""
    return f"{name}: {message}{where}" if message else f"{name}{where}"
