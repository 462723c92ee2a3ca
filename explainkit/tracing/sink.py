"""Where recorded lines go, as a protocol, so that tracing never knows about files."""

from typing import Protocol


class Sink(Protocol):
    """Takes complete lines of one run, in order."""

    def write(self, lines: bytes) -> None:
        """Keep one or more complete lines, each ending in a newline.

        Called under the run's lock. What was handed over survives a kill once this returns. After
        an interrupt the very same object is handed over again, and must be kept once.
        """

    def close(self, records: int, status: str) -> None:
        """Write the end line; nothing follows it."""
