"""Where each stretch of an assembled text came from, in offsets of the text as it is stored.

A piece is redacted by itself and the pieces are joined; when that differs from redacting the whole
(a secret stands across a border), the leaf keeps no segments and the record says so.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import orjson

from explainkit.errors import WeakSecretError
from explainkit.safety.leaf_paths import leaves
from explainkit.safety.redaction import Redactor, capture
from explainkit.tracing.template import Filled

PIECE_FROM = 64
"""Code points from which a filled text is stored by reference instead of again."""

_MISSES = 32


class Leaf(NamedTuple):
    """An assembled text leaf.

    Attributes:
        text: As the model gets it.
        stored: As it is stored, redacted.
        segments: Record fields of its segments.
        parts: Its storage as literals and names of slots to refer to.
        whole: False when the pieces could not be told apart after redaction.
    """

    text: str
    stored: str
    segments: list[dict[str, Any]]
    parts: list[str | tuple[str, str]]
    whole: bool


def hide_secrets(values: Mapping[str, Any], redactor: Redactor) -> None:
    """Look for what fields with a secret's name hold, wherever the prompt goes from here."""
    for name, value in values.items():
        if type(value) is str and redactor.enabled and redactor.is_secret_name(name):
            with suppress(WeakSecretError):  # too short to be told from ordinary words
                redactor.register(value)


def leaf_of(
    pieces: list[Filled], values: Mapping[str, Any], *, link: int, path: str, redactor: Redactor
) -> Leaf:
    """Join pieces and say where each stretch came from.

    Args:
        pieces: The filled template.
        values: What the fields were filled with.
        link: ``seq`` of the assemble link, whose input slots are the origins.
        path: JSON Pointer of the leaf in the assembled value.
        redactor: The run's redactor.
    """
    text = "".join(piece.text for piece in pieces)
    stored = [redactor.text(piece.text) for piece in pieces]
    whole = redactor.text(text)
    if "".join(stored) != whole:
        return Leaf(text, whole, [], [whole], not any(piece.name for piece in pieces))
    segments: list[dict[str, Any]] = []
    parts: list[str | tuple[str, str]] = []
    position = 0
    for piece, shown in zip(pieces, stored, strict=True):
        if piece.name is not None:
            found = _stretches(piece, shown, values[piece.name], redactor)
            segments += [
                _segment(path, position + start, position + end, link, piece.name, origin)
                for start, end, origin in found
            ]
        if piece.name is not None and piece.verbatim and len(shown) >= PIECE_FROM:
            parts.append((piece.name, piece.text))
        elif shown:
            parts.append(shown)
        position += len(shown)
    return Leaf(text, whole, segments, parts, True)


Stretch = tuple[int, int, dict[str, Any]]


def _stretches(piece: Filled, shown: str, value: Any, redactor: Redactor) -> list[Stretch]:
    if not shown:
        return []
    if piece.verbatim and redactor.enabled and redactor.is_secret_name(piece.name or ""):
        return [(0, len(shown), {})]  # its slot holds a mark
    if piece.verbatim:
        return [(0, len(shown), {"start": 0, "end": len(shown)})]
    tagged = orjson.loads(capture(value, redactor, name=piece.name).data)
    found: list[Stretch] = []
    position = misses = 0
    for path, leaf in leaves(tagged):
        text = leaf if isinstance(leaf, str) else str(leaf)
        start = shown.find(text, position) if text else -1
        if start < 0:
            misses += 1
            if misses > _MISSES:
                break
            continue
        if start > position:
            found.append((position, start, {}))
        found.append((start, start + len(text), _origin(path, leaf, len(text))))
        position = start + len(text)
    if position < len(shown):
        found.append((position, len(shown), {}))
    return found


def _origin(path: str, leaf: object, length: int) -> dict[str, Any]:
    origin: dict[str, Any] = {"path": path} if path else {}
    return {**origin, "start": 0, "end": length} if isinstance(leaf, str) else origin


def _segment(
    path: str, start: int, end: int, link: int, slot: str, origin: dict[str, Any]
) -> dict[str, Any]:
    segment: dict[str, Any] = {"path": path} if path else {}
    return {**segment, "start": start, "end": end, "origin": {"seq": link, "slot": slot, **origin}}
