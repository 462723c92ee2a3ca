"""Opens recorded runs: explainkit's own files and those of other tools, told by their content."""

import os
from collections.abc import Iterator
from pathlib import Path

from explainkit.errors import ManyRunsError, UnknownFormatError, UnknownRecordError
from explainkit.session.run import Run
from explainkit.store import Recording, RunInfo
from explainkit.store import runs as runs_of

SHOWN_IDS = 5


def load(path: str | os.PathLike[str], *, run: str | int | None = None) -> Run:
    """Open a recorded run.

    Args:
        path: An explainkit file, or a file of another tool that explainkit reads: chat lists
            (OpenAI, Anthropic, LangChain, Gemini), Who&When histories, tau-bench results.
        run: Which one, when the file holds many: an id, or a position from 0.

    Returns:
        The run; ``run.report`` says what an import read, skipped and missed.

    Raises:
        ManyRunsError: The file holds many runs and ``run`` was not given; it has count and ids.
        ReadError: The file cannot be read; the message says what was found.
        UnknownRecordError: The file holds no such run.

    Example:
        >>> import explainkit as ek, tempfile, os
        >>> folder = tempfile.mkdtemp()
        >>> with ek.trace("hello") as run:
        ...     _ = ek.answer("world")
        >>> ek.load(run.save(os.path.join(folder, "hello.ek.jsonl"))).answer
        'world'
    """
    own = _own(path)
    if own is not None:
        _refuse_choice(own, run)
        return own
    from explainkit.adapters import open_foreign

    foreign = open_foreign(Path(path))
    if run is None and foreign.count != 1:
        ids = foreign.ids
        shown = ", ".join(ids[:SHOWN_IDS]) + (", ..." if len(ids) > SHOWN_IDS else "")
        raise ManyRunsError(
            f"{Path(path).name} holds {foreign.count} runs ({shown}). Choose one with "
            "ek.load(path, run=ID) or run=N from 0, or go through ek.load_all(path).",
            ids,
        )
    imported = foreign.read(0 if run is None else run)
    return Run.loaded(imported.recording, report=imported.report)


def load_all(path: str | os.PathLike[str]) -> Iterator[Run]:
    """Open every run of a file, or of a folder of explainkit files, one at a time.

    Args:
        path: A file as for ``load``, or a folder.

    Yields:
        The runs in file order; each is read when it is asked for.

    Raises:
        ReadError: The file cannot be read.
    """
    if os.path.isdir(path):  # noqa: PTH112 - says no to a path that no system takes
        for info in runs_of(path):
            yield load(info.path)
        return
    own = _own(path)
    if own is not None:
        yield own
        return
    from explainkit.adapters import open_foreign

    foreign = open_foreign(Path(path))
    for index in range(foreign.count):
        imported = foreign.read(index)
        yield Run.loaded(imported.recording, report=imported.report)


def runs(folder: str | os.PathLike[str]) -> list[RunInfo]:
    """List the runs of a folder, oldest first, without reading their records.

    Args:
        folder: A folder that ``to=`` named.

    Returns:
        For each run its path, id, name, status and start.
    """
    return runs_of(folder)


def _own(path: str | os.PathLike[str]) -> Run | None:
    """The run of an explainkit file; ``None`` when the content is something else."""
    try:
        return Run.loaded(Recording.read(path))
    except UnknownFormatError:
        return None


def _refuse_choice(own: Run, run: str | int | None) -> None:
    if run in (None, 0, own.id):
        return
    raise UnknownRecordError(
        f"{own.path} holds one run, {own.id!r}; there is no run {run!r:.80} in it."
    )
