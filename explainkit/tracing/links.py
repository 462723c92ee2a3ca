"""The ``@link`` decorator: functions, coroutines, generators and methods as steps of the chain."""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import CURRENT, OPEN, Frame, current_frame, leave
from explainkit.tracing.decorated import remember
from explainkit.tracing.definitions import definition_of
from explainkit.tracing.late_effects import hold_back_late
from explainkit.tracing.opening import close_link, close_raised, open_link
from explainkit.tracing.spec import LinkSpec
from explainkit.tracing.steering import call_steered, close_supplied, repeated, rewritten, supplied
from explainkit.tracing.streams import drive_async_generator, drive_generator

P = ParamSpec("P")
R = TypeVar("R")

_new = tuple.__new__  # a named tuple's own constructor costs twice as much


@overload
def link(fn: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def link(
    *,
    kind: str = ...,
    name: str | None = ...,
    uses: Sequence[str] = ...,
    deterministic: bool = ...,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def link(
    fn: Callable[..., Any] | None = None,
    /,
    *,
    kind: str = "function",
    name: str | None = None,
    uses: Sequence[str] = (),
    deterministic: bool = False,
) -> Any:
    """Record every call of a function as a link of the current run.

    Works on functions, coroutine functions, generators, async generators, methods, class methods
    and static methods. Outside a run the function is called as it is.

    Args:
        fn: The function, when used without parentheses.
        kind: What the step is: ``model``, ``tool``, ``retrieval``, ``effect``, ``branch``,
            ``check``, ``function`` or a word of your own. A model's inputs are its prompt.
        name: Name of the link; the function's name when not given.
        uses: Parameters that the output is made from; the edge from them is then ``declared``.
        deterministic: The same inputs always give the same output.

    Returns:
        The decorated function; its value and its exceptions are never changed.

    Raises:
        TypeError: What is decorated is no function, or ``uses`` names no parameter of it.

    Example:
        >>> @link(kind="retrieval")
        ... def retrieve(question: str) -> list[str]:
        ...     return ["Delays from 60 minutes are paid back."]
        >>> retrieve("How long?")
        ['Delays from 60 minutes are paid back.']
    """
    options = {"kind": kind, "name": name, "uses": tuple(uses), "deterministic": deterministic}
    if fn is None:
        return lambda target: _decorate(target, options)
    return _decorate(fn, options)


def _decorate(target: Any, options: dict[str, Any]) -> Any:
    if isinstance(target, (classmethod, staticmethod)):
        return type(target)(_decorate(target.__func__, options))
    spec = LinkSpec(target, **options)
    spec.definition = definition_of(target, spec.code)
    wrapper: Callable[..., Any]
    if inspect.isasyncgenfunction(target):
        wrapper = drive_async_generator(spec)
    elif inspect.isgeneratorfunction(target):
        wrapper = drive_generator(spec)
    elif inspect.iscoroutinefunction(target):
        wrapper = _async_call(spec)
    else:
        wrapper = _call(spec)
    functools.update_wrapper(wrapper, target)
    remember(wrapper, spec)
    return wrapper


def _call(spec: LinkSpec) -> Callable[..., Any]:
    fn = spec.fn

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        frame = CURRENT.get()
        if frame is None or frame.run.ended:
            hold_back_late(spec)
            if not OPEN:
                return fn(*args, **kwargs)
            frame = current_frame()
            if frame is None:
                return fn(*args, **kwargs)
        run = frame.run
        if run.steered:
            return call_steered(spec, frame, args, kwargs)
        try:
            seq = open_link(spec, frame, args, kwargs)
        except Exception as fault:
            run.fault(fault)
            return fn(*args, **kwargs)
        token = CURRENT.set(_new(Frame, (run, seq, False)))
        try:
            result = fn(*args, **kwargs)
        except BaseException as error:
            CURRENT.reset(token)
            close_raised(run, seq, error)
            raise
        CURRENT.reset(token)
        try:
            close_link(run, seq, result)
        except Exception as fault:
            run.fault(fault)
        return result

    return wrapper


def _async_call(spec: LinkSpec) -> Callable[..., Any]:
    fn = spec.fn

    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        frame = current_frame()
        if frame is None or frame.unlinked:
            hold_back_late(spec)
        if frame is None:
            return await fn(*args, **kwargs)
        run = frame.run
        if run.steered:
            args, kwargs = rewritten(run, spec, args, kwargs)
        try:
            seq = open_link(spec, frame, args, kwargs)
        except Exception as fault:
            run.fault(fault)
            return await fn(*args, **kwargs)
        if run.steered and (given := supplied(run, spec, seq)) is not None:
            return close_supplied(run, seq, given)
        token = CURRENT.set(_new(Frame, (run, seq, False)))
        try:
            result = await (repeated(run, spec) if run.steered else fn)(*args, **kwargs)
        except BaseException as error:
            close_raised(run, seq, error)
            raise
        finally:
            leave(token)
        return _close(run, seq, result)

    return wrapper


def _close(run: ActiveRun, seq: int, result: Any) -> Any:
    try:
        close_link(run, seq, result)
    except Exception as fault:
        run.fault(fault)
    return result
