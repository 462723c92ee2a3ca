"""JSON or JSON lines from a file that somebody sent, within limits, as far as it can be read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explainkit.adapters.reports import Skipped
from explainkit.errors import DamagedFileError, ReadError
from explainkit.safety.files import parse_json, parse_noted, read_bounded


@dataclass(frozen=True, slots=True)
class Loaded:
    """The parsed content of a file.

    Attributes:
        data: The value; of JSON lines, the list of its values, ``None`` for a broken line.
        lines: Whether the file is JSON lines.
        skipped: Broken lines, by position.
        notes: What the parser tolerated, in words.
    """

    data: Any
    lines: bool = False
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


def load_json(path: Path) -> Loaded:
    """Read a file of JSON or JSON lines.

    Args:
        path: The file.

    Raises:
        DamagedFileError: Neither JSON nor JSON lines.
        UnsafeFileError: It breaks a limit of size or depth.
    """
    data = read_bounded(path)
    if not data.strip():
        raise DamagedFileError(f"{path.name} is empty. Get the file again from its source.")
    try:
        parsed = parse_noted(data, name=path.name)
        return Loaded(parsed.value, notes=parsed.notes)
    except ReadError:
        loaded = _lines(data, path.name)
        if loaded is None:
            raise
        return loaded


def _lines(data: bytes, name: str) -> Loaded | None:
    """Read JSON lines whose first line is whole; broken ones later are counted."""
    written = [line for line in data.split(b"\n") if line.strip()]
    if len(written) < 2:
        return None
    values: list[Any] = []
    skipped: list[Skipped] = []
    for index, line in enumerate(written):
        try:
            values.append(parse_json(line, name=f"line {index + 1} of {name}"))
        except ReadError as error:
            if index == 0:
                return None
            values.append(None)
            skipped.append(Skipped(index, str(error)[:300]))
    broken = {skip.source_index for skip in skipped}
    while len(values) - 1 in broken:
        values.pop()
    return Loaded(values, lines=True, skipped=tuple(skipped))
