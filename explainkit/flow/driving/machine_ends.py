"""What the error that a chart ended in means for its run."""

from typing import Any

from explainkit.errors import VerdictError
from explainkit.flow.outcomes import Failed, Outcome, Refused


def end_of(error: Exception) -> Outcome[Any]:
    """A fault, or the terminal verdict of an actor that it carries."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, VerdictError):
        cause = cause.__cause__
    if cause is None:
        return Failed(error)
    return Refused(cause.verdict, getattr(cause, "trace", None))
