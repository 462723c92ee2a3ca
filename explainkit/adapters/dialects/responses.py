"""Items of OpenAI's Responses API, where one reply of the model is several items."""

from typing import Any

from explainkit.adapters.dialects.blocks import call_of, first_text, parts_of, single_text
from explainkit.adapters.dialects.chat import chat_turn
from explainkit.adapters.turns import Part, Piece, Result, Text, Thought, Turn

_CALLS = ("function_call", "custom_tool_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")


def is_responses(item: dict[str, Any]) -> bool:
    """Whether an item has a type that only the Responses API uses.

    Example:
        >>> is_responses({"type": "function_call", "name": "add", "arguments": "{}"})
        True
    """
    kind = item.get("type")
    if not isinstance(kind, str):
        return False
    if kind == "message":
        return "role" in item
    if "role" in item:
        return False
    return kind in ("reasoning", *_CALLS, *_OUTPUTS) or kind.endswith(("_call", "_call_output"))


def responses_turn(raw: dict[str, Any], index: int, before: Turn | None) -> Turn:
    """Read one item; it joins the reply before it when both are the model's.

    Args:
        raw: The item.
        index: Position in the source list.
        before: The turn before, when that is an item of this API too.
    """
    kind = str(raw["type"])
    if kind == "message":
        turn = chat_turn(raw, raw, index)
        if turn.role != "model" or not _open(before):
            return turn
        return Turn("model", turn.said_role, turn.actor, turn.parts, index, raw, joins=True)
    if kind in _OUTPUTS or kind.endswith("_call_output"):
        return Turn("tool", kind, None, (_result(raw),), index, raw)
    parts = tuple(_parts(raw, kind))
    joins = before is not None and before.role == "model"
    if kind == "reasoning":
        joins = joins and before is not None and before.said_role == "reasoning"
    return Turn("model", kind, None, parts, index, raw, joins=joins)


def _open(before: Turn | None) -> bool:
    return before is not None and before.role == "model" and before.said_role == "reasoning"


def _parts(raw: dict[str, Any], kind: str) -> list[Part]:
    if kind in _CALLS:
        return [_call(raw)]
    if kind != "reasoning":
        return [Piece(kind, raw, "")]
    parts: list[Part] = []
    for key in ("summary", "content"):
        inner = parts_of(raw.get(key), f"/{key}")
        parts.extend(Thought(part.text, part.path) for part in inner if isinstance(part, Text))
    return parts


def _call(raw: dict[str, Any]) -> Part:
    read = call_of(raw, "")
    known = first_text(raw, ("call_id", "id"))
    return type(read)(known, read.name, read.arguments, read.path)


def _result(raw: dict[str, Any]) -> Result:
    value, path = single_text(raw.get("output"), "/output")
    return Result(first_text(raw, ("call_id",)), first_text(raw, ("name",)), value, path)
