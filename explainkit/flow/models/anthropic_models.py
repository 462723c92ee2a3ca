"""Models behind Anthropic's messages: the provider's own, and every server that speaks it."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from explainkit.flow.models.anthropic_events import JoinedMessage
from explainkit.flow.models.anthropic_wire import (
    anthropic_messages,
    anthropic_tools,
    completion_of_message,
    system_of,
)
from explainkit.flow.models.client_data import as_data, mapping
from explainkit.flow.models.extras import key_for, require_async, require_options, required
from explainkit.flow.models.own_calls import own_call
from explainkit.flow.models.prompts import as_messages
from explainkit.flow.models.tool_names import ToolNames
from explainkit.flow.models.vocabulary import Chunk, Completion, Prompt, ToolSpec
from explainkit.flow.models.wire_replies import names_of

MOST_TOKENS: Final = 4096
"""Output tokens that a call may use unless told otherwise; the API demands a limit."""
_OWN = ("messages", "tools", "stream", "system")
_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


class AnthropicModel:
    """Asks a server that speaks Anthropic's messages, with the `anthropic` package.

    System messages go beside the others, as the API wants them, wherever they stand in the prompt.
    Retries, timeouts and errors are those of the client. Nothing is sent before the first call,
    and whoever asks the model records the call, as for every model.

    Args:
        model: Name of the model.
        client: An `anthropic.AsyncAnthropic` with settings of your own; made when not given.
        base_url: Where the server is, for one that is not Anthropic's; it then needs no key.
        api_key: The key; the client reads `ANTHROPIC_API_KEY` when not given.
        max_tokens: Most output tokens of a call.
        **options: Parameters of every call, such as `stop_sequences` or `tool_choice`.

    Attributes:
        client: The client; close it with `await model.client.close()`.

    Raises:
        MissingExtraError: The `anthropic` package is not installed.
        TypeError: The client is synchronous, or an option is one that the model sets itself.

    Example:
        >>> AnthropicModel("claude", base_url="http://localhost:8080", max_tokens=500)
        AnthropicModel('claude')
    """

    def __init__(
        self,
        model: str,
        *,
        client: Any = None,
        base_url: str | None = None,
        api_key: str | None = None,
        max_tokens: int = MOST_TOKENS,
        **options: Any,
    ) -> None:
        require_options(options, _OWN, "AnthropicModel")
        if client is None:
            key = key_for(base_url, api_key, _KEYS)
            client = required("anthropic").AsyncAnthropic(base_url=base_url, api_key=key)
        elif base_url is not None or api_key is not None:
            raise TypeError("AnthropicModel takes a client, or base_url and api_key to make one.")
        require_async(client, "anthropic", "Anthropic")
        self.model = model
        self.client = client
        self._options = {"max_tokens": max_tokens, **options}

    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Complete the prompt, or ask for calls of the offered tools.

        Raises:
            PromptError: The prompt is neither a text nor chat messages.
            ReplyError: The server's reply holds no message, or a call without an object.
            anthropic.AnthropicError: What the client raises.
        """
        request, names = self._request(prompt, tools)
        with own_call():
            reply = await self.client.messages.create(**request)
        return completion_of_message(as_data(reply), names)

    async def stream(
        self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()
    ) -> AsyncIterator[Chunk]:
        """Give the completion as it arrives; the last chunk holds tool calls and usage.

        Raises:
            PromptError: The prompt is neither a text nor chat messages.
            ReplyError: A call's input is no object.
            anthropic.AnthropicError: What the client raises.
        """
        request, names = self._request(prompt, tools)
        joined = JoinedMessage()
        with own_call():
            events = await self.client.messages.create(**request, stream=True)
        try:
            async for event in events:
                data = as_data(event)
                joined.add(data)
                if text := _text_of(data):
                    yield Chunk(text=text)
        finally:
            await events.close()
        message = joined.message() or {"content": []}
        whole = completion_of_message({**message, "usage": joined.usage}, names)
        yield Chunk(tool_calls=whole.tool_calls, usage=whole.usage)

    def _request(
        self, prompt: Prompt, tools: Sequence[ToolSpec]
    ) -> tuple[dict[str, Any], ToolNames]:
        messages, offered = as_messages(prompt), tuple(tools)
        names = names_of(messages, offered)
        request = {
            "model": self.model,
            "messages": anthropic_messages(messages, names),
            **self._options,
        }
        if system := system_of(messages):
            request["system"] = system
        if offered:
            request["tools"] = anthropic_tools(offered, names)
        return request, names

    def __repr__(self) -> str:
        return f"AnthropicModel({self.model!r})"


def _text_of(event: Any) -> str:
    """The text that an event brings: of a delta, or with which a block starts."""
    told = mapping(event)
    for key in ("delta", "content_block"):
        piece = mapping(told.get(key))
        if piece.get("type") in ("text_delta", "text") and isinstance(piece.get("text"), str):
            text: str = piece["text"]
            return text
    return ""
