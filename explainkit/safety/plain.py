"""Recognise values that JSON holds as they are, because nearly all recorded values are."""

from functools import lru_cache
from typing import Any

import orjson

from explainkit.safety.limits import Limits
from explainkit.safety.secret_names import secret_kind


class Texts(list[str]):
    """Every text and key of a plain value.

    Attributes:
        named: Whether a key names a secret.
        total: How many values there are.
    """

    __slots__ = ("named", "total")

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self.named = False
        self.total = 0


def plain_texts(value: Any, *, limits: Limits, depth: int) -> Texts | None:
    """Return the texts of a value that is already plain JSON, or ``None`` when it is not.

    Plain: exact ``dict`` (text keys, none starting with ``$``), ``list``, ``str``, ``int``,
    ``float`` (finite), ``bool`` and ``None``, a tree within the limits. A container met twice
    is not plain: it may be a cycle. Integers and texts that JSON cannot hold are left to the
    JSON writer, which refuses them.

    Args:
        value: Any object.
        limits: Widths and sizes.
        depth: JSON levels that may still follow.
    """
    texts = Texts()
    seen: set[int] = set()
    level = [value]
    total = 0
    for _ in range(depth + 1):
        total += len(level)
        if total > limits.nodes:
            return None
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is str:
                texts.append(item)
            elif kind is int or kind is bool or item is None:
                continue
            elif kind is float:
                if item - item != 0.0:
                    return None
            elif (
                (kind is not dict and kind is not list)
                or len(item) > limits.width
                or id(item) in seen
                or (kind is dict and not _keys(item, texts))
            ):
                return None
            else:
                seen.add(id(item))
                below += item if kind is list else item.values()
        if not below:
            texts.total = total
            return texts
        level = below
    return None


def plain_size(value: Any, *, limits: Limits, depth: int) -> int:
    """Return how many values a plain value that JSON holds consists of, else 0."""
    try:
        texts = plain_texts(value, limits=limits, depth=depth)
        if texts is not None:
            # What the writer refuses (wide integers, surrogates) is not found more cheaply.
            orjson.dumps(value)
            return texts.total
    except (TypeError, RuntimeError):
        pass  # or another thread is changing the value: it is walked step by step
    return 0


def _keys(item: dict[Any, Any], texts: Texts) -> bool:
    for key in item:
        if type(key) is not str:
            return False
    texts += item
    if len(item) > _FEW:
        plain, named, labelled = _judge(tuple(item))
    else:
        # Dicts of one shape come in crowds: messages, calls, rows.
        plain, named, labelled = _remembered(tuple(item))
    if labelled and not named:
        # `{"name": "Authorization", "value": ...}`, as headers are often written.
        label = item.get("name", item.get("key"))
        named = type(label) is str and secret_kind(label) is not None
    texts.named = texts.named or named
    return plain


def _judge(keys: tuple[str, ...]) -> tuple[bool, bool, bool]:
    """Return whether keys are plain, whether one names a secret, whether one is a label."""
    plain = not any(key[:1] == "$" for key in keys)
    named = any(secret_kind(key) is not None for key in keys)
    return plain, named, "value" in keys and ("name" in keys or "key" in keys)


_FEW = 24
_remembered = lru_cache(maxsize=2048)(_judge)
