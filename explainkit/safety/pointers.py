"""JSON Pointers (RFC 6901), because an address inside a value must survive any key."""

from typing import Any

Place = tuple[Any, str | int]
"""A step and the place before it, from the innermost outwards; ``None`` is the whole value."""


def token(key: str | int) -> str:
    """Return one reference token, escaped."""
    text = str(key)
    if "~" in text or "/" in text:
        return text.replace("~", "~0").replace("/", "~1")
    return text


def untoken(text: str) -> str:
    """Return the key that a reference token stands for."""
    return text.replace("~1", "/").replace("~0", "~")


def pointer(place: Place | None) -> str:
    """Return the pointer of a place; empty for the whole value."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(token(step))
    return "".join(f"/{step}" for step in reversed(steps))
