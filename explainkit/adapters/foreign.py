"""A file of another tool, opened: how many runs it holds, and each of them when asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from explainkit.adapters.detection import FORMATS, detect, shape
from explainkit.adapters.identity import match
from explainkit.adapters.importing import Imported, import_run
from explainkit.adapters.loading import Loaded, load_json
from explainkit.adapters.reader import Reader
from explainkit.errors import UnknownFormatError, UnknownRecordError, UnsafeFileError


class Foreign:
    """A recognised file. Iterating gives its runs one after the other.

    Attributes:
        path: The file.
        format: Name of its format.
    """

    def __init__(self, path: Path, reader: Reader, loaded: Loaded) -> None:
        """Hold what ``reader`` found in ``path``; damage met while loading joins every report."""
        self.path = path
        self.format = reader.format
        self._reader = reader
        self._loaded = loaded

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the runs in file order."""
        return self._reader.ids

    @property
    def count(self) -> int:
        """How many runs the file holds."""
        return len(self.ids)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Imported]:
        return (self.read(index) for index in range(self.count))

    def read(self, run: int | str = 0) -> Imported:
        """Read one run.

        Args:
            run: Its position, or its id (the beginning of an id, when only one has it).

        Raises:
            UnknownRecordError: There is no such run, or several begin so.
        """
        index = self._index(run)
        with _depth_guard(self.path.name):
            imported = import_run(self._reader, index, file=self.path.name)
        return _with_damage(imported, self._loaded)

    def _index(self, run: int | str) -> int:
        if isinstance(run, int):
            if 0 <= run < self.count:
                return run
            raise UnknownRecordError(
                f"{self.path.name} holds {self.count} runs, so there is no run {run}. "
                f"Use 0 to {self.count - 1}."
            )
        found = match(self.ids, run)
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(self.ids[index] for index in found[:4])
            raise UnknownRecordError(
                f"{len(found)} runs of {self.path.name} begin with {run[:60]!r} ({some} ...). "
                "Give more of the id."
            )
        some = ", ".join(self.ids[:4]) + (" ..." if self.count > 4 else "")
        raise UnknownRecordError(
            f"{self.path.name} holds no run {run[:60]!r}. Its runs are: {some}"
        )


def open_foreign(path: str | Path) -> Foreign:
    """Open a file that another tool recorded.

    Args:
        path: The file: JSON or JSON lines.

    Returns:
        The file's runs, none of them read yet.

    Raises:
        UnknownFormatError: The shape is not known; the message says what was found.
        DamagedFileError: Not JSON, or cut.
        UnsafeFileError: It breaks a limit of size or depth.
        OSError: It cannot be opened.
    """
    place = Path(path)
    loaded = load_json(place)
    with _depth_guard(place.name):
        reader = _reader(loaded)
    if reader is None:
        kind = " in JSON lines" if loaded.lines else ""
        raise UnknownFormatError(
            f"{place.name} holds {shape(loaded.data)}{kind}, which is no recorded run that "
            f"explainkit knows. It reads its own files, {', '.join(FORMATS)}."
        )
    return Foreign(place, reader, loaded)


def _reader(loaded: Loaded) -> Reader | None:
    if not loaded.lines:
        return detect(loaded.data)
    if len(loaded.data) == 1:
        return detect(loaded.data[0]) or detect(loaded.data)
    # Positions count in one conversation, so there its broken lines keep their places.
    return detect(loaded.data) or detect([item for item in loaded.data if item is not None])


def _with_damage(imported: Imported, loaded: Loaded) -> Imported:
    if not loaded.skipped and not loaded.notes:
        return imported
    broken = {skip.source_index for skip in loaded.skipped}
    others = (s for s in imported.report.skipped if s.source_index not in broken)
    report = replace(
        imported.report,
        skipped=(*loaded.skipped, *others),
        notes=(*imported.report.notes, *loaded.notes),
    )
    return replace(imported, report=report)


@contextmanager
def _depth_guard(name: str) -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise UnsafeFileError(
            f"{name[:80]!r} is nested too deeply to be a recorded run: it is not read."
        ) from None
