"""A person as the reviewer: each answer stands at a Gate until somebody passes or fails it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel, Field

from explainkit.answering.entries import shown
from explainkit.answering.review_material import material_of
from explainkit.errors import AnswerFlowError
from explainkit.flow.actors.gates import gate
from explainkit.flow.checks import CheckResult, Issue, OperationContext
from explainkit.flow.checks.asking import unavailable
from explainkit.flow.driving import MachineRun, OpenGate
from explainkit.flow.outcomes import Answered, Outcome
from explainkit.flow.statecharts import Machine, define_event, final, invoke, machine, state, to

_GATE = "person"


class Reason(BaseModel):
    """What a person says with `fail`."""

    reason: str = Field(min_length=1, description="What is wrong, and what would be right.")


_PASS = define_event("pass", "The answer may be delivered.", audience="external")
_FAIL = define_event("fail", "The answer is wrong.", input=Reason, audience="external")
_LEAVE = define_event("leave", "Leave the answer without a verdict.", audience="external")


class PersonReviewer:
    """A person who reviews answers: a `review` port of an answer flow.

    For each answer a Gate stands open, and takes `pass`, `fail` with a `reason`, or `leave`.
    Code answers it with `gate.send(...)`, a notebook with the form that is made of it. An answer
    that is left, or whose Gate is cancelled, is unreviewed. Each Gate is recorded, with what was
    said at it.

    Args:
        question: What the person is asked.
        show: Called with each Gate when it opens, to display its form; what it raises goes to
            the handler of the event loop.

    Example:
        >>> from explainkit.answering import AnswerItem, ReviewEntry
        >>> async def reviewed():
        ...     reviewer = PersonReviewer()
        ...     entry = ReviewEntry(AnswerItem("q1", (), "ready", "54 EUR"), "It is 45 EUR.")
        ...     asked = reviewer(items=[entry], context=OperationContext())
        ...     waiting = asyncio.ensure_future(asked)
        ...     gate = await reviewer.gate("q1")
        ...     gate.send("fail", {"reason": "It is 54 EUR."})
        ...     return await waiting
        >>> asyncio.run(reviewed())["q1"].issues[0].message
        'It is 54 EUR.'
    """

    def __init__(
        self,
        *,
        question: str = "Is this answer right?",
        show: Callable[[OpenGate], Any] | None = None,
    ) -> None:
        if show is not None and not callable(show):
            raise AnswerFlowError(f"PersonReviewer(show={shown(show)}): give a function of a Gate.")
        self._question = question
        self._show = show
        self._open: list[tuple[str, OpenGate, MachineRun]] = []
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def gates(self) -> tuple[OpenGate, ...]:
        """The Gates that stand open; `meta["id"]` is the id of the item."""
        return tuple(gate for _, gate, _ in self._open if not gate.over)

    async def gate(self, item: str | None = None) -> OpenGate:
        """Wait until a Gate stands open.

        Args:
            item: Id of the item; any when not given.
        """
        while True:
            for name, found, _ in self._open:
                if item in (None, name) and not found.over:
                    return found
            change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(change)
            await change

    def cancel(self) -> None:
        """Leave every answer that stands at a Gate without a verdict."""
        for _, _, running in list(self._open):
            running.cancel()

    async def __call__(
        self, *, items: Sequence[Any], context: OperationContext
    ) -> dict[str, CheckResult]:
        """Wait until every answer was reviewed, or left.

        Args:
            items: Entries with an item and a value.
            context: Its signal stops the waiting.

        Returns:
            A result for each item.

        Raises:
            asyncio.CancelledError: The signal or the task was cancelled; the Gates are closed.
        """
        context.signal.raise_if_cancelled()
        mine: list[tuple[str, OpenGate, MachineRun]] = []
        try:
            for entry in items:
                running = _machine(entry, self._question).begin()
                mine.append((entry.item.id, running.gates[_GATE], running))
                self._opened(mine[-1])
            outcomes = {item: running.outcome() for item, _, running in mine}
            ended = await _until(list(outcomes.values()), context)
            return {item: _result(each) for item, each in zip(outcomes, ended, strict=True)}
        finally:
            for each in mine:
                self._open.remove(each)
                each[2].cancel()
            await asyncio.gather(*(running.outcome() for _, _, running in mine))

    def _opened(self, each: tuple[str, OpenGate, MachineRun]) -> None:
        self._open.append(each)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)
        if self._show is not None:
            try:
                self._show(each[1])
            except Exception as error:  # noqa: BLE001 - the Gate stands open all the same
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "PersonReviewer(show=...) raised", "exception": error}
                )

    def __repr__(self) -> str:
        return f"PersonReviewer({len(self.gates)} gates open)"


async def _until(outcomes: Sequence[Any], context: OperationContext) -> list[Outcome[Any]]:
    """Wait for all ends, or until it is to stop."""
    tasks = [asyncio.ensure_future(each) for each in outcomes]
    stop = asyncio.ensure_future(context.signal.wait())
    whole = asyncio.ensure_future(asyncio.gather(*tasks))
    try:
        await asyncio.wait({whole, stop}, return_when=asyncio.FIRST_COMPLETED)
        context.signal.raise_if_cancelled()
        return list(whole.result())
    finally:
        for each in (*tasks, whole, stop):
            each.cancel()
        await asyncio.gather(*tasks, whole, stop, return_exceptions=True)


def _machine(entry: Any, question: str) -> Machine:
    told = material_of(entry)
    meta = {"title": f"Review of {told['id']}", "question": question, **told}
    return machine(
        "review",
        events=[_PASS, _FAIL, _LEAVE],
        actors={_GATE: gate(_PASS, _FAIL, _LEAVE, meta=meta)},
        initial="open",
        states={
            "open": state(
                invoke=invoke(_GATE),
                on={"pass": to("passed"), "fail": to("failed"), "leave": to("left")},
            ),
            "passed": final(output={"status": "passed"}),
            "failed": final(
                output=lambda args: {"status": "failed", "reason": args.event.payload["reason"]}
            ),
            "left": final(output={"status": "unavailable"}),
        },
    )


def _result(outcome: Outcome[Any]) -> CheckResult:
    if not isinstance(outcome, Answered):
        return unavailable("NOT_REVIEWED", "the review was cancelled")
    said = outcome.value
    if said["status"] == "failed":
        return CheckResult("failed", (Issue("PERSON", said["reason"]),))
    if said["status"] == "passed":
        return CheckResult("passed")
    return unavailable("NOT_REVIEWED", "the person left it without a verdict")
