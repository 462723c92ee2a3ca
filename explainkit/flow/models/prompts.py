"""One reading of every prompt shape, because users hand over texts, dicts and messages alike."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from explainkit.errors import PromptError
from explainkit.flow.models.vocabulary import Message, Prompt, ToolCall

ROLES = ("system", "developer", "user", "assistant", "tool")


def as_messages(prompt: Prompt) -> tuple[Message, ...]:
    """Read a prompt as chat messages.

    Args:
        prompt: A text (one user message), or messages as `Message` or as mappings with `role`,
            `content`, and for tools `tool_calls` and `tool_call_id`.

    Raises:
        PromptError: It is neither, or a message lacks a known role or a text.

    Example:
        >>> as_messages([{"role": "user", "content": "Why?"}])
        (Message(role='user', content='Why?', tool_calls=(), tool_call_id=None),)
    """
    if isinstance(prompt, str):
        return (Message("user", prompt),)
    entries: object = prompt  # callers without a type checker pass anything
    if not isinstance(entries, Sequence) or isinstance(entries, bytes | bytearray):
        raise PromptError(
            f"A prompt is a text or a list of messages, not {type(prompt).__name__}. "
            "Pass a str, or a list of {'role': ..., 'content': ...}."
        )
    return tuple(_message(entry, index) for index, entry in enumerate(entries))


def prompt_text(prompt: Prompt) -> str:
    r"""Join the contents of a prompt with line ends: the text that spans of a reading point into.

    Example:
        >>> prompt_text([{"role": "system", "content": "Be kind."}, Message("user", "Hi")])
        'Be kind.\nHi'
    """
    return "\n".join(message.content for message in as_messages(prompt))


def _message(entry: object, index: int) -> Message:
    if isinstance(entry, Message):
        return entry
    if not isinstance(entry, Mapping):
        raise PromptError(
            f"Message {index} is {type(entry).__name__}, not a message. "
            "Pass {'role': ..., 'content': ...}."
        )
    role = entry.get("role")
    if role not in ROLES:
        raise PromptError(
            f"Message {index} has the role {str(role)[:40]!r}. Use one of {', '.join(ROLES)}."
        )
    identifier = entry.get("tool_call_id")
    return Message(
        str(role),
        _content(entry.get("content"), index),
        tuple(_tool_call(call, index) for call in entry.get("tool_calls") or ()),
        None if identifier is None else str(identifier),
    )


def _content(content: object, index: int) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and not isinstance(content, bytes | bytearray):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        if len(texts) == len(content) and all(isinstance(text, str) for text in texts):
            return "".join(str(text) for text in texts)
    raise PromptError(
        f"The content of message {index} is {type(content).__name__}, which holds more than text. "
        "Pass a str or a list of {'type': 'text', 'text': ...}."
    )


def _tool_call(call: object, index: int) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    if isinstance(call, Mapping):
        inner = call.get("function", call)
        if isinstance(inner, Mapping) and isinstance(inner.get("name"), str):
            return ToolCall(
                id=str(call.get("id", "")),
                name=str(inner["name"]),
                arguments=_arguments(inner.get("arguments"), index),
            )
    raise PromptError(
        f"A tool call of message {index} has no name. "
        "Pass {'id': ..., 'name': ..., 'arguments': ...}."
    )


def _arguments(arguments: object, index: int) -> Mapping[str, Any]:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            arguments = None
    if isinstance(arguments, Mapping):
        return arguments
    raise PromptError(
        f"The arguments of a tool call of message {index} are no JSON object: "
        f"{str(arguments)[:40]!r}. Pass a mapping or its JSON text."
    )
