"""The answer flow: a runner that takes a batch and gives a result for each of its items."""

import asyncio
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic

from explainkit.answering.answering_rounds import answered
from explainkit.answering.batches import read_batch
from explainkit.answering.declared_types import TypedParts, typed_parts
from explainkit.answering.definitions import AnswerFlowDefinition, is_runner
from explainkit.answering.entries import shown
from explainkit.answering.flow_records import FlowRecords, item_form
from explainkit.answering.flow_work import Work
from explainkit.answering.item_standings import Standing
from explainkit.answering.shapes import AnswerItem, AnswerResult, App, Data, Value
from explainkit.errors import AnswerBatchError, AnswerFlowError
from explainkit.flow.checks import UNSET, OperationContext
from explainkit.flow.compositions.children import as_child
from explainkit.flow.compositions.naming import label_or
from explainkit.flow.driving.homes import Home, frame_here
from explainkit.flow.handing import HAND, Hand
from explainkit.flow.outcomes import Answered, Cancelled, Outcome
from explainkit.flow.runner_links import Work as Linked
from explainkit.flow.runner_links import linked
from explainkit.flow.runners import Runner
from explainkit.openers import answer_presenter
from explainkit.tracing.current import CURRENT, Frame, leave
from explainkit.tracing.own_runs import Again

_FIELDS = ("input_ids", "items")


class AnswerFlow(Runner, Generic[Data, Value, App]):
    """Answers batches; made by `define_answer_flow`.

    Attributes:
        kind: The type of its link.
        label: Its word in paths and records.
        definition: Its limits and ports.
    """

    kind: ClassVar[str] = "answer-flow"

    def __init__(
        self, definition: AnswerFlowDefinition[Data, Value, App], *, name: str | None = None
    ) -> None:
        self.label = label_or(name, "AnswerFlow")
        self.definition = definition
        self._typed = typed_parts(definition)
        for port in ("generate", "review", "fallback", "observe"):
            given = getattr(definition, port)
            if is_runner(given):
                as_child(given, place=f"{self.label}({port}=...)")

    async def outcome(
        self,
        input: Any = None,  # noqa: A002 - the word of every runner
        *,
        input_ids: Any = UNSET,
        items: Any = UNSET,
        context: OperationContext | None = None,
        to: str | PathLike[str] | None = None,
    ) -> Outcome[Any]:
        """Answer a batch.

        Args:
            input: The batch as one mapping `{input_ids, items}`, instead of the next two.
            input_ids: The inputs, each once.
            items: The items, or plain dicts of the same shape.
            context: What every port is given; one is made when not given. Its signal stops the
                flow, and the outcome is then `Cancelled()`.
            to: Folder for the file of a run of its own.

        Returns:
            `Answered` with `AnswerResults` in the order of the items. `Failed` holds an
            `AnswerBatchError` when the batch is none, and an `AnswerPortError` when `can_invoke`
            said neither True nor False.
        """
        if frame_here(to) is not None:
            return await self._linked(input, input_ids, items, context, None)
        named = {"input_ids": input_ids, "items": items, "context": context}
        home = Home(None, name=self.label, to=to, again=Again(self.outcome, (input,), named))
        token = CURRENT.set(home.frame)
        outcome: Outcome[Any] = Cancelled()
        try:
            outcome = await self._linked(input, input_ids, items, context, home.record)
        finally:
            leave(token)
            told = outcome
            if isinstance(outcome, Answered):
                told = Answered([result_form(each) for each in outcome.value])
            home.close(told)
        return outcome

    async def run(
        self,
        input: Any = None,  # noqa: A002
        **settings: Any,
    ) -> Any:
        """Answer a batch; as `outcome`, and gives the `AnswerResults`.

        Args:
            input: The batch as one mapping, or nothing.
            settings: `input_ids`, `items`, `context` and `to`, as `outcome` takes them.

        Raises:
            AnswerBatchError: The batch is none; it lists all problems.
            AnswerPortError: `can_invoke` said neither True nor False.
            asyncio.CancelledError: It was cancelled.
        """
        return await super().run(input, **settings)

    async def _linked(
        self,
        given: Any,
        input_ids: Any,
        items: Any,
        context: OperationContext | None,
        record: Any,
    ) -> Outcome[Any]:
        """Run as one link, whose input and output are plain data."""
        context = OperationContext() if context is None else context
        batch = {"input_ids": input_ids, "items": items} if given is None else given
        both = given is not None and (input_ids is not UNSET or items is not UNSET)
        form, hand = _form(batch), HAND.get()
        if hand is not None and hand.value is given:
            hand.value = form
        presented: list[tuple[Any, Any]] = []

        async def work(frame: Frame) -> Outcome[Any]:
            if both:
                raise AnswerBatchError("Give the batch as one mapping, or input_ids and items.")
            results = await self._answered(frame, batch, context)
            compact = [result_form(each) for each in results]
            flow = -1 if frame.link is None else frame.link
            shown_as = answer_presenter()(results, record=record, run=frame.run.id, link=flow)
            presented.append((compact, shown_as))
            return Answered(compact)

        outcome = await linked(
            lambda frame: _until_cancelled(work, frame, context),
            kind=self.kind,
            label=self.label,
            input=form,
            signal=_signal_of(context),
        )
        return _presented(outcome, presented, hand)

    async def _answered(
        self, frame: Frame, batch: Any, context: OperationContext
    ) -> list[AnswerResult[Any, Any]]:
        """What came of each item of a batch, as it was given."""
        if not isinstance(context, OperationContext):
            raise TypeError(f"context={shown(context)}: give an OperationContext.")
        items = _read(batch, self.definition.max_items)
        _check_types(self._typed, items, context)
        records = FlowRecords(frame, flow=-1 if frame.link is None else frame.link)
        standings = [Standing(item, index) for index, item in enumerate(items)]
        work = Work(self.definition, self.label, context, records, self._typed, standings)
        return await answered(work)

    def __repr__(self) -> str:
        return f"{self.label}({type(self.definition).__name__})"


def define_answer_flow(
    definition: AnswerFlowDefinition[Data, Value, App], *, name: str | None = None
) -> AnswerFlow[Data, Value, App]:
    """Build an answer flow.

    Args:
        definition: Its limits and ports.
        name: Its word in paths and records.

    Raises:
        AnswerFlowError: It is not well built.
        CompositionError: A runner that is given as a port cannot be run with one input.

    Example:
        >>> from explainkit.answering import AnswerItem, CheckResult, Recovery
        >>> flow = define_answer_flow(AnswerFlowDefinition(
        ...     max_items=4, max_repairs=0, can_invoke=lambda context: True,
        ...     generate=lambda *, items, **_: {each.id: each.data["source"] for each in items},
        ...     check=lambda *, value, **_: CheckResult("passed" if value else "failed"),
        ...     fallback=lambda **_: Recovery(False)))
        >>> results = flow.run_sync(input_ids=["q1"], items=[
        ...     AnswerItem("explain", ["q1"], "ready", {"source": "A plain object is a node."})])
        >>> results[0].status, results[0].value
        ('accepted', 'A plain object is a node.')
    """
    if not isinstance(definition, AnswerFlowDefinition):
        raise AnswerFlowError(f"{shown(definition)}: give an AnswerFlowDefinition.")
    return AnswerFlow(definition, name=name)


def result_form(result: AnswerResult[Any, Any]) -> dict[str, Any]:
    """What came of an item, as it is recorded; what led to it stands in the record already."""
    form: dict[str, Any] = {"id": result.item.id, "status": result.status}
    return form if result.value is UNSET else form | {"value": result.value}


async def _until_cancelled(work: Linked, frame: Frame, context: Any) -> Outcome[Any]:
    """A cancellation that only the signal asked for is an outcome."""
    try:
        return await work(frame)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if context.signal.cancelled and not (task is not None and task.cancelling()):
            return Cancelled()
        raise
    except (KeyboardInterrupt, SystemExit):
        # It leaves the loop by itself, so nobody asks the task for it.
        task = asyncio.current_task()
        if task is not None:
            task.add_done_callback(_looked_at)
        raise


def _looked_at(task: "asyncio.Task[Any]") -> None:
    if not task.cancelled():
        task.exception()


def _presented(
    outcome: Outcome[Any], presented: Sequence[tuple[Any, Any]], hand: Hand | None
) -> Outcome[Any]:
    """The outcome with the results as a user holds them; they stand where the plain ones do."""
    if not isinstance(outcome, Answered):
        return outcome
    compact, shown_as = presented[0]
    if hand is not None and hand.answer is compact:
        hand.answer = shown_as
    return Answered(shown_as)


def _signal_of(context: Any) -> Any:
    return context.signal if isinstance(context, OperationContext) else None


def _read(batch: Any, max_items: int) -> tuple[AnswerItem[Any], ...]:
    if not isinstance(batch, Mapping) or sorted(map(str, batch)) != sorted(_FIELDS):
        raise AnswerBatchError(
            f"{shown(batch)} is no batch. Give a mapping of {' and '.join(_FIELDS)}."
        )
    for field in _FIELDS:
        if batch[field] is UNSET:
            raise AnswerBatchError(f"The batch has no {field}. Give input_ids= and items=.")
    return read_batch(batch["input_ids"], batch["items"], max_items)


def _check_types(
    typed: TypedParts, items: Sequence[AnswerItem[Any]], context: OperationContext
) -> None:
    problem = typed.app.problem(context.app)
    if problem is not None:
        raise AnswerBatchError(
            f"context.app is {shown(context.app)}, and is to be {typed.app.text}: {problem}."
        )
    if typed.data.adapter is None:
        return
    found = [(each, typed.data.problem(each.data)) for each in items]
    wrong = [f"the data of {shown(each.id)}: {told}" for each, told in found if told is not None]
    if wrong:
        raise AnswerBatchError(
            f"The data of {len(wrong):,} of {len(items):,} items is not {typed.data.text}: "
            f"{'; '.join(wrong[:4])}",
            wrong,
        )


def _form(batch: Any) -> Any:
    """A batch as it is recorded: plain data, where it is one."""
    if not isinstance(batch, Mapping) or not isinstance(batch.get("items"), Sequence):
        return batch
    items = [item_form(each) if isinstance(each, AnswerItem) else each for each in batch["items"]]
    return {**batch, "items": items}
