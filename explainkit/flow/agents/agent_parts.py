"""What an Agent is made of, checked when it is built and shared by everything in its runs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from explainkit.errors import AgentError
from explainkit.flow.agents.admissions import Middleware
from explainkit.flow.agents.callable_tools import Tool
from explainkit.flow.agents.context_pieces import OnRequest, OnToolReturn, Piece
from explainkit.flow.agents.evidence_gates import GateMode
from explainkit.flow.agents.message_origins import Part, Talk
from explainkit.flow.agents.policies import Policy
from explainkit.flow.agents.reliability import Rule
from explainkit.flow.agents.run_standings import Standing
from explainkit.flow.agents.situations import Situation
from explainkit.flow.agents.step_records import Ledger
from explainkit.flow.agents.validations import Validator
from explainkit.flow.checks import OperationContext
from explainkit.flow.clocks import Clock
from explainkit.flow.models import Chunk, Model
from explainkit.safety import shorten


@dataclass(frozen=True, slots=True)
class AgentParts:
    """What an Agent is made of; the attributes are the arguments of `Agent`."""

    name: str
    model: Model
    instructions: str
    tools: Mapping[str, Tool]
    pieces: tuple[Piece, ...]
    rules: tuple[Rule, ...]
    policy: Policy | None
    middleware: tuple[Middleware, ...]
    gate: GateMode | None
    validator: Validator | None
    max_calls: int
    can_ask: bool
    clock: Clock
    app: Any

    @property
    def holds_back(self) -> bool:
        """Whether something may yet keep a reply from being let out."""
        required = self.validator is not None and self.validator.mode == "required"
        strict = self.gate in ("guard", "rails")
        return bool(self.middleware) or bool(self.rules) or strict or required


@dataclass(slots=True)
class Work:
    """One run of an Agent, while it goes on.

    Attributes:
        parts: What the Agent is made of.
        ledger: Writes its records.
        talk: The conversation, with where it comes from.
        standing: Counts, and what a checkpoint keeps.
        operation: For tools, checks, policies.
        emit: Takes chunks, when the run is streamed.
        call_places: Where each tool call stands in the record: record, slot, path.
        last_text: What the model said last.
    """

    parts: AgentParts
    ledger: Ledger
    talk: Talk
    standing: Standing
    operation: OperationContext
    emit: Callable[[Chunk], None] | None = None
    call_places: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    last_text: str | None = None

    @property
    def out_of_calls(self) -> bool:
        """Whether the model may be asked no more."""
        return self.standing.calls >= self.parts.max_calls

    def situation(self, **more: Any) -> Situation:
        """Where the run stands, for those who decide."""
        found = Situation(
            self.standing.calls,
            tuple(dict(message) for message in self.talk.messages),
            tuple(dict(call) for call in self.standing.dispatched),
            operation=self.operation,
        )
        return replace(found, **more)

    def tell(self, call: str, part: Part) -> None:
        """Give the model the result of a call."""
        self.talk.say("tool", part, tool_call_id=call)

    def heard(self, value: Any) -> None:
        """Something that the model was given, as JSON data: evidence for its answer."""
        if value not in self.standing.evidence:
            self.standing.evidence.append(value)

    def checkpoint(self) -> dict[str, Any]:
        """The run as it stands, as plain JSON."""
        self.standing.messages = self.talk.messages
        self.standing.run = self.ledger.run.id
        return self.standing.to_json()


def names_checked(tools: Iterable[Tool], pieces: Iterable[Piece]) -> dict[str, Tool]:
    """The tools by name.

    Raises:
        AgentError: Two have one name, or a piece waits for a tool that there is not.
    """
    found: dict[str, Tool] = {}
    asked: set[str] = set()
    known: set[str] = set()
    for each in pieces:
        if each.name in known:
            raise AgentError(f'Two pieces are called "{shorten(each.name, 80)}". Rename one.')
        known.add(each.name)
        if isinstance(each.trigger, OnRequest):
            asked.add(each.name)
    everywhere = [*tools, *(tool for each in pieces for tool in each.tools)]
    for tool in everywhere:
        if tool.name in found or tool.name in asked:
            raise AgentError(
                f'Two tools, or a tool and a piece, are called "{tool.name}". '
                "Rename one with tool(fn, name=...)."
            )
        found[tool.name] = tool
    for each in pieces:
        if isinstance(each.trigger, OnToolReturn) and each.trigger.tool not in found:
            raise AgentError(
                f'The piece "{shorten(each.name, 80)}" waits for the tool '
                f'"{shorten(each.trigger.tool, 80)}"; the tools are '
                f"{', '.join(found) or 'none'}."
            )
    return found
