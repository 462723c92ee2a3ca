"""Something that arrived from outside the chain: a message, a callback, an external input."""

from typing import Literal

from explainkit.records.base import Digest, Occurrence, RecordBase, Seq


class Event(RecordBase):
    """An event arrived.

    Attributes:
        name: Its name.
        sender: Who sent it.
        value: Digest of the payload.
        uses: Earlier occurrences that it was declared to be made from.
        parent: The link during which it arrived.
        source_index: Position in the imported source.
    """

    kind: Literal["event"] = "event"
    name: str
    sender: str | None = None
    value: Digest | None = None
    uses: tuple[Occurrence, ...] = ()
    parent: Seq | None = None
    source_index: int | None = None
