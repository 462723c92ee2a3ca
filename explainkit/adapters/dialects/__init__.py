"""From a list of foreign messages to turns, item by item, because real lists mix dialects."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explainkit.adapters.dialects.chat import chat_turn
from explainkit.adapters.dialects.langchain import is_langchain, langchain_turn
from explainkit.adapters.dialects.responses import is_responses, responses_turn
from explainkit.adapters.turns import Result, Text, Turn

_ANTHROPIC = {"tool_use", "tool_result", "thinking", "redacted_thinking"}


def is_message(item: Any) -> bool:
    """Whether an item looks like a message of a dialect that is known.

    Example:
        >>> is_message({"role": "user", "content": "hi"}), is_message({"a": 1})
        (True, False)
    """
    if not isinstance(item, dict):
        return False
    if is_langchain(item) or is_responses(item):
        return True
    if isinstance(item.get("from"), str) and "value" in item:
        return True
    if not isinstance(item.get("role"), str):
        return False
    return any(key in item for key in ("content", "parts", "tool_calls", "function_call"))


def dialect_of(items: Sequence[Any]) -> str:
    """Name the dialect of a list of messages by the first item that gives it away.

    Example:
        >>> dialect_of([{"role": "user", "parts": [{"text": "hi"}]}])
        'gemini'
    """
    for item in items:
        if not isinstance(item, dict):
            continue
        if is_langchain(item):
            return "langchain"
        if isinstance(item.get("parts"), list):
            return "gemini"
        if _block_types(item.get("content")) & _ANTHROPIC:
            return "anthropic"
        if is_responses(item):
            return "openai-responses"
    return "openai-chat"


def turns_of(items: Sequence[Any], skip: list[tuple[int, str]]) -> list[Turn]:
    """Read every message; what is none is appended to ``skip`` as (position, reason).

    Args:
        items: The messages in order.
        skip: Receives what could not be read.
    """
    turns: list[Turn] = []
    called: set[str] = set()
    before: Turn | None = None
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            skip.append((index, f"not a message but {_a(item)}"))
            before = None
        elif is_langchain(item):
            turns.append(langchain_turn(item, index))
            before = None
        elif is_responses(item):
            before = responses_turn(item, index, before)
            turns.append(before)
        elif is_message(item):
            turns.append(_tool_by_role(chat_turn(item, item, index), called))
            before = None
        else:
            keys = ", ".join(list(map(str, item))[:4]) or "no keys"
            skip.append((index, f"neither role nor known type ({keys})"))
            before = None
        if turns:
            called.update(call.name for call in turns[-1].calls)
    return turns


def _tool_by_role(turn: Turn, called: set[str]) -> Turn:
    """Some tools write the tool's name where the role belongs."""
    if turn.role != "other" or turn.said_role not in called or len(turn.parts) != 1:
        return turn
    part = turn.parts[0]
    if not isinstance(part, Text):
        return turn
    result = Result(None, turn.said_role, part.text, part.path)
    return replace(turn, role="tool", parts=(result,))


def _block_types(content: Any) -> set[str]:
    if not isinstance(content, list):
        return set()
    return {str(block.get("type")) for block in content if isinstance(block, dict)}


def _a(item: Any) -> str:
    return "null" if item is None else f"a {type(item).__name__}"
