"""Addresses inside a value: every text and number has a JSON Pointer, and tags take no step.

A tag is transparent: the items of a ``$tuple``, ``$set`` or ``$array`` sample stand at ``/0``,
``/1`` as those of a list do; the fields of a ``$dataclass``, ``$model`` or ``$namedtuple`` and the
keys of a ``$dict`` stand at their names; a ``$frame`` is its rows of cells; in ``$pairs`` the key
and the value of the third pair are ``/2/0`` and ``/2/1``; an ``$enum``, ``$scalar`` or ``$cut`` is
what it holds. ``$exception`` has ``/message`` (and ``/cause/message``), ``$object`` has ``/repr``.
Dates, times, decimals and UUIDs are texts, ``$int`` is a number, ``$text`` is its text with U+FFFD
for lone surrogates (offsets stay the same). Bytes, cycles, NaN and references give no leaf.
"""

from collections.abc import Iterator
from typing import Any

from explainkit.errors import UnknownRecordError
from explainkit.safety.pointers import token, untoken
from explainkit.safety.surrogates import unpacked, without_surrogates

_ITEMS = frozenset({"$tuple", "$set", "$frozenset", "$pairs"})
_WORDS = frozenset({"$date", "$datetime", "$time", "$decimal", "$uuid"})
_INSIDE = {
    "$enum": "value", "$scalar": "value", "$cut": "value", "$dataclass": "fields",
    "$model": "fields", "$namedtuple": "fields", "$array": "sample", "$series": "sample",
    "$frame": "rows",
}  # fmt: skip


def leaves(tagged: Any) -> Iterator[tuple[str, str | int | float]]:
    """Yield the text and number leaves of a tagged JSON value in reading order.

    Args:
        tagged: Parsed canonical bytes (``orjson.loads(data)``). Depth does not matter.

    Yields:
        JSON Pointer (empty for the whole value) and leaf. Booleans and ``None`` are no leaves.

    Example:
        >>> list(leaves({"fare": {"$tuple": [12.5, "EUR"]}}))
        [('/fare/0', 12.5), ('/fare/1', 'EUR')]
    """
    stack: list[tuple[str, Any]] = [("", tagged)]
    while stack:
        path, node = stack.pop()
        node = opened(node)
        kind = type(node)
        if kind is str or kind is int or kind is float:
            yield path, node
        elif kind is list:
            indexed = zip(range(len(node) - 1, -1, -1), reversed(node), strict=True)
            stack.extend((f"{path}/{index}", item) for index, item in indexed)
        elif kind is dict:
            stack.extend((f"{path}/{token(key)}", node[key]) for key in reversed(node))


def resolve(tagged: Any, path: str) -> Any:
    """Return the node of a tagged value at a JSON Pointer, as :func:`leaves` numbers it.

    Args:
        tagged: Parsed canonical bytes.
        path: JSON Pointer; empty for the whole value.

    Returns:
        The leaf, or the tagged container at the path.

    Raises:
        UnknownRecordError: Nothing stands at this path.

    Example:
        >>> resolve({"fare": {"$tuple": [12.5, "EUR"]}}, "/fare/1")
        'EUR'
    """
    node = tagged
    if path and path[0] != "/":
        raise UnknownRecordError(f"{path[:80]!r} is no JSON Pointer: it must start with '/'")
    for step in path.split("/")[1:]:
        holder = opened(node)
        try:
            node = (
                holder[int(step)]
                if type(holder) is list and step.isdecimal()
                else (holder[untoken(step)])
            )
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise UnknownRecordError(f"nothing stands at {path[:80]!r} of this value") from error
    inside = opened(node)
    return node if type(inside) in {dict, list} or inside is None else inside


def opened(node: Any) -> Any:
    """Return what stands inside the tags of a node; ``None`` where there is no leaf."""
    while type(node) is dict and len(node) == 1:
        [(tag, body)] = node.items()
        if tag[:1] != "$":
            return node
        if tag in _INSIDE:
            node = body.get(_INSIDE[tag]) if type(body) is dict else None
        else:
            return _inside(tag, body)
    return node


def _inside(tag: str, body: Any) -> Any:
    kind = type(body)
    if tag in _ITEMS:
        return body if kind is list else None
    if tag == "$dict" and kind is list:
        pairs = (pair for pair in body if type(pair) is list and len(pair) == 2)
        return {key: item for key, item in pairs if type(key) is str}
    if tag == "$exception" and kind is dict:
        shown = {"message": body.get("message")}
        return shown | {"cause": {"$exception": body["cause"]}} if "cause" in body else shown
    if tag == "$object" and kind is dict:
        return {"repr": body.get("repr")}
    if kind is not str:
        return None
    if tag in _WORDS:
        return body
    try:
        if tag == "$int":
            return int(body, 16) if "x" in body else int(body)
        return without_surrogates(unpacked(body)) if tag == "$text" else None
    except ValueError:
        return None
