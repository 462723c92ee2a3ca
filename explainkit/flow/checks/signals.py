"""A cancellation that is asked for, not forced: seen by whoever looks, awaited by whoever waits."""

import asyncio


class Signal:
    """Says once that a run is to stop.

    Example:
        >>> signal = Signal()
        >>> signal.cancel()
        >>> signal.cancelled
        True
    """

    def __init__(self) -> None:
        self._cancelled = False
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def cancelled(self) -> bool:
        """Whether it was said."""
        return self._cancelled

    def cancel(self) -> None:
        """Say it; safe from any thread."""
        self._cancelled = True
        for future in list(self._waiting):
            future.get_loop().call_soon_threadsafe(_wake, future)

    def raise_if_cancelled(self) -> None:
        """Stop here if it was said.

        Raises:
            asyncio.CancelledError: It was.
        """
        if self._cancelled:
            raise asyncio.CancelledError

    async def wait(self) -> None:
        """Wait until it is said."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            if not self._cancelled:
                await future
        finally:
            self._waiting.discard(future)


def _wake(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
