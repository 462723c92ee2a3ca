"""A chain link of a pick: which reply belongs to which pick, and in which order."""

from typing import Literal

from explainkit.records.base import RecordBase, Seq


class Reply(RecordBase):
    """A reply to a pick.

    Attributes:
        pick: The pick's id.
        source: ``seq`` of the link or event that replied.
        index: Position in the chain, from 0.
    """

    kind: Literal["reply"] = "reply"
    pick: str
    source: Seq
    index: int
