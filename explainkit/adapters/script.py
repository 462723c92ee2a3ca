"""What a reader hands to the emitter: the turns of one run and all that stands around them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explainkit.adapters.turns import Turn


@dataclass(frozen=True, slots=True)
class Script:
    """One foreign run, normalised.

    Attributes:
        run: Id of the run.
        name: What it is called.
        source: Format, file name and index in the file.
        turns: The messages.
        question: What was asked; ``None`` when the source does not say.
        system: System text beside the messages, as written.
        tools: Tool descriptions, as written.
        systems: System text of single speakers, by speaker.
        fields: Every other field of the source that may be kept as a value.
        ask_first: The first link received the question itself (no message holds it alone).
    """

    run: str
    name: str
    source: dict[str, Any]
    turns: tuple[Turn, ...]
    question: str | None = None
    system: Any = None
    tools: tuple[Any, ...] = ()
    systems: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    ask_first: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """Where the text of a model's turn is, after emission.

    Attributes:
        text: The text.
        origin: Its occurrence, under JSON names.
    """

    text: str
    origin: dict[str, Any]


@dataclass(slots=True)
class Emitted:
    """What became of a script.

    Attributes:
        links: ``seq`` of the link of a source position.
        said: Text of a model's turn by source position, in order.
        dangling: Positions of results without a call.
        missing: How many turns hold no content.
        redacted: How many turns the redactor changed.
        reused: How many tool-call ids were used before.
        notes: What a reader of the report should know.
    """

    links: dict[int, int] = field(default_factory=dict)
    said: dict[int, Said] = field(default_factory=dict)
    dangling: list[int] = field(default_factory=list)
    missing: int = 0
    redacted: int = 0
    reused: int = 0
    notes: list[str] = field(default_factory=list)
