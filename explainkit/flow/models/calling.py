"""A model made of a function, the shortest way to put one's own client or rule behind `Model`."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from explainkit.flow.models.embedded import EmbeddedModel, as_completion
from explainkit.flow.models.vocabulary import Completion, Prompt, ToolSpec


class CallableModel(EmbeddedModel):
    """Asks a function.

    Args:
        function: Sync or async; called with the prompt as it was passed, and with `tools=` if it
            has a parameter of that name. Gives a text, a tool call, a list of tool calls or a
            `Completion`.
        deterministic: It gives the same for the same prompt, so that a what-if may ask it once.

    Attributes:
        function: The function.

    Example:
        >>> shout = CallableModel(lambda prompt: prompt.upper())
        >>> shout("stop")
        'STOP'
    """

    def __init__(self, function: Callable[..., Any], *, deterministic: bool = False) -> None:
        self.function = function
        self.deterministic = deterministic
        self._takes_tools = _has_parameter(function, "tools")

    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Ask the function.

        Raises:
            ReplyError: The function gave something that is no reply.
        """
        reply = self.function(prompt, tools=tools) if self._takes_tools else self.function(prompt)
        if inspect.isawaitable(reply):
            reply = await reply
        return as_completion(reply, prompt)

    def __repr__(self) -> str:
        name = getattr(self.function, "__qualname__", type(self.function).__name__)
        return f"CallableModel({name})"


def function_of(model: Any) -> Callable[..., Any] | None:
    """The function that says what a model says, which a record can tell the code of.

    Args:
        model: A model of a function, or one of a class of one's own.
    """
    if isinstance(model, CallableModel):
        return model.function
    complete = getattr(model, "complete", None)
    return complete if callable(complete) else None


def _has_parameter(function: Callable[..., Any], name: str) -> bool:
    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):  # some builtins have no signature
        return False
