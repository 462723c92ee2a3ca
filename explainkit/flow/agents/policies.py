"""Whether a proposed tool call may be made: allowed, denied, or the run halted before it."""

import copy
from collections.abc import Awaitable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Protocol, TypeAlias

from explainkit.errors import AgentError
from explainkit.flow.agents.admissions import Deny
from explainkit.flow.agents.chat_messages import Proposed
from explainkit.flow.agents.foreign_words import own_name
from explainkit.flow.agents.situations import Situation
from explainkit.flow.models import ToolCall
from explainkit.safety import shorten
from explainkit.safety.described import repr_of


@dataclass(frozen=True, slots=True)
class Allow:
    """A call may be made."""


@dataclass(frozen=True, slots=True)
class Halt:
    """The run ends before a call.

    Attributes:
        reason: Why.
        tell_model: What the model would be told.
    """

    reason: str
    tell_model: str | None = None


Decision: TypeAlias = Allow | Deny | Halt


class Policy(Protocol):
    """Decides on each proposed call; `id` is its id, else its name."""

    def __call__(self, call: ToolCall, context: Situation, /) -> Decision | Awaitable[Decision]:
        """Decide; `deny` goes back to the model, `halt` ends the run."""
        ...


def allow() -> Allow:
    """Let a call be made."""
    return Allow()


def halt(reason: str, *, tell_model: str | None = None) -> Halt:
    """End the run before a call, on the verdict `policy-halt`.

    Args:
        reason: Why, for people.
        tell_model: What the model would be told; the history of the verdict holds it.
    """
    return Halt(reason, tell_model)


async def decision_on(policy: Policy, call: Proposed, situation: Situation) -> Decision:
    """What a policy says of a call.

    Raises:
        AgentError: It gave nothing that decides; the call is not made.
    """
    asked = ToolCall(id=call.id, name=call.name, arguments=copy.deepcopy(call.arguments))
    given: Any = policy(asked, situation)
    given = await given if isawaitable(given) else given
    if not isinstance(given, Allow | Deny | Halt):
        raise AgentError(
            f'The policy "{id_of(policy)}" gave {repr_of(given, limit=80).text} for the call of '
            f'"{shorten(call.name, 80)}". Give allow(), deny(reason) or halt(reason).'
        )
    return given


def id_of(policy: Any) -> str:
    """The id of a policy."""
    return own_name(policy, "id", "__name__")
