"""The last substantive step of a group chat, because such chats end in words of parting."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explainkit.adapters.group_chat import is_terminal
from explainkit.adapters.script import Emitted
from explainkit.adapters.turns import Turn

_FINAL = re.compile(
    r"^FINAL ANSWER:[ \t]*(.*?)[ \t]*(?=\n(?:SCENARIO\.PY|RUN\.SH)\b|\s*\Z)",
    re.MULTILINE | re.DOTALL,
)
_PARTING = re.compile(
    r"^[\s#*`.!]*(?:TERMINATE|STOP|#*STOP#*|Request satisfied|Next speaker \w+)?[\s#*`.!]*$",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\s*(?:There is no code from the last\b.*|exitcode: \d+ [^\n]*\n(?:Code output:)?\s*)\Z",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class LastStep:
    """Where the answer is.

    Attributes:
        index: Position of the message.
        start: First code point of the answer in its stored text; ``None`` is the whole.
        end: One past the last.
    """

    index: int
    start: int | None = None
    end: int | None = None


def last_step(
    turns: Sequence[Turn], done: Emitted, stored: Callable[[str], str]
) -> LastStep | None:
    """Find the answer of a group chat.

    Args:
        turns: The turns in order.
        done: Where their texts landed.
        stored: Gives a text as it is stored.

    Returns:
        The last step that says more than that the talk is over: what follows ``FINAL ANSWER:``
        when it has such a line, else all of it. ``None`` when no step does.
    """
    for turn in reversed(turns):
        said = done.said.get(turn.index)
        if said is None:
            continue
        text = stored(said.text)
        final = list(_FINAL.finditer(text))
        if final and final[-1][1]:
            return LastStep(turn.index, *final[-1].span(1))
        if _is_substantive(turn, text):
            return LastStep(turn.index)
    return None


def _is_substantive(turn: Turn, text: str) -> bool:
    if is_terminal(turn.actor) and _IDLE.match(text):
        return False
    if "termination condition" in turn.said_role:
        return False
    return _PARTING.match(text) is None
