"""JSON of a record's fields, for labels that JSON cannot hold as they are."""

import os
from typing import Any

import orjson

from explainkit.safety.described import repr_of
from explainkit.safety.surrogates import without_surrogates

_WORDS = frozenset(
    ("by", "how", "judge", "name", "reason", "sender", "slot", "source", "text", "type", "why")
)
_LENGTH = 200


def word(value: Any) -> str:
    """An author's label as text: a path by its name, a number or anything else by its repr.

    Example:
        >>> from pathlib import PurePosixPath
        >>> word("tariff"), word(PurePosixPath("tariff.md")), word(12)
        ('tariff', 'tariff.md', '12')
    """
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    return repr_of(value, limit=_LENGTH).text


def worded(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Fields that are given; those that records of this kind hold as text are text.

    A reader refuses a record with a number where it expects a word, and all that follow it.
    The source of a run has parts, that of a reply is a record; every other source is a word.
    """
    words = _WORDS - {"source"} if kind in ("run_started", "reply") else _WORDS
    return {
        key: word(item) if key in words and type(item) is not str else item
        for key, item in fields.items()
        if item is not None
    }


def fields_json(fields: Any) -> bytes:
    """Compact JSON; a lone surrogate in a label becomes the replacement character.

    Content never comes here: a value with lone surrogates is stored exactly, under a tag.

    Example:
        >>> fields_json({"name": "half"})
        b'{"name":"half"}'
    """
    try:
        return orjson.dumps(fields)
    except TypeError:
        return orjson.dumps(_labels(fields))


def _labels(node: Any) -> Any:
    if isinstance(node, str):
        return without_surrogates(str(node))
    if isinstance(node, dict):
        return {without_surrogates(str(key)): _labels(item) for key, item in node.items()}
    if isinstance(node, (list, tuple)):
        return [_labels(item) for item in node]
    if node is None or isinstance(node, (bool, int, float)):
        return node
    return without_surrogates(repr(node)[:200])
