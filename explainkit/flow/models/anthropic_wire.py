"""Prompts, tools and replies in the shape of Anthropic's messages."""

from typing import Any

from explainkit.flow.models.client_data import count, mapping
from explainkit.flow.models.tool_names import ToolNames
from explainkit.flow.models.vocabulary import Completion, Message, ToolSpec, Usage
from explainkit.flow.models.wire_replies import called, no_reply, schema_of

_SYSTEM = ("system", "developer")
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")

Block = dict[str, Any]


def system_of(messages: tuple[Message, ...]) -> str:
    r"""The system text, which the API takes beside the messages: all of it, in order.

    Example:
        >>> system_of((Message("system", "Be brief."), Message("user", "Why?")))
        'Be brief.'
    """
    texts = [each.content for each in messages if each.role in _SYSTEM and each.content]
    return "\n\n".join(texts)


def anthropic_messages(messages: tuple[Message, ...], names: ToolNames) -> list[dict[str, Any]]:
    """Messages as the API takes them: user and assistant in turn, results of tools in user's.

    Example:
        >>> anthropic_messages((Message("user", "Why?"),), ToolNames([]))
        [{'role': 'user', 'content': 'Why?'}]
    """
    turns: list[tuple[str, list[Block]]] = []
    for message in messages:
        if message.role in _SYSTEM:
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message, names)
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        elif blocks or role == "user":
            turns.append((role, blocks))
    return [{"role": role, "content": _content(blocks)} for role, blocks in turns]


def anthropic_tools(tools: tuple[ToolSpec, ...], names: ToolNames) -> list[dict[str, Any]]:
    """Tools as the API takes them."""
    return [
        {
            "name": names.sent(tool.name),
            "description": tool.description,
            "input_schema": schema_of(tool),
        }
        for tool in tools
    ]


def completion_of_message(reply: Any, names: ToolNames) -> Completion:
    """Read a reply; thinking is not part of its text.

    Raises:
        ReplyError: It holds no message, or a call whose input is no object.
    """
    content = mapping(reply).get("content")
    if not isinstance(content, list):
        raise no_reply("server", reply)
    blocks = [mapping(block) for block in content]
    texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    calls = tuple(
        called(block.get("id"), block.get("name"), block.get("input"), names)
        for block in blocks
        if block.get("type") == "tool_use"
    )
    text = "".join(texts)
    return Completion(
        text=None if calls and not text else text,
        tool_calls=calls,
        usage=usage_of_message(mapping(reply).get("usage")),
    )


def usage_of_message(usage: Any) -> Usage:
    """The token counts; what was read from a cache or put into one is part of the input."""
    told = mapping(usage)
    return Usage(
        input_tokens=sum(count(told.get(key)) for key in _INPUT),
        output_tokens=count(told.get("output_tokens")),
    )


def _blocks(message: Message, names: ToolNames) -> list[Block]:
    """A message's blocks; the API refuses empty texts, so there are none."""
    if message.role == "tool":
        identifier = message.tool_call_id or ""
        return [{"type": "tool_result", "tool_use_id": identifier, "content": message.content}]
    blocks: list[Block] = [{"type": "text", "text": message.content}] if message.content else []
    for call in message.tool_calls:
        name = names.sent(call.name)
        arguments = dict(call.arguments)
        blocks.append({"type": "tool_use", "id": call.id, "name": name, "input": arguments})
    return blocks


def _content(blocks: list[Block]) -> str | list[Block]:
    """One text as a text; an empty message stays empty, and the API says what it thinks of it."""
    if not blocks:
        return ""
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        text: str = blocks[0]["text"]
        return text
    return blocks
