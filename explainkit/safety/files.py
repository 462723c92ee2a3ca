"""Files that somebody sent: read whole within limits, or refused in words."""

import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

from explainkit.errors import ReadError, UnsafeFileError
from explainkit.safety.json_text import Parsed, parse_json, parse_noted
from explainkit.safety.limits import FILE_DEFAULT, FileLimits
from explainkit.safety.packing import unpacked

__all__ = ["Parsed", "parse_json", "parse_noted", "read_bounded", "read_raw"]

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_CHUNK = 1 << 20


def read_bounded(path: Path, limits: FileLimits = FILE_DEFAULT) -> bytes:
    """Return the content of a file, unpacked when it is gzip, zip (one member) or zstd.

    Args:
        path: A plain file; links, devices, pipes and folders are refused without reading.
        limits: Sizes and ratios.

    Raises:
        UnsafeFileError: Not a plain file, or a limit of size or ratio is broken.
        DamagedFileError: The packed data is broken or cut.
        ReadError: The file cannot be opened, or cannot be unpacked here.
    """
    return unpacked(read_raw(path, limits), path.name, limits)


def read_raw(path: Path, limits: FileLimits = FILE_DEFAULT) -> bytes:
    """Return the bytes of a plain file as they are on disk.

    Raises:
        UnsafeFileError: Not a plain file, or too large.
        ReadError: The file cannot be opened.
    """
    shown = path.name[:80]
    # Not blocking, so that opening a pipe returns at once; no link is followed.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if path.is_symlink():
            raise UnsafeFileError(f"{shown!r} is a symbolic link: give the file that it points to")
        number = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
        try:
            _check(os.fstat(number), shown, limits)
            return _all_of(partial(os.read, number), shown, limits)
        finally:
            os.close(number)
    except (OSError, ValueError) as error:
        if isinstance(error, ReadError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"{shown!r} cannot be read: {reason}") from error


def _check(found: os.stat_result, shown: str, limits: FileLimits) -> None:
    for is_kind, words in _KINDS:
        if is_kind(found.st_mode):
            raise UnsafeFileError(f"{shown!r} is {words}, not a file: give a plain file")
    if found.st_size > limits.size:
        raise UnsafeFileError(_too_large(shown, found.st_size, limits))


def _all_of(read: Callable[[int], bytes], shown: str, limits: FileLimits) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while chunk := read(_CHUNK):
        size += len(chunk)
        # The file may grow while it is read.
        if size > limits.size:
            raise UnsafeFileError(_too_large(shown, size, limits))
        chunks.append(chunk)
    return b"".join(chunks)


def _too_large(shown: str, size: int, limits: FileLimits) -> str:
    return f"{shown!r} has {size:,} bytes; at most {limits.size:,} are read: split the file"
