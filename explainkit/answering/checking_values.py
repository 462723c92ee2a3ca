"""The second step of a round: each value is checked by itself, away from the event loop."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

from explainkit.answering.entries import same_in_every_run, shown
from explainkit.answering.flow_records import OpenLink, result_form, site_of
from explainkit.answering.flow_work import Work
from explainkit.answering.in_place_changes import is_changed
from explainkit.answering.item_standings import Standing
from explainkit.answering.port_calls import is_awaited, is_cancelled
from explainkit.answering.result_hints import no_result
from explainkit.answering.told_errors import told_raised
from explainkit.flow.checks import UNSET, CheckResult
from explainkit.flow.checks.asking import read_result, unavailable
from explainkit.flow.compositions.worker_threads import called
from explainkit.tracing.current import CURRENT

WRITTEN_BY = "check"


class Checking:
    """Checks of the values of one round, one after the other in one thread.

    A check cannot be stopped, so a cancellation leaves the thread alone: it writes nothing more.

    Args:
        work: The batch.
        standings: The items, each with a value.
    """

    def __init__(self, work: Work, standings: Sequence[Standing]) -> None:
        self._work = work
        self._standings = standings
        self._lock = Lock()
        self._over = False
        self._open: OpenLink | None = None

    async def run(self) -> None:
        """Check all; each item's last result is that of this round."""
        try:
            await called(self._all)
        finally:
            with self._lock:
                self._over = True
                if self._open is not None:
                    self._open.status = "cancelled"
                    self._work.records.end(self._open)

    def _all(self) -> None:
        for standing in self._standings:
            with self._lock:
                if self._is_over() or self._work.context.signal.cancelled:
                    return
                link = self._open = self._begin(standing)
            result, error = self._asked(standing, link)
            with self._lock:
                if self._is_over():
                    return
                self._open = None
                self._end(standing, link, result, error)

    def _is_over(self) -> bool:
        """Whether nobody waits for it any more; another thread says so."""
        return self._over

    def _begin(self, standing: Standing) -> OpenLink:
        records = self._work.records
        inputs = [
            records.item_given(standing),
            records.values_given("value", standing.value, [standing]),
        ]
        port = self._work.definition.check
        return records.begin("check", "check", inputs, port=port, item=standing.id)

    def _asked(
        self, standing: Standing, link: OpenLink
    ) -> tuple[CheckResult, BaseException | None]:
        """What the check says; one that breaks could not judge."""
        CURRENT.set(link.frame)
        work, item, value = self._work, standing.item, standing.value
        try:
            found: Any = link.supplied
            if found is UNSET:
                found = work.definition.check(item=item, value=value, context=work.context)
            if is_awaited(found):
                return unavailable("AWAITS", "check judges at once; let it be a plain def"), None
            return self._read(found), None
        except Exception as error:  # noqa: BLE001 - it ends this item only
            return unavailable("RAISED", f"check raised {told_raised(error)}"), error
        except asyncio.CancelledError as error:
            if is_cancelled(work.context):
                raise
            return unavailable("RAISED", "check was cancelled by itself"), error

    def _read(self, found: Any) -> CheckResult:
        result = read_result(found)
        if result is None:
            return unavailable("NO_RESULT", f"check gave {no_result(found)}")
        result = same_in_every_run(result)
        if result.status != "passed" or result.value is UNSET:
            return CheckResult(result.status, result.issues)
        problem = self._work.typed.value.problem(result.value)
        if is_awaited(result.value):
            problem = "it is to be awaited"
        if problem is not None:
            return unavailable("NO_RESULT", f"check put {shown(result.value)} in place: {problem}")
        return result

    def _end(
        self, standing: Standing, link: OpenLink, result: CheckResult, error: BaseException | None
    ) -> None:
        records = self._work.records
        changed = is_changed(records, standing)
        if changed and result.status == "passed" and result.value is UNSET:
            # As if the check had given it, also for a replay, which does not run the check.
            result = self._read(replace(result, value=standing.value))
        link.output = result_form(result)
        if error is not None:
            link.status, link.error, link.output = "error", error, UNSET
        records.end(link)
        standing.checks.append(result)
        records.verdict(standing, result, judge=WRITTEN_BY)
        if result.status != "passed":
            standing.rejected(_why(result), *result.issues, again=result.status == "failed")
            if changed:
                self._replace(standing, (), standing.value, "the check changed it in place")
        elif result.value is not UNSET:
            own = changed and result.value is standing.value
            why = "changed it in place" if own else "gave this value"
            self._replace(
                standing, link.place("value"), result.value, f"the check passed, and {why}"
            )

    def _replace(
        self, standing: Standing, uses: Sequence[dict[str, Any]], value: Any, why: str
    ) -> None:
        """Put the check's value in place; one of the recorded content makes no version."""
        records = self._work.records
        if records.digest(value) == standing.digest:
            standing.value = value
            return
        site = site_of(self._work.definition.check)
        records.version(standing, value, by=WRITTEN_BY, why=why, uses=uses, site=site)


def _why(result: CheckResult) -> str:
    return {
        "failed": "the check failed",
        "unavailable": "the check could not judge",
        "not-run": "the check was not run",
    }[result.status]
