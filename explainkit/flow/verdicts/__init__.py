"""Terminal verdicts: how a run can end without an answer, and how that is handed on."""

from explainkit.flow.verdicts.children import (
    CHILD_VERDICT_KEY,
    carry_verdict,
    child_error,
    child_outcome,
    raise_child_verdict,
)
from explainkit.flow.verdicts.kinds import (
    AnswerValidation,
    CheckOutcome,
    ConsentPending,
    MessageDenied,
    PolicyHalt,
    ReliabilityFailFast,
    TerminalVerdict,
    UnsupportedValues,
    ValidationReport,
)
from explainkit.flow.verdicts.precedence import first_standing
from explainkit.flow.verdicts.registry import UnknownVerdict, register_verdict, verdict_from_json

__all__ = [
    "CHILD_VERDICT_KEY",
    "AnswerValidation",
    "CheckOutcome",
    "ConsentPending",
    "MessageDenied",
    "PolicyHalt",
    "ReliabilityFailFast",
    "TerminalVerdict",
    "UnknownVerdict",
    "UnsupportedValues",
    "ValidationReport",
    "carry_verdict",
    "child_error",
    "child_outcome",
    "first_standing",
    "raise_child_verdict",
    "register_verdict",
    "verdict_from_json",
]
