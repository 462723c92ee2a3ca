"""Which notebook cell runs now, told by a provider, because tracing never imports IPython."""

from collections.abc import Callable

import orjson

from explainkit.safety.own_frames import CELLS

CellProvider = Callable[[], dict[str, object] | None]
"""The running cell as a record holds it: `count`, `hash`, and `id` where the front end tells it."""

PROVIDER: list[CellProvider] = []
"""The installed provider; empty outside a notebook, so that the hot path asks nobody."""


def set_cell_provider(
    provider: CellProvider | None, files: Callable[[str], int | None] | None = None
) -> None:
    """Install the functions that know the running cell, and the cell of a file name.

    The notebook layer does.
    """
    PROVIDER[:] = [] if provider is None else [provider]
    CELLS[:] = [] if files is None else [files]


def current_cell() -> dict[str, object] | None:
    """The running cell as a record field."""
    return PROVIDER[0]() if PROVIDER else None


def cell_field() -> bytes:
    """``,"cell":{...}`` for a record line; empty outside a notebook."""
    if not PROVIDER:
        return b""
    cell = current_cell()
    return b"" if cell is None else b',"cell":' + orjson.dumps(cell)
