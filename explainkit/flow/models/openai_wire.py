"""Prompts, tools and replies in the shape of OpenAI's chat completions."""

import json
from collections.abc import Mapping
from typing import Any

from explainkit.flow.models.client_data import count, listed, mapping
from explainkit.flow.models.tool_names import ToolNames
from explainkit.flow.models.vocabulary import Completion, Message, ToolCall, ToolSpec, Usage
from explainkit.flow.models.wire_replies import called, no_reply, schema_of


def chat_messages(messages: tuple[Message, ...], names: ToolNames) -> list[dict[str, Any]]:
    """Messages as the API takes them.

    Example:
        >>> chat_messages((Message("user", "Why?"),), ToolNames([]))
        [{'role': 'user', 'content': 'Why?'}]
    """
    return [_message(message, names) for message in messages]


def chat_tools(tools: tuple[ToolSpec, ...], names: ToolNames) -> list[dict[str, Any]]:
    """Tools as the API takes them."""
    return [
        {
            "type": "function",
            "function": {
                "name": names.sent(tool.name),
                "description": tool.description,
                "parameters": schema_of(tool),
            },
        }
        for tool in tools
    ]


def completion_of_chat(reply: Any, names: ToolNames) -> Completion:
    """Read a reply; a refusal is its text.

    Raises:
        ReplyError: It holds no message, or a call whose arguments are no JSON object.
    """
    choices = listed(mapping(reply).get("choices"))
    message = mapping(choices[0]).get("message") if choices else None
    if not isinstance(message, Mapping):
        raise no_reply("server", reply)
    calls = calls_of_chat(message, names)
    text = text_of_chat(message)
    return Completion(
        text=None if calls and not text else text,
        tool_calls=calls,
        usage=usage_of_chat(mapping(reply).get("usage")),
    )


def text_of_chat(message: Mapping[str, Any]) -> str:
    """The text of a message or of a piece of one: its content, else its refusal."""
    for key in ("content", "refusal"):
        text = message.get(key)
        if isinstance(text, str) and text:
            return text
    return ""


def calls_of_chat(message: Mapping[str, Any], names: ToolNames) -> tuple[ToolCall, ...]:
    """The tool calls of a message.

    Raises:
        ReplyError: The arguments of one are no JSON object.
    """
    found = []
    for call in map(mapping, listed(message.get("tool_calls"))):
        function = mapping(call.get("function"))
        found.append(called(call.get("id"), function.get("name"), function.get("arguments"), names))
    return tuple(found)


def usage_of_chat(usage: Any) -> Usage:
    """The token counts; zeros when the server tells none."""
    told = mapping(usage)
    return Usage(
        input_tokens=count(told.get("prompt_tokens")),
        output_tokens=count(told.get("completion_tokens")),
    )


def _message(message: Message, names: ToolNames) -> dict[str, Any]:
    if message.role == "tool":
        return {
            "role": "tool",
            "tool_call_id": message.tool_call_id or "",
            "content": message.content,
        }
    if not message.tool_calls:
        return {"role": message.role, "content": message.content}
    return {
        "role": message.role,
        "content": message.content or None,
        "tool_calls": [_call(call, names) for call in message.tool_calls],
    }


def _call(call: ToolCall, names: ToolNames) -> dict[str, Any]:
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    function = {"name": names.sent(call.name), "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}
