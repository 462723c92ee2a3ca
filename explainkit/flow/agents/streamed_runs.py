"""Hands over the chunks of a run as they come, with the same records as a run that is awaited."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from explainkit.flow.models import Chunk
from explainkit.flow.outcomes import Outcome, answer_of


class Streamed:
    """A run that is iterated over; made by `agent.stream(...)` and `chat.stream(...)`.

    It begins when the first chunk is asked for. Who stops early cancels it.

    Attributes:
        outcome: How it ended; None while it runs.
    """

    def __init__(self, begin: Callable[[Callable[[Chunk], None]], Awaitable[Outcome[Any]]]) -> None:
        """Keep what begins it."""
        self._begin = begin
        self.outcome: Outcome[Any] | None = None

    async def __aiter__(self) -> AsyncIterator[Chunk]:
        """The chunks.

        Raises:
            Exception: What the run ended with instead of an answer, as `run` raises it.
        """
        chunks: asyncio.Queue[Chunk | None] = asyncio.Queue()

        async def run() -> Outcome[Any]:
            try:
                return await self._begin(chunks.put_nowait)
            finally:
                chunks.put_nowait(None)

        task = asyncio.ensure_future(run())
        try:
            while (chunk := await chunks.get()) is not None:
                yield chunk
            self.outcome = await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
        answer_of(self.outcome)
