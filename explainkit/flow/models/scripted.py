"""A model that says what it was told to say, because tests and demos need a known reply."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from explainkit.errors import ScriptExhaustedError
from explainkit.flow.models.embedded import EmbeddedModel, as_completion
from explainkit.flow.models.vocabulary import Completion, Prompt, ToolCall, ToolSpec
from explainkit.tracing.current import CURRENT

if TYPE_CHECKING:
    from explainkit.tracing.active import ActiveRun

Scripted: TypeAlias = (
    str | ToolCall | Sequence[ToolCall] | Completion | BaseException | type[BaseException]
)


class ScriptedModel(EmbeddedModel):
    """Gives its replies one after the other, whatever it is asked.

    A re-run of a what-if does not use the script up: it reads the replies from the place where the
    run that it repeats began to, and passes over those of calls whose recorded result is used.

    Args:
        replies: Texts, tool calls (one or a list for one reply), completions, or exceptions,
            which are raised.

    Example:
        >>> model = ScriptedModel(["Blue.", TimeoutError("no reply in 30 s")])
        >>> model("What colour is the sky?")
        'Blue.'
        >>> model.remaining
        1
    """

    def __init__(self, replies: Iterable[Scripted]) -> None:
        self._replies: tuple[Scripted, ...] = (
            (replies,) if isinstance(replies, str) else tuple(replies)
        )
        self._next = 0
        self._began: dict[str, int] = {}
        self._again: WeakKeyDictionary[ActiveRun, int] = WeakKeyDictionary()

    @property
    def remaining(self) -> int:
        """How many replies were not given yet."""
        return len(self._replies) - self._next

    async def complete(self, prompt: Prompt, *, tools: Sequence[ToolSpec] = ()) -> Completion:
        """Give the next reply, or raise it if it is an exception.

        Raises:
            ScriptExhaustedError: Every reply was given.
            ReplyError: The reply is of no kind that a model can give.
        """
        del tools  # a script does not depend on what is offered
        at = self._place()
        if at >= len(self._replies):
            raise ScriptExhaustedError(
                f"The script of {len(self._replies)} replies is used up. "
                "Give ScriptedModel one reply for each call."
            )
        reply = self._replies[at]
        self._go_on(at)
        if isinstance(reply, BaseException) or (
            isinstance(reply, type) and issubclass(reply, BaseException)
        ):
            raise reply
        return as_completion(reply, prompt)

    def pass_over(self) -> None:
        """A reply is not asked for, because a re-run uses what was recorded of it."""
        self._go_on(self._place())

    def _place(self) -> int:
        """The reply that is next: of a re-run its own, from where its run began."""
        frame = CURRENT.get()
        if frame is None:
            return self._next
        run = frame.run
        if run.repeats is not None:
            return self._again.get(run, self._began.get(run.repeats, 0))
        self._began.setdefault(run.id, self._next)
        return self._next

    def _go_on(self, at: int) -> None:
        frame = CURRENT.get()
        if frame is None or frame.run.repeats is None:
            self._next = at + 1
        else:
            self._again[frame.run] = at + 1

    def __repr__(self) -> str:
        return f"ScriptedModel({len(self._replies)} replies, {self.remaining} left)"
