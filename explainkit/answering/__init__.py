"""Answer flows: batches of questions that are answered, checked, reviewed and repaired."""

from explainkit.answering.shapes import (
    AnswerItem,
    AnswerResult,
    AnswerStatus,
    Recovery,
    ReviewEntry,
)
from explainkit.flow.checks import (
    UNSET,
    CheckResult,
    CheckStatus,
    Issue,
    OperationContext,
    Signal,
    Unset,
)

__all__ = [
    "UNSET",
    "AnswerItem",
    "AnswerResult",
    "AnswerStatus",
    "CheckResult",
    "CheckStatus",
    "Issue",
    "OperationContext",
    "Recovery",
    "ReviewEntry",
    "Signal",
    "Unset",
]
