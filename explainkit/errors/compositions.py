"""Errors of compositions and of what their steps hand on."""

from collections.abc import Mapping
from typing import Any, Self

from explainkit.errors.family import ExplainkitError


class CompositionError(ExplainkitError, ValueError):
    """A composition is not well built; the message names the place."""


class HandOffError(ExplainkitError, TypeError):
    """What a step handed on is not what the next one takes; the message names both ends."""


class UndecidedError(ExplainkitError, RuntimeError):
    """No branch was to be taken, and there is no default."""


class BranchesError(ExplainkitError, ExceptionGroup[Exception]):
    """Branches of a Parallel, or nodes of a graph, failed; it holds the error of each.

    Attributes:
        failed: Their names, in the order of the errors.
        results: What others gave meanwhile, by name.
    """

    failed: tuple[str, ...]
    results: Mapping[str, Any]

    def __new__(
        cls, message: str, failed: Mapping[str, Exception], results: Mapping[str, Any]
    ) -> Self:
        """Keep the names beside the errors."""
        group = super().__new__(cls, message, list(failed.values()))
        group.failed = tuple(failed)
        group.results = results
        return group

    def __init__(
        self, message: str, failed: Mapping[str, Exception], results: Mapping[str, Any]
    ) -> None:
        """Show it as every other group."""
        del results  # an attribute, and no part of what is printed
        super().__init__(message, list(failed.values()))
