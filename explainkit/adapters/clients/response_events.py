"""Joins the events of OpenAI's streamed responses to the items that they are pieces of."""

from collections.abc import Mapping
from typing import Any, Final

from explainkit.flow.models.client_data import listed, mapping

_ENDS: Final = ("response.completed", "response.incomplete", "response.failed")
_DELTAS: Final = (
    "response.output_text.delta",
    "response.refusal.delta",
    "response.function_call_arguments.delta",
)


class JoinedResponse:
    """The items of a streamed response so far.

    Attributes:
        model: Name of the model that replies.
        status: How far the response is, in the server's words.
        usage: Token counts, with the last event.
        is_whole: Whether the last event came.

    Example:
        >>> joined = JoinedResponse()
        >>> item = {"type": "message", "role": "assistant", "content": []}
        >>> joined.add({"type": "response.output_item.added", "output_index": 0, "item": item})
        >>> joined.add({"type": "response.output_text.delta", "output_index": 0, "delta": "Hi"})
        >>> joined.items()[0]["content"]
        [{'type': 'output_text', 'text': 'Hi'}]
    """

    def __init__(self) -> None:
        """Start without an event."""
        self.model: str | None = None
        self.status: str | None = None
        self.usage: Mapping[str, Any] = {}
        self.is_whole = False
        self._done: list[Any] | None = None
        self._items: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, list[str]] = {}

    def add(self, event: Any) -> None:
        """Take the next event; one of an unknown type changes nothing."""
        told = mapping(event)
        kind = told.get("type")
        index = told.get("output_index")
        place = index if type(index) is int else 0
        if isinstance(told.get("response"), Mapping):
            self._note(told["response"], ends=kind in _ENDS)
        elif kind in ("response.output_item.added", "response.output_item.done"):
            self._items[place] = dict(mapping(told.get("item")))
            self._pieces[place] = []
        elif kind in _DELTAS and isinstance(told.get("delta"), str):
            self._pieces.setdefault(place, []).append(told["delta"])

    def items(self) -> list[Any]:
        """The items: those of the finished response, else what came of them."""
        if self._done is not None:
            return self._done
        return [self._item(place) for place in sorted(self._items)]

    def _note(self, response: Mapping[str, Any], *, ends: bool) -> None:
        if isinstance(response.get("model"), str):
            self.model = response["model"]
        if isinstance(response.get("status"), str):
            self.status = response["status"]
        if ends:
            self.is_whole = True
            self.usage = mapping(response.get("usage"))
            self._done = listed(response.get("output")) or None

    def _item(self, place: int) -> dict[str, Any]:
        """An item; one that is not done yet, with the pieces that came of it."""
        item, text = self._items[place], "".join(self._pieces[place])
        if not text:
            return item
        if item.get("type") == "function_call":
            return {**item, "arguments": text}
        return {**item, "content": [{"type": "output_text", "text": text}]}
