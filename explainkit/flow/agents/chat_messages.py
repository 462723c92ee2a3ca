"""What a model said, as one plain message, whatever it gave for the arguments of its calls."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from explainkit.flow.checks import UNSET
from explainkit.flow.models import Completion, ToolCall
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.safety import shorten
from explainkit.safety.described import repr_of

_SHOWN = 2000

ChatMessage: TypeAlias = dict[str, Any]
"""Plain JSON: `role`, `content`, and for tools `tool_calls` and `tool_call_id`."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A tool call as a model proposed it.

    Attributes:
        id: Ties the result message to the call.
        name: The tool.
        arguments: JSON values by parameter name; empty when they are no JSON object.
        problem: Why the arguments cannot be read.
        sent: What the model sent instead of a JSON object: a text or JSON, else its repr.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    problem: str | None = None
    sent: Any = UNSET

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, as it stands in the message."""
        return {"id": self.id, "name": self.name, "arguments": self.arguments}


def with_what_was_sent(message: ChatMessage, calls: Sequence[Proposed]) -> ChatMessage:
    """A reply with all that its model sent, also where that is no arguments of a call."""
    if all(call.sent is UNSET for call in calls):
        return message
    told = [
        call.to_json() if call.sent is UNSET else {**call.to_json(), "arguments": call.sent}
        for call in calls
    ]
    return {**message, "tool_calls": told}


def as_text(value: Any) -> str:
    """A text as it is, so that its characters match; anything else as JSON, keys in their order.

    Raises:
        NoJsonForm: It has no JSON form.
    """
    form = json_form(value)
    try:
        return form if isinstance(form, str) else json.dumps(form, ensure_ascii=False)
    except ValueError as problem:  # an integer of more digits than Python writes
        raise NoJsonForm(f"it cannot be written as JSON: {problem}") from None


def reply_of(
    completion: Completion, before: Sequence[ChatMessage]
) -> tuple[ChatMessage, tuple[Proposed, ...]]:
    """A model's reply as a message, and its calls; each gets an id that no earlier call has.

    Args:
        completion: What the model gave.
        before: The messages of the conversation.
    """
    message: ChatMessage = {"role": "assistant", "content": completion.text or ""}
    taken = [call.get("id") for each in before for call in calls_in(each)]
    calls: list[Proposed] = []
    for call in completion.tool_calls:
        calls.append(_proposed(call, taken))
        taken.append(calls[-1].id)
    if calls:
        message["tool_calls"] = [call.to_json() for call in calls]
    return message, tuple(calls)


def calls_in(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tool calls of a message; a caller may have written anything in their place."""
    given = message.get("tool_calls")
    return [each for each in given if isinstance(each, Mapping)] if type(given) is list else []


def _proposed(call: ToolCall, taken: Sequence[Any]) -> Proposed:
    name, number = str(call.id or ""), len(taken) + 1
    while not name or name in taken:
        name, number = f"call_{number}", number + 1
    sent: Any = call.arguments  # models without a type checker give anything
    try:
        return Proposed(name, str(call.name), _read(sent))
    except (NoJsonForm, ValueError, RecursionError) as error:
        problem = f"the arguments are no JSON object: {shorten(str(error), 200)}"
        return Proposed(name, str(call.name), {}, problem, _readable(sent))


def _readable(sent: Any) -> Any:
    """What was sent as a text or JSON, so that what is recorded of it can be shown before."""
    try:
        return sent if isinstance(sent, str) else json_form(sent)
    except NoJsonForm:
        return repr_of(sent, limit=_SHOWN).text


def _read(sent: Any) -> dict[str, Any]:
    found = json.loads(sent or "{}") if isinstance(sent, str) else sent
    form = json_form({} if found is None else found)
    as_text(form)  # it is told to the model
    if not isinstance(form, dict):
        raise ValueError(f"they are {shorten(repr(form), 80)}")  # noqa: TRY004 - read by the model
    return form


def given_messages(given: Any) -> list[ChatMessage]:
    """What an Agent is given as messages of its conversation.

    Args:
        given: A text (one user message), a message, a list of messages, or any other value with a
            JSON form, which is told as JSON; None is no message.

    Raises:
        NoJsonForm: It has no JSON form.

    Example:
        >>> given_messages("Why?"), given_messages({"limit": 3})
        ([{'role': 'user', 'content': 'Why?'}], [{'role': 'user', 'content': '{"limit": 3}'}])
    """
    if given is None:
        return []
    if _is_message(given):
        return [json_form(given)]
    if isinstance(given, list) and given and all(_is_message(each) for each in given):
        return [json_form(each) for each in given]
    return [{"role": "user", "content": as_text(given)}]


def _is_message(value: Any) -> bool:
    roles = ("system", "developer", "user", "assistant", "tool")
    return (
        isinstance(value, Mapping)
        and value.get("role") in roles
        and isinstance(value.get("content"), str)
    )
