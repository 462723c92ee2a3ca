"""LangChain's three ways to write a message, because all of them end up in files."""

from typing import Any

from explainkit.adapters.dialects.chat import chat_turn
from explainkit.adapters.dialects.pointer import join
from explainkit.adapters.turns import Turn

_TYPES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
}


def is_langchain(item: dict[str, Any]) -> bool:
    """Whether an item is a LangChain message in any of its forms.

    Example:
        >>> is_langchain({"type": "human", "content": "hi"})
        True
    """
    return _unwrap(item) is not None


def langchain_turn(raw: dict[str, Any], index: int) -> Turn:
    """Read a LangChain message: flat, ``{"type", "data"}`` or ``{"lc", "id", "kwargs"}``."""
    found = _unwrap(raw)
    if found is None:
        return chat_turn(raw, raw, index)
    role, message, prefix = found
    return chat_turn(raw, {**message, "role": role}, index, prefix)


def _unwrap(item: dict[str, Any]) -> tuple[str, dict[str, Any], str] | None:
    kwargs, names = item.get("kwargs"), item.get("id")
    if "lc" in item and isinstance(kwargs, dict) and isinstance(names, list) and names:
        role = _role(str(names[-1]), kwargs)
        return (role, kwargs, join("", "kwargs")) if role else None
    kind, data = item.get("type"), item.get("data")
    if not isinstance(kind, str):
        return None
    if isinstance(data, dict) and "content" in data:
        role = _role(kind, data)
        return (role, data, join("", "data")) if role else None
    if "content" in item and "role" not in item:
        role = _role(kind, item)
        return (role, item, "") if role else None
    return None


def _role(name: str, message: dict[str, Any]) -> str | None:
    word = name.lower().removesuffix("chunk").removesuffix("message")
    if word == "chat":
        return str(message.get("role", "user"))
    return _TYPES.get(word)
