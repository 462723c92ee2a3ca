"""Times that a source recorded, because an import invents none."""

from datetime import UTC, datetime
from typing import Any

_KEYS = ("timestamp", "created_at", "createdAt", "created", "time")
_SECONDS = range(100_000_000, 10_000_000_000)
_MILLISECONDS = range(100_000_000_000, 10_000_000_000_000)


def moment(message: Any) -> int | None:
    """When a message was said, in nanoseconds since the epoch.

    Args:
        message: A message of the source.

    Returns:
        The time, or ``None`` when the message names none (or none with a zone).

    Example:
        >>> moment({"created_at": "2025-12-01T10:00:00Z"})
        1764583200000000000
    """
    if not isinstance(message, dict):
        return None
    for key in _KEYS:
        found = _nanoseconds(message.get(key))
        if found is not None:
            return found
    return None


def _nanoseconds(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        if value != value or abs(value) > 1e13:
            return None
        if int(value) in _SECONDS:
            return int(value * 1_000_000) * 1_000 if isinstance(value, float) else value * 10**9
        return int(value) * 10**6 if int(value) in _MILLISECONDS else None
    if not isinstance(value, str) or not 19 <= len(value) <= 40:
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        return None
    if read.tzinfo is None:
        return None
    since = read - datetime(1970, 1, 1, tzinfo=UTC)
    return ((since.days * 86_400 + since.seconds) * 10**6 + since.microseconds) * 1_000
