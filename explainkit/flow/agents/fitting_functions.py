"""Whether a function takes what it will be called with, so that this is told before any run."""

import inspect
from collections.abc import Callable
from typing import Any

from explainkit.errors import AgentError
from explainkit.safety import shorten


def takes(fn: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments; one that cannot be read may be.

    Example:
        >>> takes(lambda call, situation: None, 2), takes(lambda call: None, 2)
        (True, False)
    """
    signature = _signature(fn)
    if signature is None:
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def require_takes(fn: Callable[..., Any], *arguments: str, part: str) -> None:
    """Refuse a function that cannot be called with some arguments.

    Args:
        fn: The function.
        arguments: What it is called with, in words.
        part: The part of an Agent that it is, as its author wrote it.

    Raises:
        AgentError: It takes fewer, or more.
    """
    signature = _signature(fn)
    if signature is None or takes(fn, len(arguments)):
        return
    taken = shorten(", ".join(signature.parameters), 120)
    raise AgentError(
        f"{part}: it is called with ({', '.join(arguments)}), and takes ({taken}). "
        f"Give a function of {' and '.join(arguments)}."
    )


def takes_one(fn: Callable[..., Any]) -> bool:
    """Whether a function is known to take an argument."""
    signature = _signature(fn)
    return signature is not None and bool(signature.parameters) and takes(fn, 1)


def _signature(fn: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(fn)
    except Exception:  # noqa: BLE001 - a builtin has none, and a foreign object may raise anything
        return None
