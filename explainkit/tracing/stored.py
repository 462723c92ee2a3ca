"""A value as it is stored, with the parts that it was put together from."""

from typing import NamedTuple

import orjson

from explainkit.safety.digests import digest
from explainkit.safety.encoded import Loss

_FIDELITIES = ("exact", "redacted", "partial", "opaque")


class Stored(NamedTuple):
    """A value as it is stored.

    Attributes:
        key: Its digest.
        data: Its canonical bytes.
        fidelity: How much of it they hold.
        lost: What is missing.
        parts: Its items or the values of its keys, where it was looked at by these.
    """

    key: bytes
    data: bytes
    fidelity: str
    lost: tuple[Loss, ...] = ()
    parts: "tuple[Stored, ...]" = ()


class Whole(Stored):
    """A value that is written in one piece, because its parts lead back to it."""


def digest_of(data: bytes) -> bytes:
    """The digest of canonical bytes, as bytes."""
    return digest(data).encode()


def stored_list(items: list[Stored]) -> Stored:
    """A list of what is stored."""
    return _joined(b"[" + b",".join(item.data for item in items) + b"]", items)


def stored_dict(fields: dict[str, Stored]) -> Stored:
    """A dict of what is stored."""
    data = orjson.dumps({key: orjson.Fragment(field.data) for key, field in fields.items()})
    return _joined(data, list(fields.values()))


def _joined(data: bytes, parts: list[Stored]) -> Stored:
    fidelity = max((part.fidelity for part in parts), key=_FIDELITIES.index, default="exact")
    lost = tuple(loss for part in parts for loss in part.lost)
    return Stored(digest_of(data), data, fidelity, lost, tuple(parts))
