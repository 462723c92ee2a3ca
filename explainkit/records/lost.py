"""What could not be recorded, because a gap must be seen."""

from typing import Literal

from explainkit.records.base import Occurrence, RecordBase, Seq


class Lost(RecordBase):
    """Something is missing, and why.

    Attributes:
        what: dropped, truncated, redacted, denied, unencodable, unlinked.
        reason: Why, in words.
        count: How many.
        target: The occurrence that it concerns.
        parent: The link during which it happened.
    """

    kind: Literal["lost"] = "lost"
    what: Literal["dropped", "truncated", "redacted", "denied", "unencodable", "unlinked"]
    reason: str | None = None
    count: int = 1
    target: Occurrence | None = None
    parent: Seq | None = None
