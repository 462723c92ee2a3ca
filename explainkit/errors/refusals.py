"""Terminal verdicts as errors: each carries the verdict that ended the run."""

from typing import Any

from explainkit.errors.family import ExplainkitError


class VerdictError(ExplainkitError, RuntimeError):
    """A run ended on a terminal verdict.

    Attributes:
        verdict: The verdict; its fields are attributes of the error too.
    """

    def __init__(self, message: str, verdict: Any) -> None:
        """Keep the verdict."""
        super().__init__(message)
        self.verdict = verdict

    def __getattr__(self, name: str) -> Any:
        """Look a field up on the verdict."""
        verdict = self.__dict__.get("verdict")
        if verdict is not None and name in type(verdict).model_fields:
            return getattr(verdict, name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")


class ReliabilityFailFastError(VerdictError):
    """A reliability rule ended the run at once."""


class PolicyHaltError(VerdictError):
    """A policy halted a proposed tool call."""


class MessageDeniedError(VerdictError):
    """A middleware denied a message; what it said is not kept."""


class UnsupportedValuesError(VerdictError):
    """The answer holds names or numbers that no evidence holds."""


class ConsentPendingError(VerdictError):
    """Consent is demanded, and nobody can be asked."""


class AnswerValidationError(VerdictError):
    """The answer did not pass its validator, or none was committed to it."""


class VerdictKindError(ExplainkitError, ValueError):
    """A terminal verdict is of no kind, or does not have what its kind carries."""
