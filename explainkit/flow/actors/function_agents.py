"""An Agent that is a coroutine function, for rules, tests and clients of one's own."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from explainkit.flow.actors.protocols import Turn


class FunctionAgent:
    """Calls a coroutine function with the Turn. Made by `agent(fn)`."""

    kind: Literal["agent"] = "agent"

    def __init__(self, function: Callable[[Turn], Awaitable[Any]]) -> None:
        """Keep the function."""
        self.function = function

    async def work(self, turn: Turn) -> Any:
        """Take a Turn; what the function gives is its output."""
        return await self.function(turn)

    def __repr__(self) -> str:
        name = getattr(self.function, "__qualname__", type(self.function).__name__)
        return f"agent({name})"
