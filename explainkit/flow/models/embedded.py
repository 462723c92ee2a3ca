"""The shared half of the offline models: one reply, given whole, at once, as text or in chunks."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from typing import Any

from explainkit.errors import ModelWaitsError, NoTextError, ReplyError
from explainkit.flow.models.prompts import prompt_text
from explainkit.flow.models.vocabulary import (
    Chunk,
    Completion,
    Prompt,
    ToolCall,
    ToolSpec,
    Usage,
)

_WORD = re.compile(r"\S+\s*|\s+")


class EmbeddedModel(ABC):
    """A model that runs in this process and never truly waits.

    So its answer is there at once, also in a notebook cell, where an event loop already runs:
    `model(prompt)` gives the text and `model.complete_sync(prompt)` the whole completion.

    Attributes:
        deterministic: The same prompt always gets the same completion.
    """

    deterministic: bool = False

    @abstractmethod
    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Complete the prompt, or ask for calls of the offered tools."""

    def complete_sync(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Complete without `await`, inside a running event loop as well.

        Raises:
            ModelWaitsError: The model wraps a function that really waits.
        """
        return _without_waiting(self.complete(prompt, tools=tools))

    def __call__(self, prompt: Prompt) -> str:
        """Give the text of the completion.

        Raises:
            NoTextError: The model called a tool instead.
            ModelWaitsError: The model wraps a function that really waits.
        """
        completion = self.complete_sync(prompt)
        if completion.text is None:
            names = ", ".join(call.name for call in completion.tool_calls) or "nothing"
            raise NoTextError(
                f"The model gave no text but called {names[:80]}. "
                "Use complete(prompt, tools=...) and read its tool_calls."
            )
        return completion.text

    async def stream(
        self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()
    ) -> AsyncIterator[Chunk]:
        """Give the completion word by word; the last chunk holds tool calls and usage."""
        completion = await self.complete(prompt, tools=tools)
        for word in words_with_space(completion.text or ""):
            yield Chunk(text=word)
        yield Chunk(tool_calls=completion.tool_calls, usage=completion.usage)


def words_with_space(text: str) -> Iterator[str]:
    """Cut a text into words that keep the white space behind them; joined they are the text."""
    return (match[0] for match in _WORD.finditer(text))


def as_completion(reply: object, prompt: Prompt) -> Completion:
    """Make a completion of what a script or a function gave, with its usage counted in words.

    Raises:
        ReplyError: It is no text, tool call, sequence of tool calls or completion.
    """
    if isinstance(reply, Completion):
        return reply
    if isinstance(reply, str):
        return completion_of(prompt, text=reply)
    if isinstance(reply, ToolCall):
        return completion_of(prompt, tool_calls=(reply,))
    if isinstance(reply, list | tuple) and reply and all(isinstance(r, ToolCall) for r in reply):
        return completion_of(prompt, tool_calls=tuple(reply))
    raise ReplyError(
        f"A model cannot reply with {type(reply).__name__} {repr(reply)[:60]}. "
        "Give a str, a ToolCall, a list of ToolCall or a Completion."
    )


def completion_of(
    prompt: Prompt, *, text: str | None = None, tool_calls: tuple[ToolCall, ...] = ()
) -> Completion:
    """Build a completion whose usage counts words, since embedded models have no tokens."""
    called = sum(
        _count(call.name) + _count(json.dumps(dict(call.arguments), default=str))
        for call in tool_calls
    )
    usage = Usage(
        input_tokens=_count(prompt_text(prompt)), output_tokens=_count(text or "") + called
    )
    return Completion(text=text, tool_calls=tool_calls, usage=usage)


def _count(text: str) -> int:
    return len(text.split())


def _without_waiting(coroutine: Coroutine[Any, Any, Completion]) -> Completion:
    try:
        coroutine.send(None)
    except StopIteration as stop:
        completion: Completion = stop.value
        return completion
    coroutine.close()
    raise ModelWaitsError(
        "This model waits for something, so it cannot answer without `await`. "
        "Use `await model.complete(prompt)`."
    )
