"""Where a run of an Agent stands, told to everybody who decides: policies, rules, pieces."""

from dataclasses import dataclass, field
from typing import Any

from explainkit.flow.agents.chat_messages import ChatMessage
from explainkit.flow.checks import UNSET, OperationContext
from explainkit.flow.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a run of an Agent stands.

    Attributes:
        iteration: Calls of the model so far.
        messages: The conversation, a copy.
        sequence: Calls that were dispatched, each with `id`, `name` and `arguments`.
        tool_result: For a piece that follows a tool: what the tool gave.
        operation: The caller's own objects and the signal.
    """

    iteration: int
    messages: tuple[ChatMessage, ...] = ()
    sequence: tuple[dict[str, Any], ...] = ()
    tool_result: Any = UNSET
    operation: OperationContext = field(default_factory=OperationContext)


class RunEnd(Exception):  # noqa: N818 - never raised out of this package
    """A run of an Agent ends here; carries how."""

    def __init__(self, outcome: Outcome[Any]) -> None:
        """Keep how it ends."""
        super().__init__(type(outcome).__name__)
        self.outcome = outcome
