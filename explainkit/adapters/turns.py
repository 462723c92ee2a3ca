"""What every chat dialect means, in one small shape, so that one emitter serves them all."""

from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "model", "tool", "other"]


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of text said in a message.

    Attributes:
        text: The text.
        path: JSON Pointer to it inside the message.
    """

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning that the model put out beside its reply; ``path`` leads to it."""

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that a model asked for.

    Attributes:
        id: The source's id of the call, when it has one.
        name: The tool's name.
        arguments: As written: usually a JSON string or an object.
        path: JSON Pointer to the arguments inside the message.
    """

    id: str | None
    name: str
    arguments: Any
    path: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back.

    Attributes:
        id: The id of the call that it answers, when the source says so.
        name: The tool's name, when the source says so.
        value: The result: a text, or JSON.
        path: JSON Pointer to the result inside the message.
        failed: The source marks it as an error.
    """

    id: str | None
    name: str | None
    value: Any
    path: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """Anything else that a message holds: an image, a file, a part of an unknown type.

    Attributes:
        kind: Its type as the source names it.
        value: It, as written.
        path: JSON Pointer to it inside the message.
    """

    kind: str
    value: Any
    path: str


Part = Text | Thought | Call | Result | Piece


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the source.

    Attributes:
        role: Who speaks, in five words.
        said_role: The role as the source wrote it.
        actor: Name of the speaker, when there is one.
        parts: What it holds, in order.
        index: Position in the source's list of messages.
        raw: The whole message as written.
        joins: It belongs to the same reply of the model as the message before.
    """

    role: Role
    said_role: str
    actor: str | None
    parts: tuple[Part, ...]
    index: int
    raw: Any
    joins: bool = False

    @property
    def calls(self) -> tuple[Call, ...]:
        """The tool calls in it."""
        return tuple(part for part in self.parts if isinstance(part, Call))

    @property
    def results(self) -> tuple[Result, ...]:
        """The tool results in it."""
        return tuple(part for part in self.parts if isinstance(part, Result))

    @property
    def texts(self) -> tuple[Text, ...]:
        """The texts in it."""
        return tuple(part for part in self.parts if isinstance(part, Text))
