"""The Agent: a model with tools and context, which answers or ends on a verdict, all on record."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, Literal

from explainkit.flow.agents.admissions import Middleware
from explainkit.flow.agents.agent_loops import Ended, admission_of, conducted, shown
from explainkit.flow.agents.building_parts import MAX_CALLS, parts_of
from explainkit.flow.agents.callable_tools import Tool
from explainkit.flow.agents.context_pieces import OnRequest, Piece
from explainkit.flow.agents.conversations import Chat
from explainkit.flow.agents.evidence_gates import GateMode
from explainkit.flow.agents.policies import Policy
from explainkit.flow.agents.reliability import Rule
from explainkit.flow.agents.run_standings import Standing, standing_of
from explainkit.flow.agents.streamed_runs import Streamed
from explainkit.flow.agents.validations import ValidatorMode
from explainkit.flow.checks import Signal
from explainkit.flow.clocks import Clock
from explainkit.flow.models import Chunk, Model, ToolSpec
from explainkit.flow.outcomes import Outcome
from explainkit.flow.runners import Runner
from explainkit.tracing.own_runs import Again


class Agent(Runner):
    """Asks a model, makes the tool calls that it proposes, and answers with its last text.

    A run ends in one `Outcome`; a verdict ends it in `Refused`, and no model is called after one.

    Args:
        model: Anything with `complete(prompt, tools=...)`, and `stream` when it can.
        instructions: The beginning of the system message.
        tools: Functions, or what `tool` and `ask_person` give.
        context: Pieces, made by `piece`.
        rules: Reliability rules, made by `before_call` and `after_call`; the first match decides.
        policy: Is asked about each proposed tool call; gives `allow()`, `deny()` or `halt()`.
        middleware: Objects with `check_message(message, phase)`, asked about each message that
            comes in and each one that a model says, before it is recorded.
        evidence_gate: Names and numbers of the answer must stand in what the model was given:
            `assist` records a verdict, `guard` asks for one revision first, `rails` then ends the
            run.
        validator: A pydantic model, or objects with `id` and `check(value, context)`.
        validator_mode: `required`: a failure ends the run; `advisory`: it is recorded.
        max_calls: Calls of models in one run; then it is `Exhausted`.
        can_ask: Whether a person can be asked. When not, a tool that needs consent ends the run on
            the verdict `consent-pending`.
        clock: Tells the time and waits; the system's when not given.
        app: Your own object, for tools, checks and policies that take an `OperationContext`.
        name: Its name in records and paths.

    Raises:
        AgentError: It is not well built; the message names the part.

    Example:
        >>> from explainkit.flow.models import ScriptedModel, ToolCall
        >>> def fare(city: str) -> int:
        ...     "Fare to a city in euros."
        ...     return 90
        >>> asks = ToolCall(id="", name="fare", arguments={"city": "Rome"})
        >>> Agent(ScriptedModel([asks, "It is 90 euros."]), tools=[fare]).run_sync("How much?")
        'It is 90 euros.'
    """

    __slots__ = ("_parts",)
    kind: ClassVar[Literal["agent-runner"]] = "agent-runner"

    def __init__(
        self,
        model: Model,
        instructions: str = "",
        *,
        tools: Sequence[Tool | Callable[..., Any]] = (),
        context: Sequence[Piece] = (),
        rules: Sequence[Rule] = (),
        policy: Policy | None = None,
        middleware: Sequence[Middleware] = (),
        evidence_gate: GateMode | None = None,
        validator: Any = None,
        validator_mode: ValidatorMode = "required",
        max_calls: int = MAX_CALLS,
        can_ask: bool = True,
        clock: Clock | None = None,
        app: Any = None,
        name: str = "Agent",
    ) -> None:
        self._parts = parts_of(
            model,
            instructions,
            tools=tools,
            context=context,
            rules=rules,
            policy=policy,
            middleware=middleware,
            evidence_gate=evidence_gate,
            validator=validator,
            validator_mode=validator_mode,
            max_calls=max_calls,
            can_ask=can_ask,
            clock=clock,
            app=app,
            name=name,
        )

    @property
    def name(self) -> str:
        """Its name in records and paths."""
        return self._parts.name

    @property
    def offered(self) -> list[ToolSpec]:
        """What its model may be told of: tools, and pieces that it can ask for."""
        asked = [each for each in self._parts.pieces if isinstance(each.trigger, OnRequest)]
        return [each.spec for each in self._parts.tools.values()] + [
            ToolSpec(name=each.name, description=each.description) for each in asked
        ]

    async def outcome(
        self,
        input: Any = None,  # noqa: A002 - the word of every runner
        *,
        resume: Mapping[str, Any] | None = None,
        signal: Signal | None = None,
        to: str | PathLike[str] | None = None,
    ) -> Outcome[Any]:
        """Run to an end.

        Args:
            input: A text, a message or a list of messages; anything else is told as JSON. With
                `resume`, what the person answers; None lets the run go on waiting.
            resume: The checkpoint of `Paused`.
            signal: Says that the run is to stop; the end is then `Cancelled()`.
            to: Folder for the file of a run of its own.

        Raises:
            ResumeError: The checkpoint is none, or that of another Agent.
        """
        return (await self._ended(input, resume, signal, to, None)).outcome

    def stream(
        self,
        input: Any = None,  # noqa: A002
        *,
        resume: Mapping[str, Any] | None = None,
        signal: Signal | None = None,
        to: str | PathLike[str] | None = None,
    ) -> Streamed:
        """Run and hand over what the model says as it comes; the arguments are those of `outcome`.

        Middleware, rules, a gate or a required validator may keep a reply from being let out; with
        one of them the answer comes in one chunk at the end. The last chunk holds the usage.
        """

        async def begin(emit: Callable[[Chunk], None]) -> Outcome[Any]:
            return (await self._ended(input, resume, signal, to, emit)).outcome

        return Streamed(begin)

    def chat(self, checkpoint: Mapping[str, Any] | None = None) -> Chat:
        """A conversation in turns, each a run of its own.

        Args:
            checkpoint: What `chat.checkpoint()` gave, to go on from there.

        Raises:
            ResumeError: It is no checkpoint of a chat with this Agent.
        """
        return Chat(self._parts, checkpoint)

    async def _ended(
        self,
        given: Any,
        resume: Mapping[str, Any] | None,
        signal: Signal | None,
        to: str | PathLike[str] | None,
        emit: Callable[[Chunk], None] | None,
    ) -> Ended:
        parts = self._parts
        standing = Standing(agent=parts.name)
        more: dict[str, Any] = {} if resume is None else {"resume": resume}
        settings: dict[str, Any] = {"again": lambda: Again(self.outcome, (given,), more)}
        if to is not None:
            settings["to"] = to
        if resume is not None:
            standing = standing_of(resume, agent=parts.name, tools=parts.tools)
            settings["resumes"] = standing.run
        admission = await admission_of(parts, given, signal)
        if admission.question is not None and resume is None:
            settings["question"] = admission.question
        return await conducted(
            parts, admission, standing, signal=signal, emit=emit, settings=settings
        )

    def __repr__(self) -> str:
        return shown(self._parts)
