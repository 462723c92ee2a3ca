"""Models behind OpenAI's chat completions: the provider's own, and every server that speaks it."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from explainkit.flow.models.client_data import as_data, mapping
from explainkit.flow.models.extras import key_for, require_async, require_options, required
from explainkit.flow.models.openai_chunks import JoinedChat
from explainkit.flow.models.openai_wire import (
    calls_of_chat,
    chat_messages,
    chat_tools,
    completion_of_chat,
    text_of_chat,
    usage_of_chat,
)
from explainkit.flow.models.own_calls import own_call
from explainkit.flow.models.prompts import as_messages
from explainkit.flow.models.tool_names import ToolNames
from explainkit.flow.models.vocabulary import Chunk, Completion, Prompt, ToolSpec
from explainkit.flow.models.wire_replies import names_of

_OWN = ("messages", "tools", "stream")
_KEYS = ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY")


class OpenAIModel:
    """Asks a server that speaks OpenAI's chat completions, with the `openai` package.

    Retries, timeouts and errors are those of the client. Nothing is sent before the first call,
    and whoever asks the model records the call, as for every model.

    Args:
        model: Name of the model.
        client: An `openai.AsyncOpenAI` with settings of your own; one is made when not given.
        base_url: Where the server is, for one that is not OpenAI's; it then needs no key.
        api_key: The key; the client reads `OPENAI_API_KEY` when not given.
        **options: Parameters of every call, such as `temperature` or `max_completion_tokens`.

    Attributes:
        client: The client; close it with `await model.client.close()`.

    Raises:
        MissingExtraError: The `openai` package is not installed.
        TypeError: The client is synchronous, or an option is one that the model sets itself.

    Example:
        >>> model = OpenAIModel("llama3", base_url="http://localhost:11434/v1", temperature=0)
        >>> model
        OpenAIModel('llama3')
    """

    def __init__(
        self,
        model: str,
        *,
        client: Any = None,
        base_url: str | None = None,
        api_key: str | None = None,
        **options: Any,
    ) -> None:
        require_options(options, _OWN, "OpenAIModel")
        if client is None:
            key = key_for(base_url, api_key, _KEYS)
            client = required("openai").AsyncOpenAI(base_url=base_url, api_key=key)
        elif base_url is not None or api_key is not None:
            raise TypeError("OpenAIModel takes a client, or base_url and api_key to make one.")
        require_async(client, "openai", "OpenAI")
        self.model = model
        self.client = client
        self._options = options

    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Complete the prompt, or ask for calls of the offered tools.

        Raises:
            PromptError: The prompt is neither a text nor chat messages.
            ReplyError: The server's reply holds no message, or a call without a JSON object.
            openai.OpenAIError: What the client raises.
        """
        request, names = self._request(prompt, tools)
        with own_call():
            reply = await self.client.chat.completions.create(**request)
        return completion_of_chat(as_data(reply), names)

    async def stream(
        self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()
    ) -> AsyncIterator[Chunk]:
        """Give the completion as it arrives; the last chunk holds tool calls and usage.

        Raises:
            PromptError: The prompt is neither a text nor chat messages.
            ReplyError: A call's arguments are no JSON object.
            openai.OpenAIError: What the client raises.
        """
        request, names = self._request(prompt, tools)
        request = {"stream_options": {"include_usage": True}, **request, "stream": True}
        joined = JoinedChat()
        with own_call():
            pieces = await self.client.chat.completions.create(**request)
        try:
            async for piece in pieces:
                data = as_data(piece)
                joined.add(data)
                if text := _text_of(data):
                    yield Chunk(text=text)
        finally:
            await pieces.close()
        messages = joined.messages()
        calls = calls_of_chat(messages[0], names) if messages else ()
        yield Chunk(tool_calls=calls, usage=usage_of_chat(joined.usage))

    def _request(
        self, prompt: Prompt, tools: Sequence[ToolSpec]
    ) -> tuple[dict[str, Any], ToolNames]:
        messages, offered = as_messages(prompt), tuple(tools)
        names = names_of(messages, offered)
        request = {
            "model": self.model,
            "messages": chat_messages(messages, names),
            **self._options,
        }
        if offered:
            request["tools"] = chat_tools(offered, names)
        return request, names

    def __repr__(self) -> str:
        return f"OpenAIModel({self.model!r})"


def _text_of(chunk: Any) -> str:
    """The text of a chunk's first choice."""
    for choice in mapping(chunk).get("choices") or ():
        told = mapping(choice)
        if told.get("index", 0) == 0:
            return text_of_chat(mapping(told.get("delta")))
    return ""
