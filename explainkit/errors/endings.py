"""Ends of a run that carry something on: a pause, a budget that is used up."""

from typing import Any

from explainkit.errors.family import ExplainkitError


class PausedError(ExplainkitError, RuntimeError):
    """A run waits for a person.

    Attributes:
        checkpoint: Where it stands, plain JSON; give it back to resume.
    """

    def __init__(self, message: str, checkpoint: Any) -> None:
        """Keep the checkpoint."""
        super().__init__(message)
        self.checkpoint = checkpoint


class ExhaustedError(ExplainkitError, RuntimeError):
    """A run used up its budget.

    Attributes:
        last: The last value.
    """

    def __init__(self, message: str, last: Any) -> None:
        """Keep the last value."""
        super().__init__(message)
        self.last = last
