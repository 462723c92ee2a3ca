"""The results of an answer flow as a table, with the same columns whether there are rows or not."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from explainkit.answering.shapes import AnswerResult
from explainkit.flow.checks import UNSET, CheckResult, Issue

if TYPE_CHECKING:
    import pandas as pd

RESULTS: dict[str, str] = {
    "id": "object", "input_ids": "object", "source_status": "object", "status": "object",
    "value": "object", "rounds": "Int64", "checks": "object", "reviews": "object",
    "issues": "object", "reason": "object",
}  # fmt: skip
"""Columns and their types. `value` is the object that is delivered, missing when blocked; `checks`
and `reviews` are the statuses round by round."""


def results_frame(results: Sequence[AnswerResult[Any, Any]]) -> "pd.DataFrame":
    """Results, one row each (columns: `RESULTS`).

    Args:
        results: What came of each item.

    Returns:
        In the order of the items.
    """
    import pandas as pd

    rows = [_row(each) for each in results]
    columns = {
        name: pd.Series([row[name] for row in rows], dtype=kind) for name, kind in RESULTS.items()
    }
    return pd.DataFrame(columns)


def statuses(results: Iterable[CheckResult]) -> str:
    """What checks said, round by round.

    Example:
        >>> statuses([CheckResult("failed"), CheckResult("passed")])
        'failed, passed'
    """
    return ", ".join(each.status for each in results)


def issue_text(issues: Iterable[Issue]) -> str:
    """Issues on one line.

    Example:
        >>> issue_text([Issue("EMPTY", "there is no text")])
        'EMPTY: there is no text'
    """
    return "; ".join(f"{each.code}: {each.message}" for each in issues)


def _row(result: AnswerResult[Any, Any]) -> dict[str, Any]:
    return {
        "id": result.item.id,
        "input_ids": list(result.item.input_ids),
        "source_status": result.item.source_status,
        "status": result.status,
        "value": None if result.value is UNSET else result.value,
        "rounds": result.rounds,
        "checks": statuses(result.checks),
        "reviews": statuses(result.reviews),
        "issues": issue_text(result.issues),
        "reason": result.reason,
    }
