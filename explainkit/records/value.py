"""Content, stored once by digest, so that a record names what it holds by one short word."""

from typing import Any, Literal

from pydantic import Field, model_validator

from explainkit.records.base import Digest, Part, RecordBase

Fidelity = Literal["exact", "redacted", "partial", "opaque"]


class TextPart(Part):
    """Code points ``[start, end)`` of an earlier text value; ``None`` means its start or end."""

    digest: Digest
    start: int | None = None
    end: int | None = None


class Value(RecordBase):
    """One stored value. Exactly one of ``data``, ``parts`` and ``items`` is written.

    Attributes:
        digest: SHA-256 (40 hex characters) of the canonical bytes.
        media: ``text/plain`` or ``application/json``.
        size: Length of the canonical bytes.
        fidelity: ``exact`` decodes to an equal object.
        data: The tagged JSON value; inside it ``{"$value": digest}`` stands for an earlier value.
        parts: A text as literal pieces and pieces of earlier texts, in order.
        base: Earlier list whose items come first.
        items: A list as digests of its items (those after ``base``, when there is one).
    """

    kind: Literal["value"] = "value"
    digest: Digest
    media: str = "text/plain"
    size: int
    fidelity: Fidelity = "exact"
    data: Any = None
    parts: tuple[str | TextPart, ...] | None = None
    base: Digest | None = None
    items: tuple[Digest, ...] | None = Field(default=None)

    @model_validator(mode="after")
    def _one_form(self) -> "Value":
        forms = self.model_fields_set & {"data", "parts", "items"}
        if len(forms) != 1:
            raise ValueError(f"a value has one of data, parts, items; found {sorted(forms)}")
        return self
