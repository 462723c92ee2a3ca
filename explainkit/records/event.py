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
        machine: ``seq`` of the machine's link, when a machine took it.
        arrival: How it came to the machine; a refused one changed nothing.
        refused: Why the machine refused it.
    """

    kind: Literal["event"] = "event"
    name: str
    sender: str | None = None
    value: Digest | None = None
    uses: tuple[Occurrence, ...] = ()
    parent: Seq | None = None
    source_index: int | None = None
    machine: Seq | None = None
    arrival: Literal["pick", "dropped", "gate", "outside", "timer", "fault"] | None = None
    refused: str | None = None
