"""Tags of containers: tuples, sets, dicts that JSON cannot hold, and what is too wide."""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from explainkit.safety.described import ancestry
from explainkit.safety.surrogates import has_surrogates
from explainkit.safety.walking import Child, Grown, Walk


def _listed(walk: Walk, items: Iterable[Any], size: int, tag: str | None) -> Grown:
    kept = list(islice(items, walk.limits.width))
    slots: list[Any] = [None] * len(kept)
    children = [Child(item, slots, index, index) for index, item in enumerate(kept)]
    node: Any = slots if tag is None else {tag: slots}
    levels = 1 if tag is None else 2
    unordered = slots if tag in {"$set", "$frozenset"} else None
    if size <= len(kept):
        return Grown(node, children, levels, unordered)
    return Grown(_wide(walk, tag or "list", node, len(kept), size), children, levels + 2, unordered)


def _wide(walk: Walk, kind: str, node: Any, kept: int, size: int) -> dict[str, Any]:
    walk.lose("truncated", kept, size, f"{kind.lstrip('$')} items")
    return {"$cut": {"kind": kind.lstrip("$"), "kept": kept, "of": size, "value": node}}


def array(walk: Walk, value: list[Any]) -> Grown:
    """Encode a list."""
    return _listed(walk, list.__iter__(value), list.__len__(value), None)


def row(walk: Walk, value: tuple[Any, ...]) -> Grown:
    """Encode a tuple."""
    return _listed(walk, tuple.__iter__(value), tuple.__len__(value), "$tuple")


def unordered(walk: Walk, value: set[Any]) -> Grown:
    """Encode a set, its items in the order of their canonical bytes."""
    return _bag(walk, set.__iter__(value), set.__len__(value), "$set")


def frozen(walk: Walk, value: frozenset[Any]) -> Grown:
    """Encode a frozenset, its items in the order of their canonical bytes."""
    return _bag(walk, frozenset.__iter__(value), frozenset.__len__(value), "$frozenset")


def _bag(walk: Walk, items: Iterable[Any], size: int, tag: str) -> Grown:
    # Which items come first depends on hashing, so a set that is too wide keeps none.
    return _listed(walk, items if size <= walk.limits.width else (), size, tag)


def queue(walk: Walk, value: deque[Any]) -> Grown:
    """Encode a deque as a list."""
    return _listed(walk, deque.__iter__(value), deque.__len__(value), None)


def mapping(walk: Walk, value: dict[Any, Any]) -> Grown:
    """Encode a dict: itself, ``$dict`` when a key could pass for a tag, else ``$pairs``."""
    # An OrderedDict keeps its order apart from the dict that it is.
    ordered = type(value) is not dict and OrderedDict in ancestry(type(value))
    view = OrderedDict.items(value) if ordered else dict.items(value)  # type: ignore[arg-type]
    size = dict.__len__(value)
    items = list(islice(view, walk.limits.width))
    tag: str | None = None
    for key, _ in items:
        if type(key) is not str or has_surrogates(key):
            tag = "$pairs"
            break
        if key[:1] == "$":
            tag = "$dict"
    node, children = _fields(items) if tag is None else _pairs(items, tag)
    levels = 1 if tag is None else 3
    if size <= len(items):
        return Grown(node, children, levels)
    return Grown(_wide(walk, "dict", node, len(items), size), children, levels + 2)


def _fields(items: list[tuple[Any, Any]]) -> tuple[Any, list[Child]]:
    node = dict.fromkeys(key for key, _ in items)
    return node, [Child(item, node, key, key) for key, item in items]


def _pairs(items: list[tuple[Any, Any]], tag: str) -> tuple[Any, list[Child]]:
    pairs: list[list[Any]] = [[None, None] for _ in items]
    children: list[Child] = []
    for index, (pair, (key, item)) in enumerate(zip(pairs, items, strict=True)):
        if tag == "$dict":
            pair[0] = key
            children.append(Child(item, pair, 1, key))
        else:
            children.append(Child(key, pair, 0, (index, 0)))
            children.append(Child(item, pair, 1, (index, 1)))
    return {tag: pairs}, children


CONTAINERS: dict[type, Callable[[Walk, Any], Grown]] = {
    list: array,
    tuple: row,
    dict: mapping,
    set: unordered,
    frozenset: frozen,
}

LOOSE: dict[type, Callable[[Walk, Any], Grown]] = {deque: queue}
"""Kept as the nearest builtin, so their own type is lost."""
