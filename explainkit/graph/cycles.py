"""Pauses the collector of reference cycles while an index is built that makes none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Let Python not look for cycles among hundreds of thousands of objects that only pile up.

    It is on again afterwards if it was on before; threads that overlap cannot leave it off.

    Example:
        >>> with uncollected():
        ...     gc.isenabled()
        False
        >>> gc.isenabled()
        True
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
