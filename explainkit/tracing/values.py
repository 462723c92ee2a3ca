"""Stores each distinct value once, and as little of it as is new.

A value line is made the first time its digest is seen. A text that shares its beginning with an
earlier one is stored as (earlier, new part), a list as the digests of its items after the items of
an earlier list: so a chat that repeats its history at every turn grows linearly.
"""

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from explainkit.safety.redaction import Redactor, capture, clean_text
from explainkit.safety.secret_names import secret_kind
from explainkit.safety.surrogates import has_surrogates
from explainkit.tracing.recurring import Recurring
from explainkit.tracing.stored import Stored, Whole, digest_of, stored_dict, stored_list

if TYPE_CHECKING:
    from explainkit.safety.encoded import Loss

SHARE_FROM = 2048
"""Code points that two texts must have in common at their start to share storage."""

_HEAD = 64
_EMPTY = sha256()
_SEEN_LIMIT = 8_000_000
_HEADS_LIMIT = 32_000_000
NEST_FROM = 256
"""Canonical bytes from which a list inside a value is stored by itself."""


class Stream(Protocol):
    """Numbers lines and buffers them (the recorder does)."""

    seq: int
    moment: bytes
    buffer: list[bytes]

    def line(self, kind: bytes, moment: bytes, fields: bytes) -> int:
        """Buffer one line."""


class ValueWriter:
    """Turns objects into digests and emits a line for each value not stored before."""

    __slots__ = (
        "_heads",
        "_heads_size",
        "_lists",
        "_recurring",
        "_redactor",
        "_seen_size",
        "_stored",
        "_stream",
        "losses",
        "seen",
    )

    def __init__(self, stream: Stream, redactor: Redactor) -> None:
        """Write to ``stream``; redact with ``redactor`` before anything is hashed."""
        self._stream = stream
        self._redactor = redactor
        self.seen: dict[str, bytes] = {}
        """Digests of texts met recently, bounded by their size."""
        self._seen_size = 0
        self._stored: set[bytes] = set()
        self._heads: dict[str, tuple[str, bytes]] = {}
        self._heads_size = 0
        self._lists: dict[bytes, tuple[list[bytes], bytes]] = {}
        self._recurring = Recurring()
        self.losses: list[tuple[bytes, Loss]] = []

    def digest(self, value: object, name: str | None = None) -> bytes:
        """Store ``value`` if it is new and return its digest.

        Args:
            value: Anything; it is neither changed nor kept.
            name: Name of the slot; a slot named like a secret is redacted whole.
        """
        if type(value) is str and name is None:
            return self.seen.get(value) or self.text(value)
        return self._keep(self._look(value, name), value, name).key

    def text(self, value: str) -> bytes:
        """Store a text; the same text is not scanned, encoded or hashed twice."""
        data = clean_text(value, self._redactor)
        if data is None:
            key = self._keep(self._look(value, None), value, None).key
        else:
            hashing = _EMPTY.copy()  # a copy is made faster than a new one
            hashing.update(data)
            key = hashing.hexdigest()[:40].encode()
            if len(value) >= SHARE_FROM and key not in self._stored:
                self._emit_text(Stored(key, data, "exact"), value)
            elif key not in self._stored:
                stream = self._stream
                while True:
                    seq = stream.seq
                    line = [
                        b'{"kind":"value","seq":%d,"at":%b,"digest":"%b","media":"text/plain",'
                        b'"size":%d,"fidelity":"exact","data":%b}\n'
                        % (seq, stream.moment, key, len(data), data)
                    ]
                    if stream.seq == seq:
                        stream.seq = seq + 1
                        stream.buffer += line
                        break
                self._stored.add(key)
        self._seen_size += len(value)
        if self._seen_size > _SEEN_LIMIT:
            self.seen.clear()
            self._seen_size = len(value)
        self.seen[value] = key
        return key

    def joined(self, text: str, stored: str, parts: list[Any]) -> bytes:
        """Store a text as ``parts``: literals and pieces of stored texts, in order.

        Args:
            text: As the caller holds it.
            stored: As it is stored, redacted; what ``parts`` add up to.
            parts: Literals and ``{"digest", "start", "end"}``.
        """
        if has_surrogates(stored):
            return self.text(text)
        data = orjson.dumps(stored)
        whole = Stored(digest_of(data), data, "exact" if text == stored else "redacted")
        if whole.key not in self._stored:
            form = orjson.dumps(parts)
            self._emit_form(whole, b"text/plain", b'"parts":', form)
        self._seen_size += len(text)
        self.seen[text] = whole.key
        return whole.key

    def _emit_text(self, value: Stored, text: object) -> None:
        if type(text) is str and len(text) >= SHARE_FROM:
            parts = self._shared(text, value.key)
            if parts is not None:
                self._emit_form(value, b"text/plain", b'"parts":', orjson.dumps(parts))
                return
        self._emit_form(value, b"text/plain", b'"data":', value.data)

    def _shared(self, text: str, key: bytes) -> list[Any] | None:
        head = text[:_HEAD]
        earlier = self._heads.get(head)
        self._heads_size += len(text)
        if self._heads_size > _HEADS_LIMIT:
            self._heads.clear()
            self._heads_size = len(text)
        self._heads[head] = (text, key)
        if earlier is None or earlier[1] not in self._stored:  # an interrupt held it back
            return None
        length = common_prefix(earlier[0], text)
        if length < SHARE_FROM:
            return None
        piece: dict[str, Any] = {"digest": earlier[1].decode()}
        if length < len(earlier[0]):
            piece["end"] = length
        return [piece, text[length:]] if length < len(text) else [piece]

    def stored(self, value: object) -> Stored:
        """Store a value and return it with its canonical bytes."""
        return self._keep(self._look(value, None), value, None)

    def list_of(self, items: list[str | Stored]) -> Stored:
        """Store a list whose members are texts or were stored before."""
        return self._keep_list([x if isinstance(x, Stored) else self.stored(x) for x in items])

    def _look(self, value: object, name: str | None) -> Stored:
        """A value's digest and canonical bytes; nothing is written."""
        try:
            return self._look_inside(value, name)
        except RecursionError:  # a cycle
            return Whole(*self._capture(value, name))

    def _look_inside(self, value: object, name: str | None) -> Stored:
        if name is not None and secret_kind(name):
            return self._capture(value, name)  # a secret as a whole, whatever it consists of
        if type(value) is list and value and _holds_texts(value):
            return stored_list([self._look_item(item) for item in value])
        if type(value) is dict and value and _holds_lists(value):
            return stored_dict({key: self._look_inside(item, key) for key, item in value.items()})
        return self._capture(value, name)

    def _look_item(self, item: object) -> Stored:
        """An item of a list, which often stood in an earlier one."""
        if self._redactor.searches_more:  # a secret may be registered after the item was met
            return self._look_inside(item, None)
        return self._recurring.look(item, lambda each: self._look_inside(each, None))

    def _capture(self, value: object, name: str | None) -> Stored:
        captured = capture(value, self._redactor, name=name)
        return Stored(digest_of(captured.data), captured.data, captured.fidelity, captured.lost)

    def _keep(self, look: Stored, value: object, name: str | None) -> Stored:
        """Write a value that was looked at, unless it is stored already."""
        if look.key in self._stored:
            return look
        if len(look.data) >= NEST_FROM and name is None and type(look) is Stored:
            if type(value) is list and value and _holds_texts(value):
                pairs = zip(look.parts, value, strict=True)
                return self._keep_list([self._keep(item, each, None) for item, each in pairs])
            if type(value) is dict and value and _holds_lists(value):
                return self._keep_dict(look, value)
        if type(value) is str or look.data[:1] == b'"':
            self._emit_text(look, orjson.loads(look.data))
        else:
            self._emit_form(look, b"application/json", b'"data":', look.data)
        self.losses += [(look.key, loss) for loss in look.lost]
        return look

    def _keep_list(self, items: list[Stored]) -> Stored:
        """Write a list as its items, after those of an earlier list that it goes on from."""
        whole = stored_list(items)
        if whole.key in self._stored:
            return whole
        if len(whole.data) < NEST_FROM:
            self._emit_form(whole, b"application/json", b'"data":', whole.data)
            return whole
        keys = [item.key for item in items]
        earlier = self._lists.get(keys[0])
        self._lists[keys[0]] = (keys, whole.key)
        form: dict[str, Any] = {"items": [key.decode() for key in keys]}
        if earlier and earlier[1] in self._stored and _goes_on(keys, earlier[0]):
            form = {"base": earlier[1].decode(), "items": form["items"][len(earlier[0]) :]}
        self._emit_form(whole, b"application/json", b"", orjson.dumps(form)[1:-1])
        return whole

    def _keep_dict(self, whole: Stored, value: dict[str, Any]) -> Stored:
        """Write a dict whose large lists of texts are stored by themselves."""
        form: dict[str, Any] = {}
        for look, (key, item) in zip(whole.parts, value.items(), strict=True):
            nested = type(item) is list and len(look.data) >= NEST_FROM
            if nested and secret_kind(key) is None:
                form[key] = {"$value": self._keep(look, item, None).key.decode()}
            else:
                form[key] = orjson.Fragment(look.data)
        self._emit_form(whole, b"application/json", b'"data":', orjson.dumps(form))
        return whole

    def _emit_form(self, value: Stored, media: bytes, name: bytes, form: bytes) -> None:
        rest = b'"digest":"%b","media":"%b","size":%d,"fidelity":"%b",%b%b}' % (
            value.key,
            media,
            len(value.data),
            value.fidelity.encode(),
            name,
            form,
        )
        self._stream.line(b'"value"', self._stream.moment, b"{" + rest)
        self._stored.add(value.key)


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


def _goes_on(keys: list[bytes], earlier: list[bytes]) -> bool:
    return len(keys) > len(earlier) and keys[: len(earlier)] == earlier


def _holds_texts(value: list[Any]) -> bool:
    return all(type(item) is str or (type(item) is dict and item) for item in value)


def _holds_lists(value: dict[Any, Any]) -> bool:
    """True for a plain dict with a list of texts in it, such as a request with messages."""
    lists = any(type(item) is list and item and _holds_texts(item) for item in value.values())
    return (
        lists
        and all(type(key) is str and key[:1] != "$" for key in value)
        and not (
            "value" in value
            and ("name" in value or "key" in value)  # the label may tell of a secret
        )
    )
