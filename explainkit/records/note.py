"""A remark that a person bound to a record."""

from typing import Literal

from explainkit.records.base import Occurrence, RecordBase


class Note(RecordBase):
    """A remark.

    Attributes:
        text: The remark.
        by: Who made it.
        target: What it is about; ``None`` is the run.
    """

    kind: Literal["note"] = "note"
    text: str
    by: str | None = None
    target: Occurrence | None = None
