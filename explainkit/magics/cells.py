"""Tells the tracer which notebook cell runs, so that a stale cell can be named later."""

from hashlib import sha256

from IPython.core.getipython import get_ipython

_hashes: dict[int, str] = {}


def running_cell() -> tuple[int, str] | None:
    """Execution count and source hash (16 hex characters) of the running cell.

    Returns:
        ``None`` outside IPython, and for code that is run without entering the history.
    """
    shell = get_ipython()
    history = getattr(getattr(shell, "history_manager", None), "input_hist_raw", None)
    if not history or len(history) < 2:
        return None
    count = len(history) - 1
    found = _hashes.get(count)
    if found is None:
        _hashes.clear()  # one cell runs at a time
        found = _hashes[count] = sha256(str(history[-1]).encode("utf-8", "replace")).hexdigest()[
            :16
        ]
    return count, found
