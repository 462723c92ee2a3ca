"""Which format parsed JSON has, told by its shape and never by a file's name."""

from typing import Any

from explainkit.adapters.chat_lists import recognise_chat_lists
from explainkit.adapters.reader import Reader
from explainkit.adapters.tau_bench import recognise_tau_bench
from explainkit.adapters.who_and_when import recognise_who_and_when

FORMATS = (
    "chat lists (OpenAI chat and Responses, Anthropic, LangChain, Gemini)",
    "Who&When / AutoGen histories",
    "tau-bench results",
)
"""What can be read, in words, for messages."""


def detect(data: Any) -> Reader | None:
    """Find the reader for parsed JSON.

    Args:
        data: The content of a file; of JSON lines, the list of its values.

    Returns:
        The reader, or ``None`` when the shape is not known.

    Example:
        >>> detect([{"role": "user", "content": "hi"}]).format
        'openai-chat'
        >>> detect({"a": 1}) is None
        True
    """
    for recognise in (recognise_tau_bench, recognise_who_and_when, recognise_chat_lists):
        reader = recognise(data)
        if reader is not None:
            return reader
    return None


def shape(data: Any) -> str:
    """Say in a few words what was found instead of a known format.

    Example:
        >>> shape([{"a": 1, "b": 2}])
        'a list of 1 items, the first an object with the keys a, b'
    """
    if isinstance(data, dict):
        return _object(data)
    if isinstance(data, list):
        if not data:
            return "an empty list"
        first = _object(data[0]) if isinstance(data[0], dict) else _plain(data[0])
        return f"a list of {len(data)} items, the first {first}"
    return _plain(data)


def _object(data: dict[str, Any]) -> str:
    if not data:
        return "an empty object"
    keys = [key if len(key) <= 24 else f"{key[:24]}..." for key in map(repr, list(data)[:6])]
    more = f" and {len(data) - 6} more" if len(data) > 6 else ""
    return f"an object with the keys {', '.join(key.strip(chr(39)) for key in keys)}{more}"


def _plain(data: Any) -> str:
    if data is None:
        return "null"
    names = {str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(data), "a list")
