"""The effect that calls a Python function, because much of the world is one call away."""

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from explainkit.errors import ChartError
from explainkit.flow.actors.protocols import Stage
from explainkit.safety import shorten

_BY_POSITION = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
)


@dataclass(frozen=True, slots=True)
class PythonEffect:
    """An effect that calls a function; see `python`.

    Attributes:
        call: The function.
        takes_input: Whether it is called with the input.
        kind: Always `effect`.
    """

    call: Callable[..., Any]
    takes_input: bool = True
    kind: Literal["effect"] = field(default="effect", init=False, repr=False)

    async def work(self, stage: Stage) -> Any:
        """Call it; a function that does not await is left to end when this is cancelled."""
        arguments = (stage.input,) if self.takes_input else ()
        if _awaits(self.call):
            return await self.call(*arguments)
        output = await asyncio.to_thread(_called, self.call, *arguments)
        return await output if inspect.isawaitable(output) else output

    def stored(self, output: Any) -> Any:
        """The output as it is: whatever records it makes JSON of it."""
        return output

    def restored(self, data: Any) -> Any:
        """The data as they are."""
        return data


def python(call: Callable[..., Any]) -> PythonEffect:
    """An effect that calls a function with the actor's input; its value is the output.

    A function that does not await runs in a worker thread with a copy of the context variables.
    A thread cannot be ended: on a cancellation it runs on, and what it gives is dropped. An
    exception is no outcome of the world but a fault of the code, so it takes the error route
    (ours); return what the chart should tell apart.

    Args:
        call: A function of the input, or of nothing; it may be `async`.

    Raises:
        ChartError: It is not callable, or it needs more than the input.

    Example:
        >>> import asyncio
        >>> from explainkit.flow.actors.protocols import Stage
        >>> from explainkit.flow.clocks import SystemClock
        >>> asyncio.run(python(len).work(Stage("count", [1, 2, 3], SystemClock())))
        3
    """
    if not callable(call):
        raise ChartError(f"python({shorten(repr(call), 80)}): this is no function. Pass one.")
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):  # some built-in ones do not tell
        return PythonEffect(call)
    needed = [each.name for each in parameters if _is_needed(each)]
    first = next(iter(parameters), None)
    takes_input = first is not None and first.kind in _BY_POSITION
    if len(needed) > takes_input or (needed and first is not None and needed[0] != first.name):
        raise ChartError(
            f"python({shorten(_name(call), 80)}): it needs {shorten(', '.join(needed), 120)}, and "
            "an effect has one input. Take one argument, for example a mapping."
        )
    return PythonEffect(call, takes_input)


def _is_needed(each: inspect.Parameter) -> bool:
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return each.default is inspect.Parameter.empty and each.kind not in optional


def _awaits(call: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
        getattr(call, "__call__", None)  # noqa: B004 - the method of an object, not a test
    )


def _called(call: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except StopIteration as error:  # a future cannot hold one: who awaits it would wait for ever
        raise RuntimeError(f"{_name(call)} raised StopIteration({error.value!r:.80})") from error


def _name(call: Callable[..., Any]) -> str:
    return str(getattr(call, "__qualname__", None) or type(call).__name__)
