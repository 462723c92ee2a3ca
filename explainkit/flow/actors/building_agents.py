"""The one call that makes an Agent, and what it refuses."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Final, overload

from explainkit.errors import AgentError, ChartError
from explainkit.flow.actors.function_agents import FunctionAgent
from explainkit.flow.actors.protocols import Agent, Turn
from explainkit.flow.models import Model
from explainkit.safety import shorten

if TYPE_CHECKING:
    from explainkit.flow.agents.admissions import Middleware
    from explainkit.flow.agents.context_pieces import Piece
    from explainkit.flow.agents.policies import Policy
    from explainkit.flow.agents.reliability import Rule

MAX_PICKS: Final = 100
"""Picks of one Turn of a model, unless the author says otherwise."""


@overload
def agent(fn: Callable[[Turn], Awaitable[Any]], /) -> Agent: ...
@overload
def agent(
    *,
    model: Model,
    instructions: str = ...,
    max_picks: int = ...,
    context: "Sequence[Piece]" = ...,
    rules: "Sequence[Rule]" = ...,
    policy: "Policy | None" = ...,
    middleware: "Sequence[Middleware]" = ...,
) -> Agent: ...
def agent(
    fn: Callable[[Turn], Awaitable[Any]] | None = None,
    /,
    *,
    model: Model | None = None,
    instructions: str | None = None,
    max_picks: int | None = None,
    context: "Sequence[Piece]" = (),
    rules: "Sequence[Rule]" = (),
    policy: "Policy | None" = None,
    middleware: "Sequence[Middleware]" = (),
) -> Agent:
    """Make an Agent: driven by a model, or by a coroutine function (then also a decorator).

    A model is offered the events that are allowed now as tools, each time it is asked; a tool call
    is a pick. The first user message is the Turn's input: a text, or the text of
    `{"prompt": text}`, else the input as JSON. `ModelAgent` says what the model reads, what is
    recorded, and when the Turn ends in `agent.fault`.

    A function is called with the `Turn`; what it raises is the reason of the fault. On a resumed
    Turn it runs again from the start.

    Args:
        fn: Coroutine function of the Turn.
        model: Anything with `complete(prompt, tools=...)`.
        instructions: The system message.
        max_picks: Picks of one Turn at most, 100 when not given (ours).
        context: Pieces of context, as for `Agent`.
        rules: Reliability rules, as for `Agent`.
        policy: Is asked about each pick, as `Agent` asks about tool calls.
        middleware: Is asked about each reply, as for `Agent`.

    Raises:
        ChartError: Neither a model nor a function, both, or one that cannot be used.

    Example:
        >>> from explainkit.flow.models import ScriptedModel, ToolCall
        >>> model = ScriptedModel([ToolCall(id="", name="finished")])
        >>> agent(model=model, instructions="You are a careful engineer.")
        agent(model=ScriptedModel(1 replies, 1 left))
        >>> @agent
        ... async def coder(turn):
        ...     read = await turn.pick("run_tests")
        >>> coder
        agent(coder)
    """
    if fn is None:
        more = {"context": context, "rules": rules, "policy": policy, "middleware": middleware}
        return _model_driven(model, instructions, max_picks, more)
    given = (model, instructions, max_picks, policy)
    if given != (None, None, None, None) or context or rules or middleware:
        raise ChartError(
            "agent(fn) takes nothing else: instructions and limits are the model's. "
            "Give a function or model=..., not both."
        )
    return FunctionAgent(_coroutine_function(fn))


def _model_driven(
    model: Model | None, instructions: str | None, max_picks: int | None, more: dict[str, Any]
) -> Agent:
    if not isinstance(model, Model):
        raise ChartError(
            f"agent(model={shorten(repr(model), 80)}) needs an object with "
            "complete(prompt, tools=...). Use a model of explainkit.flow.models, or "
            "CallableModel(function) around a client."
        )
    most = MAX_PICKS if max_picks is None else max_picks
    if type(most) is not int or most < 1:
        raise ChartError(f"agent(max_picks={shorten(repr(most), 40)}): give a number from 1 on.")
    if not isinstance(instructions, str | None):
        raise ChartError(f"agent(instructions={shorten(repr(instructions), 80)}): give a text.")
    # Agents run on what drives machines, so they are imported when a model is there to drive.
    from explainkit.flow.actors.model_agents import ModelAgent, TurnParts
    from explainkit.flow.agents.building_parts import parts_of

    try:
        parts = parts_of(model, instructions or "", max_calls=sys.maxsize, **more)
    except AgentError as problem:
        raise ChartError(str(problem)) from problem
    return ModelAgent(TurnParts(parts, most))


def _coroutine_function(fn: Any) -> Callable[[Turn], Awaitable[Any]]:
    if iscoroutinefunction(fn) or iscoroutinefunction(getattr(fn, "__call__", None)):  # noqa: B004
        found: Callable[[Turn], Awaitable[Any]] = fn
        return found
    raise ChartError(
        f"agent({shorten(repr(fn), 80)}) needs a coroutine function: "
        "`async def coder(turn): ...`. A model is given as agent(model=...)."
    )
