"""Loads a provider's package when a model is made, so that importing explainkit never needs it."""

import os
from collections.abc import Collection, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from explainkit.errors import MissingExtraError

NO_KEY: Final = "none"
"""Sent to a server of one's own when there is no key: the clients insist on one, it does not."""


def required(package: str) -> ModuleType:
    """Import a package whose extra has its name.

    Raises:
        MissingExtraError: It is not installed; the message has the command.

    Example:
        >>> required("no_such_package")
        Traceback (most recent call last):
            ...
        explainkit.errors.family.MissingExtraError: no_such_package is not installed. Run: ... \
'explainkit-jupyter[no_such_package]'
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise MissingExtraError(package, package) from error


def key_for(base_url: object, api_key: str | None, variables: Collection[str]) -> str | None:
    """The key to make a client with; `None` lets the client look for one itself.

    Args:
        base_url: Where the server is; `None` for the provider's own.
        api_key: What the user gave.
        variables: Environment variables that the client reads a key from.

    Example:
        >>> key_for("http://localhost:8080/v1", None, ()), key_for(None, None, ())
        ('none', None)
    """
    if api_key is not None or base_url is None or any(os.environ.get(name) for name in variables):
        return api_key
    return NO_KEY


def require_options(options: Mapping[str, Any], own: Collection[str], model: str) -> None:
    """Refuse options that a model sets itself for every call.

    Raises:
        TypeError: One of them is given.
    """
    taken = sorted(set(options) & set(own))
    if taken:
        raise TypeError(
            f"{model}(..., {taken[0]}=...) cannot be set: the model sets it for every call. "
            "Give messages and tools to complete() or stream()."
        )


def require_async(client: object, package: str, name: str) -> None:
    """Refuse a client whose calls cannot be awaited.

    Raises:
        TypeError: The client is the synchronous one.
    """
    kinds = {kind.__name__ for kind in type(client).__mro__ if _root(kind) == package}
    if name in kinds:
        raise TypeError(
            f"The client is the synchronous {type(client).__name__}; a model awaits its calls. "
            f"Pass {package}.Async{name}(...)."
        )


def _root(kind: type) -> str:
    return kind.__module__.partition(".")[0]
