"""Every error becomes a message and an exit code: a person in a shell never sees a traceback."""

import errno
import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

from explainkit.cli.printing import give_up_stdout, tell
from explainkit.errors import ExplainkitError, SpanNotFoundError

P = ParamSpec("P")


def guarded(command: Callable[P, int]) -> Callable[P, None]:
    """Make a command of a function that returns an exit code.

    Args:
        command: Returns 0, or 1 when something was wrong; it may raise.

    Returns:
        A function with the same parameters that always ends in ``typer.Exit``.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except Exception as error:  # noqa: BLE001 - a traceback tells a person in a shell nothing
            code = _explained(error)
        raise typer.Exit(code)

    return run


def _explained(error: Exception) -> int:
    """Say what went wrong; returns the exit code."""
    if isinstance(error, BrokenPipeError):
        give_up_stdout()
        return 0
    if isinstance(error, ExplainkitError):
        tell(str(error))
        _offer_nearest(error)
        return 1
    if isinstance(error, OSError):
        tell(_system(error))
        return 1
    if isinstance(error, MemoryError):
        tell("There is not enough memory for this run.")
        return 1
    if os.environ.get("EXPLAINKIT_STRICT") == "1":
        raise error
    tell(
        f"This is a fault of explainkit ({type(error).__name__}: {str(error)[:200]}). "
        "Set EXPLAINKIT_STRICT=1 to see the traceback, and report it."
    )
    return 1


def _offer_nearest(error: ExplainkitError) -> None:
    if not isinstance(error, SpanNotFoundError):
        return
    missing = [phrase for phrase in error.nearest if phrase not in str(error)]
    if missing:
        tell("Nearest in the answer: " + "; ".join(repr(phrase) for phrase in missing))


def _system(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename is not None else ""
    advice = " Make room, or choose another place." if error.errno == errno.ENOSPC else ""
    return f"{where}{error.strerror or error}.{advice}"
