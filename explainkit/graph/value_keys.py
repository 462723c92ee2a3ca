"""Keys of every stored container that is plain JSON, each stored unit looked at once.

A container that refers to other values, and a list that extends another, takes their keys, so a
history that is repeated a thousand times costs only what each turn added.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from explainkit.graph.contents import Contents
from explainkit.graph.json_reading import EMPTY_LIST, dict_key, list_key, scalar_key
from explainkit.safety.pointers import token

Row = dict[str, Any]


class ValueKeys:
    """Where, by value and path, each key of a container stands."""

    def __init__(self, contents: Contents, rows: Callable[[], Iterator[Row]]) -> None:
        self._contents = contents
        self._rows = rows

    @cached_property
    def table(self) -> dict[bytes, list[tuple[int, str]]]:
        """For each key the numbers of values, and the paths in them, in order of the records."""
        return _Reader(self._contents).read(self._rows())


class _Reader:
    def __init__(self, contents: Contents) -> None:
        self._numbers = contents.numbers
        self._known: dict[str, bytes | None] = {}
        self._table: dict[bytes, list[tuple[int, str]]] = {}

    def read(self, rows: Iterator[Row]) -> dict[bytes, list[tuple[int, str]]]:
        for row in rows:
            name = row.get("digest")
            if isinstance(name, str) and name in self._numbers and name not in self._known:
                try:
                    self._known[name] = self._key(name, row)
                except (AttributeError, LookupError, TypeError, ValueError, OverflowError):
                    self._known[name] = None  # misshaped: equal to nothing
        return self._table

    def _key(self, name: str, row: Row) -> bytes | None:
        data = row.get("data")
        if row.get("parts") is not None or isinstance(data, str):
            return bytes.fromhex(name)
        if row.get("items") is None:
            return self._of_data(self._numbers[name], data)
        base = row.get("base")
        before = EMPTY_LIST if base is None else self._known.get(base)
        items = [self._known.get(item) for item in row["items"]]
        plain = [item for item in items if item is not None]
        if before is None or len(plain) < len(items):
            return None
        key = list_key(plain, before)
        self._table.setdefault(key, []).append((self._numbers[name], ""))
        return key

    def _of_data(self, value: int, data: Any) -> bytes | None:
        """The key of a tagged value; those of the containers in it are put into the table."""
        keys: dict[int, bytes | None] = {}
        for node, path, at in reversed(list(_nodes(data))):
            keys[at] = key = self._of_node(node, keys)
            if key is not None and node and isinstance(node, dict | list) and not _refers(node):
                self._table.setdefault(key, []).append((value, path))
        return keys[id(data)]

    def _of_node(self, node: Any, keys: dict[int, bytes | None]) -> bytes | None:
        if isinstance(node, list):
            items = [keys[id(each)] for each in node]
            plain = [item for item in items if item is not None]
            return list_key(plain) if len(plain) == len(items) else None
        if not isinstance(node, dict):
            return scalar_key(node)
        if _refers(node):
            return self._known.get(node["$value"])
        members: dict[str, bytes] = {}
        for name, each in node.items():
            key = None if name[:1] == "$" else keys[id(each)]
            if key is None:
                return None
            members[name] = key
        return dict_key(members)


def _refers(node: Any) -> bool:
    return isinstance(node, dict) and len(node) == 1 and isinstance(node.get("$value"), str)


def _nodes(data: Any) -> Iterator[tuple[Any, str, int]]:
    """Every node of a tree, parents first, with its path and the id by which children are met."""
    stack = [(data, "")]
    while stack:
        node, path = stack.pop()
        yield node, path, id(node)
        if isinstance(node, dict) and not _refers(node):
            stack.extend((node[name], f"{path}/{token(name)}") for name in node)
        elif isinstance(node, list):
            stack.extend((each, f"{path}/{at}") for at, each in enumerate(node))
