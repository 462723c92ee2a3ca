"""Start a process in a session of its own, or say in words why that cannot be done."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from explainkit.flow.actors.outcomes import NotRun
from explainkit.safety import shorten


def started(
    argv: Sequence[str],
    *,
    cwd: Path | None,
    env: Mapping[str, str] | None,
    stdin: str | bytes | None,
) -> "subprocess.Popen[bytes] | NotRun":
    """Start a process whose two outputs are one pipe, without a shell.

    Args:
        argv: The program and its arguments.
        cwd: The folder that it works in; None for the current one.
        env: Its whole environment; None for this process's own.
        stdin: What it can read; nothing when None.

    Returns:
        The process, which leads a process group of its own and cannot ask a terminal; or why
        there is none.
    """
    if reason := _unfit():
        return NotRun(reason)
    try:
        if cwd is not None and not cwd.is_dir():
            return NotRun(f"There is no folder {_shown(cwd)} to work in. Create it, or pass cwd=.")
        with _readable(stdin) as source:
            # An argument is data here: there is no shell that could read it as code.
            return subprocess.Popen(  # noqa: S603
                argv,
                cwd=cwd,
                env=env,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
            )
    except (OSError, ValueError) as error:
        return NotRun(_reason(argv[0], cwd, error))


def _unfit() -> str:
    if os.name != "posix":
        return "Commands need the process groups of a POSIX system. Use Linux, macOS or WSL."
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        return (
            "This process ignores SIGCHLD, so no exit code can be known. "
            "Set it back with signal.signal(signal.SIGCHLD, signal.SIG_DFL)."
        )
    return ""


@contextmanager
def _readable(stdin: str | bytes | None) -> Iterator[IO[bytes] | int]:
    if stdin is None:
        yield subprocess.DEVNULL
        return
    with tempfile.TemporaryFile() as source:  # a pipe would have to be filled while it runs
        source.write(stdin.encode() if isinstance(stdin, str) else stdin)
        source.seek(0)
        yield source


def _reason(program: str, cwd: Path | None, error: OSError | ValueError) -> str:
    named = _shown(program)
    if isinstance(error, ValueError):
        return (
            f"{named} was not started, its arguments, its environment or its input cannot be "
            f"passed on: {shorten(str(error), 120)}. Leave NUL characters and broken text out."
        )
    if cwd is not None and error.filename == str(cwd):
        return f"The folder {_shown(cwd)} cannot be worked in: {error.strerror}. Pass another cwd=."
    match error:
        case FileNotFoundError():
            return (
                f"{named} was not found, or what its first line names was not. "
                "Install it, or give its whole path."
            )
        case PermissionError():
            return f"{named} may not be run: {error.strerror}. Make it executable (chmod +x)."
        case _:
            return f"{named} could not be started: {error.strerror or error}."


def _shown(what: object) -> str:
    return shorten(repr(str(what)), 160)
