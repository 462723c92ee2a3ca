"""What a link is given when what its stretches came from is something else this time."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from explainkit.errors import InterventionError
from explainkit.safety.pointers import untoken

Places = Mapping[tuple[int, str], tuple[Any, Any]]
"""What stood at an occurrence, and what stands there now."""


def with_origins(value: Any, segments: Sequence[Mapping[str, Any]], places: Places) -> Any:
    """A recorded input with its stretches and items as their origins are now.

    Args:
        value: The recorded input.
        segments: Where its stretches and items came from.
        places: What their origins were, and are.

    Raises:
        InterventionError: An origin changed around a part of it that stands here.
    """
    for each in sorted(segments, key=lambda one: int(one.get("start") or 0), reverse=True):
        origin = each.get("origin") or {}
        known = places.get((int(origin.get("seq", -1)), str(origin.get("slot"))))
        if known is None or known[0] == known[1]:
            continue
        steps = [untoken(step) for step in str(each.get("path") or "").split("/")[1:]]
        value = _changed(value, steps, each, origin, known)
    return value


def _changed(
    value: Any,
    steps: list[str],
    segment: Mapping[str, Any],
    origin: Mapping[str, Any],
    known: tuple[Any, Any],
) -> Any:
    if steps:
        step, rest = steps[0], steps[1:]
        if isinstance(value, dict):
            return {**value, step: _changed(value[step], rest, segment, origin, known)}
        items = list(value)
        items[int(step)] = _changed(items[int(step)], rest, segment, origin, known)
        return items
    start, end = int(segment["start"]), int(segment["end"])
    if isinstance(value, str) and isinstance(known[0], str):
        return value[:start] + _part(origin, known) + value[end:]
    if isinstance(value, list):
        return [*value[:start], *_items(origin, known, end - start), *value[end:]]
    return known[1]


def _part(origin: Mapping[str, Any], known: tuple[str, Any]) -> str:
    old, now = known[0], _text(known[1])
    start, end = int(origin.get("start") or 0), int(origin.get("end", len(old)))
    if (start, end) == (0, len(old)):
        return now
    if now[start:end] == old[start:end]:
        return old[start:end]
    raise InterventionError(
        f"only a part of {old!r:.60} stands in what the model was given, and it is not clear which "
        "part of the new text would"
    )


def _text(value: Any) -> str:
    """What stands for a value within a text: itself, or JSON as results of tools are written."""
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _items(origin: Mapping[str, Any], known: tuple[Any, Any], count: int) -> list[Any]:
    old, now = known
    if not isinstance(old, list):
        return [now] if now else []
    start = int(origin.get("start") or 0)
    if (start, start + count) == (0, len(old)):
        return list(now)
    return list(now)[start : start + count]
