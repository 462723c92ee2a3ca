"""Hands over the chunks of a run as they come, with the same records as a run that is awaited."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from explainkit.flow.models import Chunk
from explainkit.flow.outcomes import Cancelled, Failed, Outcome, answer_of
from explainkit.safety.described import repr_of


class Streamed:
    """A run that is iterated over once; made by `agent.stream(...)` and `chat.stream(...)`.

    It begins when the first chunk is asked for. Who stops early cancels what still goes on; a run
    that had ended by then, because its model had sent everything, stands as it ended. `aclose`
    waits until it is over; `contextlib.aclosing` calls it.

    Attributes:
        outcome: How it ended; None before it begins and while it runs.

    Example:
        >>> from explainkit.flow.agents import Agent
        >>> from explainkit.flow.models import ScriptedModel
        >>> async def first(stream):
        ...     async for chunk in stream:
        ...         break
        ...     await stream.aclose()
        ...     return chunk.text
        >>> said = Agent(ScriptedModel(["90 euros."])).stream("How much?")
        >>> said
        Streamed(not begun)
        >>> asyncio.run(first(said)), said.outcome
        ('90 ', Answered(value='90 euros.'))
    """

    def __init__(self, begin: Callable[[Callable[[Chunk], None]], Awaitable[Outcome[Any]]]) -> None:
        """Keep what begins it."""
        self._begin = begin
        self._taken = False
        self._task: asyncio.Task[None] | None = None
        self._chunks: asyncio.Queue[Chunk | None] = asyncio.Queue()
        self.outcome: Outcome[Any] | None = None

    def __aiter__(self) -> AsyncIterator[Chunk]:
        """The chunks.

        Raises:
            RuntimeError: They were asked for before, or it was closed.
            Exception: What the run ended with instead of an answer, as `run` raises it.
        """
        if self._taken:
            raise RuntimeError(
                "The chunks of this run were asked for before, or it was closed. Keep them in a "
                "list, or begin another run with stream(...)."
            )
        self._taken = True
        return self._read()

    async def aclose(self) -> None:
        """Cancel the run, unless it has ended, and wait until it is over; `outcome` says how."""
        self._taken = True
        task = self._task
        if task is not None and not task.done():
            task.cancel()
            await asyncio.wait({task})
        if self.outcome is None:  # it was stopped before it could begin
            self.outcome = Cancelled()

    async def _read(self) -> AsyncIterator[Chunk]:
        if self.outcome is None:
            self._task = asyncio.ensure_future(self._run())
            try:
                while (chunk := await self._chunks.get()) is not None:
                    yield chunk
                await self._task
            finally:
                await self.aclose()
        assert self.outcome is not None
        answer_of(self.outcome)

    async def _run(self) -> None:
        try:
            self.outcome = await self._begin(self._chunks.put_nowait)
        except Exception as error:  # noqa: BLE001 - an outcome holds what was raised
            self.outcome = Failed(error)
        except BaseException:  # a cancellation, an interrupt or an exit goes on as it is
            self.outcome = Cancelled()
            raise
        finally:
            self._chunks.put_nowait(None)

    def __repr__(self) -> str:
        if self.outcome is not None:
            return f"Streamed({repr_of(self.outcome, limit=80).text})"
        return "Streamed(not begun)" if self._task is None else "Streamed(it runs)"
