"""Functions that do not await run in threads of their own, so that siblings really overlap."""

import asyncio
import inspect
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import Any


async def called(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function, in a thread unless it awaits by itself.

    Args:
        call: The function, or an object that can be called.
        arguments: What it is given.
        options: What it is given by name.
    """
    if awaits(call):
        return await call(*arguments, **options)
    output = await _in_thread(lambda: call(*arguments, **options))
    return await output if can_be_awaited(output) else output


def can_be_awaited(value: Any) -> bool:
    """Whether a value is something to await; the value itself is not asked."""
    return hasattr(type(value), "__await__")


def awaits(call: Callable[..., Any]) -> bool:
    """Whether calling it gives something to await."""
    return inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
        getattr(call, "__call__", None)  # noqa: B004 - the method of an object, not a test
    )


async def _in_thread(call: Callable[[], Any]) -> Any:
    """Call in a thread with the context variables of here.

    The thread is its own: a shared pool has a limit, at which siblings that wait for each other
    would wait for ever. Nobody waits for it at a cancellation, not even the end of the loop; what
    it gives then is dropped.
    """
    loop = asyncio.get_running_loop()
    told: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = copy_context()

    def work() -> None:
        found: tuple[Any, BaseException | None]
        try:
            found = (context.run(call), None)
        except BaseException as error:  # noqa: BLE001 - raised again where it is awaited
            found = (None, error)
        with suppress(RuntimeError):  # the loop has closed, so nobody waits
            loop.call_soon_threadsafe(_tell, told, found)

    Thread(target=work, name="explainkit-child", daemon=True).start()
    output, error = await told
    if error is not None:
        raise error
    return output


def _tell(told: "asyncio.Future[tuple[Any, BaseException | None]]", found: Any) -> None:
    if not told.done():
        told.set_result(found)
