"""What encoding hands out. Tuples, because one is made for every recorded value."""

from typing import Literal, NamedTuple

Media = Literal["text/plain", "application/json"]
Fidelity = Literal["exact", "redacted", "partial", "opaque"]


class Loss(NamedTuple):
    """Something of a value that its canonical bytes do not hold.

    Attributes:
        what: ``truncated`` (only the first part was kept), ``unencodable`` (the type, or all
            but type and repr, was lost), ``cut`` (too deep, too many, or a cycle),
            ``redacted``.
        path: JSON Pointer to the place, as :func:`explainkit.safety.leaf_paths.leaves` names it.
        kept: How many items or characters were kept.
        of: How many there were. ``kept == of`` means that only the Python type was lost.
        detail: The reason in words.
    """

    what: Literal["truncated", "unencodable", "cut", "redacted"]
    path: str
    kept: int
    of: int
    detail: str


class Encoded(NamedTuple):
    """A value as canonical bytes.

    Attributes:
        data: Compact UTF-8 JSON of the tagged value.
        media: ``text/plain`` for a text, otherwise ``application/json``.
        fidelity: ``exact`` when ``decode(data)`` equals the value, types included.
        lost: What is missing; empty when exact.
    """

    data: bytes
    media: Media
    fidelity: Fidelity
    lost: tuple[Loss, ...]


class Captured(NamedTuple):
    """A value as redacted canonical bytes; the fields are those of :class:`Encoded`.

    ``fidelity`` is ``redacted`` whenever anything was redacted.
    """

    data: bytes
    media: Media
    fidelity: Fidelity
    lost: tuple[Loss, ...]
