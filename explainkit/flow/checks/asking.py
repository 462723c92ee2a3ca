"""Asks a check and reads what it says, so that one that breaks never passes for a verdict."""

from collections.abc import Iterable, Mapping
from inspect import isawaitable
from typing import Any, get_args

from explainkit.flow.checks.shapes import UNSET, Checker, CheckResult, CheckStatus, Issue
from explainkit.flow.checks.shapes import OperationContext as Context
from explainkit.safety import shorten
from explainkit.safety.described import message_of, repr_of, type_name

_STATUSES = get_args(CheckStatus)


def result_by(check: Checker, value: Any, context: Context) -> CheckResult:
    """What a check says; one that raises, awaits or says nothing readable could not judge.

    Args:
        check: The check.
        value: What it judges.
        context: What it is given beside.

    Example:
        >>> from types import SimpleNamespace
        >>> broken = SimpleNamespace(id="broken", check=lambda value, context: 1 / 0)
        >>> result_by(broken, "text", Context()).status
        'unavailable'
    """
    try:
        given: Any = check.check(value, context)
    except Exception as error:  # noqa: BLE001 - a check that breaks judges nothing
        return unavailable("RAISED", f"it raised {told_error(error)}")
    if isawaitable(given):
        if hasattr(given, "close"):
            given.close()
        return unavailable("AWAITS", "a check judges at once; use def")
    result = read_result(given)
    if result is None:
        told = f"it gave {repr_of(given, limit=80).text}, which is no CheckResult"
        return unavailable("NO_RESULT", told)
    return result


def read_result(given: Any) -> CheckResult | None:
    """A result from a result, or from a mapping of the same shape; None when it is neither.

    Example:
        >>> said = {"status": "failed", "issues": [{"code": "EMPTY", "message": "no text"}]}
        >>> read_result(said).issues
        (Issue(code='EMPTY', message='no text', path=None),)
    """
    if isinstance(given, Mapping):
        if not {"status"} <= set(given) <= {"status", "issues", "value"}:
            return None
        given = CheckResult(given["status"], given.get("issues", ()), given.get("value", UNSET))
    if not isinstance(given, CheckResult) or given.status not in _STATUSES:
        return None
    listed: Any = given.issues
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        return None
    issues = tuple(_issue(each) for each in listed)
    found = tuple(each for each in issues if each is not None)
    if len(found) < len(issues):
        return None
    return CheckResult(given.status, found, given.value)


def unavailable(code: str, message: str) -> CheckResult:
    """The result of a check that could not judge."""
    return CheckResult("unavailable", (Issue(code, message),))


def told_error(error: BaseException) -> str:
    """An error in a sentence: its type, and its message where there is one."""
    message = shorten(message_of(error, limit=400).text, 200)
    kind = type_name(type(error)).rpartition(".")[2]
    return f"{kind}: {message}" if message else kind


def _issue(given: Any) -> Issue | None:
    if isinstance(given, Mapping):
        if not {"code", "message"} <= set(given) <= {"code", "message", "path"}:
            return None
        given = Issue(given["code"], given["message"], given.get("path"))
    if not isinstance(given, Issue):
        return None
    words = (given.code, given.message, "" if given.path is None else given.path)
    return given if all(isinstance(each, str) for each in words) else None
