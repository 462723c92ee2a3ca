"""Tells how far a page is while it is written, when that takes longer than a moment."""

import sys
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias

Progress: TypeAlias = Callable[[int, int], Any] | None
_MOMENT: Final = 1.0
"""Seconds after which a person wants to know."""


class PageProgress:
    """What is told of a page: a function that was given, or else a bar where a terminal is.

    A function that raises is told nothing more, because a bar is no reason to lose a page.

    Args:
        progress: Takes how many parts are done, and of how many.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._own = progress is None and _in_terminal()
        self._began = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Tell it."""
        if self._own and self._progress is None and time.monotonic() - self._began >= _MOMENT:
            from explainkit.answering.progress_bars import text_bar

            self._progress = text_bar(label="page")
        if self._progress is None:
            return
        try:
            self._progress(done, total)
        except Exception:  # noqa: BLE001 - as the class says
            self._progress, self._own = None, False


def _in_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # no standard error, or a closed one
        return False
