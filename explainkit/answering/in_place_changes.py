"""Notices a value that was changed in place, so that what is delivered is what is recorded."""

from dataclasses import replace
from typing import Final

from explainkit.answering.flow_records import FlowRecords
from explainkit.answering.item_standings import Standing
from explainkit.flow.checks import CheckResult, Issue

CHANGED_IN_PLACE: Final = "CHANGED_IN_PLACE"
_FIXED: Final = frozenset({str, int, float, bool, bytes, type(None)})


def is_changed(records: FlowRecords, standing: Standing) -> bool:
    """Whether the present value of an item reads otherwise than its recorded version."""
    if standing.digest is None or type(standing.value) in _FIXED:
        return False
    found = records.digest(standing.value)
    if found in (None, standing.digest):
        return False
    # One that reads otherwise each time was not changed by anybody.
    return records.digest(standing.value) == found


def changed_by_other(records: FlowRecords, standing: Standing) -> bool:
    """Reject a value that no longer is the one that was checked, and record what it is now."""
    if not is_changed(records, standing):
        return False
    why = "it was changed in place after its check"
    records.version(standing, standing.value, by="unknown", why=why, uses=())
    told = f"{why}, by code that holds the same object; give each item a value of its own"
    result = CheckResult("failed", (Issue(CHANGED_IN_PLACE, told),))
    records.verdict(standing, result, judge="flow")
    standing.rejected(f"the value is not the checked one: {why}", *result.issues, again=True)
    return True


def reviewed_in_place(
    records: FlowRecords, standing: Standing, result: CheckResult, *, site: str | None
) -> CheckResult:
    """What a review comes to: one that changed the value has let out what no check saw."""
    if not is_changed(records, standing):
        return result
    why = "the review changed it in place"
    records.version(standing, standing.value, by="review", why=why, uses=(), site=site)
    told = "review changed the value in place, after its check; let check give a changed value"
    return CheckResult("failed", (*result.issues, Issue(CHANGED_IN_PLACE, told)))


def changed_after_its_end(records: FlowRecords, standing: Standing) -> None:
    """Record what is delivered of an item that ended, where somebody changed it since."""
    result = standing.result
    if result is None or result.status == "blocked" or not is_changed(records, standing):
        return
    why = "it was changed in place after its end, by observe or by code that holds the same object"
    records.version(standing, standing.value, by="unknown", why=why, uses=())
    issue = Issue(CHANGED_IN_PLACE, why)
    standing.result = replace(
        result, issues=(*result.issues, issue), reason=f"{result.reason}; {why}"
    )
