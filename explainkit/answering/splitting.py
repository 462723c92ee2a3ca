"""Splits a large set of items into calls of few items each, so many of them at once."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explainkit.answering.chunk_calls import Chunk, ChunkCalls, Ended
from explainkit.answering.definitions import is_runner
from explainkit.answering.entries import shown
from explainkit.answering.missing_values import GENERATE_FAILED, EveryCallFailedError, PartValues
from explainkit.answering.ports import CanInvoke
from explainkit.answering.progress_bars import PacedProgress, Progress
from explainkit.answering.told_errors import told_raised
from explainkit.errors import AnswerFlowError, AnswerPortError
from explainkit.flow.checks import CheckResult, Issue, OperationContext
from explainkit.flow.clocks import Clock, SystemClock


def split(
    port: Any,
    *,
    size: int,
    at_once: int,
    can_invoke: CanInvoke,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> "SplitPort":
    """Let a `generate` or `review` port of an answer flow be called with few items at a time.

    Calls begin in the order of the items, and results are given in it. One that fails ends only
    its own items: they get no value and the flow the reason, or a review that is unavailable; when
    every call of `generate` failed, that is raised. A cancelled flow, by its signal or its task,
    cancels the calls that run. Each call is a link of its own in the record.

    Args:
        port: The port, any that a flow takes.
        size: Items of one call at most.
        at_once: Calls that run at the same time at most.
        can_invoke: The guard, asked right before each of these calls. Where it says no, the items
            of the call get no value, for the reason `BUDGET`, or a review that was not run. It is
            the flow's own as a rule, which the flow asks once more before the whole.
            One that counts calls is exact when an `async` port counts before its first `await`;
            plain functions run in threads, so `at_once` of them may begin before one counts.
        progress: Called with the number of items that are done and of all, at most five times a
            second and at the end. When not given, a bar of text is drawn where standard error is
            a terminal; `text_bar()` draws it anywhere.
        clock: Tells the time.

    Raises:
        AnswerFlowError: The port or the guard cannot be called, or a number is not above 0.

    Example:
        >>> from explainkit.answering import AnswerItem
        >>> def generate(*, items, repairs, previous, context):
        ...     return {item.id: f"{item.data} of {len(items)}" for item in items}
        >>> port = split(generate, size=2, at_once=4, can_invoke=lambda context: True)
        >>> items = [AnswerItem(name, (), "ready", name.upper()) for name in ("a", "b", "c")]
        >>> asyncio.run(port(items=items, repairs={}, previous={}, context=OperationContext()))
        {'a': 'A of 2', 'b': 'B of 2', 'c': 'C of 1'}
    """
    if not callable(port) and not is_runner(port):
        raise AnswerFlowError(f"split({shown(port)}): give a function, or a runner.")
    if not callable(can_invoke):
        raise AnswerFlowError(f"split(can_invoke={shown(can_invoke)}): give a function.")
    for name, number in (("size", size), ("at_once", at_once)):
        if type(number) is not int or number < 1:
            raise AnswerFlowError(f"split({name}={shown(number)}): give a whole number from 1.")
    return SplitPort(
        port,
        size=size,
        at_once=at_once,
        can_invoke=can_invoke,
        progress=progress,
        clock=clock or SystemClock(),
    )


class SplitPort:
    """A port that calls another one with few items at a time; made by `split`."""

    def __init__(
        self,
        port: Any,
        *,
        size: int,
        at_once: int,
        can_invoke: CanInvoke,
        progress: Progress | None,
        clock: Clock,
    ) -> None:
        self._port = port
        self._size = size
        self._at_once = at_once
        self._can_invoke = can_invoke
        self._progress = progress
        self._clock = clock

    async def __call__(
        self,
        *,
        items: Sequence[Any],
        context: OperationContext,
        repairs: Mapping[str, Any] | None = None,
        previous: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Call the port for all items.

        Args:
            items: The items; for a review the entries, each with its item and value.
            context: For the port.
            repairs: Of `generate`: the issues of the items.
            previous: Of `generate`: their rejected values.

        Returns:
            What the calls gave, in the order of the items.

        Raises:
            Exception: Every call of `generate` failed.
            AnswerPortError: The guard gave no bool.
            asyncio.CancelledError: The signal or the task was cancelled.
        """
        reviewing = repairs is None
        chunks = list(self._chunks(items, repairs, previous))
        calls = ChunkCalls(self._port, self._can_invoke, context, reviewing=reviewing)
        progress = PacedProgress(self._progress, len(items), self._clock)
        progress.begin()
        try:
            ends = await self._all(calls, chunks, context, progress)
        finally:
            progress.end()
        given = _reviews(chunks, ends) if reviewing else _values(chunks, ends)
        first = {each: given[each] for chunk in chunks for each in chunk.ids if each in given}
        missing = {} if reviewing else _missing(chunks, ends)
        return PartValues(first | given, missing) if missing else first | given

    def _chunks(
        self,
        items: Sequence[Any],
        repairs: Mapping[str, Any] | None,
        previous: Mapping[str, Any] | None,
    ) -> Iterator[Chunk]:
        parts = [items[at : at + self._size] for at in range(0, len(items), self._size)]
        for number, part in enumerate(parts, 1):
            ids = [each.item.id if repairs is None else each.id for each in part]
            arguments: dict[str, Any] = {"items": tuple(part)}
            if repairs is not None:
                arguments |= {"repairs": _of(repairs, ids), "previous": _of(previous or {}, ids)}
            yield Chunk(f"{number} of {len(parts)}", tuple(ids), arguments)

    async def _all(
        self,
        calls: ChunkCalls,
        chunks: Sequence[Chunk],
        context: OperationContext,
        progress: PacedProgress,
    ) -> list[Ended]:
        """Let some workers take one chunk after the other, until all are done or it is to stop."""
        ends: dict[int, Ended] = {}
        waiting = iter(enumerate(chunks))

        async def work() -> None:
            for at, chunk in waiting:
                context.signal.raise_if_cancelled()
                ends[at] = await calls.ask(chunk)
                progress.add(len(chunk.ids))

        workers = [asyncio.ensure_future(work()) for _ in chunks[: self._at_once]]
        stop = asyncio.ensure_future(context.signal.wait())
        try:
            going = set(workers)
            while going:
                done, _ = await asyncio.wait({*going, stop}, return_when=asyncio.FIRST_COMPLETED)
                context.signal.raise_if_cancelled()
                going -= done
                for each in done:
                    each.result()
        finally:
            for each in (*workers, stop):
                each.cancel()
            await asyncio.gather(*workers, stop, return_exceptions=True)
        return [ends[at] for at in range(len(chunks))]

    def __repr__(self) -> str:
        return f"SplitPort({shown(self._port)}, size={self._size}, at_once={self._at_once})"


def _of(whole: Mapping[str, Any], ids: Sequence[str]) -> dict[str, Any]:
    return {each: whole[each] for each in ids if each in whole}


def _values(chunks: Sequence[Chunk], ends: Sequence[Ended]) -> dict[str, Any]:
    """The values of all calls; one for an item of another call is left out."""
    errors = [end.error for end in ends if end.error is not None]
    if errors and len(errors) == len(ends):
        if len(errors) == 1:
            raise errors[0]
        raise EveryCallFailedError.of(errors, _missing(chunks, ends))
    asked = {each for chunk in chunks for each in chunk.ids}
    return {
        name: value
        for chunk, end in zip(chunks, ends, strict=True)
        for name, value in end.found.items()
        if name in chunk.ids or name not in asked
    }


def _missing(chunks: Sequence[Chunk], ends: Sequence[Ended]) -> dict[str, Issue]:
    """Why the items of a call that was not made, or failed, have no value."""
    reasons: dict[str, Issue] = {}
    for chunk, end in zip(chunks, ends, strict=True):
        if end.refused is not None:
            reasons |= dict.fromkeys(chunk.ids, end.refused)
        elif end.error is not None:
            told = f"raised {told_raised(end.error)}"
            if isinstance(end.error, AnswerPortError):
                told = f"failed: {end.error}"
            told = f"call {chunk.name} of generate {told}"
            reasons |= dict.fromkeys(chunk.ids, Issue(GENERATE_FAILED, told))
    return reasons


def _reviews(chunks: Sequence[Chunk], ends: Sequence[Ended]) -> dict[str, Any]:
    """The reviews of all calls; those of a call that was not made, or failed, are unresolved."""
    given: dict[str, Any] = {}
    for chunk, end in zip(chunks, ends, strict=True):
        if end.refused is not None:
            result = CheckResult("not-run", (end.refused,))
            given |= dict.fromkeys(chunk.ids, result)
        elif end.error is not None:
            issue = Issue("RAISED", f"review raised {told_raised(end.error)}")
            given |= dict.fromkeys(chunk.ids, CheckResult("unavailable", (issue,)))
        else:
            given |= end.found
    return given
