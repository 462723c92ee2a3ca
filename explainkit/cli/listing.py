"""`explainkit ls`: what a folder, or a file with many runs, holds."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from explainkit.cli.printing import one_line, put, tell

if TYPE_CHECKING:
    from explainkit.session import Run

AHEAD = 200
"""Rows that are looked at before the first is printed, to set the widths of the columns."""


class Row(NamedTuple):
    """One run, ready to print."""

    run: str
    name: str
    status: str
    started: str
    verdict: str
    question: str


HEADER = Row("RUN", "NAME", "STATUS", "STARTED", "VERDICT", "QUESTION")


def list_runs(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="DIR|FILE",
            help="A folder of explainkit files, or a file that holds one run or many.",
            show_default=False,
        ),
    ],
) -> int:
    """List the runs of a folder or a file.

    Id, name, status, start (UTC), verdict (failing, passing, unlabelled; where only items of an
    answer flow were judged, how many of them passed) and question.
    """
    problems: list[str] = []
    rows = _of_folder(place, problems) if place.is_dir() else _of_file(place)
    first = list(islice(rows, AHEAD))
    if first:
        _print(first, rows)
    elif not problems:
        tell(f"{place} holds no runs (files that end in .ek.jsonl).")
    for problem in problems:
        tell(problem)
    return 1 if problems else 0


def _print(first: list[Row], rest: Iterator[Row]) -> None:
    widths = [max(map(len, column)) for column in zip(HEADER, *first, strict=True)][:-1]
    for row in chain([HEADER], first, rest):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        put("  ".join([*cells, row.question]).rstrip(), style="bold" if row is HEADER else None)


def _of_folder(folder: Path, problems: list[str]) -> Iterator[Row]:
    from explainkit.session import runs

    for info in runs(folder):
        if info.problem is not None:
            problems.append(f"{info.path.name} cannot be read: {info.problem}")
        yield _row(
            info.run or info.path.name,
            info.name,
            info.status,
            info.started,
            _verdict(info.verdict, *info.items),
            info.question,
        )


def _of_file(path: Path) -> Iterator[Row]:
    from explainkit.session import load_all
    from explainkit.store.folding import judged_items

    for run in load_all(path):
        recording = run.recording
        items = judged_items(recording.rows("override", "verdict"))
        verdict = _verdict(recording.passing, sum(items.values()), len(items))
        yield _row(run.id, run.name, run.status, _start(run), verdict, run.question)


def _verdict(word: str, passed: int, judged: int) -> str:
    """The word for the answer; for a run of which items alone were judged, what came of them."""
    if word != "unlabelled" or not judged:
        return word
    return f"{passed:,} of {judged:,} {'item' if judged == 1 else 'items'} passed"


def _start(run: "Run") -> int | None:
    at = next(run.recording.rows("run_started"), {}).get("at")
    return at if isinstance(at, int) else None


def _row(
    run: str, name: str, status: str, at: int | None, verdict: str, question: str | None
) -> Row:
    # An id is printed whole, because it is there to be copied.
    return Row(
        one_line(run, 4_096) or "-",
        one_line(name, 32) or "-",
        status,
        moment(at),
        verdict,
        one_line(question, 80) or "-",
    )


def moment(at: int | None) -> str:
    """Nanoseconds since the epoch as UTC to the second; ``-`` when unknown.

    Example:
        >>> moment(1_767_261_600_000_000_000)
        '2026-01-01T10:00:00Z'
    """
    if at is None:
        return "-"
    try:
        return datetime.fromtimestamp(at // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return "-"
