"""Why something that a port gave is no `CheckResult`, said so that one can put it right."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from explainkit.answering.entries import shown
from explainkit.flow.checks import CheckResult, CheckStatus, Issue

_STATUSES = ", ".join(get_args(CheckStatus))
_WRITE = 'Let it give CheckResult("passed"), or CheckResult("failed", [Issue(code, message)])'


def no_result(given: Any) -> str:
    """What is wrong with a thing that was to be a result, after the words of who gave it.

    Example:
        >>> no_result(CheckResult("ok"))[:67]
        "'ok' as its status, which is none of passed, failed, unavailable, n"
        >>> no_result(True)
        'True. Let it give CheckResult("passed"), or CheckResult("failed", [Issue(code, message)]).'
    """
    status, issues = _parts(given)
    if status is None:
        return f"{shown(given)}. {_WRITE}."
    if not isinstance(status, str) or status not in get_args(CheckStatus):
        return f"{shown(status)} as its status, which is none of {_STATUSES}."
    if isinstance(issues, str) or not isinstance(issues, Iterable):
        return f"{shown(issues)} as its issues, which is no list. {_WRITE}."
    wrong = next((each for each in issues if not _is_issue(each)), issues)
    return f"{shown(wrong)} among its issues, which is no Issue(code, message) of texts."


def _parts(given: Any) -> tuple[Any, Any]:
    if isinstance(given, CheckResult):
        return given.status, given.issues
    if isinstance(given, Mapping) and {"status"} <= set(given) <= {"status", "issues", "value"}:
        return given["status"], given.get("issues", ())
    return None, ()


def _is_issue(given: Any) -> bool:
    if isinstance(given, Mapping):
        found = [given.get("code"), given.get("message")]
    elif isinstance(given, Issue):
        found = [given.code, given.message]
    else:
        return False
    return all(isinstance(each, str) for each in found)
