"""Bytes of a run without loading them: short files whole, long ones read where asked."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Protocol

from explainkit.errors import ReadError, UnsafeFileError

IN_MEMORY = 4 << 20
"""Files up to this many bytes are held in memory, so that thousands of runs keep no file open."""

BLOCK = 4 << 20
"""Bytes read at a time in a pass over everything."""


class Source(Protocol):
    """Immutable bytes that can be read by range."""

    size: int

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``[start, end)``."""
        ...


class BytesSource:
    """Bytes in memory."""

    __slots__ = ("data", "size")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``[start, end)``."""
        return self.data[start:end]


class FileSource:
    """A file of which only what is asked for is read; it is as long as it was when opened.

    Reading by position rather than by a memory map, because cutting a mapped file would kill
    the process.
    """

    __slots__ = ("_file", "_lock", "path", "size")

    def __init__(self, file: int, path: Path, size: int) -> None:
        self._file = file
        self._lock = Lock()
        self.path = path
        self.size = size

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``[start, end)``.

        Raises:
            ReadError: The file became shorter, or cannot be read any more.
        """
        length = end - start
        try:
            data = self._at(start, length)
        except OSError as error:
            raise ReadError(f"{self.path} cannot be read any more: {error}.") from error
        if len(data) != length:
            raise ReadError(f"{self.path} was cut while it was open. Load it again.")
        return data

    def _at(self, start: int, length: int) -> bytes:
        if not hasattr(os, "pread"):
            with self._lock:
                os.lseek(self._file, start, os.SEEK_SET)
                return os.read(self._file, length)
        data = os.pread(self._file, length, start)
        while 0 < len(data) < length:  # a call reads 2 GB at most
            more = os.pread(self._file, length - len(data), start + len(data))
            if not more:
                break
            data += more
        return data

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._file)


def _folder(path: Path) -> str:
    return f"the folder {str(path.parent.absolute())!r}"


def open_source(path: Path) -> Source:
    """Open a plain file.

    Raises:
        UnsafeFileError: It is a pipe, a device or a folder.
        ReadError: It cannot be opened.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        file = os.open(path, flags)  # without waiting, or a pipe would hold us for ever
    except FileNotFoundError as error:
        raise ReadError(
            f"{str(path)!r} cannot be opened: there is no such file. Look in {_folder(path)}."
        ) from error
    except (OSError, ValueError) as error:
        raise ReadError(f"{str(path)!r} cannot be opened: {error}.") from error
    source = FileSource(file, path, os.fstat(file).st_size)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        advice = "Name a run file; ek.runs(folder) and ek.load_all(folder) take folders."
        raise UnsafeFileError(f"{path} is not a plain file. {advice}")
    if source.size <= IN_MEMORY:
        return BytesSource(source.read(0, source.size))
    return source


def blocks_of_lines(source: Source, *, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Read everything once, in blocks that end with a line's end.

    Args:
        source: What to read.
        start: First byte.

    Yields:
        Offset and bytes of each block; only the last may lack its newline. A line longer than a
        block comes in a block of its own, read in doubling steps so that the cost is linear.
    """
    size = BLOCK
    while start < source.size:
        block = source.read(start, min(start + size, source.size))
        end = block.rfind(b"\n") + 1
        if start + len(block) == source.size:
            end = len(block)
        if not end:
            size *= 2
            continue
        size = BLOCK
        yield start, block[:end]
        start += end
