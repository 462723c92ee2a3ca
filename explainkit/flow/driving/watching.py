"""Waiting for a machine to change in any way."""

import asyncio


class Watchers:
    """Everybody who waits for the next change."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    async def change(self) -> None:
        """Wait for it."""
        change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(change)
        await change

    def tell(self) -> None:
        """It has come."""
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            if not change.done():
                change.set_result(None)
