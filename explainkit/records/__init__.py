"""The vocabulary: one frozen model per record kind, and the union that reads any of them."""

from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from explainkit.records.answer import Answer
from explainkit.records.base import Cell, Input, Occurrence, RecordBase, Segment
from explainkit.records.context import Context
from explainkit.records.decision import Decision
from explainkit.records.event import Event
from explainkit.records.finding import Finding
from explainkit.records.link import LinkClosed, LinkOpened
from explainkit.records.lost import Lost
from explainkit.records.note import Note
from explainkit.records.override import Override
from explainkit.records.reply import Reply
from explainkit.records.run import RunEnded, RunStarted
from explainkit.records.transition import Transition
from explainkit.records.unknown import Unknown
from explainkit.records.value import TextPart, Value
from explainkit.records.verdict import Verdict

Known = Annotated[
    RunStarted
    | RunEnded
    | Value
    | Context
    | LinkOpened
    | LinkClosed
    | Event
    | Reply
    | Transition
    | Answer
    | Override
    | Verdict
    | Decision
    | Finding
    | Note
    | Lost,
    Field(discriminator="kind"),
]
Record = Known | Unknown

KINDS: tuple[str, ...] = (
    "run_started",
    "run_ended",
    "value",
    "context",
    "link_opened",
    "link_closed",
    "event",
    "reply",
    "transition",
    "answer",
    "override",
    "verdict",
    "decision",
    "finding",
    "note",
    "lost",
)
_KNOWN: TypeAdapter[Any] = TypeAdapter(Known)


def read_record(fields: dict[str, Any]) -> Record:
    """Make the record that a parsed line stands for.

    Args:
        fields: The JSON object of one line.

    Returns:
        The record; an unknown kind becomes ``Unknown`` with every field kept.

    Raises:
        pydantic.ValidationError: A known kind with fields of the wrong shape.

    Example:
        >>> read_record({"kind": "note", "seq": 3, "text": "look here"}).text
        'look here'
    """
    if fields.get("kind") in KINDS:
        record: Record = _KNOWN.validate_python(fields)
        return record
    return Unknown.model_validate(fields)


__all__ = [
    "KINDS",
    "Answer",
    "Cell",
    "Context",
    "Decision",
    "Event",
    "Finding",
    "Input",
    "LinkClosed",
    "LinkOpened",
    "Lost",
    "Note",
    "Occurrence",
    "Override",
    "Record",
    "RecordBase",
    "Reply",
    "RunEnded",
    "RunStarted",
    "Segment",
    "TextPart",
    "Transition",
    "Unknown",
    "Value",
    "Verdict",
    "read_record",
]
