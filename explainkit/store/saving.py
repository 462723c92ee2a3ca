"""A run written again byte for byte, whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from explainkit.errors import ReadError, WriteError
from explainkit.store.locks import is_being_written
from explainkit.store.naming import notes_path
from explainkit.store.reader import Recording
from explainkit.store.source import BLOCK


def save(recording: Recording, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Write a run, and its notes beside it.

    The file holds exactly the bytes that were read or recorded, damage included. It appears
    whole or not at all.

    Args:
        recording: The run.
        path: A file name, best ending in ``.ek.jsonl``; folders are made.
        overwrite: Replace what is there, also when it is another run or has more in it.

    Returns:
        The path.

    Raises:
        WriteError: Something else is there, or the file cannot be written.
    """
    place = Path(path)
    beside = notes_path(place)
    noted = any(True for _ in recording.note_lines())
    if not overwrite:
        _refuse_other(place, recording.lines())
        if noted:
            _refuse_other(beside, recording.note_lines())
    if is_being_written(place):
        raise WriteError(f"{place} is being written by a run that goes on. Choose another name.")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _replace(place, recording.lines())
        if noted:
            _replace(beside, recording.note_lines())
        elif overwrite and recording.path != place:
            beside.unlink(missing_ok=True)  # they were about the run that was there before
    except (OSError, ReadError) as error:
        raise WriteError(f"{place} cannot be written: {error}. Choose another folder.") from error
    return place


def _refuse_other(path: Path, lines: Iterable[bytes]) -> None:
    """Raise unless what is there is the beginning of what is to be written."""
    if not os.path.lexists(path):
        return
    if not path.is_file():
        raise WriteError(f"{path} is there and no file. Choose another name.")
    with path.open("rb") as there:
        for line in lines:
            found = there.read(len(line))
            if found != line[: len(found)]:
                raise WriteError(
                    f"{path} holds other content. Choose another name, or save with overwrite=True."
                )
            if len(found) < len(line):
                return
        if there.read(1):
            raise WriteError(
                f"{path} holds more of this run than is to be saved. Choose another name, or save "
                "with overwrite=True."
            )


def _replace(path: Path, lines: Iterable[bytes]) -> None:
    file, temporary = tempfile.mkstemp(prefix=".explainkit-", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(file, "wb", buffering=BLOCK) as out:
            out.writelines(lines)
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
