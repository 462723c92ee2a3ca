"""Runs one tool within its time limit, in a thread of its own when it does not await."""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from explainkit.errors import ToolCallError
from explainkit.flow.clocks import Clock

_FAREWELL: Final = 50
"""Passes of the event loop in which a tool that ran out of time can clean up."""


async def called(
    call: Callable[..., Any], arguments: dict[str, Any], *, seconds: float | None, clock: Clock
) -> Any:
    """Call a tool and wait for what it gives.

    Args:
        call: The function; sync ones run in a daemon thread, so one that never ends keeps
            neither the event loop nor the process from ending.
        arguments: Its arguments by name.
        seconds: How long it may take.
        clock: Waits for them.

    Raises:
        ToolCallError: It ran past the time limit.
        Exception: What it raised.
    """
    if seconds is None:
        return await _work(call, arguments)
    task = asyncio.ensure_future(_work(call, arguments))
    limit = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({task, limit}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        await _stopped(task)
        raise ToolCallError(f"The tool ran past its time limit of {seconds:g} s.")
    finally:
        limit.cancel()
        if not task.done():
            task.cancel()
            task.add_done_callback(_forget)


async def _stopped(task: "asyncio.Future[Any]") -> None:
    task.cancel()
    for _ in range(_FAREWELL):
        if task.done():
            return
        await asyncio.sleep(0)


def _forget(task: "asyncio.Future[Any]") -> None:
    if not task.cancelled():
        task.exception()  # nobody waits for it any more


async def _work(call: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    if awaits(call):
        return await call(**arguments)
    given = await _in_thread(call, arguments)
    return await given if inspect.isawaitable(given) else given


def awaits(call: Callable[..., Any]) -> bool:
    """Whether a function is a coroutine function, or an object called like one."""
    return inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
        getattr(call, "__call__", None)  # noqa: B004 - the method of an object, not a test
    )


def _in_thread(call: Callable[..., Any], arguments: dict[str, Any]) -> "asyncio.Future[Any]":
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def tell(done: Callable[[Any], None], what: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(lambda: None if future.done() else done(what))

    def work() -> None:
        try:
            given = context.run(lambda: call(**arguments))
        except StopIteration as error:  # a future cannot hold one
            tell(future.set_exception, RuntimeError(f"the tool raised StopIteration({error})"))
        except BaseException as error:  # noqa: BLE001 - an exit goes on where the call is awaited
            tell(future.set_exception, error)
        else:
            tell(future.set_result, given)

    threading.Thread(target=work, name="explainkit tool", daemon=True).start()
    return future
