"""What came back since a pick, and the action that turns it into what the Agent reads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from explainkit.errors import ChartError
from explainkit.flow.statecharts.vocabulary import Event
from explainkit.safety import shorten


@dataclass(frozen=True, slots=True)
class Output:
    """A reply to a pick: the output of an invoked actor.

    Attributes:
        src: Key of the actor's slot.
        output: What it gave.
    """

    src: str
    output: Any


@dataclass(frozen=True, slots=True)
class Sent:
    """A reply to a pick: an event that a Gate or a nested Agent sent.

    Attributes:
        event: The event.
    """

    event: Event


ChainLink: TypeAlias = Output | Sent
Chain: TypeAlias = tuple[ChainLink, ...]


@dataclass(frozen=True, slots=True)
class AnswerArgs:
    """What the function of an `answer` is called with.

    Attributes:
        context: The machine's context; read it, never change it in place.
        event: The event that is being taken.
        chain: Every reply since the pick, oldest first.
        params: What the chart gives this use of a named action.
    """

    context: Any
    event: Event
    chain: Chain
    params: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An action that sets what the Agent reads.

    Attributes:
        fn: Its function.
    """

    fn: Callable[[AnswerArgs], object]


class NoAnswer:
    """The type of `NO_ANSWER`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NO_ANSWER"


NO_ANSWER: Final = NoAnswer()
"""What an `answer` gives to take back what was set, so that the Agent reads the last reply."""


def answer(fn: Callable[[AnswerArgs], object]) -> Answer:
    """An action that sets what the Agent reads when its pick is answered.

    Written at or below an Agent's state it answers a pick of that Agent; on a transition below no
    Agent's state, the pick whose event took the transition. The last one that runs wins. Without
    one, the Agent reads the last reply since the pick.

    Args:
        fn: Called with `AnswerArgs`. What it gives goes to the Agent as JSON; a value without a
            JSON form, and `NO_ANSWER`, take back what was set. `None` is JSON null.

    Raises:
        ChartError: It is no function.

    Example:
        >>> say = answer(lambda args: f"exit code {args.chain[-1].output}")
        >>> say.fn(AnswerArgs({}, Event("done"), (Output("tests", 1),)))
        'exit code 1'
    """
    if not callable(fn):
        raise ChartError(
            f"answer({shorten(repr(fn), 80)}) needs a function of its arguments: "
            'answer(lambda args: "The tests pass.").'
        )
    return Answer(fn)


class Audience(Protocol):
    """Knows which picks an `answer` at a place speaks to, and what each of them has heard."""

    def hear(self, state: str, place: str, event: Event) -> Iterable[tuple[int, Chain]]:
        """The picks that an answer speaks to.

        Args:
            state: Id of the state where the answer is written.
            place: `entry`, `exit`, or the handler.
            event: The event of the microstep.

        Returns:
            Each pick's number with its chain, oldest first; none when nobody hears.
        """
        ...


class Nobody:
    """The audience of a machine that runs without Agents."""

    def hear(self, state: str, place: str, event: Event) -> Iterable[tuple[int, Chain]]:
        """Nobody hears."""
        del state, place, event
        return ()
