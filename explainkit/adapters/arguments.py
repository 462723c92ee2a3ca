"""The arguments of a tool call as input slots, each with its place in what the model said."""

import json
from dataclasses import dataclass
from typing import Any

from explainkit.adapters.dialects.pointer import join
from explainkit.adapters.turns import Call


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument.

    Attributes:
        slot: Its name; ``arguments`` when the call has one unnamed value.
        value: Its value.
        path: JSON Pointer to where the model said it, inside the message.
        start: Where it begins in the text at ``path``; ``None`` is the whole.
        end: Where it ends.
    """

    slot: str
    value: Any
    path: str
    start: int | None = None
    end: int | None = None


def arguments_of(call: Call) -> tuple[tuple[Argument, ...], str | None]:
    """Read a call's arguments.

    Returns:
        The arguments, and what is wrong with them, if anything is.

    Example:
        >>> call = Call("c1", "weather", '{"city": "Tokyo"}', "/tool_calls/0/function/arguments")
        >>> arguments_of(call)[0][0].value
        'Tokyo'
    """
    written = call.arguments
    if written is None or written in ("", {}):
        return (), None
    if isinstance(written, dict):
        return tuple(Argument(str(k), v, join(call.path, k)) for k, v in written.items()), None
    if not isinstance(written, str):
        return (Argument("arguments", written, call.path),), None
    try:
        read = json.loads(written)
    except (ValueError, RecursionError):
        problem = f"the arguments of {call.name!r} are not valid JSON and are kept as a text"
        return (Argument("arguments", written, call.path),), problem
    if not isinstance(read, dict):
        return (Argument("arguments", read, call.path),), None
    found = []
    for name, value in read.items():
        start, end = _stretch(written, value)
        found.append(Argument(name, value, call.path, start, end))
    return tuple(found), None


def _stretch(written: str, value: Any) -> tuple[int | None, int | None]:
    """Offsets of a value in the JSON text, when it stands there verbatim and once."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return None, None
    quoted = f'"{value}"' if isinstance(value, str) else str(value)
    first = written.find(quoted)
    if first < 0 or written.find(quoted, first + 1) >= 0:
        return None, None
    shift = 1 if isinstance(value, str) else 0
    return first + shift, first + len(quoted) - shift
