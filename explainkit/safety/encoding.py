"""Canonical bytes: one JSON form for every Python value, so that equal content has one digest."""

from typing import Any

import orjson

from explainkit.safety.decoding import Opaque, decode
from explainkit.safety.encoded import Encoded, Fidelity, Loss, Media
from explainkit.safety.limits import DEFAULT, Limits
from explainkit.safety.plain import plain_texts
from explainkit.safety.surrogates import packed
from explainkit.safety.tagging import tagged

__all__ = ["Encoded", "Loss", "Opaque", "decode", "encode", "encode_text", "encode_tree"]

_dumps = orjson.dumps
_new = tuple.__new__
_BROKEN = b'{"$object":{"type":"?","repr":""}}'


def encode_text(value: str) -> bytes:
    """Return the canonical bytes of a text, whole, lone surrogates included.

    Example:
        >>> encode_text("half of the fare")
        b'"half of the fare"'
    """
    try:
        return _dumps(value)
    except TypeError:
        return _dumps({"$text": packed(value)})


def encode(value: Any, *, limits: Limits = DEFAULT) -> Encoded:
    """Return the canonical bytes of any object.

    Never raises, and never changes, consumes, runs or keeps what it is given: only reprs and the
    messages of exceptions are asked for, and those may fail. (A ``KeyboardInterrupt`` passes: it
    comes from the person.)

    Args:
        value: Any object.
        limits: How deep, how wide, how much of a sample. Texts are kept whole.

    Example:
        >>> encode({"fare": (1, float("nan"))}).data
        b'{"fare":{"$tuple":[1,{"$float":"nan"}]}}'
        >>> encode(object()).fidelity
        'opaque'
    """
    if type(value) is str:
        return _new(Encoded, (encode_text(value), "text/plain", "exact", ()))
    data = encode_plain(value, limits=limits)
    if data is not None:
        return Encoded(data, "application/json", "exact", ())
    return encode_tree(*tree(value, limits=limits))


def encode_plain(value: Any, *, limits: Limits) -> bytes | None:
    """Return the canonical bytes of a value that is plain JSON, else ``None``."""
    try:
        return (
            None if plain_texts(value, limits=limits, depth=limits.depth) is None else _dumps(value)
        )
    except (TypeError, ValueError, RuntimeError, RecursionError):
        # Wide integers, surrogates, depth, or a container that another thread is changing.
        return None


def tree(value: Any, *, limits: Limits) -> tuple[Any, Fidelity, tuple[Loss, ...]]:
    """Return the tagged tree of any object, its fidelity and what it lost. Never raises."""
    try:
        node, state = tagged(value, limits=limits)
    except Exception:  # recording must not disturb the user's program
        loss = Loss("unencodable", "", 0, 1, "the value could not be walked")
        return orjson.loads(_BROKEN), "opaque", (loss,)
    lost = state.all_losses()
    fidelity: Fidelity = "opaque" if state.opaque else "partial" if lost else "exact"
    return node, fidelity, lost


def encode_tree(node: Any, fidelity: Fidelity, lost: tuple[Loss, ...]) -> Encoded:
    """Return the canonical bytes of a tagged tree."""
    media: Media = "text/plain" if type(node) is str else "application/json"
    return Encoded(_dumps(node), media, fidelity, lost)
