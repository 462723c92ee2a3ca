"""Lone surrogates: legal in a Python text, impossible in UTF-8, so they need their own form."""

import base64
import re

_LONE = re.compile("[\ud800-\udfff]")


def has_surrogates(text: str) -> bool:
    """Return whether UTF-8 cannot hold the text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def without_surrogates(text: str) -> str:
    """Return the text with U+FFFD for each lone surrogate, so that offsets stay the same."""
    if text.isascii():
        return text
    return _LONE.sub("\ufffd", text)


def packed(text: str) -> str:
    """Return the body of a ``$text`` tag: base64 of the UTF-8 bytes, surrogates passed through."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()


def unpacked(body: str) -> str:
    """Return the text of a ``$text`` tag.

    Raises:
        ValueError: The body is not what :func:`packed` writes.
    """
    return base64.b64decode(body, validate=True).decode("utf-8", "surrogatepass")


def tagged_text(node: object) -> str | None:
    r"""Return what a ``$text`` tag shows, with U+FFFD for lone surrogates; None for anything else.

    Example:
        >>> tagged_text({"$text": packed("40 \ud83d")}) == "40 \ufffd"
        True
    """
    if not isinstance(node, dict) or list(node) != ["$text"]:
        return None
    try:
        return without_surrogates(unpacked(node["$text"]))
    except (TypeError, ValueError):
        return None
