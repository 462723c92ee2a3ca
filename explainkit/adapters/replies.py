"""What a model put out in one reply: its text where that is all, else the message itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explainkit.adapters.dialects.pointer import join
from explainkit.adapters.turns import Call, Piece, Result, Text, Turn

_PLAIN = {"role", "content", "name", "type"}
_WORDS = ("model", "finish_reason", "stop_reason", "status")


@dataclass(frozen=True, slots=True)
class Reply:
    """The output of one model link.

    Attributes:
        output: The text; or the message (several: their list) when it holds more than text.
        is_text: Whether ``output`` is the text.
        has_output: False when the source recorded no content.
        texts: ``(which message, text)`` in order.
        beside: The message, when ``output`` does not hold all of it.
        facts: Model name, finish reason and token counts.
        many: Whether the reply is several messages of the source.
    """

    output: Any
    is_text: bool
    has_output: bool
    texts: tuple[tuple[int, Text], ...]
    beside: Any
    facts: dict[str, Any]
    many: bool

    def prefix(self, place: int) -> str:
        """JSON Pointer from ``output`` to message number ``place`` of the reply."""
        return join("", place) if self.many else ""

    def path(self, place: int, path: str) -> str:
        """JSON Pointer from ``output`` to a part of message number ``place``."""
        return self.prefix(place) + path


def reply_of(turns: Sequence[Turn]) -> Reply:
    """Join the messages of one reply.

    Args:
        turns: One turn, or several that the source splits one reply into.
    """
    texts = tuple((i, part) for i, turn in enumerate(turns) for part in turn.texts)
    raws = [turn.raw for turn in turns]
    raw = raws[0] if len(raws) == 1 else raws
    facts = _facts(turns)
    many = len(turns) > 1
    more = any(isinstance(p, Call | Result | Piece) for turn in turns for p in turn.parts)
    if more:
        return Reply(raw, False, True, texts, None, facts, many)
    text = "".join(part.text for _, part in texts)
    recorded = bool(texts) or any(_says_empty(turn) for turn in turns)
    beside = None if len(raws) == 1 and _is_plain(raws[0]) else raw
    return Reply(text, recorded, recorded, texts, beside, facts, many)


def _is_plain(raw: Any) -> bool:
    """Whether the text says all that the message says."""
    return isinstance(raw, dict) and set(raw) <= _PLAIN and isinstance(raw.get("content"), str)


def _says_empty(turn: Turn) -> bool:
    return isinstance(turn.raw, dict) and turn.raw.get("content") in ("", [])


def _facts(turns: Sequence[Turn]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for turn in turns:
        if not isinstance(turn.raw, dict):
            continue
        for key in _WORDS:
            value = turn.raw.get(key)
            if isinstance(value, str) and len(value) <= 100:
                facts[key] = value
        usage = turn.raw.get("usage", turn.raw.get("usage_metadata"))
        if isinstance(usage, dict):
            counts = {str(k): v for k, v in usage.items() if type(v) is int and abs(v) < 2**53}
            if counts:
                facts["usage"] = counts
    return facts
