"""Tees a client's stream: the caller gets every item as it is, the link what they join to.

The link closes when the stream is read to its end, raises, is closed or dropped. Items are never
asked for ahead of the caller.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from typing import Any

from explainkit.adapters.clients.recorded_calls import RecordedCall, quietly


def follow(stream: Any, call: RecordedCall) -> None:
    """Follow a stream of either client.

    Args:
        stream: The client's stream; it reads its items from `_iterator`.
        call: Its link, still open.
    """
    inner = stream._iterator
    if hasattr(inner, "__anext__"):
        stream._iterator = _awaited(inner, call)
        _watch_closing(stream.response, "aclose", call)
    else:
        stream._iterator = _read(inner, call)
        _watch_closing(stream.response, "close", call)
    call.run.on_end(call.link, lambda: call.close_streamed("abandoned"))


def _read(inner: Iterator[Any], call: RecordedCall) -> Generator[Any, None, None]:
    try:
        while True:
            call.steps = True
            try:
                item = next(inner)
            finally:
                call.steps = False
            quietly(call.run, call.add, item)
            yield item
    except StopIteration:
        quietly(call.run, call.close_streamed, "answered")
    except GeneratorExit:
        quietly(call.run, call.close_streamed, "cancelled")
        if isinstance(inner, Generator):
            inner.close()
        raise
    except BaseException as error:
        quietly(call.run, call.close_broken, error)
        raise


async def _awaited(inner: AsyncIterator[Any], call: RecordedCall) -> AsyncGenerator[Any, None]:
    try:
        while True:
            call.steps = True
            try:
                item = await anext(inner)
            finally:
                call.steps = False
            quietly(call.run, call.add, item)
            yield item
    except StopAsyncIteration:
        quietly(call.run, call.close_streamed, "answered")
    except GeneratorExit:
        quietly(call.run, call.close_streamed, "cancelled")
        if isinstance(inner, AsyncGenerator):
            await inner.aclose()
        raise
    except BaseException as error:
        quietly(call.run, call.close_broken, error)
        raise


def _watch_closing(response: Any, name: str, call: RecordedCall) -> None:
    """Every way to close a stream early ends at its response; so does the stream's own end."""
    close: Callable[[], Any] = getattr(response, name)

    def closing() -> Any:
        if not call.steps:
            quietly(call.run, call.close_streamed, "cancelled")
        return close()

    setattr(response, name, closing)
