"""What explainkit asks of a model, so that a client of any provider fits without a base class."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol, runtime_checkable

from explainkit.flow.models.vocabulary import Chunk, Completion, Prompt, ToolSpec


@runtime_checkable
class Model(Protocol):
    """Anything that completes a prompt."""

    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Complete the prompt, or ask for calls of the offered tools."""
        ...


@runtime_checkable
class StreamingModel(Model, Protocol):
    """A model that can also hand over its completion piece by piece."""

    def stream(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> AsyncIterator[Chunk]:
        """Give the completion in chunks; the joined texts equal the text of `complete`."""
        ...


@runtime_checkable
class PassedOver(Protocol):
    """A model whose replies have places, which a re-run passes over where it uses recorded ones."""

    def pass_over(self) -> None:
        """The reply that would be next is not asked for."""
        ...
