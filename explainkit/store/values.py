"""Content by digest: rebuilt from how it was stored, and checked before it is handed out."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from explainkit.errors import DamagedFileError, DamagedValueError
from explainkit.safety.digests import digest as digest_of
from explainkit.safety.encoding import decode, encode_text
from explainkit.safety.surrogates import without_surrogates
from explainkit.store.cache import Cache
from explainkit.store.expansion import Expansion
from explainkit.store.part import Part
from explainkit.store.stored import Stored
from explainkit.store.texts import Texts


class Values:
    """The stored values of one run.

    Every method raises ``UnknownRecordError`` for a digest that is not stored and
    ``DamagedValueError`` for content that cannot be rebuilt or does not match its digest.

    Args:
        parts: The files of the run.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._stored = Stored(parts)
        self._texts_kept: Cache[str] = Cache()
        self._bytes_kept: Cache[bytes] = Cache()
        self._right: set[int] = set()
        self._texts = Texts(self._stored, self._literal, self._texts_kept)
        self._expansion = Expansion(self._stored, self._encoded, self._bytes_kept)

    def __contains__(self, digest: object) -> bool:
        return isinstance(digest, str) and self._stored.seq(digest) is not None

    @property
    def digests(self) -> Iterator[str]:
        """Every digest, in order of first appearance."""
        return self._stored.digests()

    def data(self, digest: str) -> bytes:
        """The canonical bytes: compact JSON of the tagged value."""
        seq = self._stored.need(digest)
        size = self._stored.facts(seq).size
        data = self._guarded(seq, size)
        if seq not in self._right:
            self._check(seq, digest, data)
            self._right.add(seq)
        self._bytes_kept.put(seq, data)
        return data

    def tagged(self, digest: str) -> Any:
        """The value as plain JSON, tags kept."""
        try:
            return orjson.loads(self.data(digest))
        except ValueError as error:
            raise DamagedValueError(f"The value {digest} is no JSON that can be read.") from error

    def object(self, digest: str) -> Any:
        """The value as a Python object; what cannot be rebuilt comes as ``safety.Opaque``."""
        return decode(self.data(digest))

    def text(self, digest: str) -> str | None:
        """The value when it is a text, else None."""
        seq = self._stored.need(digest)
        if self._stored.facts(seq).media != "text/plain":
            return None
        found = self._texts_kept.get(seq)
        if found is not None and seq in self._right:
            return found
        value = self.object(digest)
        if not isinstance(value, str):
            return None
        self._texts_kept.put(seq, value)
        return value

    def shown(self, digest: str) -> str:
        """A text, with U+FFFD for lone surrogates; anything else as compact JSON."""
        text = self.text(digest)
        return self.data(digest).decode("utf-8") if text is None else without_surrogates(text)

    def fidelity(self, digest: str) -> str:
        """``exact``, ``redacted``, ``partial`` or ``opaque``."""
        return self._stored.facts(self._stored.need(digest)).fidelity

    def size(self, digest: str) -> int:
        """Bytes of the canonical form."""
        return self._stored.facts(self._stored.need(digest)).size

    def media(self, digest: str) -> str:
        """``text/plain`` or ``application/json``."""
        return self._stored.facts(self._stored.need(digest)).media

    def seq(self, digest: str) -> int:
        """The record that stores the value."""
        return self._stored.need(digest)

    def form(self, digest: str) -> dict[str, Any]:
        """The value record as it was written: ``data``, ``parts``, or ``items`` and ``base``."""
        return self._stored.row(self._stored.need(digest))

    def _guarded(self, seq: int, size: int) -> bytes:
        try:
            return self._expansion.build(seq, size)
        except (DamagedFileError, TypeError, AttributeError) as error:
            raise DamagedValueError(f"The value of record {seq} cannot be read: {error}") from error

    def _check(self, seq: int, digest: str, data: bytes) -> None:
        found = digest_of(data)
        if found != digest:
            raise DamagedValueError(
                f"The value of record {seq} is not what was recorded: its digest is "
                f"{found[:12]}..., the record says {digest[:12]}... Do not rely on it; "
                "run: explainkit doctor"
            )

    def _encoded(self, seq: int, room: int) -> bytes:
        """Canonical bytes of a text that is stored as parts."""
        text = self._texts_kept.get(seq)
        if text is None:
            text = self._texts.build(seq, min(room, self._stored.facts(seq).size))
        return encode_text(text)

    def _literal(self, seq: int) -> str | None:
        """The text of a value that is stored whole."""
        data = self._stored.row(seq).get("data")
        if isinstance(data, dict) and list(data) == ["$text"]:  # one with lone surrogates
            data = decode(orjson.dumps(data))
        return data if isinstance(data, str) else None
