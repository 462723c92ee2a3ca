"""What stands around a list of messages: system text, tools, the response, other fields."""

from dataclasses import dataclass, field
from typing import Any

from explainkit.adapters.dialects import is_message

_LISTS = (
    "messages",
    "input",
    "contents",
    "conversation",
    "conversations",
    "chat_history",
    "history",
)
_SYSTEM = ("system", "instructions", "systemInstruction", "system_instruction")
_RESPONSES = ("response", "choices", "output", "candidates", "completion", "message")
_NESTED = ("request", "body")


@dataclass(frozen=True, slots=True)
class Conversation:
    """One recorded conversation, still in the words of its source.

    Attributes:
        items: The messages in order; those of the response come last.
        answered: How many of the last items are the response.
        system: The system text that stands beside the list, as written.
        tools: The tool descriptions that were offered.
        others: Further candidates for the response that were not taken.
        fields: Every other field of the wrapper.
    """

    items: tuple[Any, ...]
    answered: int = 0
    system: Any = None
    tools: tuple[Any, ...] = ()
    others: int = 0
    fields: dict[str, Any] = field(default_factory=dict)


def unwrap(data: Any) -> Conversation | None:
    """Read one conversation: a bare list, or an object that holds one.

    Args:
        data: Parsed JSON.

    Returns:
        The conversation, or ``None`` when the shape is not that of one.

    Example:
        >>> unwrap({"messages": [{"role": "user", "content": "hi"}], "model": "m"}).fields
        {'model': 'm'}
    """
    if isinstance(data, list):
        return Conversation(tuple(data)) if mostly_messages(data) else None
    if not isinstance(data, dict):
        return None
    flat = _flatten(data)
    key = next((name for name in _LISTS if _messages(flat.get(name))), None)
    if key is None:
        return None
    items = _messages(flat[key])
    taken = {key}
    system_key = next((name for name in _SYSTEM if flat.get(name)), None)
    tools = flat.get("tools") if isinstance(flat.get("tools"), list) else None
    answer: list[Any] = []
    others = 0
    for name in _RESPONSES:
        found = response_items(flat.get(name), name) if name not in taken else None
        if found is not None:
            answer, others = found
            taken.add(name)
            break
    taken.update(name for name in (system_key, "tools" if tools else None) if name)
    return Conversation(
        (*items, *answer),
        answered=len(answer),
        system=flat.get(system_key) if system_key else None,
        tools=tuple(tools or ()),
        others=others,
        fields={name: value for name, value in flat.items() if name not in taken},
    )


def mostly_messages(items: list[Any]) -> bool:
    """Whether at least half of the items, and at least one, are messages."""
    known = sum(1 for item in items if is_message(item))
    return known > 0 and 2 * known >= len(items)


def response_items(value: Any, key: str) -> tuple[list[Any], int] | None:
    """The messages of a response in any vendor's form, and how many others were offered.

    Example:
        >>> response_items([{"message": {"role": "assistant", "content": "hi"}}], "choices")
        ([{'role': 'assistant', 'content': 'hi'}], 0)
    """
    if isinstance(value, str):
        return ([{"role": "assistant", "content": value}], 0) if value else None
    if isinstance(value, list):
        return _listed(value, key)
    if not isinstance(value, dict):
        return None
    if is_message(value):
        return [value], 0
    for name in ("choices", "candidates", "output", "message", "messages"):
        if name in value:
            return response_items(value[name], name)
    return None


def _listed(value: list[Any], key: str) -> tuple[list[Any], int] | None:
    if key in ("choices", "candidates"):
        inner = "message" if key == "choices" else "content"
        found = [c[inner] for c in value if isinstance(c, dict) and isinstance(c.get(inner), dict)]
        return (found[:1], len(found) - 1) if found else None
    return (list(value), 0) if value and mostly_messages(value) else None


def _flatten(data: dict[str, Any]) -> dict[str, Any]:
    if any(name in data for name in _LISTS):
        return data
    for name in _NESTED:
        inner = data.get(name)
        if isinstance(inner, dict) and any(key in inner for key in _LISTS):
            return {**inner, **{key: value for key, value in data.items() if key != name}}
    return data


def _messages(value: Any) -> list[Any]:
    """The messages in a field: a list, a list of one list (a batch of one), or one text."""
    if isinstance(value, str) and value:
        return [{"role": "user", "content": value}]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return list(value) if isinstance(value, list) and mostly_messages(value) else []
