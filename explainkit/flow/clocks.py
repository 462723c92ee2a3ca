"""Time as something that is passed in, so that a test can say what time it is."""

import asyncio
import heapq
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> int:
        """Nanoseconds since the epoch."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The time of the machine that this runs on."""

    def now(self) -> int:
        """Nanoseconds since the epoch."""
        return time.time_ns()

    async def sleep(self, seconds: float) -> None:
        """Wait, leaving the event loop free."""
        await asyncio.sleep(seconds)


class ManualClock:
    """Time that passes only when it is told to.

    Args:
        start: Nanoseconds since the epoch at the beginning.

    Example:
        >>> clock = ManualClock(start=1_000)
        >>> clock.now()
        1000
    """

    def __init__(self, *, start: int = 0) -> None:
        self._now = start
        self._count = 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    def now(self) -> int:
        """Nanoseconds since the epoch."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has reached the moment."""
        self._count += 1
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._now + round(seconds * 1e9), self._count, woken))
        await woken

    async def advance(self, seconds: float) -> None:
        """Let time pass, and everything that is due meanwhile happen in its order."""
        until = self._now + round(seconds * 1e9)
        await settled()
        while self._waiting and self._waiting[0][0] <= until:
            moment, _, woken = heapq.heappop(self._waiting)
            if not woken.done():  # a cancelled wait is no moment
                self._now = moment
                woken.set_result(None)
                await settled()
        self._now = until


async def settled() -> None:
    """Let the tasks of this loop run until only what waits from outside is left."""
    for _ in range(50):
        await asyncio.sleep(0)
