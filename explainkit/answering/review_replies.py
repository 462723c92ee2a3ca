"""Reads what a model says of answers, strictly: what is not exactly a verdict is none."""

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from explainkit.answering.entries import Name, listed, shown, told
from explainkit.flow.checks import CheckResult, Issue
from explainkit.flow.checks.asking import unavailable

UNREADABLE: Final = "UNREADABLE_REVIEW"
_LONGEST: Final = 1_000_000
_FENCED: Final = re.compile(r"```(?:json)?[^\S\n]*\n(.*)\n[^\S\n]*```", re.DOTALL)


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Problem(_Said):
    code: Name = "REVIEW"
    message: Name


class _Passed(_Said):
    status: Literal["passed"]
    issues: list[_Problem] = Field(default=[], max_length=0)


class _Failed(_Said):
    status: Literal["failed"]
    issues: list[_Problem] = Field(min_length=1)


_Verdict: TypeAlias = Annotated[_Passed | _Failed, Field(discriminator="status")]
_VERDICT: TypeAdapter[Any] = TypeAdapter(_Verdict)


def read_reviews(text: str, ids: Sequence[str]) -> dict[str, CheckResult]:
    """The verdicts in a reply.

    The whole reply, or all of it within one code fence, is a JSON object with exactly the ids as
    keys. Each value is `{"status": "passed"}`, or `{"status": "failed", "issues": [...]}` with at
    least one `{"message"}` or `{"code", "message"}`. One that is neither leaves its own item
    unreviewed; anything else leaves all of them so.

    Args:
        text: The reply.
        ids: The items that were to be reviewed.

    Example:
        >>> read_reviews('{"q1": {"status": "passed"}}', ["q1"])["q1"].status
        'passed'
        >>> read_reviews("Looks good to me!", ["q1"])["q1"].status
        'unavailable'
    """
    try:
        said = _object(text)
    except (ValueError, RecursionError) as problem:
        return dict.fromkeys(ids, unavailable(UNREADABLE, f"the reply is no review: {problem}"))
    if set(said) != set(ids):
        what = f"the reply is about {listed(said) or 'nothing'} and not exactly {listed(ids)}"
        return dict.fromkeys(ids, unavailable(UNREADABLE, what))
    return {each: _verdict(said[each]) for each in ids}


def _object(text: str) -> dict[str, Any]:
    if len(text) > _LONGEST:
        raise ValueError(f"it has more than {_LONGEST:,} characters")
    fenced = _FENCED.fullmatch(text.strip())
    try:
        said = json.loads(fenced[1] if fenced else text, object_pairs_hook=_once)
    except json.JSONDecodeError as problem:
        raise ValueError(f"it is no JSON ({problem}); it begins {shown(text[:80])}") from problem
    if isinstance(said, dict):
        return said
    raise ValueError("it is no JSON object")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says each thing once; of two verdicts neither counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it says one key twice")
    return found


def _verdict(said: Any) -> CheckResult:
    try:
        found = _VERDICT.validate_python(said)
    except ValidationError as problem:
        return unavailable(UNREADABLE, f"the reply holds no verdict on it: {told(problem)}")
    issues = tuple(Issue(each.code, each.message) for each in found.issues)
    return CheckResult(found.status, issues)
