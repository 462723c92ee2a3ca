"""What goes into a model call and what comes out, in the usual shape, so that any client fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool that a model may ask for.

    Attributes:
        name: The name to call it by.
        description: What it does, in words that a question might use.
        parameters: JSON Schema of its arguments, an object schema.

    Example:
        >>> tool = ToolSpec(
        ...     name="temperature",
        ...     description="Current temperature of a city",
        ...     parameters={"type": "object", "properties": {"city": {"type": "string"}}},
        ... )
        >>> tool.name
        'temperature'
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call that a model asks for.

    Attributes:
        id: Ties the result message to the call.
        name: The tool.
        arguments: JSON values by parameter name.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a call cost.

    Attributes:
        input_tokens: Tokens of the messages; the embedded models count words.
        output_tokens: Tokens of the completion, arguments of tool calls included.
    """

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model gave back: a text, tool calls, or both.

    Attributes:
        text: The reply; `None` when the model only calls tools. An empty text is a reply.
        tool_calls: The calls it asks for, in its order.
        usage: What the call cost.
    """

    text: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One piece of a streamed completion.

    Attributes:
        text: The next characters; the texts of all chunks joined are the whole reply.
        tool_calls: Calls that are complete with this chunk.
        usage: What the call cost, on the last chunk only.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat.

    Attributes:
        role: `system`, `developer`, `user`, `assistant` or `tool`.
        content: Its text; empty for a message that only calls tools.
        tool_calls: The calls of an assistant message.
        tool_call_id: Which call a tool message answers.
    """

    role: str
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


Prompt: TypeAlias = str | Sequence[Message | Mapping[str, Any]]
