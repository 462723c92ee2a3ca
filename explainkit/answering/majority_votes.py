"""Several reviewers as one: more than half of them have to agree."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

from explainkit.answering.chunk_calls import Chunk, ChunkCalls, Ended
from explainkit.answering.definitions import is_runner
from explainkit.answering.entries import shown
from explainkit.answering.ports import CanInvoke
from explainkit.answering.result_hints import no_result
from explainkit.answering.told_errors import told_raised
from explainkit.errors import AnswerFlowError
from explainkit.flow.checks import CheckResult, CheckStatus, Issue, OperationContext
from explainkit.flow.checks.asking import read_result, told_error, unavailable


class MajorityReviewer:
    """Several reviewers, of whom more than half have to agree: a `review` port of an answer flow.

    They are asked at the same time, each call a `vote` link of the record. An item passes, or
    fails, when more than half of all reviewers say so; those that could not judge agree with
    nobody. Without a majority it is unreviewed.

    Args:
        reviewers: `review` ports; `[reviewer] * 3` asks one three times.
        can_invoke: The guard, asked before each call; a vote that it does not allow is not run.

    Example:
        >>> from explainkit.answering import AnswerItem, ReviewEntry
        >>> def says(status):
        ...     return lambda *, items, context: {e.item.id: CheckResult(status) for e in items}
        >>> votes = [says("passed"), says("failed"), says("passed")]
        >>> review = MajorityReviewer(votes, can_invoke=lambda context: True)
        >>> entry = ReviewEntry(AnswerItem("q1", (), "ready", None), "Half of the fare.")
        >>> asyncio.run(review(items=[entry], context=OperationContext()))["q1"].status
        'passed'
    """

    def __init__(self, reviewers: Sequence[Any], *, can_invoke: CanInvoke) -> None:
        given: Any = reviewers
        if not isinstance(given, Sequence) or isinstance(given, str) or not given:
            raise AnswerFlowError(
                f"MajorityReviewer({shown(reviewers)}): give a list of reviewers."
            )
        for each in reviewers:
            if not callable(each) and not is_runner(each):
                raise AnswerFlowError(
                    f"MajorityReviewer: {shown(each)} is no reviewer. Give a function, or a runner."
                )
        if not callable(can_invoke):
            raise AnswerFlowError(
                f"MajorityReviewer(can_invoke={shown(can_invoke)}): give a function."
            )
        self._reviewers = tuple(reviewers)
        self._can_invoke = can_invoke

    async def __call__(
        self, *, items: Sequence[Any], context: OperationContext
    ) -> dict[str, CheckResult]:
        """Review some answers.

        Args:
            items: Entries with an item and a value.
            context: For the reviewers and the guard.

        Returns:
            A result for each item.

        Raises:
            AnswerPortError: The guard gave no bool.
        """
        context.signal.raise_if_cancelled()
        ids = tuple(entry.item.id for entry in items)
        if not ids:
            return {}
        votes = [self._vote(at, items, ids, context) for at in range(len(self._reviewers))]
        ends = await _together(votes)
        return {each: _majority([_of(end, each) for end in ends]) for each in ids}

    async def _vote(
        self, at: int, items: Sequence[Any], ids: tuple[str, ...], context: OperationContext
    ) -> Ended:
        calls = ChunkCalls(
            self._reviewers[at], self._can_invoke, context, reviewing=True, kind="vote"
        )
        name = f"{at + 1} of {len(self._reviewers)}"
        return await calls.ask(Chunk(name, ids, {"items": tuple(items)}))

    def __repr__(self) -> str:
        return f"MajorityReviewer(of {len(self._reviewers)})"


async def _together(votes: Sequence[Any]) -> list[Ended]:
    tasks = [asyncio.ensure_future(each) for each in votes]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _of(end: Ended, item: str) -> CheckResult:
    if end.refused is not None:
        return CheckResult("not-run", (end.refused,))
    if end.error is not None:
        return unavailable("RAISED", f"a reviewer raised {told_raised(end.error)}")
    try:
        given = read_result(end.found[item])
    except Exception as error:  # noqa: BLE001 - it is this reviewer's vote on this item only
        told = f"a reviewer gave what cannot be read: {told_error(error)}"
        return unavailable("NO_RESULT", told)
    if given is None:
        return unavailable("NO_RESULT", f"a reviewer gave {no_result(end.found[item])}")
    return given


def _majority(votes: Sequence[CheckResult]) -> CheckResult:
    counts: Counter[CheckStatus] = Counter(each.status for each in votes)
    for status in ("passed", "failed"):
        if counts[status] * 2 > len(votes):
            issues = () if status == "passed" else _issues(votes, "failed")
            return CheckResult(status, issues)
    if counts["not-run"] == len(votes):
        return CheckResult("not-run", _issues(votes, "not-run"))
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    nobody = Issue("NO_MAJORITY", f"no majority of {len(votes)}: {told}")
    return CheckResult("unavailable", (nobody, *_issues(votes)))


def _issues(votes: Sequence[CheckResult], *of: str) -> tuple[Issue, ...]:
    """Issues of votes, each once; of a passed one there are none."""
    wanted = of or ("failed", "unavailable", "not-run")
    found = (issue for each in votes if each.status in wanted for issue in each.issues)
    return tuple(dict.fromkeys(found))
