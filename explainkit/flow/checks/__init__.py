"""What a check is: one vocabulary for validators of Agents and checkers of answering flows."""

from explainkit.flow.checks.shapes import (
    UNSET,
    Checker,
    CheckResult,
    CheckStatus,
    Issue,
    OperationContext,
    Unset,
)
from explainkit.flow.checks.signals import Signal

__all__ = [
    "UNSET",
    "CheckResult",
    "CheckStatus",
    "Checker",
    "Issue",
    "OperationContext",
    "Signal",
    "Unset",
]
