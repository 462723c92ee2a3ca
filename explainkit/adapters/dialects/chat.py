"""Messages with a role: OpenAI chat, Anthropic, Gemini and everything that imitates them."""

from typing import Any

from explainkit.adapters.dialects.blocks import call_of, first_text, parts_of, single_text
from explainkit.adapters.dialects.pointer import join
from explainkit.adapters.turns import Call, Part, Result, Role, Text, Thought, Turn

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "model",
    "ai": "model",
    "model": "model",
    "bot": "model",
    "gpt": "model",
    "tool": "tool",
    "function": "tool",
}
_REASONING = ("reasoning_content", "reasoning")


def chat_turn(raw: Any, message: dict[str, Any], index: int, prefix: str = "") -> Turn:
    """Read one message that says its role.

    Args:
        raw: The whole item of the source list.
        message: The object in it that holds role and content.
        index: Position in the source list.
        prefix: JSON Pointer from ``raw`` to ``message``.

    Example:
        >>> chat_turn(m := {"role": "user", "content": "hi"}, m, 0).role
        'user'
    """
    said = str(message.get("role", message.get("from", "")))
    role = ROLES.get(said.lower(), "other")
    parts: list[Part] = []
    for key in _REASONING:
        if isinstance(message.get(key), str) and message[key]:
            parts.append(Thought(message[key], join(prefix, key)))
            break
    key = next((k for k in ("content", "parts", "value") if k in message), "content")
    if role == "tool" and key != "parts":
        parts.append(_tool_result(message, key, prefix))
    else:
        parts.extend(parts_of(message.get(key), join(prefix, key)))
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        parts.append(Text(message["refusal"], join(prefix, "refusal")))
    calls = tool_calls(message, prefix)
    known = {call.id for call in calls if call.id is not None}
    parts = [part for part in parts if not (isinstance(part, Call) and part.id in known)]
    name = message.get("name")
    actor = name if isinstance(name, str) and name else None
    return Turn(role, said, actor, (*parts, *calls), index, raw)


def tool_calls(message: dict[str, Any], prefix: str) -> list[Call]:
    """The calls that stand beside the content: ``tool_calls``, or the older ``function_call``."""
    found = []
    for key in ("tool_calls", "toolCalls", "invalid_tool_calls"):
        listed = message.get(key)
        for i, call in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(call, dict):
                found.append(_listed_call(call, join(prefix, key, i)))
    inner = message.get("function_call")
    if not found and isinstance(inner, dict):
        found.append(call_of(inner, join(prefix, "function_call")))
    extra = message.get("additional_kwargs")
    if not found and isinstance(extra, dict):
        found.extend(tool_calls(extra, join(prefix, "additional_kwargs")))
    return found


def _listed_call(call: dict[str, Any], path: str) -> Call:
    function = call.get("function")
    inner = function if isinstance(function, dict) else call.get("custom")
    if not isinstance(inner, dict):
        return call_of(call, path)
    where = join(path, "function" if inner is function else "custom")
    read = call_of(inner, where)
    return Call(first_text(call, ("id", "call_id")), read.name, read.arguments, read.path)


def _tool_result(message: dict[str, Any], key: str, prefix: str) -> Result:
    value, path = single_text(message.get(key), join(prefix, key))
    failed = message.get("status") == "error" or message.get("is_error") is True
    call = first_text(message, ("tool_call_id", "toolCallId", "call_id"))
    return Result(call, first_text(message, ("name", "tool_name")), value, path, failed)
