"""Whether what a model gave is a reply: one that is none is the model's error, for rules to see."""

from typing import Any

from explainkit.errors import ReplyError
from explainkit.flow.models import Completion, ToolCall, Usage


def sound(completion: Completion) -> Completion:
    """A completion whose every part is what it is said to be.

    Raises:
        ReplyError: One is not; models without a type checker give anything.
    """
    text: Any = completion.text
    calls: Any = completion.tool_calls
    usage: Any = completion.usage
    if text is not None and not isinstance(text, str):
        raise _odd(text, "a text", "a str or None")
    if not isinstance(calls, tuple | list):
        raise _odd(calls, "the tool calls", "a tuple of ToolCall")
    for call in calls:
        if not isinstance(call, ToolCall):
            raise _odd(call, "a tool call", "a ToolCall")
    if not isinstance(usage, Usage):
        raise _odd(usage, "the usage", "a Usage")
    for count in (usage.input_tokens, usage.output_tokens):
        if not isinstance(count, int):
            raise _odd(count, "a number of tokens", "an int")
    return completion


def _odd(given: Any, place: str, wanted: str) -> ReplyError:
    return ReplyError(
        f"The model's completion has {type(given).__name__} for {place}. Give {wanted}."
    )
