"""Joins the chunks of a streamed chat completion to the messages that they are pieces of."""

from collections.abc import Mapping
from typing import Any

from explainkit.flow.models.client_data import listed, mapping

_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")


class JoinedChat:
    """The messages of a streamed reply so far.

    Attributes:
        finish_reason: Of the first choice; `None` until the server says it.
        model: Name of the model that replied.
        usage: Token counts, when the server told them.

    Example:
        >>> joined = JoinedChat()
        >>> for text in ("Good ", "day"):
        ...     joined.add({"choices": [{"index": 0, "delta": {"content": text}}]})
        >>> joined.messages()
        [{'role': 'assistant', 'content': 'Good day'}]
    """

    def __init__(self) -> None:
        """Start without a chunk."""
        self.finish_reason: str | None = None
        self.model: str | None = None
        self.usage: Mapping[str, Any] = {}
        self._choices: dict[int, _Choice] = {}

    @property
    def is_whole(self) -> bool:
        """Whether the server said how the reply ended."""
        return self.finish_reason is not None

    def add(self, chunk: Any) -> None:
        """Take the next chunk."""
        told = mapping(chunk)
        if isinstance(told.get("model"), str):
            self.model = told["model"]
        if isinstance(told.get("usage"), Mapping):
            self.usage = told["usage"]
        for choice in map(mapping, listed(told.get("choices"))):
            index = choice.get("index")
            number = index if type(index) is int else 0
            self._choices.setdefault(number, _Choice()).add(mapping(choice.get("delta")))
            if number == 0 and isinstance(choice.get("finish_reason"), str):
                self.finish_reason = choice["finish_reason"]

    def messages(self) -> list[dict[str, Any]]:
        """The message of each choice, in the order of their numbers."""
        return [self._choices[number].message() for number in sorted(self._choices)]


class _Choice:
    def __init__(self) -> None:
        self._role = "assistant"
        self._texts: dict[str, list[str]] = {}
        self._calls: list[_Call] = []

    def add(self, delta: Mapping[str, Any]) -> None:
        if isinstance(delta.get("role"), str) and delta["role"]:
            self._role = delta["role"]
        for key in _TEXTS:
            if isinstance(delta.get(key), str):
                self._texts.setdefault(key, []).append(delta[key])
        for piece in map(mapping, listed(delta.get("tool_calls"))):
            self._call(piece).add(piece)

    def _call(self, piece: Mapping[str, Any]) -> "_Call":
        """The call that a piece belongs to: by index, unless it carries another call's id."""
        index, identifier = piece.get("index"), piece.get("id")
        for call in reversed(self._calls):
            if index is not None and call.index != index:
                continue
            if not identifier or not call.id or call.id == identifier:
                return call
            break
        self._calls.append(_Call(index))
        return self._calls[-1]

    def message(self) -> dict[str, Any]:
        texts = {key: "".join(pieces) for key, pieces in self._texts.items()}
        content = texts.pop("content", None)
        message: dict[str, Any] = {"role": self._role, "content": content}
        if self._calls and not content:
            message["content"] = None
        message |= {key: text for key, text in texts.items() if text}
        if self._calls:
            message["tool_calls"] = [call.whole() for call in self._calls]
        return message


class _Call:
    def __init__(self, index: object) -> None:
        self.index = index
        self.id = ""
        self._kind = "function"
        self._name = ""
        self._arguments: list[str] = []

    def add(self, piece: Mapping[str, Any]) -> None:
        if isinstance(piece.get("id"), str) and piece["id"]:
            self.id = piece["id"]
        if isinstance(piece.get("type"), str) and piece["type"]:
            self._kind = piece["type"]
        function = mapping(piece.get("function"))
        if isinstance(function.get("name"), str) and function["name"]:
            self._name = function["name"]
        if isinstance(function.get("arguments"), str):
            self._arguments.append(function["arguments"])

    def whole(self) -> dict[str, Any]:
        function = {"name": self._name, "arguments": "".join(self._arguments)}
        return {"id": self.id, "type": self._kind, "function": function}
