"""Starts the command and leaves the streams in order, whoever reads them."""

import contextlib
import io
import sys

from explainkit.cli.application import app
from explainkit.cli.printing import give_up_stdout


def main() -> None:
    """Run ``explainkit`` with the arguments of the process.

    Raises:
        SystemExit: Always: 0 when all went well, 1 when something is wrong with what was asked,
            2 when it was asked in a wrong way.
    """
    _prepare_streams()
    try:
        app(prog_name="explainkit")
    finally:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            give_up_stdout()


def _prepare_streams() -> None:
    """UTF-8 for pipes and files whatever the locale; nothing that a terminal lacks may raise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(encoding=encoding, errors="backslashreplace")
