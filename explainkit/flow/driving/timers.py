"""Timers of the states that are active: they start, die with their state, or come due."""

import asyncio
from collections.abc import Callable, Mapping

from explainkit.flow.clocks import Clock
from explainkit.flow.statecharts import StartTimer, Steps


class Timers:
    """The timers of one machine.

    Args:
        clock: Waits.
        due: Called with the event of a timer that came due.
    """

    def __init__(self, clock: Clock, due: Callable[[str], None]) -> None:
        self._clock = clock
        self._due = due
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def follow(self, steps: Steps) -> None:
        """Start and stop what a step says, in its order."""
        for event, delay in changes(steps).items():
            self._cancel(event)
            if delay is not None:
                self.start(event, delay / 1000)

    def start(self, event: str, seconds: float) -> None:
        """Start one."""
        self._tasks[event] = asyncio.get_running_loop().create_task(self._wait(event, seconds))

    def stop(self) -> None:
        """Stop all."""
        for event in list(self._tasks):
            self._cancel(event)

    def __len__(self) -> int:
        return len(self._tasks)

    def _cancel(self, event: str) -> None:
        task = self._tasks.pop(event, None)
        if task is not None:
            task.cancel()

    async def _wait(self, event: str, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._tasks.pop(event, None)
        self._due(event)


def changes(steps: Steps) -> Mapping[str, int | None]:
    """What becomes of each timer: its delay in milliseconds, or None when it stops."""
    found: dict[str, int | None] = {}
    for change in steps.timers:
        found.pop(change.event, None)
        found[change.event] = change.delay if isinstance(change, StartTimer) else None
    return found
