"""How far capture and reading go, in one place, so that every cut has one stated reason."""

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of capturing one value. Texts are always stored whole, whatever their length.

    Attributes:
        depth: JSON levels (at most 200, because the JSON writer stops at 254).
        width: Items of one container.
        nodes: Values inside one captured value, shared ones counted each time they occur.
        walked: Containers and objects that are not plain JSON and are walked one by one.
        repr_length: Characters of the repr of an object that cannot be encoded.
        binary: Bytes of one ``bytes`` value.
        sample: Items of an array, series or index that are kept as its sample.
        rows: Rows of a frame that are kept as its sample.
        columns: Columns of a frame that are kept.
        hashed: Bytes (arrays) or cells x 8 (frames) up to which all content is hashed.
        losses: Losses listed one by one; further ones are counted.
        frames: Innermost frames of a traceback that are kept.
    """

    depth: int = 100
    width: int = 100_000
    nodes: int = 1_000_000
    walked: int = 200_000
    repr_length: int = 2_000
    binary: int = 16 * MEBIBYTE
    sample: int = 64
    rows: int = 20
    columns: int = 64
    hashed: int = 16 * MEBIBYTE
    losses: int = 20
    frames: int = 20


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Bounds of reading a file that somebody sent.

    Attributes:
        size: Bytes on disk.
        unpacked: Bytes after decompression.
        ratio: Unpacked bytes per packed byte, checked beyond ``free``.
        free: Unpacked bytes below which the ratio does not matter.
        members: Files in one archive.
    """

    size: int = 2_048 * MEBIBYTE
    unpacked: int = 4_096 * MEBIBYTE
    ratio: int = 200
    free: int = 64 * MEBIBYTE
    members: int = 100_000


FILE_DEFAULT = FileLimits()
