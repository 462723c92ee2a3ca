"""Writing a run to its file so that a kill at any moment loses nothing that was written."""

import contextlib
import os
from hashlib import sha256
from pathlib import Path
from weakref import WeakSet

from explainkit.errors import ReadError, WriteError
from explainkit.store.locks import try_lock
from explainkit.store.wire import (
    CHECK_EVERY,
    HEADER_LIMIT,
    check_line,
    end_line,
    header_line,
    read_header,
    records_after,
    split_lines,
)

_OPEN: "WeakSet[FileSink]" = WeakSet()
_FORKED = "this process was forked from the one that records; start a run of its own"
_CLOSED = "the run is closed; add a note or a verdict instead"
_BINARY = getattr(os, "O_BINARY", 0)  # elsewhere a newline would become two bytes
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


class FileSink:
    """Appends the lines of one run to one new file.

    Once ``write`` returns, the lines are with the operating system: killing the process loses
    none of them. An interrupt inside ``write`` leaves the hash right, because the next call
    looks at the file first. A forked child may not write: its parent goes on with the run.

    Attributes:
        path: The file.
        run: The run's id.
        name: What the author called the run.
        head: SHA-256 over everything before the end line; None until the run is closed.

    Args:
        path: A file that does not exist yet (or is empty); folders are made, the mode is 0600.

    Raises:
        WriteError: The file holds or receives another run, is a symbolic link, or cannot be made.
    """

    _file = -1
    _end: tuple[str, bytes] | None = None

    def __init__(self, path: str | os.PathLike[str], *, run: str, name: str) -> None:
        self.path = Path(path)
        self.run = run
        self.name = name
        self.head: str | None = None
        self._hash = sha256()
        self._size = 0
        self._next_check = CHECK_EVERY
        self._pending: bytes | None = None
        self._handed: bytes | None = None
        self._fault: str | None = None
        self._file = open_new(self.path)
        _OPEN.add(self)
        try:
            self.write(header_line(run, name))
        except WriteError:
            self._release("its header could not be written")
            raise

    def write(self, lines: bytes) -> None:
        """Append one or more complete lines, each ending in a newline, by one system call.

        Raises:
            WriteError: Nothing of ``lines`` is in the file (disk full, file gone, run closed,
                forked child); the same lines may be written again.
        """
        if self._pending is not None:
            self._settle()
        if lines is self._handed:
            return  # handed over again after an interrupt, and in the file already
        self._handed = self._pending = lines
        self._put(lines)
        if self._size >= self._next_check:
            self._next_check = self._size + CHECK_EVERY
            with contextlib.suppress(WriteError):  # the lines are safe; the next check covers them
                self._put(check_line(records_after(lines), self._hash.hexdigest()))

    def _put(self, lines: bytes) -> None:
        self._pending = lines
        size = len(lines)
        try:
            written = os.write(self._file, lines)
            if written != size:
                self._write_rest(lines, written)
        except OSError as error:
            if self._handed is lines:
                self._handed = None
            self._undo(error)
        self._hash.update(lines)
        self._size += size
        self._pending = None

    def close(self, records: int, status: str) -> None:
        """Write the end line and give the file up; a second call does nothing.

        Args:
            records: Number of records that were written.
            status: How the run ended.

        An interrupt leaves it to be called again.

        Raises:
            WriteError: The end line could not be written; the file reads as crashed.
        """
        try:
            if self.head is None:
                self._settle()
                if self._end is None:
                    head = self._hash.hexdigest()
                    self._end = (head, end_line(records, status, head))
                self.write(self._end[1])
                self.head = self._end[0]
        except WriteError:
            self._release(_CLOSED)
            raise
        self._release(_CLOSED)

    def lines(self) -> list[bytes]:
        """Every line in the file so far, the header first, each with its newline."""
        return split_lines(self.path.read_bytes())

    def written_after(self, place: int) -> tuple[bytes, int]:
        """Whole lines written after a place, 0 for the beginning, and the place where they end."""
        with self.path.open("rb") as file:
            file.seek(place)
            block = file.read()
        block = block[: block.rfind(b"\n") + 1]
        return block, place + len(block)

    def _write_rest(self, lines: bytes, written: int) -> None:
        while written < len(lines):
            written += os.write(self._file, memoryview(lines)[written:])

    def _undo(self, error: OSError) -> None:
        """Cut what a failed write left behind, so that the file stays a valid prefix."""
        self._pending = None
        if self._fault is not None:
            raise WriteError(f"Run {self.run!r} cannot be written to {self.path}: {self._fault}.")
        try:
            os.ftruncate(self._file, self._size)
        except OSError:
            self._release(f"a part of a line could not be taken back ({error.strerror})")
        raise WriteError(
            f"Run {self.run!r} cannot be written to {self.path}: {error.strerror or error}. "
            "Make room or record to another folder; what was written before is safe."
        ) from error

    def _settle(self) -> None:
        """After an interrupt inside a write: finish it, and count what the file really holds."""
        lines, self._pending = self._pending, None
        if lines is None or self._fault is not None:
            return
        content = self._content()
        whole = content.endswith(lines)
        if not whole:
            content = content[: self._size]
            os.ftruncate(self._file, self._size)
        self._hash = sha256(content)
        self._size = len(content)
        if not whole:
            self._put(lines)

    def _content(self) -> bytes:
        os.lseek(self._file, 0, os.SEEK_SET)  # appending writes do not mind where it stands
        blocks = []
        while block := os.read(self._file, CHECK_EVERY):
            blocks.append(block)
        return b"".join(blocks)

    def _release(self, fault: str) -> None:
        _OPEN.discard(self)
        self._fault = self._fault or fault
        file, self._file = self._file, -1
        if file >= 0:
            with contextlib.suppress(OSError):
                os.close(file)

    def __del__(self) -> None:
        if self._file >= 0:
            self._release("it was given up")


def open_new(path: Path) -> int:
    """Open a file for one new run, alone.

    Args:
        path: Where; missing folders are made.

    Returns:
        A descriptor that appends, locked against other writers.

    Raises:
        WriteError: The file is taken, is a symbolic link, or cannot be made.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | _NO_LINKS | _BINARY
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            raise WriteError(f"{path} is a symbolic link. Name the file itself.")
        file = os.open(path, flags, 0o600)
    except WriteError:
        raise
    except (OSError, ValueError) as error:
        raise WriteError(f"{path} cannot be made: {error}. Choose another folder.") from error
    free = try_lock(file)
    if free and os.fstat(file).st_size == 0:
        return file
    holder = _holder(file)
    os.close(file)
    if free:
        raise WriteError(f"{path} already holds {holder}. Choose another name; nothing was lost.")
    raise WriteError(
        f"{path} is being written: {holder} is open there, in this process or another. "
        "End that run, or record to another file."
    )


def _holder(file: int) -> str:
    """Who is in the file, for the message."""
    os.lseek(file, 0, os.SEEK_SET)
    line = os.read(file, HEADER_LIMIT).split(b"\n", 1)[0]
    try:
        header = read_header(line, name="it")
    except ReadError:
        return "other content" if line else "a run"
    return f"run {header.run[:60]!r} ({header.name[:60]!r})"


def _give_up_in_child() -> None:
    for sink in list(_OPEN):
        sink._release(_FORKED)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_give_up_in_child)
