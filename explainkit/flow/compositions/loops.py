"""The same body again, each time with its own answer, until that is good or the budget ends."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from explainkit.errors import CompositionError, ResumeError
from explainkit.flow.compositions.checkpoints import stated
from explainkit.flow.compositions.children import Ended, as_child, asked, failed_at
from explainkit.flow.compositions.composed import Composition, State, input_places
from explainkit.flow.compositions.decisions import Deciding
from explainkit.flow.compositions.naming import label_or, shown
from explainkit.flow.outcomes import Answered, Exhausted, Outcome, Paused
from explainkit.tracing.current import Frame

MOST = 500


class Loop(Composition):
    """Runs its body until what it answers is good; each answer is the next input.

    A body that ends in anything but an answer ends the loop. When the budget ends first, the loop
    is `Exhausted` with the last answer.

    Args:
        body: A runner, a function of one input, or an object with `run(input)`.
        until: Says of an answer whether it is the loop's; asked as the predicate of `when` is.
            Without it the loop goes on until the budget ends.
        for_at_most: How often the body runs, at most 500.
        name: Its word in paths and records.
        on_exhausted: Gives the loop's answer when it, or its body, used up a budget, from the
            last value.

    Raises:
        CompositionError: The body cannot be run, or the budget is no number from 1 to 500.

    Example:
        >>> Loop(lambda n: n * 2, until=lambda n: n > 100).run_sync(7)
        112
    """

    kind: ClassVar[str] = "loop"

    def __init__(
        self,
        body: Any,
        *,
        until: Callable[[Any], Any] | None = None,
        for_at_most: int = 10,
        name: str | None = None,
        on_exhausted: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__(label_or(name, "Loop"), on_exhausted)
        if type(for_at_most) is not int or not 1 <= for_at_most <= MOST:
            raise CompositionError(
                f"{self.label}(for_at_most={shown(for_at_most)}): give a number from 1 to {MOST}."
            )
        if until is not None and not callable(until):
            raise CompositionError(
                f"{self.label}(until={shown(until)}): this is no predicate. Give a function of the "
                "answer."
            )
        self._body = as_child(body, place=f"the body of {self.label}")
        self._until = until
        self._most = for_at_most

    def _asks(self) -> Sequence[Callable[..., Any]]:
        return [] if self._until is None else [self._until]

    def _parts(self) -> Sequence[str]:
        return [self._body.label, f"for_at_most={self._most}"]

    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        value, places = input, input_places(frame, input, state)
        first, resume = (1, None)
        if state is not None:
            first, resume = stated(state, "iteration", int), state.get("child")
            if not 1 <= first <= self._most:
                raise ResumeError(f"The checkpoint is damaged: there is no iteration {first}.")
        for number in range(first, self._most + 1):
            step = f"{self.label}[{number}]"
            ended = await asked(self._body, value, step=step, places=places, resume=resume)
            resume = None
            if isinstance(ended.outcome, Paused):
                return self._waits(frame, iteration=number, child=ended.outcome.checkpoint)
            if not isinstance(ended.outcome, Answered):
                return (await self._settled(ended, self.label)).outcome
            value, places = ended.outcome.value, ended.places
            try:
                if await self._is_good(frame, value, places):
                    return ended.outcome
            except Exception as error:  # noqa: BLE001 - the error of the user's predicate
                return failed_at(error, step, "until")
        return (await self._settled(Ended(Exhausted(value)), self.label)).outcome

    async def _is_good(self, frame: Frame, value: Any, places: Sequence[dict[str, Any]]) -> bool:
        """Ask `until`, on the record."""
        if self._until is None:
            return False
        deciding = Deciding(("stop", "go on"), places)
        chosen: str | None = None
        try:
            held = await deciding.holds(self._until, value)
            chosen = "stop" if held else "go on"
        finally:
            deciding.decided(frame, chosen)
        return held
