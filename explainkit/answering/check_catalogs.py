"""Checks by name, asked one after the other, and the one result that theirs come to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from explainkit.answering.answer_checkers import AnswerChecker
from explainkit.answering.entries import Catalog, entries_of, same_in_every_run, shown
from explainkit.answering.flow_records import result_form
from explainkit.answering.recorded_calls import ledger_here
from explainkit.flow.agents.step_records import Given
from explainkit.flow.checks import (
    UNSET,
    Checker,
    CheckResult,
    CheckStatus,
    OperationContext,
)
from explainkit.flow.checks.asking import read_result, result_by

_STRONGEST_FIRST: tuple[CheckStatus, ...] = ("failed", "unavailable", "not-run")


class AnswerCheckCatalog(Catalog[AnswerChecker]):
    """Checks by id; made by `define_answer_check_catalog`."""

    def check(
        self, *, check_ids: Iterable[str], value: Any, context: OperationContext | None = None
    ) -> CheckResult:
        """Ask all named checks in order, each recorded as a link where a run is open.

        Args:
            check_ids: Which checks.
            value: What they judge. A value that a passed check yields is what later ones see.
            context: What they are given beside; one is made when not given.

        Returns:
            `failed` when any failed, else `unavailable` when any could not judge, else `not-run`
            when any did not run or none was asked, else `passed`. The issues are those of all
            that did not pass, in order. The value is the last one that a check yielded, and only
            there when all passed.

        Raises:
            UnknownRecordError: An id is unknown; no check was asked then.
            TypeError: `check_ids` is no list.
        """
        given: Any = check_ids
        if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
            raise TypeError(f"check_ids={shown(check_ids)}: give a list of ids, such as ['short'].")
        results = []
        context = OperationContext() if context is None else context
        for checker in self.require_all(check_ids):
            result = _asked(checker, value, context)
            results.append(result)
            if result.status == "passed" and result.value is not UNSET:
                value = result.value
        return aggregated(results)


def define_answer_check_catalog(
    checkers: Iterable[AnswerChecker | Checker | Mapping[str, Any]],
) -> AnswerCheckCatalog:
    """Build a catalog of checks.

    Args:
        checkers: Checkers, mappings `{id, check}`, or objects with `id` and `check`.

    Raises:
        AnswerFlowError: Two have one id, or one is no checker.

    Example:
        >>> from explainkit.answering import length, non_empty
        >>> catalog = define_answer_check_catalog([non_empty(), length(at_most=5)])
        >>> result = catalog.check(check_ids=["non-empty", "length"], value="too long")
        >>> result.status, result.issues[0].message
        ('failed', 'it has 8 characters, more than 5')
    """
    return AnswerCheckCatalog("check", entries_of(AnswerChecker, "check", checkers))


def aggregated(results: Sequence[CheckResult]) -> CheckResult:
    """What several results come to; see `AnswerCheckCatalog.check`.

    Example:
        >>> aggregated([CheckResult("passed"), CheckResult("unavailable")]).status
        'unavailable'
        >>> aggregated([]).status
        'not-run'
    """
    found = [each.status for each in results]
    status = next((each for each in _STRONGEST_FIRST if each in found), None)
    if status is None and results:
        yielded = [each.value for each in results if each.value is not UNSET]
        return CheckResult("passed", value=yielded[-1] if yielded else UNSET)
    issues = tuple(issue for each in results if each.status != "passed" for issue in each.issues)
    return CheckResult(status or "not-run", issues)


def _asked(checker: AnswerChecker, value: Any, context: OperationContext) -> CheckResult:
    ledger = ledger_here()
    given_value = [Given("value", value)]
    opened = ledger.open("check", checker.id, given_value, point=True, runs=checker.check)
    given = read_result(opened.supplied)
    result = same_in_every_run(result_by(checker, value, context)) if given is None else given
    ledger.close(opened.seq, "answered", output=result_form(result))
    return result
