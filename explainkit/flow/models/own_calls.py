"""Marks a client's call as made by a `Model`, because whoever asks a model records the call."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_OWN: ContextVar[bool] = ContextVar("explainkit_own_model_call", default=False)


@contextmanager
def own_call() -> Iterator[None]:
    """Mark the calls made inside.

    Example:
        >>> with own_call():
        ...     is_own_call()
        True
        >>> is_own_call()
        False
    """
    token = _OWN.set(True)
    try:
        yield
    finally:
        _OWN.reset(token)


def is_own_call() -> bool:
    """Whether a `Model` of explainkit makes the call that runs now."""
    return _OWN.get()
