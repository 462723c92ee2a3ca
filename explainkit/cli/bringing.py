"""`explainkit import`: the runs of another tool as explainkit files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explainkit.cli.arguments import RunChoice, RunFile
from explainkit.cli.opening import damaged, gaps, opened
from explainkit.cli.printing import one_line, put, tell
from explainkit.errors import ManyRunsError, WriteError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from explainkit.session import Run


def bring(
    path: RunFile,
    to: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="A file, best ending in .ek.jsonl; for many runs a folder.",
            show_default=False,
        ),
    ],
    run: RunChoice = None,
) -> int:
    """Write foreign runs as explainkit files.

    One run, or without --run all that a file holds; prints where each was written.
    """
    try:
        found = opened(path, run)
    except ManyRunsError as error:
        if not error.ids:
            raise
        return _bring_all(path, to, error.count)
    target = to / _file_name(found.id) if to.is_dir() else to
    put(one_line(str(found.save(target)), 4_096))
    if found.report is not None:
        tell(str(found.report))
    return int(damaged(found))


def _bring_all(path: Path, folder: Path, count: int) -> int:
    from explainkit.session import load_all

    if folder.exists() and not folder.is_dir():
        raise WriteError(f"{path.name} holds {count:,} runs, but {folder} is no folder. Name one.")
    written: set[str] = set()
    for run in _with_progress(load_all(path), count):
        name = _file_name(run.id)
        if name in written:
            raise WriteError(f"Two runs of {path.name} would be written to {name}. Use --run.")
        written.add(name)
        put(one_line(str(run.save(folder / name)), 4_096))
        gaps(run.report)
    tell(f"{len(written):,} runs written to {folder}")
    return 0


def _with_progress(runs: "Iterator[Run]", count: int) -> "Iterator[Run]":
    """The same runs, with a bar on stderr where a person sees it and not the names of the files."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from runs
        return
    from rich.console import Console
    from rich.progress import Progress

    # Left alone, rich would send what goes to stdout to the console of the bar.
    with Progress(
        console=Console(stderr=True), refresh_per_second=5, redirect_stdout=False
    ) as progress:
        yield from progress.track(runs, total=count, description="importing")


def _file_name(run: str) -> str:
    from explainkit.safety.paths import safe_name

    return f"{safe_name(run)}.ek.jsonl"
