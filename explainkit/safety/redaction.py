"""Capture: redact and encode in one call, because every recorded value passes through both."""

from typing import Any

import orjson

from explainkit.safety.encoded import Captured, Loss, Media
from explainkit.safety.encoding import encode, tree
from explainkit.safety.limits import DEFAULT, Limits
from explainkit.safety.plain import plain_texts
from explainkit.safety.redactor import Redactor
from explainkit.safety.secret_names import secret_kind
from explainkit.safety.shapes import may_be_assigned, may_be_shaped

__all__ = ["Captured", "Redactor", "capture", "is_secret_name"]

_dumps = orjson.dumps
_new = tuple.__new__


def is_secret_name(name: str) -> bool:
    """Return whether a parameter, key or field of this name holds a secret."""
    return secret_kind(name) is not None


def clean_text(text: str, redactor: Redactor) -> bytes | None:
    """Return the canonical bytes of a text that needs no redaction, else ``None``.

    Two searches in Rust and the JSON writer, nothing else: most recorded texts end here.

    Example:
        >>> clean_text("half of the fare", Redactor())
        b'"half of the fare"'
    """
    if redactor.searches_more or may_be_shaped(text):
        return None
    if (":" in text or "=" in text) and may_be_assigned(text):  # no assignment is without one
        return None
    try:
        return _dumps(text)
    except TypeError:
        return None  # lone surrogates, which the search in Rust cannot see through either


def capture(
    value: Any, redactor: Redactor, *, name: str | None = None, limits: Limits = DEFAULT
) -> Captured:
    """Return the redacted canonical bytes of any object. Never raises, as ``encode`` never does.

    Args:
        value: Any object; it is neither changed, consumed nor kept.
        redactor: Finds the secrets.
        name: Name of the parameter or slot; a value under the name of a secret is replaced whole.
        limits: Bounds of one value.

    Example:
        >>> capture("key sk-abcdefghij0123456789", Redactor()).data
        b'"key [redacted:api-key#1]"'
    """
    if type(value) is str and (name is None or secret_kind(name) is None):
        data = clean_text(value, redactor)
        if data is not None:
            return _new(Captured, (data, "text/plain", "exact", ()))
    try:
        return _captured(value, redactor, secret_kind(name) if name else None, limits)
    except Exception:  # recording must not disturb the user's program
        lost = (Loss("unencodable", "", 0, 1, "the value could not be captured"),)
        return Captured(b'{"$object":{"type":"?","repr":""}}', "application/json", "opaque", lost)


def _captured(value: Any, redactor: Redactor, kind: str | None, limits: Limits) -> Captured:
    if not redactor.enabled:
        return Captured(*encode(value, limits=limits))
    if type(value) is not str and kind is None:
        data = _clean_plain(value, redactor, limits)
        if data is not None:
            return Captured(data, "application/json", "exact", ())
    node, fidelity, lost = tree(value, limits=limits)
    clean = redactor.value(node) if kind is None else redactor.under(kind, node)
    if clean is not node:
        fidelity, lost = "redacted", (*lost, Loss("redacted", "", 0, 1, "secrets"))
    media: Media = "text/plain" if type(value) is str else "application/json"
    return Captured(_dumps(clean), media, fidelity, lost)


def _clean_plain(value: Any, redactor: Redactor, limits: Limits) -> bytes | None:
    """Return the canonical bytes of plain JSON that holds no secret, else ``None``."""
    try:
        texts = plain_texts(value, limits=limits, depth=limits.depth)
        if texts is None or texts.named or redactor.suspects("\n".join(texts)):
            return None
        return _dumps(value)
    except (TypeError, ValueError, RuntimeError):
        # Wide integers, surrogates, depth, or a container that another thread is changing.
        return None
