"""The one call that makes an Agent, and what it refuses."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any, Final, overload

from explainkit.errors import ChartError
from explainkit.flow.actors.function_agents import FunctionAgent
from explainkit.flow.actors.model_agents import ModelAgent
from explainkit.flow.actors.protocols import Agent, Turn
from explainkit.flow.models import Model
from explainkit.safety import shorten

MAX_PICKS: Final = 100
"""Picks of one Turn of a model, unless the author says otherwise."""


@overload
def agent(fn: Callable[[Turn], Awaitable[Any]], /) -> Agent: ...
@overload
def agent(*, model: Model, instructions: str = ..., max_picks: int = ...) -> Agent: ...
def agent(
    fn: Callable[[Turn], Awaitable[Any]] | None = None,
    /,
    *,
    model: Model | None = None,
    instructions: str | None = None,
    max_picks: int | None = None,
) -> Agent:
    """Make an Agent: driven by a model, or by a coroutine function (then also a decorator).

    A model is offered the events that are allowed now as tools, each time it is asked. A tool
    call is a pick; several in one reply are picked one after the other, and those behind the one
    that ends the Turn are not. The first user message is the Turn's input: a text, or the text of
    `{"prompt": text}`, else the input as JSON. What was read goes back as the tool's message: the
    value (a text as it is, else JSON), a blank line, and the line `receipt: {...}`; the receipt
    alone when there is no value.

    The Turn ends in `agent.fault` when the model replies twice in a row without a pick (after the
    first it is told what is allowed), when five picks in a row are refused (each goes back as
    `Refused: ...`), when the model raises, and after `max_picks` picks.

    Every model call is a link of kind `model` with the inputs `messages` and `tools`; the
    instructions and the prompt are contexts, recorded once for each Turn. On a resumed Turn what
    was picked and read is told to the model again without asking it; what was refused is not.

    A function is called with the `Turn`; what it raises is the reason of the fault. On a resumed
    Turn it runs again from the start.

    Args:
        fn: Coroutine function of the Turn.
        model: Anything with `complete(prompt, tools=...)`.
        instructions: The system message.
        max_picks: Picks of one Turn at most, 100 when not given (ours).

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
        return _model_driven(model, instructions, max_picks)
    if (model, instructions, max_picks) != (None, None, None):
        raise ChartError(
            "agent(fn) takes nothing else: instructions and limits are the model's. "
            "Give a function or model=..., not both."
        )
    return FunctionAgent(_coroutine_function(fn))


def _model_driven(model: Model | None, instructions: str | None, max_picks: int | None) -> Agent:
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
    return ModelAgent(model, instructions or "", most)


def _coroutine_function(fn: Any) -> Callable[[Turn], Awaitable[Any]]:
    if iscoroutinefunction(fn) or iscoroutinefunction(getattr(fn, "__call__", None)):  # noqa: B004
        found: Callable[[Turn], Awaitable[Any]] = fn
        return found
    raise ChartError(
        f"agent({shorten(repr(fn), 80)}) needs a coroutine function: "
        "`async def coder(turn): ...`. A model is given as agent(model=...)."
    )
