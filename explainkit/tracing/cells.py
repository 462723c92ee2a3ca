"""Which notebook cell runs now, told by a provider, because tracing never imports IPython."""

from collections.abc import Callable

import orjson

CellProvider = Callable[[], tuple[int, str] | None]
"""Execution count and source hash of the running cell; ``None`` outside a notebook."""

PROVIDER: list[CellProvider] = []
"""The installed provider; empty outside a notebook, so that the hot path asks nobody."""


def set_cell_provider(provider: CellProvider | None) -> None:
    """Install the function that knows the running cell (the notebook layer does)."""
    PROVIDER[:] = [] if provider is None else [provider]


def current_cell() -> dict[str, object] | None:
    """The running cell as a record field."""
    found = PROVIDER[0]() if PROVIDER else None
    return None if found is None else {"count": found[0], "hash": found[1]}


def cell_field() -> bytes:
    """``,"cell":{...}`` for a record line; empty outside a notebook."""
    if not PROVIDER:
        return b""
    cell = current_cell()
    return b"" if cell is None else b',"cell":' + orjson.dumps(cell)
