"""A check of an answer under the name by which tasks refer to it."""

from collections.abc import Callable
from typing import Any

from pydantic.dataclasses import dataclass as checked_dataclass

from explainkit.answering.entries import Name
from explainkit.flow.checks import CheckResult, OperationContext


@checked_dataclass(frozen=True, slots=True)
class AnswerChecker:
    """One named check of an answer.

    It serves in a check catalog, and as `validator=` of an Agent.

    Attributes:
        id: Its name, unique in a catalog, and what tasks refer to.
        check: Called with the value and the context; gives a `CheckResult`, or a mapping of the
            same shape. It judges at once: one that awaits could not judge. `unavailable` and
            `not-run` are no verdicts on the value.

    Example:
        >>> short = AnswerChecker(
        ...     "short",
        ...     lambda value, context: CheckResult("passed" if len(value) < 20 else "failed"),
        ... )
        >>> short.check("Half of the fare.", OperationContext()).status
        'passed'
    """

    id: Name
    check: Callable[[Any, OperationContext], Any]


def passed_or(*issues: Any) -> CheckResult:
    """Failed with these issues; passed when there are none."""
    return CheckResult("failed" if issues else "passed", issues)
