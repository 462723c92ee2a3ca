"""Where a run in memory keeps its lines, byte for byte what a file would hold."""

from hashlib import sha256

from explainkit.errors import WriteError
from explainkit.store.wire import (
    CHECK_EVERY,
    check_line,
    end_line,
    header_line,
    records_after,
    split_lines,
)


class MemorySink:
    r"""Keeps the lines of one run in memory.

    Attributes:
        run: The run's id.
        name: What the author called the run.
        head: SHA-256 over everything before the end line; None until the run is closed.

    Example:
        >>> sink = MemorySink(run="r1", name="claim")
        >>> sink.write(b'{"kind":"note","seq":0,"at":null,"text":"look"}\n')
        >>> sink.close(1, "answered")
        >>> len(sink.lines())
        3
    """

    def __init__(self, *, run: str, name: str) -> None:
        self.run = run
        self.name = name
        self.head: str | None = None
        self._blocks: list[bytes] = []
        self._hash = sha256()
        self._hashed = 0
        self._handed: bytes | None = None
        self._since_check = 0
        self._put(header_line(run, name))

    def write(self, lines: bytes) -> None:
        """Keep one or more complete lines, each ending in a newline.

        Raises:
            WriteError: The run is closed.
        """
        if self.head is not None:
            raise WriteError(f"Run {self.run!r} is closed; add a note or a verdict instead.")
        if lines is self._handed:
            return  # handed over again after an interrupt
        self._put(lines)
        if self._since_check >= CHECK_EVERY:
            check = [check_line(records_after(lines), self._digest())]
            self._blocks += check
            self._since_check = 0

    def close(self, records: int, status: str) -> None:
        """Write the end line; a second call does nothing.

        Args:
            records: Number of records that were written.
            status: How the run ended.
        """
        if self.head is not None:
            return
        head = self._digest()
        block = [end_line(records, status, head)]
        self._blocks += block
        self.head = head

    def lines(self) -> list[bytes]:
        """Every line so far, the header first, each with its newline."""
        # One step over the list, because another thread may be appending to it.
        return split_lines(b"".join(self._blocks))

    def written_after(self, place: int) -> tuple[bytes, int]:
        """What was written after a place, 0 for the beginning, and the place where it ends."""
        blocks = self._blocks[place:]
        return b"".join(blocks), place + len(blocks)

    def _put(self, lines: bytes) -> None:
        block = [lines]
        self._since_check += len(lines)
        # Nothing is called in between, so that no interrupt parts the two.
        self._blocks += block
        self._handed = lines

    def _digest(self) -> str:
        """SHA-256 over all blocks; only those since the last time are hashed."""
        while self._hashed < len(self._blocks):
            hashing = self._hash.copy()
            hashing.update(self._blocks[self._hashed])
            self._hash, self._hashed = hashing, self._hashed + 1
        return self._hash.hexdigest()
