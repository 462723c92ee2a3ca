"""Packed files: unpacked in bounded steps, because a kilobyte can hold a gigabyte of zeros."""

import importlib
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from explainkit.errors import DamagedFileError, ReadError, UnsafeFileError
from explainkit.safety.limits import FILE_DEFAULT, FileLimits

_CHUNK = 1 << 20
_GZIP, _ZIP, _ZSTD = b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd"
_STORED, _ZSTD_METHOD = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}, 93


def unpacked(data: bytes, name: str, limits: FileLimits = FILE_DEFAULT) -> bytes:
    """Return data unpacked when it is gzip, zip with one member, or zstd; else as it is.

    Raises:
        UnsafeFileError: A limit of size or ratio is broken, or the archive holds many files.
        DamagedFileError: The packed data is broken or cut.
        ReadError: A zstd stream without a library that reads it.
    """
    if data[:2] == _GZIP:
        return _bounded(_gunzip(data, name), len(data), name, limits)
    if data[:4] == _ZSTD:
        return _bounded(_unzstd(data, name), len(data), name, limits)
    if data[:4] != _ZIP:
        return data
    members = zip_members(data, name, limits)
    if len(members) != 1:
        raise UnsafeFileError(f"{name[:80]!r} holds {len(members):,} files: unpack it first")
    return next(iter(members.values()))()


def zip_members(
    data: bytes, name: str, limits: FileLimits = FILE_DEFAULT
) -> dict[str, Callable[[], bytes]]:
    """Return the files of a zip archive by name, each read when called.

    All members together keep to the limits, as one file would.

    Raises:
        UnsafeFileError: Too many members, or a member's name leads out of a folder.
        DamagedFileError: The archive is broken.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, RuntimeError) as error:
        raise DamagedFileError(f"{name[:80]!r} is a broken archive ({error})") from error
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > limits.members:
        raise UnsafeFileError(
            f"{name[:80]!r} holds {len(infos):,} files; at most {limits.members:,} are read"
        )
    spent = [0]
    members: dict[str, Callable[[], bytes]] = {}
    for info in infos:
        if info.filename.startswith("/") or ".." in info.filename.split("/"):
            raise UnsafeFileError(f"a file in {name[:80]!r} is called {info.filename[:80]!r}")
        members[info.filename] = partial(_member, archive, info, len(data), spent, limits)
    return members


def _member(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    packed: int,
    spent: list[int],
    limits: FileLimits,
) -> bytes:
    name = info.filename
    if info.flag_bits & 1:
        raise ReadError(f"{name[:80]!r} is encrypted: unpack the archive first")
    if info.compress_type not in _STORED:
        zstd = " (zstd)" if info.compress_type == _ZSTD_METHOD else ""
        raise ReadError(f"{name[:80]!r} is packed in a way not read here{zstd}: unpack it first")
    try:
        with archive.open(info) as file:
            content = _bounded(
                iter(partial(file.read, _CHUNK), b""), packed, name, limits, spent[0]
            )
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise DamagedFileError(f"{name[:80]!r} in the archive is broken ({error})") from error
    spent[0] += len(content)
    return content


def _bounded(
    chunks: Iterator[bytes], packed: int, name: str, limits: FileLimits, spent: int = 0
) -> bytes:
    most = min(limits.unpacked, max(limits.free, packed * limits.ratio))
    kept: list[bytes] = []
    for chunk in chunks:
        spent += len(chunk)
        if spent > most:
            raise UnsafeFileError(
                f"{name[:80]!r} grows from {packed:,} bytes to more than {most:,}: "
                "it is not unpacked. Unpack it yourself if you trust it."
            )
        kept.append(chunk)
    return b"".join(kept)


def _gunzip(data: bytes, name: str) -> Iterator[bytes]:
    rest = data
    try:
        while rest[:2] == _GZIP:
            engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
            yield from _steps(engine, rest)
            if not engine.eof:
                raise DamagedFileError(f"{name[:80]!r} is cut: the packed data has no end")
            rest = engine.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise DamagedFileError(f"{name[:80]!r} is broken gzip ({error})") from error


def _steps(engine: Any, data: bytes) -> Iterator[bytes]:
    chunk = engine.decompress(data, _CHUNK)
    while chunk:
        yield chunk
        chunk = engine.decompress(engine.unconsumed_tail, _CHUNK)


def _unzstd(data: bytes, name: str) -> Iterator[bytes]:
    for module in ("compression.zstd", "zstandard"):
        try:
            library: Any = importlib.import_module(module)
        except ImportError:
            continue
        try:
            yield from _frames(data, library, name)
        except library.ZstdError as error:
            raise DamagedFileError(f"{name[:80]!r} is broken zstd ({error})") from error
        return
    raise ReadError(
        f"{name[:80]!r} is packed with zstd, which this Python cannot read. "
        "Unpack it with `zstd -d`, or run: pip install zstandard"
    )


def _frames(data: bytes, library: Any, name: str) -> Iterator[bytes]:
    """Unpack frame after frame. Four packed bytes can hold 128 KB, so the steps are small."""
    own = hasattr(library.ZstdDecompressor, "decompressobj")
    at = 0
    while at < len(data):
        engine = library.ZstdDecompressor()
        engine = engine.decompressobj() if own else engine
        while not engine.eof:
            if at >= len(data):
                raise DamagedFileError(f"{name[:80]!r} is cut: the packed data has no end")
            yield engine.decompress(data[at : at + _STEP])
            at += _STEP
        at = min(at, len(data)) - len(engine.unused_data)


_STEP = 1 << 10
