"""What both providers' replies share: calls whose arguments are JSON, and replies that are none."""

import json
from collections.abc import Mapping
from typing import Any

from explainkit.errors import ReplyError
from explainkit.flow.models.tool_names import ToolNames
from explainkit.flow.models.vocabulary import Message, ToolCall, ToolSpec
from explainkit.safety import shorten


def names_of(messages: tuple[Message, ...], tools: tuple[ToolSpec, ...]) -> ToolNames:
    """The names of the tools that a request offers or repeats."""
    called = [call.name for message in messages for call in message.tool_calls]
    return ToolNames([*(tool.name for tool in tools), *called])


def schema_of(tool: ToolSpec) -> dict[str, Any]:
    """A tool's parameters as an object schema; a tool without any takes an empty object."""
    return dict(tool.parameters) or {"type": "object", "properties": {}}


def called(identifier: object, name: object, arguments: object, names: ToolNames) -> ToolCall:
    """A tool call of a reply.

    Args:
        identifier: The provider's id of the call.
        name: The tool's name as it was sent.
        arguments: An object, or the JSON text of one; an empty text is an empty object.
        names: Leads back to the tool's own name.

    Raises:
        ReplyError: The arguments are no JSON object.
    """
    tool = names.meant(name if isinstance(name, str) else "")
    read: object = arguments
    if isinstance(read, str):
        try:
            read = json.loads(read) if read.strip() else {}
        except (ValueError, RecursionError):
            read = None
    if not isinstance(read, Mapping):
        raise ReplyError(
            f'The model called "{shorten(tool, 80)}" with arguments that are no JSON object: '
            f"{shorten(repr(arguments), 80)}. Ask again, or raise the limit of output tokens."
        )
    known = identifier if isinstance(identifier, str) else ""
    return ToolCall(id=known, name=tool, arguments=dict(read))


def no_reply(server: str, reply: object) -> ReplyError:
    """The error of a reply that holds no message."""
    return ReplyError(
        f"The {server} replied with {shorten(repr(reply), 120)}, which holds no message. "
        "Check the base_url and the model's name."
    )
