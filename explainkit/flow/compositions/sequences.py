"""One step after the other: the answer of each is the next one's input, the object itself."""

from collections.abc import Callable
from collections.abc import Sequence as Steps
from typing import Any, ClassVar

from explainkit.errors import CompositionError, HandOffError, ResumeError
from explainkit.flow.compositions.checkpoints import stated
from explainkit.flow.compositions.children import CalledChild, as_child, failed_at
from explainkit.flow.compositions.composed import Composition, State, input_places
from explainkit.flow.compositions.naming import label_or, shown
from explainkit.flow.outcomes import Answered, Outcome, Paused
from explainkit.tracing.current import Frame


class Sequence(Composition):
    """Steps, each given the answer of the one before.

    A step that ends in anything but an answer ends the whole, and no later one starts. In paths
    the steps are numbered from 1.

    Args:
        steps: Runners, functions of one input, or objects with `run(input)`.
        name: Its word in paths and records.
        on_exhausted: Gives the answer of a step that used up its budget, from its last value.

    Raises:
        CompositionError: There is no step, or one cannot be run.

    Example:
        >>> Sequence(str.strip, len).run_sync("  four ")
        4
    """

    kind: ClassVar[str] = "sequence"

    def __init__(
        self,
        *steps: Any,
        name: str | None = None,
        on_exhausted: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__(label_or(name, "Sequence"), on_exhausted)
        self._steps = [
            as_child(step, place=f"step {number} of {self.label}")
            for number, step in enumerate(steps, 1)
        ]
        if not steps:
            raise CompositionError(f"{self.label}: there is no step. Give at least one.")

    def _parts(self) -> Steps[str]:
        return [step.label for step in self._steps]

    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        value, places = input, input_places(frame, input, state)
        first, resume = (1, None) if state is None else self._resumed(state)
        for number, child in list(enumerate(self._steps, 1))[first - 1 :]:
            step = f"{self.label}[{number}]"
            try:
                if resume is None:
                    self._check_takes(number, value)
                ended = await self._asked(child, value, step=step, places=places, resume=resume)
                resume = None
                if isinstance(ended.outcome, Paused):
                    return self._waits(frame, step=number, child=ended.outcome.checkpoint)
                if not isinstance(ended.outcome, Answered):
                    return ended.outcome
                value, places = ended.outcome.value, ended.places
                self._check_gives(number, value)
            except HandOffError as error:
                return failed_at(error, step)
        return Answered(value)

    def _resumed(self, state: State) -> tuple[int, Any]:
        number = stated(state, "step", int)
        if not 1 <= number <= len(self._steps):
            raise ResumeError(f"The checkpoint is damaged: there is no step {number}.")
        return number, state.get("child")

    def _check_takes(self, number: int, value: Any) -> None:
        """Whether a step may be given a value; only typed ones ask."""

    def _check_gives(self, number: int, value: Any) -> None:
        """Whether a step may give a value; only typed ones ask."""


def to_message(write: Callable[[Any], str] | None = None) -> CalledChild:
    """A step that makes a text of what the step before gave, for an Agent; it is recorded.

    Nothing is made a text by itself.

    Args:
        write: Makes the text; without it the value must be one.

    Raises:
        HandOffError: While it runs: what came out is no text.

    Example:
        >>> Sequence(lambda n: n + 1, to_message(lambda n: f"Order {n}")).run_sync(6)
        'Order 7'
    """

    def message(value: Any) -> str:
        text = value if write is None else write(value)
        if not isinstance(text, str):
            raise HandOffError(
                f"to_message made {shown(text)} of {shown(value)}, which is no text. "
                "Give it a function that writes one."
            )
        return text

    return CalledChild(message, message, "function", "to_message")
