"""What a turn of a chat began with and came to, so that it can be run again and gone on from."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ResumeError
from explainkit.flow.agents.agent_loops import admission_of, conducted
from explainkit.flow.agents.agent_parts import AgentParts
from explainkit.flow.agents.context_pieces import AtStart
from explainkit.flow.agents.run_standings import Spent, Standing
from explainkit.flow.outcomes import Answered, Cancelled, Outcome, Paused
from explainkit.safety import shorten
from explainkit.tracing.current import CURRENT

if TYPE_CHECKING:
    from explainkit.flow.agents.conversations import Chat

KEPT: Final = 100
"""Re-runs of a turn whose conversation is kept, to go on from."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a conversation stands between two turns; nobody changes what it holds.

    Attributes:
        standing: The conversation.
        paused: The turn that waits for a person.
    """

    standing: Standing
    paused: Standing | None = None

    def begun(self, parts: AgentParts) -> Standing:
        """A copy that the next turn may change; an exception in it leaves the conversation.

        Args:
            parts: What the Agent is made of.
        """
        if self.paused is not None:
            return self.paused.model_copy(deep=True)
        standing = self.standing.model_copy(deep=True)
        standing.calls, standing.dispatched, standing.revised = 0, [], False
        standing.spent = Spent()
        pieces = {each.name: each for each in parts.pieces}
        standing.landed = [each for each in standing.landed if _stays(pieces.get(each.name))]
        return standing

    def after(self, outcome: Outcome[Any], standing: Standing) -> "Reached":
        """Where it stands after a turn that went on from here.

        Args:
            outcome: How the turn ended; without an answer the conversation stays as it was.
            standing: The conversation as the turn left it.
        """
        if isinstance(outcome, Paused):
            return Reached(self.standing, standing)
        spent = _sum(self.standing.spent, standing.spent)
        if not isinstance(outcome, Answered):
            # Who answered may answer again.
            paused = self.paused if isinstance(outcome, Cancelled) else None
            return Reached(self.standing.model_copy(update={"spent": spent}), paused)
        shared = {
            "spent": spent,
            "messages": _sharing(self.standing.messages, standing.messages),
            "evidence": _sharing(self.standing.evidence, standing.evidence),
        }
        return Reached(standing.model_copy(update=shared))


class Replay:
    """Runs a turn again with the history as it stood; the chat itself stays as it is.

    Args:
        parts: What the Agent is made of.
        before: Where the conversation stood.
    """

    def __init__(self, parts: AgentParts, before: Reached) -> None:
        self._parts = parts
        self._before = before
        self._reached: OrderedDict[str, Reached] = OrderedDict()

    async def outcome(self, input: Any) -> Outcome[Any]:  # noqa: A002 - the word of every runner
        """Run it in the run that is open.

        Args:
            input: What is said.
        """
        standing = self._before.begun(self._parts)
        admission = await admission_of(self._parts, input, None)
        ended = await conducted(self._parts, admission, standing, slot="answer")
        frame = CURRENT.get()
        if frame is not None:
            self._reached[frame.run.id] = self._before.after(ended.outcome, standing)
            while len(self._reached) > KEPT:
                self._reached.popitem(last=False)
        return ended.outcome

    def reached(self, run: str) -> Reached:
        """Where the conversation stands after a re-run.

        Raises:
            ResumeError: It was made in another process, or is one of too many.
        """
        if run not in self._reached:
            raise ResumeError(
                f"The re-run {shorten(run, 60)} left no conversation in this process to go on "
                f"from; the last {KEPT} re-runs of a turn do. Ask the what-if again, without an "
                "executor of processes."
            )
        return self._reached[run]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was recorded in this process.

    Attributes:
        number: Counted from 0.
        run: What a user holds of its run.
        replay: Runs it again; None for a turn that is a what-if itself.
        fork: Makes a chat that goes on from here, or from a re-run of this turn.
    """

    number: int
    run: Any
    replay: Replay | None
    fork: "Callable[[Any], Chat]"


def _stays(piece: Any) -> bool:
    """Whether a piece that was let in stays so in the next turn without being asked anew."""
    if piece is None:
        return False
    return piece.slot == "messages" or not isinstance(piece.trigger, AtStart)


def _sharing(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """A list that shares its beginning with an earlier one, so that turns do not add up."""
    same = list(after[: len(before)]) == list(before)
    return [*before, *after[len(before) :]] if same else list(after)


def _sum(one: Spent, other: Spent) -> Spent:
    return Spent(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
    )
