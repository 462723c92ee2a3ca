"""Where a run that is watched is shown: lines of text, or widgets of a notebook.

A screen is drawn from a thread of its own, because the kernel's main thread runs the cell.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, TextIO

from explainkit.flow.actors.gates import OpenGate
from explainkit.safety import visible
from explainkit.view.watching_lines import Watched, lines_of, short_line


class Screen(Protocol):
    """Shows a run that goes on."""

    def draw(self, run: Watched, gates: Sequence[OpenGate]) -> None:
        """Show the run as it is now."""

    def close(self, text: str, *, problem: str) -> None:
        """Show for the last time, as text that stays, with what went wrong if anything did."""


class TextScreen:
    """Writes a line whenever something has changed.

    Args:
        stream: Where to; standard error when not given.

    Example:
        >>> from io import StringIO
        >>> written = StringIO()
        >>> screen = TextScreen(written)
        >>> screen.draw(Watched("claim", records=2), ())
        >>> screen.draw(Watched("claim", seconds=0.2, records=2), ())
        >>> written.getvalue().splitlines()
        ['claim is running, 0:00: 0 links done, 0 open, 0 ended otherwise; 2 records']
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._told: Watched | None = None

    def draw(self, run: Watched, gates: Sequence[OpenGate]) -> None:
        """Write a line, unless nothing but the time has changed."""
        del gates  # a line cannot be filled in; their names stand in it
        told = replace(run, seconds=0.0)
        if told != self._told:
            self._told = told
            self._write(short_line(run))

    def close(self, text: str, *, problem: str) -> None:
        """Write what went wrong; the end was written when it was drawn."""
        del text
        if problem:
            self._write(visible(problem))

    def _write(self, line: str) -> None:
        stream = self._stream or sys.stderr
        stream.write(line + "\n")
        stream.flush()


def in_kernel() -> bool:
    """Whether a notebook's kernel runs this; nothing is imported to find out."""
    module: Any = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    return getattr(shell, "kernel", None) is not None


def screen_for(stream: TextIO | None, *, last: Watched) -> Screen:
    """Text where a stream is given, and outside of a notebook; else widgets.

    Args:
        stream: Where lines are written.
        last: What is shown first.
    """
    if stream is not None or not in_kernel():
        return TextScreen(stream)
    from explainkit.view.watching_widgets import WidgetScreen

    return WidgetScreen(last)


def final_text(run: Watched) -> str:
    """What stays when nothing is watched any more."""
    return "\n".join(lines_of(run))
