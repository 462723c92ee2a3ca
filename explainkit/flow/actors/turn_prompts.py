"""What a model reads during a Turn, so that its words can be found again in the record.

Messages are plain dicts in the usual chat shape: `role`, `content`, `tool_calls` (each with `id`,
`name`, `arguments`) and `tool_call_id`. They are functions of what happened alone.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from explainkit.flow.actors.protocols import Read
from explainkit.flow.agents.chat_messages import ChatMessage, reply_of
from explainkit.flow.models import Completion, ToolCall, ToolSpec
from explainkit.flow.statecharts.event_definitions import EventDefinition


def as_prompt(given: Any) -> str | None:
    """The text of a Turn's input: its `prompt`, when it has nothing else, or the whole as JSON.

    Example:
        >>> as_prompt({"prompt": "Go on."}), as_prompt({"limit": 3}), as_prompt(None)
        ('Go on.', '{"limit": 3}', None)
    """
    if given is None:
        return None
    if (
        isinstance(given, Mapping)
        and list(given) == ["prompt"]
        and isinstance(given["prompt"], str)
    ):
        return given["prompt"]
    return as_text(given)


def as_text(value: Any) -> str:
    """A text as it is, so that its characters match; anything else as JSON, keys in their order."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    """The JSON data of an object; one without any is named, never printed with its address."""
    return to_jsonable_python(value, fallback=lambda other: f"<{type(other).__name__}>")


def listing(allowed: Sequence[str]) -> str:
    """The events that can be picked, in words for the model."""
    if not allowed:
        return "No event is allowed now."
    return f"Pick one of these events by calling its tool: {', '.join(allowed)}."


def reminder(allowed: Sequence[str]) -> ChatMessage:
    """What a model is told once when it replied without a pick."""
    return {"role": "user", "content": f"Nothing was picked. {listing(allowed)}"}


def tools_of(menu: Sequence[EventDefinition], allowed: Sequence[str]) -> list[ToolSpec]:
    """The events that may be picked now as tools, in the order of the menu."""
    return [
        ToolSpec(name=each.name, description=each.description, parameters=each.schema)
        for each in menu
        if each.name in allowed
    ]


def picked_before(event: str, payload: Any, before: Sequence[ChatMessage]) -> ChatMessage:
    """The message of a pick that was made before a run was resumed."""
    call = ToolCall(id="", name=event, arguments=payload if isinstance(payload, Mapping) else {})
    return reply_of(Completion(tool_calls=(call,)), before)[0]


def taken_up(history: Sequence[Read], before: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The messages with those of earlier picks and what was read behind them."""
    messages = [*before]
    for read in history:
        messages.append(picked_before(read.event, read.payload, messages))
        messages.append(answer_to(messages[-1]["tool_calls"][0], reading(read)))
    return messages


def answer_to(call: Mapping[str, Any], content: str) -> ChatMessage:
    """The tool message that answers a call."""
    return {"role": "tool", "tool_call_id": call["id"], "content": content}


def reading(read: Read) -> str:
    r"""What was read, as the content of a tool message.

    First the value, a text as it is and anything else as JSON; then, behind a blank line, the
    receipt. The receipt is always the last line, whatever the value says.

    Example:
        >>> from explainkit.flow.actors.protocols import Receipt
        >>> receipt = Receipt("look", moved=True, turn_complete=False, allowed=("look",))
        >>> print(reading(Read("All pass.", "reply", receipt, "look", {})))
        All pass.
        <BLANKLINE>
        receipt: {"event": "look", "moved": true, "turn_complete": false, "allowed": ["look"]}
    """
    receipt = f"receipt: {as_text(read.receipt.to_json())}"
    return receipt if read.source == "receipt" else f"{as_text(read.value)}\n\n{receipt}"
