"""A model that says what it was told to say, because tests and demos need a known reply."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from explainkit.errors import ScriptExhaustedError
from explainkit.flow.models.embedded import EmbeddedModel, as_completion
from explainkit.flow.models.vocabulary import Completion, Prompt, ToolCall, ToolSpec

Scripted: TypeAlias = (
    str | ToolCall | Sequence[ToolCall] | Completion | BaseException | type[BaseException]
)


class ScriptedModel(EmbeddedModel):
    """Gives its replies one after the other, whatever it is asked.

    Args:
        replies: Texts, tool calls (one or a list for one reply), completions, or exceptions,
            which are raised.

    Example:
        >>> model = ScriptedModel(["Blue.", TimeoutError("no reply in 30 s")])
        >>> model("What colour is the sky?")
        'Blue.'
        >>> model.remaining
        1
    """

    def __init__(self, replies: Iterable[Scripted]) -> None:
        self._replies: tuple[Scripted, ...] = (
            (replies,) if isinstance(replies, str) else tuple(replies)
        )
        self._next = 0

    @property
    def remaining(self) -> int:
        """How many replies were not given yet."""
        return len(self._replies) - self._next

    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Give the next reply, or raise it if it is an exception.

        Raises:
            ScriptExhaustedError: Every reply was given.
            ReplyError: The reply is of no kind that a model can give.
        """
        del tools  # a script does not depend on what is offered
        if not self.remaining:
            raise ScriptExhaustedError(
                f"The script of {len(self._replies)} replies is used up. "
                "Give ScriptedModel one reply for each call."
            )
        reply = self._replies[self._next]
        self._next += 1
        if isinstance(reply, BaseException) or (
            isinstance(reply, type) and issubclass(reply, BaseException)
        ):
            raise reply
        return as_completion(reply, prompt)

    def __repr__(self) -> str:
        return f"ScriptedModel({len(self._replies)} replies, {self.remaining} left)"
