"""Checks what an Agent is built of, so that a mistake is told before any run, with its name."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from explainkit.errors import AgentError
from explainkit.flow.agents.admissions import Middleware, name_of
from explainkit.flow.agents.agent_parts import AgentParts
from explainkit.flow.agents.callable_tools import Tool, as_tool
from explainkit.flow.agents.context_pieces import OnRequest, OnToolReturn, Piece
from explainkit.flow.agents.evidence_gates import GATE_MODES, GateMode
from explainkit.flow.agents.fitting_functions import require_takes
from explainkit.flow.agents.policies import Policy, id_of
from explainkit.flow.agents.reliability import Rule
from explainkit.flow.agents.validations import ValidatorMode, validator_of
from explainkit.flow.clocks import Clock, SystemClock
from explainkit.flow.models import Model
from explainkit.safety import shorten
from explainkit.safety.described import repr_of

MAX_CALLS = 50
"""Calls of models in one run, unless the author says otherwise."""


def parts_of(
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
) -> AgentParts:
    """What an Agent is made of; the arguments are those of `Agent`.

    Raises:
        AgentError: It is not well built; the message names the part.
    """
    _require(isinstance(model, Model), "model", model, "an object with complete(prompt)")
    _require(isinstance(instructions, str), "instructions", instructions, "a text")
    _require(_is_text(name), "name", name, "a text")
    _require(_lists(tools), "tools", tools, "a list of functions or tools")
    _require(_lists(context, Piece), "context", context, "a list of piece(...)")
    _require(_lists(rules, Rule), "rules", rules, "a list of after_call(...) or before_call(...)")
    _require(policy is None or callable(policy), "policy", policy, "a function")
    looks = _lists(middleware) and all(
        callable(getattr(each, "check_message", None)) for each in middleware
    )
    wanted = "a list of objects with check_message(message, phase)"
    _require(looks, "middleware", middleware, wanted)
    _require_arity(policy, middleware)
    known = evidence_gate is None or evidence_gate in GATE_MODES
    _require(known, "evidence_gate", evidence_gate, "'assist', 'guard' or 'rails'")
    _require(_is_count(max_calls), "max_calls", max_calls, "a number from 1 on")
    return AgentParts(
        name=name,
        model=model,
        instructions=instructions,
        tools=_named([as_tool(each) for each in tools], context),
        pieces=tuple(context),
        rules=tuple(rules),
        policy=policy,
        middleware=tuple(middleware),
        gate=evidence_gate,
        validator=validator_of(validator, validator_mode),
        max_calls=max_calls,
        can_ask=can_ask,
        clock=SystemClock() if clock is None else clock,
        app=app,
    )


def _require_arity(policy: Policy | None, middleware: Sequence[Middleware]) -> None:
    """Functions that decide take what they are asked about."""
    if policy is not None:
        part = f"Agent(policy={shorten(id_of(policy), 80)})"
        require_takes(policy, "call", "situation", part=part)
    for each in middleware:
        part = f"Agent(middleware=...): check_message of {shorten(name_of(each), 80)}"
        require_takes(each.check_message, "message", "phase", part=part)


def _is_count(given: Any) -> bool:
    return type(given) is int and given >= 1


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and bool(given)


def _lists(given: Any, kind: type = object) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(each, kind) for each in given)


def _require(holds: bool, what: str, given: Any, wanted: str) -> None:
    if not holds:
        raise AgentError(f"Agent({what}={repr_of(given, limit=80).text}): give {wanted}.")


def _named(tools: Iterable[Tool], pieces: Iterable[Piece]) -> dict[str, Tool]:
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
