"""The parts that several records share, so that an address is written one way everywhere."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
"""First 40 hex characters of the SHA-256 of a value's canonical bytes."""

Seq = Annotated[int, Field(ge=0)]
"""Position of a record in its run's stream; gap-free from 0."""

LinkStatus = Literal[
    "answered", "error", "verdict", "paused", "exhausted", "cancelled", "abandoned"
]
RunStatus = Literal["answered", "error", "verdict", "paused", "exhausted", "cancelled"]


class Part(BaseModel):
    """A frozen piece of a record; unknown fields are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class Occurrence(Part):
    """A value at a place: ``(run, seq, slot, path, start, end)``.

    Attributes:
        run: Id of another run; ``None`` means the run that holds the record.
        seq: The record that holds the value.
        slot: Which of the record's values: a parameter name or ``output`` of a link,
            ``value`` for records with one value, ``question`` for the run's question.
        path: JSON Pointer to a leaf (or container) inside the value; empty for the whole.
        start: First code point of a text leaf, or first item of a list; ``None`` is the start.
        end: One past the last; ``None`` is the end.
    """

    run: str | None = None
    seq: Seq
    slot: str = "value"
    path: str = ""
    start: int | None = None
    end: int | None = None


class Segment(Part):
    """Where-provenance of one stretch of a value: ``[start, end)`` came from ``origin``.

    Offsets are code points of the stored (redacted) text leaf at ``path``; when the node at
    ``path`` is a list they are item indices. Without an end it is the whole node at ``path``,
    whatever its shape, and what is below it has the same pointers below the origin's path.
    """

    path: str = ""
    start: int
    end: int | None = None
    origin: Occurrence


class Input(Part):
    """One argument slot of a link or run.

    Attributes:
        slot: Parameter name.
        value: Digest of what was passed.
        origin: Earlier occurrences that an engine, a tool-call id, a state read or the author
            declared as its source (JSON key ``from``). Edges by equal content are derived when
            the records are read and are never written.
        segments: Declared origins of stretches of the value.
    """

    slot: str
    value: Digest
    origin: tuple[Occurrence, ...] = Field(default=(), alias="from")
    segments: tuple[Segment, ...] = ()


class Cell(Part):
    """A notebook cell: execution count, source hash, and what the front end calls it."""

    count: int | None = None
    hash: str | None = None
    id: str | None = None


class LaterCell(Cell):
    """The cell that has defined a function anew.

    Attributes:
        same: Whether the code is the same.
    """

    same: bool = False


class RecordBase(Part):
    """What every record has.

    Attributes:
        seq: Position in the stream.
        at: Nanoseconds since the epoch by the run's clock; ``None`` when unknown.
    """

    seq: Seq
    at: int | None = None


Attributes = dict[str, Any]
