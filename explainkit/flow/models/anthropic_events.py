"""Joins the events of a streamed Anthropic message to the message that they are pieces of."""

import json
from collections.abc import Mapping
from typing import Any

from explainkit.flow.models.client_data import listed, mapping

_PIECES = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class JoinedMessage:
    """The message of a streamed reply so far.

    Attributes:
        model: Name of the model that replied.
        stop_reason: Why it ended; `None` until the server says it.
        usage: Token counts, the latest of each.
        is_whole: Whether the server said that the message is complete.

    Example:
        >>> joined = JoinedMessage()
        >>> block = {"type": "text", "text": ""}
        >>> joined.add({"type": "content_block_start", "index": 0, "content_block": block})
        >>> delta = {"type": "text_delta", "text": "Good day"}
        >>> joined.add({"type": "content_block_delta", "index": 0, "delta": delta})
        >>> joined.message()
        {'role': 'assistant', 'content': [{'type': 'text', 'text': 'Good day'}]}
    """

    def __init__(self) -> None:
        """Start without an event."""
        self.model: str | None = None
        self.stop_reason: str | None = None
        self.usage: dict[str, Any] = {}
        self.is_whole = False
        self._started = False
        self._blocks: dict[int, _Block] = {}

    def add(self, event: Any) -> None:
        """Take the next event; one of an unknown type changes nothing."""
        told = mapping(event)
        kind = told.get("type")
        if kind == "message_start":
            self._start(mapping(told.get("message")))
        elif kind == "content_block_start":
            self._blocks[_index(told)] = _Block(mapping(told.get("content_block")))
        elif kind == "content_block_delta":
            block = self._blocks.setdefault(_index(told), _Block({"type": "text", "text": ""}))
            block.add(mapping(told.get("delta")))
        elif kind == "message_delta":
            self._note(mapping(told.get("delta")), told)
        elif kind == "message_stop":
            self.is_whole = True

    def message(self) -> dict[str, Any] | None:
        """The message; `None` when nothing of it arrived."""
        if not self._started and not self._blocks:
            return None
        blocks = [self._blocks[index].whole() for index in sorted(self._blocks)]
        return {"role": "assistant", "content": blocks}

    def _start(self, message: Mapping[str, Any]) -> None:
        self._started = True
        if isinstance(message.get("model"), str):
            self.model = message["model"]
        self._note(message, message)

    def _note(self, delta: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        if isinstance(delta.get("stop_reason"), str):
            self.stop_reason = delta["stop_reason"]
        usage = mapping(told.get("usage"))
        self.usage |= {key: value for key, value in usage.items() if value is not None}


class _Block:
    def __init__(self, start: Mapping[str, Any]) -> None:
        self._start = dict(start)
        self._texts: dict[str, list[str]] = {}
        self._json: list[str] = []
        self._citations: list[Any] = []

    def add(self, delta: Mapping[str, Any]) -> None:
        kind = delta.get("type")
        key = _PIECES.get(kind) if isinstance(kind, str) else None
        if key is not None and isinstance(delta.get(key), str):
            self._texts.setdefault(key, []).append(delta[key])
        elif kind == "input_json_delta" and isinstance(delta.get("partial_json"), str):
            self._json.append(delta["partial_json"])
        elif kind == "citations_delta" and "citation" in delta:
            self._citations.append(delta["citation"])

    def whole(self) -> dict[str, Any]:
        block = dict(self._start)
        for key, pieces in self._texts.items():
            first = block.get(key)
            block[key] = (first if isinstance(first, str) else "") + "".join(pieces)
        written = "".join(self._json)
        if written:
            block["input"] = _read(written)
        if self._citations:
            block["citations"] = [*listed(block.get("citations")), *self._citations]
        return block


def _read(written: str) -> Any:
    """The input of a call; as it was written when it is cut off."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written


def _index(event: Mapping[str, Any]) -> int:
    index = event.get("index")
    return index if type(index) is int else 0
