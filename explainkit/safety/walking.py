"""Turn any object into a tagged JSON tree, iteratively, so that depth and cycles cannot hurt."""

from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

from explainkit.safety.described import repr_of, type_name
from explainkit.safety.encoded import Loss
from explainkit.safety.limits import Limits
from explainkit.safety.plain import plain_size
from explainkit.safety.pointers import Place, pointer
from explainkit.safety.surrogates import without_surrogates

_DEEPEST = 200
"""Levels that leave room for closing tags below the 254 of the JSON writer."""


class Child(NamedTuple):
    """A value still to be encoded into ``holder[key]``; ``token`` is its step in the path.

    A pair of tokens is two steps; no token means that the child stands at its parent's place.
    """

    value: Any
    holder: Any
    key: Any
    token: str | int | tuple[int, int] | None


class Grown(NamedTuple):
    """A node whose children are still to come, and the JSON levels between both."""

    node: Any
    children: list[Child]
    levels: int
    unordered: list[Any] | None = None


class Walk:
    """One encoding: the limits, what was lost so far, and where the walk stands."""

    __slots__ = ("deepest", "limits", "losses", "nodes", "opaque", "path", "uncounted", "walked")

    def __init__(self, limits: Limits) -> None:
        """Start with nothing lost."""
        self.limits = limits
        self.deepest = min(limits.depth, _DEEPEST)
        self.losses: list[Loss] = []
        self.uncounted = 0
        self.nodes = 0
        self.walked = 0
        self.opaque = False
        self.path: Place | None = None

    def takes_whole(self, item: Any, depth: int) -> bool:
        """Return whether a container is plain JSON that still fits the limits."""
        left = self.limits.nodes - self.nodes
        if left <= 0 or depth >= self.deepest:
            return False
        size = plain_size(item, limits=self.limits, depth=self.deepest - depth)
        self.nodes += size
        return 0 < size <= left

    def is_full(self) -> bool:
        """Return whether no more containers are walked."""
        return self.walked > self.limits.walked or self.nodes > self.limits.nodes

    def lose(self, what: Any, kept: int, of: int, detail: str) -> None:
        """Note a loss at the current place; beyond the limit losses are only counted."""
        if len(self.losses) < self.limits.losses:
            self.losses.append(Loss(what, pointer(self.path), kept, of, detail))
        else:
            self.uncounted += 1

    def retyped(self, value: Any) -> None:
        """Note that the content is kept and only the Python type is lost."""
        self.lose("unencodable", 1, 1, f"type {type_name(type(value))}")

    def described(self, value: Any) -> dict[str, Any]:
        """Return the node of an object of which only type and bounded repr are kept."""
        name = type_name(type(value))
        words = repr_of(value, limit=self.limits.repr_length)
        body: dict[str, Any] = {"type": name, "repr": without_surrogates(words.text)}
        if words.length > self.limits.repr_length:
            body["of"] = words.length
        self.lose("unencodable", 0, 1, f"type {name} is kept by its repr")
        if self.path is None:
            self.opaque = True
        return {"$object": body}

    def all_losses(self) -> tuple[Loss, ...]:
        """Return the losses, the uncounted ones as one last entry."""
        if self.uncounted:
            listed = len(self.losses)
            detail = f"{self.uncounted} more losses are not listed"
            self.losses.append(Loss("truncated", "", listed, listed + self.uncounted, detail))
        return tuple(self.losses)


# Compared by identity: a metaclass may refuse to be hashed.
_ATOMS = (str, int, float, bool, type(None), bytes)
_SIZED = (list, tuple, dict, set, frozenset)


class _Leave(NamedTuple):
    """A mark on the stack: all children of this container are done.

    It keeps the container, because the identity of one that is gone may be given again.
    """

    container: Any


def walk(value: Any, grow: Callable[[Walk, Any], Any], *, limits: Limits) -> tuple[Any, Walk]:
    """Encode ``value`` with ``grow``, which encodes one object and names its children.

    Returns:
        The tagged tree and the walk with its losses.
    """
    state = Walk(limits)
    top: list[Any] = [None]
    unordered: list[list[Any]] = []
    open_places: dict[int, Place | None] = {}
    stack: list[Any] = [(Child(value, top, 0, None), None, 0, False)]
    while stack:
        job = stack.pop()
        if type(job) is _Leave:
            del open_places[id(job.container)]
            continue
        (item, holder, key, token), place, depth, mixed = job
        kind = type(item)
        bare = kind is dict or kind is list
        # Plain JSON inside anything else is taken as it is. What is not plain is not asked
        # again level by level.
        if bare and not mixed and state.takes_whole(item, depth):
            holder[key] = item
            continue
        state.path = place = _step(place, token)
        if id(item) in open_places:
            state.lose("cut", 0, 1, "cycle")
            holder[key] = {"$cycle": pointer(open_places[id(item)])}
            continue
        if state.is_full() and not any(kind is atom for atom in _ATOMS):
            # Before it is grown: even naming the children of a thousand wide rows takes long.
            sized = any(kind is container for container in _SIZED)
            holder[key] = _cut(state, item, len(item) if sized else 1, "nodes")
            continue
        grown = grow(state, item)
        if type(grown) is not Grown:
            holder[key] = grown
            continue
        if depth >= state.deepest:
            holder[key] = _cut(state, item, len(grown.children), "depth")
            continue
        state.walked += 1
        state.nodes += len(grown.children)
        holder[key] = grown.node
        if grown.unordered is not None:
            unordered.append(grown.unordered)
        open_places[id(item)] = place
        stack.append(_Leave(item))
        below = depth + grown.levels
        stack.extend(
            (child, place, below, bare) for child in reversed(grown.children) if not _settled(child)
        )
    # Sets have no order of their own; inner ones are settled before the sets around them.
    for items in reversed(unordered):
        items.sort(key=orjson.dumps)
    return top[0], state


def _settled(child: Child) -> bool:
    """Put a value that is its own node in its place at once, which most values are."""
    item = child.value
    if item is None or item is True or item is False or (type(item) is str and item.isascii()):
        child.holder[child.key] = item
        return True
    return False


def _step(place: Place | None, token: Any) -> Place | None:
    if type(token) is tuple:
        return ((place, token[0]), token[1])
    return place if token is None else (place, token)


def _cut(state: Walk, item: Any, size: int, kind: str) -> dict[str, Any]:
    state.lose("cut", 0, size, "too deep" if kind == "depth" else "too many values")
    return {"$cut": {"kind": kind, "type": type_name(type(item)), "kept": 0, "of": size}}
