"""Content blocks of every vendor, because real histories mix them in one list."""

from typing import Any

from explainkit.adapters.dialects.pointer import join
from explainkit.adapters.turns import Call, Part, Piece, Result, Text, Thought

_CALL_IDS = ("id", "call_id", "tool_use_id", "tool_call_id", "toolCallId")
_RESULT_IDS = ("tool_use_id", "tool_call_id", "toolCallId", "call_id", "callId", "id")
_NAMES = ("name", "tool_name", "toolName")
_ARGUMENTS = ("input", "args", "arguments")
_OUTCOMES = ("content", "result", "output", "response")
_THOUGHTS = ("thinking", "reasoning", "reasoning_content", "text", "summary", "content", "data")
_CALL_TYPES = ("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "function_call")
_TEXT_TYPES = ("text", "input_text", "output_text", "summary_text", "reasoning_text")
_THOUGHT_TYPES = ("thinking", "redacted_thinking", "reasoning")
_MEDIA = ("image", "audio", "video", "file", "document", "media")


def parts_of(content: Any, path: str) -> list[Part]:
    """Read the content of a message, whatever its shape.

    Args:
        content: A text, a list of blocks, one block, or anything else.
        path: JSON Pointer to it inside the message.

    Example:
        >>> parts_of("hello", "/content")
        [Text(text='hello', path='/content')]
    """
    if content is None:
        return []
    if isinstance(content, str):
        return [Text(content, path)] if content else []
    if isinstance(content, list):
        return [part for i, block in enumerate(content) for part in _block(block, join(path, i))]
    if isinstance(content, dict):
        inner = content.get("parts")
        if isinstance(inner, list):
            return parts_of(inner, join(path, "parts"))
        return _block(content, path)
    return [Piece(type(content).__name__, content, path)]


def first_text(block: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first of ``keys`` that holds a non-empty text or a number, as a text."""
    for key in keys:
        value = block.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def call_of(block: dict[str, Any], path: str) -> Call:
    """Read a tool call whose id, name and arguments stand in one object."""
    key = next((name for name in _ARGUMENTS if name in block), "arguments")
    name = first_text(block, _NAMES) or "tool"
    return Call(first_text(block, _CALL_IDS), name, block.get(key), join(path, key))


def _block(block: Any, path: str) -> list[Part]:
    if not isinstance(block, dict):
        return parts_of(block, path) if isinstance(block, str) else [_piece(block, path)]
    for key in ("functionCall", "function_call"):
        if isinstance(block.get(key), dict):
            return [call_of(block[key], join(path, key))]
    for key in ("functionResponse", "function_response"):
        if isinstance(block.get(key), dict):
            return [_result(block[key], join(path, key))]
    kind = str(block.get("type") or "").replace("-", "_")
    if kind in _CALL_TYPES:
        return [call_of(block, path)]
    if kind in ("tool_result", "function_result") or kind.endswith("_tool_result"):
        return [_result(block, path)]
    if kind in _THOUGHT_TYPES or block.get("thought") is True:
        return _thoughts(block, path)
    if kind == "refusal" and isinstance(block.get("refusal"), str):
        return [Text(block["refusal"], join(path, "refusal"))]
    if not kind or kind in _TEXT_TYPES:
        return _text(block, path)
    return [_piece(block, path)]


def _text(block: dict[str, Any], path: str) -> list[Part]:
    text = block.get("text")
    if isinstance(text, str):
        return [Text(text, join(path, "text"))] if text else []
    if isinstance(text, dict) and isinstance(text.get("value"), str):
        return [Text(text["value"], join(path, "text", "value"))]
    return [_piece(block, path)]


def _result(block: dict[str, Any], path: str) -> Result:
    key = next((name for name in _OUTCOMES if name in block), "content")
    where = join(path, key)
    value, where = single_text(block.get(key), where)
    return Result(
        first_text(block, _RESULT_IDS),
        first_text(block, _NAMES),
        value,
        where,
        failed=block.get("is_error") is True,
    )


def single_text(value: Any, path: str) -> tuple[Any, str]:
    """Reach into a list that holds one text block, so that the text itself has the address.

    Example:
        >>> single_text([{"type": "text", "text": "12 C"}], "/content")
        ('12 C', '/content/0/text')
    """
    if isinstance(value, list) and len(value) == 1:
        found = _block(value[0], join(path, 0))
        if len(found) == 1 and isinstance(found[0], Text):
            return found[0].text, found[0].path
    return value, path


def _thoughts(block: dict[str, Any], path: str) -> list[Part]:
    for key in _THOUGHTS:
        value = block.get(key)
        if isinstance(value, str) and value:
            return [Thought(value, join(path, key))]
        if isinstance(value, list) and value:
            inner = parts_of(value, join(path, key))
            return [Thought(part.text, part.path) for part in inner if isinstance(part, Text)]
    return []


def _piece(value: Any, path: str) -> Piece:
    if isinstance(value, dict):
        kind = value.get("type")
        if isinstance(kind, str) and kind:
            return Piece(kind, value, path)
        return Piece(next((key for key in _MEDIA if key in value), "object"), value, path)
    return Piece(type(value).__name__, value, path)
