"""What an Agent is made of, and what everything in one of its runs shares."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from explainkit.flow.agents.admissions import Middleware
from explainkit.flow.agents.callable_tools import Tool
from explainkit.flow.agents.context_pieces import ByRule, Piece
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
from explainkit.tracing.called_functions import method_of


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

    @property
    def asks(self) -> tuple[Any, ...]:
        """Functions that are asked without a link; the link of the Agent says what they read."""
        found: list[Any] = [each.when for each in self.rules]
        found += [each.value for each in self.pieces if callable(each.value)]
        found += [e.trigger.holds for e in self.pieces if isinstance(e.trigger, ByRule)]
        found += [method_of(each, "check_message") for each in self.middleware]
        checks = () if self.validator is None else self.validator.checks
        return (*found, *(method_of(each, "check") for each in checks))


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
            tuple(copy.deepcopy(self.talk.messages)),
            tuple(copy.deepcopy(self.standing.dispatched)),
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
