"""Stores each distinct value once, and as little of it as is new.

A value line is made the first time its digest is seen. A text that shares its beginning with an
earlier one is stored as (earlier, new part), a list as the digests of its items after the items of
an earlier list: so a chat that repeats its history at every turn grows linearly.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from explainkit.safety.encoded import Captured, Loss
from explainkit.safety.redaction import Redactor, capture
from explainkit.safety.secret_names import secret_kind

SHARE_FROM = 256
"""Code points that two texts must have in common at their start to share storage."""

_HEAD = 64
_SEEN_LIMIT = 8_000_000
_HEADS_LIMIT = 32_000_000
NEST_FROM = 256
"""Canonical bytes from which a list inside a value is stored by itself."""

_FIDELITIES = ("exact", "redacted", "partial", "opaque")

Emit = Callable[[bytes, bytes], None]
"""Called with the digest and the line's tail (from ``"media"`` on) of a new value."""


class Stored(NamedTuple):
    """A stored value: digest, canonical bytes, fidelity."""

    key: bytes
    data: bytes
    fidelity: str


def digest_of(data: bytes) -> bytes:
    """First 40 hex characters of the SHA-256 of canonical bytes, as bytes."""
    return sha256(data).hexdigest()[:40].encode()


class ValueWriter:
    """Turns objects into digests and emits a line for each value not stored before."""

    __slots__ = ("_emit", "_heads", "_heads_size", "_lists", "_redactor", "_seen", "_seen_size",
                 "_stored", "losses")

    def __init__(self, emit: Emit, redactor: Redactor) -> None:
        """Write through ``emit``; redact with ``redactor`` before anything is hashed."""
        self._emit = emit
        self._redactor = redactor
        self._seen: dict[str, bytes] = {}
        self._seen_size = 0
        self._stored: set[bytes] = set()
        self._heads: dict[str, tuple[str, bytes]] = {}
        self._heads_size = 0
        self._lists: dict[bytes, tuple[list[bytes], bytes]] = {}
        self.losses: list[tuple[bytes, Loss]] = []

    def digest(self, value: object, name: str | None = None) -> bytes:
        """Store ``value`` if it is new and return its digest.

        Args:
            value: Anything; it is neither changed nor kept.
            name: Name of the slot; a slot named like a secret is redacted whole.
        """
        if type(value) is str and name is None:
            return self._seen.get(value) or self.text(value)
        if name is not None and secret_kind(name):
            return self._captured(value, name).key
        return self._store(value, name).key

    def text(self, value: str) -> bytes:
        """Store a text; the same text is not scanned, encoded or hashed twice."""
        captured = capture(value, self._redactor)
        key = digest_of(captured.data)
        if key not in self._stored:
            self._stored.add(key)
            redacted = captured.fidelity == "redacted"
            shown = orjson.loads(captured.data) if redacted else value
            self._emit_text(key, shown, captured.data, captured.fidelity)
        self._remember(value, key)
        return key

    def joined(self, text: str, stored: str, parts: list[Any]) -> bytes:
        """Store a text as ``parts``: literals and pieces of stored texts, in order.

        Args:
            text: As the caller holds it.
            stored: As it is stored, redacted; what ``parts`` add up to.
            parts: Literals and ``{"digest", "start", "end"}``.
        """
        data = orjson.dumps(stored)
        whole = Stored(digest_of(data), data, "exact" if text == stored else "redacted")
        if whole.key not in self._stored:
            self._stored.add(whole.key)
            form = orjson.dumps(parts)
            self._emit_form(whole.key, b"text/plain", whole, b'"parts":', form)
        self._remember(text, whole.key)
        return whole.key

    def seen(self, value: str) -> bytes | None:
        """The digest of a text met recently, without scanning it again."""
        return self._seen.get(value)

    def redacted(self, value: str) -> str:
        """The text as it is stored."""
        return self._redactor.text(value)

    def _remember(self, value: str, key: bytes) -> None:
        self._seen_size += len(value)
        if self._seen_size > _SEEN_LIMIT:
            self._seen.clear()
            self._seen_size = len(value)
        self._seen[value] = key

    def _emit_text(self, key: bytes, text: object, data: bytes, fidelity: str) -> None:
        if type(text) is str and len(text) >= SHARE_FROM:
            parts = self._shared(text, key)
            if parts is not None:
                whole = Stored(key, data, fidelity)
                self._emit_form(key, b"text/plain", whole, b'"parts":', orjson.dumps(parts))
                return
        self._emit(
            key,
            b'"media":"text/plain","size":%d,"fidelity":"%b","data":%b}\n'
            % (len(data), fidelity.encode(), data),
        )

    def _shared(self, text: str, key: bytes) -> list[Any] | None:
        head = text[:_HEAD]
        earlier = self._heads.get(head)
        self._heads_size += len(text)
        if self._heads_size > _HEADS_LIMIT:
            self._heads.clear()
            self._heads_size = len(text)
        self._heads[head] = (text, key)
        if earlier is None:
            return None
        length = common_prefix(earlier[0], text)
        if length < SHARE_FROM:
            return None
        piece: dict[str, Any] = {"digest": earlier[1].decode()}
        if length < len(earlier[0]):
            piece["end"] = length
        return [piece, text[length:]] if length < len(text) else [piece]

    def _captured(self, value: object, name: str | None) -> "Stored":
        captured = capture(value, self._redactor, name=name)
        key = digest_of(captured.data)
        if key not in self._stored:
            self._stored.add(key)
            if captured.media == "text/plain":
                text = orjson.loads(captured.data)
                self._emit_text(key, text, captured.data, captured.fidelity)
            else:
                self._emit_form(key, b"application/json", captured, b'"data":', captured.data)
        for loss in captured.lost:
            self.losses.append((key, loss))
        return Stored(key, captured.data, captured.fidelity)

    def stored(self, value: object) -> "Stored":
        """Store a value and return it with its canonical bytes."""
        return self._store(value, None)

    def list_of(self, items: "list[str | Stored]") -> "Stored":
        """Store a list whose members are texts or were stored before."""
        return self._whole_list([self._captured(x, None) if type(x) is str else x for x in items])

    def _store(self, value: object, name: str | None) -> "Stored":
        if type(value) is list and value and _holds_texts(value):
            return self._list(value)
        if type(value) is dict and value and _holds_lists(value):
            return self._dict(value)
        return self._captured(value, name)

    def _list(self, value: list[Any]) -> "Stored":
        """A list whose canonical bytes are those of its items, each stored by itself."""
        return self._whole_list([self._store(item, None) for item in value])

    def _whole_list(self, items: "list[Any]") -> "Stored":
        whole = _whole(b"[" + b",".join(item.data for item in items) + b"]", items)
        if whole.key in self._stored:
            return whole
        self._stored.add(whole.key)
        if len(whole.data) < NEST_FROM:
            self._emit_form(whole.key, b"application/json", whole, b'"data":', whole.data)
            return whole
        keys = [item.key for item in items]
        earlier = self._lists.get(keys[0])
        self._lists[keys[0]] = (keys, whole.key)
        form: dict[str, Any] = {"items": [key.decode() for key in keys]}
        if earlier and len(keys) > len(earlier[0]) and keys[: len(earlier[0])] == earlier[0]:
            form = {"base": earlier[1].decode(), "items": form["items"][len(earlier[0]) :]}
        self._emit_form(whole.key, b"application/json", whole, b"", orjson.dumps(form)[1:-1])
        return whole

    def _dict(self, value: dict[str, Any]) -> "Stored":
        """A dict that holds lists of texts: the lists are stored by themselves."""
        fields = {key: self._store(item, key) for key, item in value.items()}
        data = orjson.dumps({key: orjson.Fragment(field.data) for key, field in fields.items()})
        whole = _whole(data, list(fields.values()))
        if whole.key in self._stored:
            return whole
        self._stored.add(whole.key)
        form = {
            key: {"$value": field.key.decode()}
            if len(field.data) >= NEST_FROM
            else orjson.Fragment(field.data)
            for key, field in fields.items()
        }
        self._emit_form(whole.key, b"application/json", whole, b'"data":', orjson.dumps(form))
        return whole

    def _emit_form(
        self, key: bytes, media: bytes, value: "Stored | Captured", name: bytes, form: bytes
    ) -> None:
        self._emit(
            key,
            b'"media":"%b","size":%d,"fidelity":"%b",%b%b}\n'
            % (media, len(value.data), value.fidelity.encode(), name, form),
        )


def common_prefix(a: str, b: str) -> int:
    """Length of the longest common beginning; compares slices, so it runs at memory speed.

    Example:
        >>> common_prefix("abcd", "abxy")
        2
    """
    high = min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _whole(data: bytes, parts: "list[Stored]") -> "Stored":
    fidelity = max((part.fidelity for part in parts), key=_FIDELITIES.index, default="exact")
    return Stored(digest_of(data), data, fidelity)


def _holds_texts(value: list[Any]) -> bool:
    return all(type(item) is str or (type(item) is dict and item) for item in value)


def _holds_lists(value: dict[Any, Any]) -> bool:
    """True for a plain dict with a list of texts in it, such as a request with messages."""
    lists = any(type(item) is list and item and _holds_texts(item) for item in value.values())
    return lists and all(type(key) is str and key[:1] != "$" for key in value)
