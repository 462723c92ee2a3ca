"""A recorded value as one text for people, with the way back from its offsets to its leaves."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import orjson

from explainkit.safety.pointers import token
from explainkit.safety.surrogates import tagged_text


@dataclass(frozen=True, slots=True)
class ShownLeaf:
    """A text or number leaf: ``[start, end)`` of the shown text is the leaf from ``low`` on."""

    start: int
    end: int
    path: str
    low: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A shown value.

    Attributes:
        text: What a person reads.
        leaves: Its leaves, in order.
    """

    text: str
    leaves: tuple[ShownLeaf, ...]

    def leaf_ranges(self, start: int, end: int) -> list[tuple[str, int, int]]:
        """The parts ``(path, start, end)`` of leaves that a stretch of the shown text covers."""
        at = max(bisect_right([leaf.start for leaf in self.leaves], start) - 1, 0)
        found = []
        for leaf in self.leaves[at:]:
            if leaf.start >= end:
                break
            low, high = max(start, leaf.start), min(end, leaf.end)
            if low < high:
                found.append((leaf.path, leaf.low + low - leaf.start, leaf.low + high - leaf.start))
        return found


def shown(value: Any) -> Shown:
    """Show a tagged JSON value: a text as it is, anything else as JSON with its texts unescaped.

    Example:
        >>> shown({"amount": 12.5, "why": "late"}).text
        '{"amount": 12.5, "why": "late"}'
        >>> shown({"why": "late"}).leaf_ranges(9, 13)
        [('/why', 0, 4)]
    """
    text = tagged_text(value)
    value = value if text is None else text
    if isinstance(value, str):
        return Shown(value, (ShownLeaf(0, len(value), ""),) if value else ())
    maker = _Maker()
    maker.add(value, "")
    return maker.done()


def shown_prompt(value: Any) -> Shown:
    r"""Show what a model got: messages as ``[role]`` blocks, anything else as ``shown`` does.

    Example:
        >>> shown_prompt([{"role": "user", "content": "Hi"}]).text
        '[user]\nHi'
    """
    messages = isinstance(value, list) and value
    if not messages or not all(isinstance(item, dict) and "role" in item for item in value):
        return shown(value)
    maker = _Maker()
    for at, message in enumerate(value):
        if at:
            maker.put("\n\n")
        maker.put(f"[{message['role']}]\n")
        maker.message(message, f"/{at}")
    return maker.done()


class _Maker:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._leaves: list[ShownLeaf] = []
        self._size = 0

    def done(self) -> Shown:
        return Shown("".join(self._parts), tuple(self._leaves))

    def put(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def leaf(self, text: str, path: str) -> None:
        if text:
            self._leaves.append(ShownLeaf(self._size, self._size + len(text), path))
            self.put(text)

    def message(self, message: dict[str, Any], path: str) -> None:
        content = message.get("content")
        if isinstance(content, str):
            self.leaf(content, f"{path}/content")
        elif content is not None:
            self._content(content, f"{path}/content")
        rest = {key: item for key, item in message.items() if key not in ("role", "content")}
        for key, item in rest.items():
            if item is not None:
                self.put(f"\n{key}: ")
                self.add(item, f"{path}/{token(key)}")

    def _content(self, content: Any, path: str) -> None:
        """Content blocks: the texts as they are, other blocks as JSON."""
        if not isinstance(content, list):
            self.add(content, path)
            return
        for at, block in enumerate(content):
            if at:
                self.put("\n")
            text = block.get("text") if isinstance(block, dict) else None
            if isinstance(text, str):
                self.leaf(text, f"{path}/{at}/text")
            else:
                self.add(block, f"{path}/{at}")

    def add(self, value: Any, path: str) -> None:
        # The stack holds texts to put and (value, path) pairs still to show.
        stack: list[Any] = [(value, path)]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                self.put(item)
                continue
            node, at = item
            text = tagged_text(node)
            node = node if text is None else text
            if isinstance(node, dict):
                stack.extend(reversed(_dict_parts(node, at)))
            elif isinstance(node, list):
                stack.extend(reversed(_list_parts(node, at)))
            elif isinstance(node, str):
                self.put('"')
                self.leaf(node, at)
                self.put('"')
            elif isinstance(node, bool) or node is None:
                self.put(orjson.dumps(node).decode())
            else:
                self.leaf(str(node), at)


def _dict_parts(node: dict[str, Any], path: str) -> list[Any]:
    parts: list[Any] = ["{"]
    for number, (key, item) in enumerate(node.items()):
        parts.append(f"{', ' if number else ''}{orjson.dumps(key).decode()}: ")
        parts.append((item, f"{path}/{token(key)}"))
    return [*parts, "}"]


def _list_parts(node: list[Any], path: str) -> list[Any]:
    parts: list[Any] = ["["]
    for number, item in enumerate(node):
        if number:
            parts.append(", ")
        parts.append((item, f"{path}/{number}"))
    return [*parts, "]"]
