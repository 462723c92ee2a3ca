"""The policy of an answer flow: rounds of generation, check and review, then fallback and done."""

import asyncio
from collections.abc import Sequence
from typing import Any

from explainkit.answering.checking_values import Checking
from explainkit.answering.entries import shown
from explainkit.answering.flow_work import Work
from explainkit.answering.in_place_changes import changed_after_its_end, changed_by_other
from explainkit.answering.item_standings import Standing
from explainkit.answering.last_resorts import fallen_back
from explainkit.answering.missing_values import refusal_words
from explainkit.answering.reviewing_values import reviewed
from explainkit.answering.shapes import AnswerResult
from explainkit.answering.value_generation import generated
from explainkit.flow.checks import Issue

SOURCE_NOT_READY = "SOURCE_NOT_READY"


async def answered(work: Work) -> list[AnswerResult[Any, Any]]:
    """Answer a batch.

    Args:
        work: The batch; its items are moved on to their ends.

    Returns:
        What came of each item, in order.
    """
    pending = [each for each in work.standings if each.is_ready]
    for each in work.standings:
        if not each.is_ready:
            said = shown(each.item.source_status)
            told = f"the source of {shown(each.id)} is {said}, and only 'ready' can be used"
            each.rejected("the source is not ready", Issue(SOURCE_NOT_READY, told), again=False)
    for number in range(1, work.definition.max_repairs + 2):
        if not pending:
            break
        pending = await _round(work, number, pending)
    for each in pending:
        each.why += ", and no repair round is left"
    await _fall_back(work, [each for each in work.standings if each.result is None])
    await _observed(work, "done")
    for each in work.standings:
        changed_after_its_end(work.records, each)
    return [each.result for each in work.standings if each.result is not None]


async def _round(work: Work, number: int, pending: Sequence[Standing]) -> list[Standing]:
    """One round; gives the items that are to be repaired."""
    with work.records.linked("round", f"round {number}", number=number, items=len(pending)) as link:
        inside = work.below(link.seq)
        refused = await inside.refused(f"generate:{number}", pending)
        if refused is not None:
            for each in pending:
                each.rejected(refusal_words(refused), *each.issues, refused, again=False)
            return []
        valued = await generated(inside, number, pending)
        await _observed(inside, f"generate:{number}")
        if valued:
            await _judged(inside, number, valued)
        return [each for each in pending if each.result is None and each.again]


async def _judged(work: Work, number: int, valued: Sequence[Standing]) -> None:
    work.context.signal.raise_if_cancelled()
    await Checking(work, valued).run()
    work.context.signal.raise_if_cancelled()
    passed = [
        each
        for each in valued
        if each.checks[-1].status == "passed" and not changed_by_other(work.records, each)
    ]
    definition = work.definition
    due = definition.review is not None and definition.review_policy != "off"
    if not due:
        for each in passed:
            _accept(work, each, "the check passed")
    await _observed(work, f"check:{number}")
    if due and passed:
        await reviewed(work, f"review:{number}", passed)
        for each in passed:
            _settle(work, each)
        await _observed(work, f"review:{number}")


def _settle(work: Work, standing: Standing) -> None:
    """What a review leads to."""
    result = standing.reviews[-1]
    if result.status == "passed":
        _accept(work, standing, "the review passed")
        return
    why = {
        "failed": "the review failed",
        "unavailable": "the review could not judge",
        "not-run": "the review was not run",
    }[result.status]
    standing.rejected(why, *result.issues, again=result.status == "failed")
    if result.status == "failed":
        return
    if work.definition.review_policy == "optional":
        _accept(work, standing, f"{why}, and it is optional")
        return
    standing.ended("blocked", f"{why}; it is required")
    work.records.decided_end(standing, [why, None, "it is required"])


def _accept(work: Work, standing: Standing, reason: str) -> None:
    standing.ended("accepted", reason)
    work.records.decided_end(standing, [reason])


async def _fall_back(work: Work, standings: Sequence[Standing]) -> None:
    for each in standings:
        work.context.signal.raise_if_cancelled()
        found = await fallen_back(work, each)
        reason = f"{each.why}; {found.reason}"
        each.ended("fallback" if found.handled else "blocked", reason)
        work.records.decided_end(each, [each.why, found.reason])
    if standings:
        await _observed(work, "fallback")


async def _observed(work: Work, stage: str) -> None:
    """Tell `observe`; whatever it does is recorded, and changes nothing."""
    work.context.signal.raise_if_cancelled()
    if work.definition.observe is None:
        return
    results = tuple(each.result for each in work.standings if each.result is not None)
    with work.records.linked("observe", stage, port=work.definition.observe) as link:
        try:
            arguments = {"stage_id": stage, "results": results}
            await work.port("observe").ask(link, arguments, work.context)
        except BaseException as error:
            # Only what is to end the flow goes on: an interrupt, an exit, a cancellation. What
            # else an observer raises, of whatever class, is its own matter.
            if _ends_the_flow(error):
                raise
            link.status, link.error = "error", error


def _ends_the_flow(error: BaseException) -> bool:
    """Whether it came from outside of the port; a group may hold such an error."""
    if isinstance(error, BaseExceptionGroup):
        return any(_ends_the_flow(each) for each in error.exceptions)
    ending = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)
    return isinstance(error, ending)
