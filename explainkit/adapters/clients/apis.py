"""The three ways to ask a model that are recorded: where they are, what they send and give."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from explainkit.adapters.clients.response_events import JoinedResponse
from explainkit.flow.models.anthropic_events import JoinedMessage
from explainkit.flow.models.client_data import listed, mapping
from explainkit.flow.models.openai_chunks import JoinedChat


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said.

    Attributes:
        messages: Its messages or items, in the shape of the API.
        facts: Name of the model that replied, why it ended, and token counts.
        choices: How many replies they are; more than one when the caller asked for several.
    """

    messages: list[Any]
    facts: Mapping[str, Any] = field(default_factory=dict)
    choices: int = 1


class Joined(Protocol):
    """Joins the pieces of a streamed reply."""

    def add(self, piece: Any) -> None:
        """Take the next piece, as plain data."""
        ...

    def said(self) -> Said:
        """What the pieces join to so far."""
        ...


@dataclass(frozen=True, slots=True)
class Api:
    """One API.

    Attributes:
        name: As the client names it.
        slots: Fields of a request that a model reads, and the slots that they are recorded in.
        read: Reads a whole reply; `None` when it is none.
        joined: Makes what joins a streamed one.
    """

    name: str
    slots: Mapping[str, str]
    read: Callable[[Any], Said | None]
    joined: Callable[[], Joined]


class _Chat(JoinedChat):
    def said(self) -> Said:
        messages = self.messages()
        facts = _facts(self.model, finish_reason=self.finish_reason, usage=self.usage)
        return Said(messages, _marked(facts, whole=self.is_whole), max(len(messages), 1))


class _Message(JoinedMessage):
    def said(self) -> Said:
        message = self.message()
        facts = _facts(self.model, stop_reason=self.stop_reason, usage=self.usage)
        return Said([message] if message else [], _marked(facts, whole=self.is_whole))


class _Response(JoinedResponse):
    def said(self) -> Said:
        facts = _facts(self.model, status=self.status, usage=self.usage)
        return Said(self.items(), _marked(facts, whole=self.is_whole))


def _read_chat(reply: Any) -> Said | None:
    told = mapping(reply)
    choices = [mapping(choice) for choice in listed(told.get("choices"))]
    messages = [c["message"] for c in choices if isinstance(c.get("message"), Mapping)]
    if not messages:
        return None
    ended = choices[0].get("finish_reason")
    facts = _facts(told.get("model"), finish_reason=ended, usage=told.get("usage"))
    return Said([_without_parsed(each) for each in messages], facts, len(messages))


def _read_message(reply: Any) -> Said | None:
    told = mapping(reply)
    if not isinstance(told.get("content"), list):
        return None
    blocks = [_without_parsed(block) for block in told["content"]]
    ended = told.get("stop_reason")
    facts = _facts(told.get("model"), stop_reason=ended, usage=told.get("usage"))
    return Said([{"role": "assistant", "content": blocks}], facts)


def _read_response(reply: Any) -> Said | None:
    told = mapping(reply)
    if not isinstance(told.get("output"), list):
        return None
    facts = _facts(told.get("model"), status=told.get("status"), usage=told.get("usage"))
    return Said(list(told["output"]), facts)


def _without_parsed(message: Any) -> Any:
    """A message without what the client itself made of it for the caller."""
    if not isinstance(message, Mapping):
        return message
    return {key: value for key, value in message.items() if key not in ("parsed", "parsed_output")}


def _facts(model: Any, *, usage: Any, **ended: Any) -> dict[str, Any]:
    words = {"model": model, **ended}
    facts: dict[str, Any] = {
        key: value[:100] for key, value in words.items() if isinstance(value, str)
    }
    counts = {key: value for key, value in mapping(usage).items() if type(value) is int}
    return facts | ({"usage": counts} if counts else {})


def _marked(facts: dict[str, Any], *, whole: bool) -> dict[str, Any]:
    """A stream that ended before the server said so is marked."""
    return facts if whole else {**facts, "complete": False}


_APIS: Final = {
    "/chat/completions": Api(
        "chat.completions", {"messages": "messages", "tools": "tools"}, _read_chat, _Chat
    ),
    "/responses": Api(
        "responses",
        {"instructions": "system", "input": "messages", "tools": "tools"},
        _read_response,
        _Response,
    ),
    "/v1/messages": Api(
        "messages",
        {"system": "system", "messages": "messages", "tools": "tools"},
        _read_message,
        _Message,
    ),
}


def api_of(path: object) -> Api | None:
    """The API behind a path of a client; `None` for everything that is not recorded.

    Example:
        >>> api_of("/v1/messages?beta=true").name, api_of("/embeddings")
        ('messages', None)
    """
    return _APIS.get(path.partition("?")[0]) if isinstance(path, str) else None
