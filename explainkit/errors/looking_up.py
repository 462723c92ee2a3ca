"""Errors of questions about a run that name nothing in it."""

from collections.abc import Sequence

from explainkit.errors.family import ExplainkitError


class UnknownRecordError(ExplainkitError, LookupError):
    """No such record, run or link, or no such entry of a catalog."""


class SpanNotFoundError(ExplainkitError, LookupError):
    """The words are not in the answer.

    Attributes:
        nearest: The phrases of the answer that come nearest.
    """

    def __init__(self, message: str, nearest: Sequence[str] = ()) -> None:
        """Keep the nearest phrases."""
        super().__init__(message)
        self.nearest = tuple(nearest)
