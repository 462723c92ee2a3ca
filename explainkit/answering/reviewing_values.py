"""The third step of a round: the values that passed their check are reviewed together."""

from collections.abc import Mapping, Sequence
from typing import Any

from explainkit.answering.entries import same_in_every_run, shown
from explainkit.answering.flow_records import result_form
from explainkit.answering.flow_work import Work, listed
from explainkit.answering.in_place_changes import reviewed_in_place
from explainkit.answering.item_standings import Standing
from explainkit.answering.port_calls import PausedPortError, is_awaited
from explainkit.answering.result_hints import no_result
from explainkit.answering.shapes import ReviewEntry
from explainkit.answering.told_errors import told_raised
from explainkit.errors import AnswerPortError
from explainkit.flow.agents.step_records import Given
from explainkit.flow.checks import CheckResult
from explainkit.flow.checks.asking import read_result, told_error, unavailable

WRITTEN_BY = "review"
WRONG_IDS = "WRONG_IDS"
PAUSED = "PAUSED"


async def reviewed(work: Work, stage: str, standings: Sequence[Standing]) -> None:
    """Ask `review` once for all of them, unless the guard does not allow it.

    Each item's last review is then that of this round.

    Args:
        work: The batch.
        stage: The stage in words.
        standings: The items that are due.
    """
    refused = await work.refused(stage, standings)
    if refused is None:
        results = await _asked(work, standings)
    else:
        results = [CheckResult("not-run", (refused,))] * len(standings)
    site = work.port("review").site
    for standing, said in zip(standings, results, strict=True):
        result = reviewed_in_place(work.records, standing, said, site=site)
        standing.reviews.append(result)
        work.records.verdict(standing, result, judge=WRITTEN_BY)


async def _asked(work: Work, standings: Sequence[Standing]) -> list[CheckResult]:
    """A result for each item; a call that went wrong reviewed none of them."""
    entries = tuple(ReviewEntry(each.item, each.value) for each in standings)
    port = work.port("review")
    with work.records.linked("review", "review", _inputs(work, standings), port=port.port) as link:
        try:
            found = await port.ask(link, {"items": entries}, work.context)
            results = _read(found, standings)
            link.output = {
                each.id: result_form(result)
                for each, result in zip(standings, results, strict=True)
            }
        except Exception as error:  # noqa: BLE001 - it leaves these items unreviewed
            link.status, link.error = "error", error
            return [_broken(error, standings)] * len(standings)
    return results


def _inputs(work: Work, standings: Sequence[Standing]) -> list[Given]:
    values = [each.value for each in standings]
    segments = [
        {"start": at, "end": at + 1, "origin": {"seq": each.seq, "slot": "value"}}
        for at, each in enumerate(standings)
        if each.seq >= 0
    ]
    return [
        work.records.items_given(standings),
        Given("values", values, {"segments": segments} if segments else {}),
    ]


class _WrongIdsError(AnswerPortError):
    """A review that is of other items than those submitted."""


def _read(found: Any, standings: Sequence[Standing]) -> list[CheckResult]:
    if not isinstance(found, Mapping):
        raise AnswerPortError(
            f"review gave {shown(found)}. Let it give a mapping from item ids to CheckResults."
        )
    results = dict(found)
    submitted = {each.id for each in standings}
    missing = [each for each in standings if each.id not in results]
    unknown = [each for each in results if not isinstance(each, str) or each not in submitted]
    if missing or unknown:
        told = [f"gave no result for {listed(missing)}"] if missing else []
        told += [f"named {_ids(unknown)}, which was not submitted"] if unknown else []
        raise _WrongIdsError(f"review {' and '.join(told)}. Let it cover exactly its items.")
    return [_result(each.id, results[each.id]) for each in standings]


def _result(item: str, given: Any) -> CheckResult:
    if is_awaited(given):
        return unavailable("AWAITS", f"review gave a coroutine for {shown(item)}")
    try:
        result = read_result(given)
    except Exception as error:  # noqa: BLE001 - it leaves this item unreviewed, and no other one
        told = f"review gave for {shown(item)} what cannot be read: {told_error(error)}"
        return unavailable("NO_RESULT", told)
    if result is None:
        told = f"review gave for {shown(item)} {no_result(given)}"
        return unavailable("NO_RESULT", told)
    # A review judges; a value of its own would be delivered without any check.
    return same_in_every_run(CheckResult(result.status, result.issues))


def _broken(error: Exception, standings: Sequence[Standing]) -> CheckResult:
    if isinstance(error, _WrongIdsError):
        return unavailable(WRONG_IDS, str(error))
    if isinstance(error, PausedPortError):
        return unavailable(PAUSED, str(error))
    if isinstance(error, AnswerPortError):
        return unavailable("NO_RESULT", str(error))
    return unavailable("RAISED", f"review raised for {listed(standings)}: {told_raised(error)}")


def _ids(unknown: Sequence[Any]) -> str:
    more = len(unknown) - 4
    told = ", ".join(shown(each) for each in unknown[:4])
    return told + (f" and {more:,} more" if more > 0 else "")
