"""Who replaced an answer version by the next, why, and where in the code."""

from typing import Literal

from explainkit.records.base import Digest, Occurrence, RecordBase, Seq


class Override(RecordBase):
    """Replaces version ``from_version`` of a slot when ``outcome`` is applied or cleared.

    Attributes:
        slot: The answer slot; ``None`` for an unheard one.
        from_version: The version it replaces (1 is the answer record).
        value: Digest of the new value.
        ranges: ``(start, end, new_start, new_end)`` in code points, when the author gave them.
        by: Who overrides.
        reason: Why.
        site: ``file:line function`` of the call.
        outcome: applied, cleared, superseded, unheard or unread.
        uses: Earlier occurrences that the new value was declared to be made from.
        parent: The link during which it happened.
    """

    kind: Literal["override"] = "override"
    slot: str | None = "answer"
    from_version: int | None = None
    value: Digest | None = None
    ranges: tuple[tuple[int, int, int, int], ...] = ()
    by: str
    reason: str | None = None
    site: str | None = None
    outcome: Literal["applied", "cleared", "superseded", "unheard", "unread"] = "applied"
    uses: tuple[Occurrence, ...] = ()
    parent: Seq | None = None
