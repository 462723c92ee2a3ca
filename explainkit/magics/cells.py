"""Tells the tracer which notebook cell runs, so that a stale cell can be named later."""

from hashlib import sha256
from typing import Any

from IPython.core.getipython import get_ipython

_known: dict[int, dict[str, object]] = {}


def running_cell() -> dict[str, object] | None:
    """The running cell: its execution count, its source hash (16 hex characters), perhaps its id.

    The id is what a front end calls the cell, which stays when the cell is edited.

    Returns:
        ``None`` outside IPython, and for code that is run without entering the history.
    """
    shell = get_ipython()
    history = getattr(getattr(shell, "history_manager", None), "input_hist_raw", None)
    if not history or len(history) < 2:
        return None
    count = len(history) - 1
    found = _known.get(count)
    if found is None:
        source = str(history[-1]).encode("utf-8", "replace")
        found = {"count": count, "hash": sha256(source).hexdigest()[:16]}
        name = _id_of_cell(shell)
        if name is not None:
            found["id"] = name
        _known.clear()  # one cell runs at a time
        _known[count] = found
    return found


def cell_of_file(name: str) -> int | None:
    """The execution count of the cell that a file name stands for; None for any other file."""
    compiler = getattr(get_ipython(), "compile", None)
    known = getattr(compiler, "_filename_map", None)  # what IPython's own tracebacks look up
    found = known.get(name) if isinstance(known, dict) else None
    return found if isinstance(found, int) else None


def _id_of_cell(shell: Any) -> str | None:
    """What the front end calls the cell of the request that the kernel works on."""
    try:
        found = shell.get_parent()["metadata"].get("cellId")
    except (AttributeError, KeyError, LookupError, TypeError):  # not in a kernel, or not told
        return None
    return found if isinstance(found, str) else None
