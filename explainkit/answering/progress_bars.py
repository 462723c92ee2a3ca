"""How far a long call is, told seldom enough to cost nothing, and never in its way."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, Final, TextIO, TypeAlias

from explainkit.flow.clocks import Clock

Progress: TypeAlias = Callable[[int, int], Any]

_BETWEEN: Final = 200_000_000
"""Nanoseconds between two reports: five a second."""
_WIDTH: Final = 30


def text_bar(stream: TextIO | None = None, *, label: str = "answering") -> Progress:
    r"""A bar of plain text that is drawn over itself, for terminals and notebooks.

    Args:
        stream: Where it is drawn; standard error when not given.
        label: What stands before it.

    Example:
        >>> from io import StringIO
        >>> drawn = StringIO()
        >>> bar = text_bar(drawn)
        >>> bar(1, 3), bar(3, 3)
        (None, None)
        >>> drawn.getvalue().split("\r")[1:]
        ['answering [##########....................] 1/3', 'answering [####...####] 3/3\n']
    """
    return _TextBar(stream, label)


class _TextBar:
    def __init__(self, stream: TextIO | None, label: str) -> None:
        self._stream = stream
        self._label = label
        self._open = False

    def __call__(self, done: int, total: int) -> None:
        filled = _WIDTH * done // total if total else _WIDTH
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._write(f"\r{self._label} [{bar}] {done:,}/{total:,}")
        self._open = True
        if done >= total:
            self.close()

    def close(self) -> None:
        """Leave the line, finished or not."""
        if self._open:
            self._open = False
            self._write("\n")

    def _write(self, text: str) -> None:
        stream = self._stream or sys.stderr
        stream.write(text)
        stream.flush()


class PacedProgress:
    """Tells how much is done, at most five times a second, and at the beginning and the end.

    One that raises is told nothing more; its error goes to the handler of the event loop.

    Args:
        progress: What is told; with none, a bar of text where standard error is a terminal.
        total: How much there is.
        clock: Tells the time.
    """

    def __init__(self, progress: Progress | None, total: int, clock: Clock) -> None:
        if progress is None and _in_terminal():
            progress = text_bar()
        self._progress = progress
        self._total = total
        self._clock = clock
        self._done = 0
        self._told: tuple[int, int] | None = None

    def begin(self) -> None:
        """Say that nothing is done yet."""
        self._tell()

    def add(self, count: int) -> None:
        """Count what was done, and tell it unless something was told just now."""
        self._done += count
        if self._told is None or self._clock.now() - self._told[1] >= _BETWEEN:
            self._tell()

    def end(self) -> None:
        """Tell what was done in the end."""
        if self._told is None or self._told[0] != self._done:
            self._tell()
        close = getattr(self._progress, "close", None)
        if callable(close):
            self._guarded(close)

    def _tell(self) -> None:
        self._told = (self._done, self._clock.now())
        if self._progress is not None:
            self._guarded(self._progress, self._done, self._total)

    def _guarded(self, call: Callable[..., Any], *arguments: int) -> None:
        try:
            call(*arguments)
        except Exception as error:  # noqa: BLE001 - a bar is no reason to lose answers
            self._progress = None
            asyncio.get_running_loop().call_exception_handler(
                {"message": "progress raised, and is told nothing more", "exception": error}
            )


def _in_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # no standard error, or a closed one
        return False
