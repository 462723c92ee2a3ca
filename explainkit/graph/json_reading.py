"""JSON that is written in a text: where its leaves stand, and keys by which equal content is found.

Two containers have the same key exactly when they are equal as JSON: the order of a dict's keys
does not matter, numbers count by value, and only what JSON itself can say has a key.
"""

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from explainkit.safety.digests import digest
from explainkit.safety.pointers import token

LONGEST: Final = 1 << 20
"""Code points of a text from which it is not read as JSON."""
_FAILURES: Final = 8
_START: Final = re.compile(r'[\[{]\s*(?:["\[{\d-]|true|false|null)')
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+')
_DECODER: Final = json.JSONDecoder()
EMPTY_LIST: Final = sha256(b"[").digest()[:20]
"""Key of a list without items."""


class WrittenLeaf(NamedTuple):
    """A text or number of a JSON text.

    Attributes:
        path: JSON Pointer from the whole JSON text.
        start: First code point in the text that holds it, inside the quotes.
        end: One past the last.
        value: What it says.
    """

    path: str
    start: int
    end: int
    value: str | int | float


class WrittenContainer(NamedTuple):
    """A dict or list of a JSON text; the first of a ``JsonText`` is the whole.

    Attributes:
        key: Equal for equal content.
        path: JSON Pointer from the whole JSON text.
        start: First code point, the bracket.
        end: One past the last.
        leaves: Numbers of its leaves.
        after: Number of the next container that does not stand in it.
    """

    key: bytes
    path: str
    start: int
    end: int
    leaves: range
    after: int


class JsonText(NamedTuple):
    """Containers, outer ones first, and leaves of one JSON text, both in order of place."""

    containers: list[WrittenContainer]
    leaves: list[WrittenLeaf]


def scalar_key(value: Any) -> bytes:
    """The key of a text, number, truth value or null; a text's is the digest of its value.

    Raises:
        ValueError: JSON cannot say it.

    Example:
        >>> scalar_key(12) == scalar_key(12.0), scalar_key(1) == scalar_key(True)
        (True, False)
    """
    if isinstance(value, str):
        try:
            return bytes.fromhex(digest(orjson.dumps(value)))
        except TypeError as error:
            raise ValueError("a lone surrogate") from error
    if isinstance(value, float):
        whole = int(value) if abs(value) < float("inf") else None
        if whole is None:
            raise ValueError("not a finite number")
        value = whole if whole == value else value
    return sha256(f"={value!r}".encode()).digest()[:20]


def dict_key(members: dict[str, bytes]) -> bytes:
    """The key of a dict, from the keys of its members."""
    found = sha256(b"{")
    for name in sorted(members):
        coded = name.encode("utf-8", "surrogatepass")
        found.update(len(coded).to_bytes(8) + coded + members[name])
    return found.digest()[:20]


def list_key(items: Iterable[bytes], before: bytes = EMPTY_LIST) -> bytes:
    """The key of a list that goes on after the items of another.

    Args:
        items: Keys of the items.
        before: Key of the list whose items come first.
    """
    for item in items:
        before = sha256(b"," + before + item).digest()[:20]
    return before


def json_texts(text: str) -> tuple[JsonText, ...]:
    """The outermost JSON dicts and lists that stand in a text, alone or among other words.

    Args:
        text: Any text; one over ``LONGEST`` is not read.

    Example:
        >>> [found] = json_texts('Result: {"city": "Oslo", "days": [9, 11]} Go on.')
        >>> [(leaf.path, leaf.start, leaf.end) for leaf in found.leaves]
        [('/city', 18, 22), ('/days/0', 34, 35), ('/days/1', 37, 39)]
    """
    found: list[JsonText] = []
    failures = at = 0
    if len(text) > LONGEST:
        return ()
    while failures < _FAILURES and (start := _START.search(text, at)) is not None:
        try:
            _, end = _DECODER.raw_decode(text, start.start())
            found.append(_Scan(text).read(start.start(), end))
            at = end
        except (ValueError, OverflowError, RecursionError):
            failures += 1
            at = start.start() + 1
    return tuple(found)


class _Frame:
    __slots__ = ("at", "first", "items", "members", "name", "number", "path")

    def __init__(self, path: str, at: int, number: int, first: int, *, named: bool) -> None:
        self.path = path
        self.at = at
        self.number = number
        self.first = first
        self.members: dict[str, bytes] | None = {} if named else None
        self.items: list[bytes] = []
        self.name: str | None = None

    def below(self) -> str:
        name = len(self.items) if self.members is None else self.name or ""
        return f"{self.path}/{token(name)}"

    def take(self, key: bytes) -> None:
        if self.members is None:
            self.items.append(key)
            return
        if self.name is None or self.name in self.members:
            raise ValueError("a name stands twice")
        self.members[self.name] = key
        self.name = None

    def key(self) -> bytes:
        return list_key(self.items) if self.members is None else dict_key(self.members)


class _Scan:
    """Reads places and keys off a stretch of text that is known to be JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._frames: list[_Frame] = []
        self._containers: list[WrittenContainer | None] = []
        self._leaves: list[WrittenLeaf] = []

    def read(self, start: int, end: int) -> JsonText:
        for found in _TOKEN.finditer(self._text, start, end):
            first = self._text[found.start()]
            if first in "{[":
                self._open(found.start(), named=first == "{")
            elif first in "}]":
                self._close(found.end())
            elif first not in ":,":
                self._scalar(found.start(), found.end())
        return JsonText([each for each in self._containers if each is not None], self._leaves)

    def _open(self, at: int, *, named: bool) -> None:
        path = self._frames[-1].below() if self._frames else ""
        number, first = len(self._containers), len(self._leaves)
        self._frames.append(_Frame(path, at, number, first, named=named))
        self._containers.append(None)

    def _close(self, end: int) -> None:
        frame = self._frames.pop()
        key = frame.key()
        self._containers[frame.number] = WrittenContainer(
            key, frame.path, frame.at, end,
            range(frame.first, len(self._leaves)), len(self._containers),
        )  # fmt: skip
        if self._frames:
            self._frames[-1].take(key)

    def _scalar(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        value = json.loads(self._text[start:end])
        if frame.members is not None and frame.name is None:
            frame.name = value
            return
        quote = 1 if isinstance(value, str) else 0
        if not isinstance(value, bool) and value is not None and value != "":
            leaf = WrittenLeaf(frame.below(), start + quote, end - quote, value)
            self._leaves.append(leaf)
        frame.take(scalar_key(value))
