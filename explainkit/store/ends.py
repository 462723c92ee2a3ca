"""The first and last records of a file, without what stands between them."""

from collections.abc import Iterator
from typing import Any

import orjson

from explainkit.store.source import Source

EDGE = 1 << 16
"""Bytes that are read at each end of a file."""

_WIDEST = 1 << 26


def first_rows(source: Source) -> list[dict[str, Any]]:
    """The JSON objects of the whole lines in the first bytes, the header left out."""
    start = source.read(0, min(EDGE, source.size))
    return list(_rows(start[: start.rfind(b"\n") + 1].split(b"\n")[1:]))


def last_rows(source: Source) -> list[dict[str, Any]]:
    """The JSON objects of the whole lines in the last bytes, at least one where there is one."""
    width = EDGE
    while True:
        start = max(0, source.size - width)
        end = source.read(start, source.size)
        lines = end[: end.rfind(b"\n") + 1].split(b"\n")[1:]
        rows = list(_rows(lines))
        if rows or start == 0 or width >= _WIDEST:
            return rows
        width *= 8


def _rows(lines: list[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            row = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row
