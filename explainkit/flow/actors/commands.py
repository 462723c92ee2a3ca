"""The effect that runs a program, because much of the world answers only to programs."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from explainkit.errors import ChartError
from explainkit.flow.actors.outcomes import NotRun, Outcome, outcome_of
from explainkit.flow.actors.processes import run_process
from explainkit.flow.actors.protocols import Stage
from explainkit.safety import shorten

Words: TypeAlias = Sequence[str | os.PathLike[str]]


@dataclass(frozen=True, slots=True)
class Command:
    """An effect that runs a program; see `command`.

    Attributes:
        argv: The program and its arguments, or a function of the input that gives them.
        cwd: The folder that it works in, below that of the run when relative.
        env: Variables that are set beside those of this process.
        timeout: Seconds until it is ended.
        tail: Characters of its output that are kept.
        stdin: What it can read.
        kind: Always `effect`.
    """

    argv: Words | Callable[[Any], Words]
    cwd: Path | None = None
    env: Mapping[str, str] | None = None
    timeout: float | None = None
    tail: int = 8_000
    stdin: str | bytes | None = None
    kind: Literal["effect"] = field(default="effect", init=False, repr=False)

    async def work(self, stage: Stage) -> Outcome:
        """Run it; a cancellation ends it and everything in its process group."""
        given = self.argv(stage.input) if callable(self.argv) else self.argv
        argv = _words(given)
        if isinstance(argv, str):
            return NotRun(argv)
        return await run_process(
            argv,
            clock=stage.clock,
            cwd=_folder(stage.folder, self.cwd),
            env=None if self.env is None else {**os.environ, **self.env},
            stdin=self.stdin,
            timeout=self.timeout,
            tail=self.tail,
        )

    def stored(self, output: Outcome) -> dict[str, Any]:
        """The outcome as plain JSON data."""
        return output.to_json()

    def restored(self, data: Any) -> Outcome:
        """The outcome again.

        Raises:
            ValueError: The data are no outcome.
        """
        return outcome_of(data)


def command(
    argv: Words | Callable[[Any], Words],
    *,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
    tail: int = 8_000,
    stdin: str | bytes | None = None,
) -> Command:
    r"""An effect that runs a program without a shell.

    Its output is `Exited(code, tail)`, `TimedOut(tail)` or `NotRun(reason)`: what becomes of a
    program is no error, so a chart asks `outcome`. The program runs in a process group of its own.
    On a timeout and on a cancellation the whole group is asked to end and then killed; what it
    left running when it ended by itself, or moved to a session of its own, is left alone (ours).

    Args:
        argv: The program and its arguments, or a function of the actor's input that gives them;
            an exception of that function is a fault of the code and takes the error route.
        cwd: The folder that it works in. The run's folder when not given, and relative to that;
            outside of a workspace the current folder.
        env: Variables that are set beside those of this process.
        timeout: Seconds until it is ended, measured by the clock of the run; None for no limit.
        tail: How many characters of the end of its output, errors included, are kept. A first
            line tells how many bytes were left out.
        stdin: What it can read; nothing when None. It has no terminal.

    Raises:
        ChartError: An argument has the wrong type.

    Example:
        >>> import asyncio
        >>> from explainkit.flow.actors.protocols import Stage
        >>> from explainkit.flow.clocks import SystemClock
        >>> tests = command(["sh", "-c", "echo 1 failed; exit 1"])
        >>> asyncio.run(tests.work(Stage("tests", None, SystemClock())))
        Exited(code=1, tail='1 failed\n')
    """
    if not callable(argv):
        words = _words(argv)
        if isinstance(words, str):
            raise ChartError(f"command({shorten(repr(argv), 120)}): {words}")
        argv = tuple(words)
    problem = _problem(env, timeout, tail, stdin)
    if problem:
        raise ChartError(f"command({shorten(repr(argv), 120)}): {problem}")
    folder = None if cwd is None else Path(cwd)
    return Command(argv, folder, None if env is None else dict(env), timeout, tail, stdin)


def _words(argv: Any) -> list[str] | str:
    """The program and its arguments as texts, or what is wrong with them."""
    if isinstance(argv, str | bytes) or not isinstance(argv, Sequence) or not argv:
        return (
            f"{shorten(repr(argv), 80)} is no list of a program and its arguments. There is no "
            'shell: write ["pytest", "-q"], not "pytest -q".'
        )
    for word in argv:
        if not isinstance(word, str | os.PathLike):
            return f"the argument {shorten(repr(word), 80)} is no text. Use str() on it."
    return [os.fspath(word) for word in argv]


def _folder(folder: Path | None, cwd: Path | None) -> Path | None:
    return folder / cwd if folder is not None and cwd is not None else cwd or folder


def _problem(env: Any, timeout: Any, tail: Any, stdin: Any) -> str:
    if env is not None and not (
        isinstance(env, Mapping) and all(isinstance(text, str) for text in (*env, *env.values()))
    ):
        return f"env is a mapping of texts to texts, not {shorten(repr(env), 80)}."
    if timeout is not None and not (_is_number(timeout, int | float) and 0 < timeout < 1e9):
        return f"timeout is a number of seconds above 0, or None, not {shorten(repr(timeout), 80)}."
    if not (_is_number(tail, int) and tail > 0):
        return f"tail is a number of characters above 0, not {shorten(repr(tail), 80)}."
    if not isinstance(stdin, str | bytes | None):
        return f"stdin is a text, bytes or None, not {shorten(repr(stdin), 80)}."
    return ""


def _is_number(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
