"""A regular expression as a check that no text can make hang."""

from typing import Any, Final

from pydantic_core import SchemaError

from explainkit.answering.answer_checkers import AnswerChecker, passed_or
from explainkit.answering.entries import shown
from explainkit.errors import AnswerFlowError
from explainkit.flow.checks import CheckResult, Issue, OperationContext
from explainkit.flow.checks.asking import unavailable
from explainkit.safety import shorten
from explainkit.safety.shapes import gate
from explainkit.safety.surrogates import has_surrogates

_LONGEST: Final = 1_000_000


def pattern(expression: str, *, id: str = "pattern") -> AnswerChecker:  # noqa: A002
    r"""A check that a regular expression is found in a text; anchor it with `^` and `$`.

    The expression is run by the regular expressions of Rust, whose time grows with the length of
    the text only, whatever the two are. They are those of Python without look-around and
    backreferences; `$` is the very end of the text. Texts above a million characters, and those
    with lone surrogates, are not judged.

    Args:
        expression: The regular expression.
        id: Its id.

    Raises:
        AnswerFlowError: It is none, uses what is not supported, or is too large.

    Example:
        >>> order = pattern(r"^[A-Z]\d+$")
        >>> [order.check(each, OperationContext()).status for each in ("A7", "7")]
        ['passed', 'failed']
    """
    given: Any = expression
    if not isinstance(given, str):
        raise AnswerFlowError(f"pattern({shown(given)}): give a regular expression as a text.")
    try:
        is_found = gate(expression)
    except SchemaError as problem:
        told = str(problem).strip().rpartition("\n")[2].strip()
        raise AnswerFlowError(
            f"pattern({shown(expression)}): {shorten(told, 200)}. Use an expression without "
            "look-around and backreferences, or a check of your own."
        ) from problem

    def check(value: Any, context: OperationContext) -> CheckResult:
        del context
        if not isinstance(value, str):
            return passed_or(Issue("NO_TEXT", f"a {type(value).__name__} is no text"))
        if len(value) > _LONGEST:
            return unavailable("TOO_LONG", f"it has more than {_LONGEST:,} characters")
        if has_surrogates(value):
            return unavailable("BROKEN_TEXT", "it holds a lone surrogate")
        if is_found(str.__str__(value)):
            return passed_or()
        return passed_or(Issue("NO_MATCH", f"{shown(expression)} is not found in it"))

    return AnswerChecker(id, check)
