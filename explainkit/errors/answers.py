"""Errors of answer flows, their batches and their ports."""

from collections.abc import Sequence

from explainkit.errors.family import ExplainkitError


class AnswerFlowError(ExplainkitError, ValueError):
    """An answer flow, a catalog or a check is not well built; the message names the field."""


class AnswerBatchError(ExplainkitError, ValueError):
    """A batch of items is not what its flow takes.

    Attributes:
        problems: Everything that is wrong with it, each in words.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        """Keep every problem, also those that the message only counts."""
        super().__init__(message)
        self.problems = tuple(problems)


class AnswerPortError(ExplainkitError, TypeError):
    """A port of an answer flow, or a reader, gave what it must not give."""
