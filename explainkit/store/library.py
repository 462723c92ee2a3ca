"""A folder of runs: what each one is, from its first and last lines alone."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explainkit.errors import ReadError, UnknownRecordError
from explainkit.store.ends import first_rows, last_rows
from explainkit.store.folding import RUN_STATUSES, Standing, judged_items
from explainkit.store.locks import is_being_written
from explainkit.store.naming import NOTES_SUFFIX, SUFFIX, notes_path
from explainkit.store.source import open_source
from explainkit.store.wire import HEADER_LIMIT, read_header

_QUESTION = 300
"""Characters of a question that are shown."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One run of a folder.

    Attributes:
        path: Its file.
        run: Its id; empty when the file cannot be read.
        name: What the author called it; the file's name when it cannot be read.
        status: How it ended, ``running``, ``crashed``, or ``damaged``.
        started: Nanoseconds since the epoch, where known.
        records: Number of records, notes included; 0 when unknown.
        question: Beginning of its question, where it is among the first lines.
        verdict: ``failing``, ``passing`` or ``unlabelled``, by the last lines and the notes.
        items: Of items of answer flows how many passed, and how many were judged, by the same.
        problem: Why it cannot be read, for a damaged one.
    """

    path: Path
    run: str
    name: str
    status: str
    started: int | None = None
    records: int = 0
    question: str | None = None
    verdict: Standing = "unlabelled"
    problem: str | None = None
    items: tuple[int, int] = (0, 0)


def runs(folder: str | os.PathLike[str]) -> list[RunInfo]:
    """List the runs of a folder, oldest first.

    Only the first and the last lines of each file are read: nothing is verified.

    Args:
        folder: The folder; what is in folders below it is not listed.

    Raises:
        ReadError: The folder cannot be read.
    """
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if _is_run(entry.name))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ReadError(f"The folder {str(folder)!r:.200} cannot be read: {why}.") from error
    listed = [_info(Path(folder, name)) for name in names]
    return sorted(
        listed,
        key=lambda info: (info.started is None, info.started or 0, info.name, info.path.name),
    )


def find(folder: str | os.PathLike[str], run: str) -> RunInfo:
    """Find a run by its id, or by a beginning of it that only one run has.

    Args:
        folder: The folder.
        run: The id or its beginning.

    Raises:
        UnknownRecordError: None has it, or several have.
        ReadError: The folder cannot be read.
    """
    listed = [info for info in runs(folder) if info.run]
    exact = [info for info in listed if info.run == run]
    near = exact or [info for info in listed if run and info.run.startswith(run)]
    if len(near) == 1:
        return near[0]
    some = ", ".join(info.run[:40] for info in (near or listed)[:5]) or "none"
    what = f"{len(near)} runs have ids" if near else "No run has an id"
    raise UnknownRecordError(
        f"{what} that starts with {run[:60]!r} in {folder}. There are: {some}."
    )


def _is_run(name: str) -> bool:
    return name.endswith(SUFFIX) and not name.endswith(NOTES_SUFFIX)


def _info(path: Path) -> RunInfo:
    try:
        if path.is_symlink():
            return _damaged(path, "it is a symbolic link")
        source = open_source(path)
        start = source.read(0, min(HEADER_LIMIT, source.size))
        header = read_header(start.partition(b"\n")[0], name=path.name)
        first, last = first_rows(source), last_rows(source)
    except ReadError as error:
        return _damaged(path, str(error))
    if header.notes:
        return _damaged(path, "it holds notes under the name of a run")
    began = next((row for row in first if row.get("kind") == "run_started"), {})
    noted = _notes(notes_path(path), header.run)
    at = began.get("at")
    items = judged_items(last + noted)
    return RunInfo(
        path=path,
        run=header.run,
        name=header.name,
        status=_status(path, last),
        started=at if isinstance(at, int) else None,
        records=1 + max((_seq(row) for row in first + last + noted), default=-1),
        question=_question(began.get("question"), first),
        verdict=_standing(last + noted),
        items=(sum(items.values()), len(items)),
    )


def _damaged(path: Path, problem: str) -> RunInfo:
    return RunInfo(path, run="", name=path.name, status="damaged", problem=problem)


def _notes(path: Path, run: str) -> list[dict[str, Any]]:
    if path.is_symlink() or not path.is_file():
        return []
    try:
        source = open_source(path)
        start = source.read(0, min(HEADER_LIMIT, source.size))
        header = read_header(start.partition(b"\n")[0], name=path.name)
        return last_rows(source) if header.notes and header.run == run else []
    except ReadError:
        return []


def _seq(row: dict[str, Any]) -> int:
    seq = row.get("seq")
    return seq if isinstance(seq, int) else -1


def _status(path: Path, last: list[dict[str, Any]]) -> str:
    for row in reversed(last):
        end = row.get("end")
        ended = row if row.get("kind") == "run_ended" else end
        if isinstance(ended, dict) and ended.get("status") in RUN_STATUSES:
            return str(ended["status"])
    return "running" if is_being_written(path) else "crashed"


def _question(digest: object, first: list[dict[str, Any]]) -> str | None:
    for row in first:
        if row.get("kind") == "value" and row.get("digest") == digest:
            text = row.get("data")
            return text[:_QUESTION] if isinstance(text, str) else None
    return None


def _at_least(found: object, version: int) -> bool:
    return isinstance(found, int) and found >= version


def _standing(rows: list[dict[str, Any]]) -> Standing:
    """Fold the verdicts on the answer; an override after them makes those before it stale."""
    words: set[object] = set()
    version = 0
    for row in rows:
        kind = row.get("kind")
        slot = row.get("slot", "answer" if kind == "override" else None)
        if kind == "run_ended" and row.get("status") == "verdict":
            return "failing"
        if slot != "answer":
            continue
        if kind == "override" and row.get("outcome", "applied") in {"applied", "cleared"}:
            before = row.get("from_version")
            version = before + 1 if isinstance(before, int) else version + 1
            words.clear()
        elif kind == "verdict" and _at_least(row.get("version"), version):
            words.add(row.get("status"))
    if words & {"failed", "refused"}:
        return "failing"
    return "passing" if "passed" in words else "unlabelled"
