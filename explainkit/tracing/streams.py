"""Generators as links: open at the first step, current only while their own frame runs.

Items are teed, never consumed ahead. The output is the list of items, joined when all are text,
with the ends of the items kept.
"""

from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import CURRENT, Frame, current_frame, leave
from explainkit.tracing.late_effects import hold_back_late
from explainkit.tracing.opening import close_with, open_link
from explainkit.tracing.spec import LinkSpec
from explainkit.tracing.steering import rewritten, supplied

if TYPE_CHECKING:
    from explainkit.tracing.seam import Supplied


class StreamLink:
    """The link of one generator while it is stepped."""

    def __init__(self, run: ActiveRun, seq: int, given: "Supplied | None") -> None:
        """Follow the link ``seq`` of ``run``; ``given`` takes the place of its own items."""
        self.frame = Frame(run, seq)
        self._run = run
        self._seq = seq
        self._items: list[Any] = []  # texts, and stored copies of anything else
        self._texts = True
        self.given = given
        run.on_end(seq, lambda: self.close("abandoned"))

    def item(self, value: Any) -> None:
        """Keep an item that was yielded: a text as it is, anything else by a stored copy."""
        try:
            if type(value) is str:
                self._items.append(value)
            else:
                self._texts = False
                self._items.append(self._run.recorder.snapshot(value))
        except Exception as fault:
            self._run.fault(fault)

    def replayed(self) -> Iterator[Any]:
        """The items that were supplied, one by one."""
        for item in cast("Iterable[Any]", self.given.value if self.given else ()):
            self.item(item)
            yield item
        self.close("answered")

    def close(self, status: str, error: BaseException | None = None) -> None:
        """Close the link with what was yielded so far."""
        run = self._run
        run.on_end(self._seq, None)
        if run.ended:
            return
        try:
            fields: dict[str, Any] = {}
            if self.given is not None and self.given.reused is not None:
                fields["attrs"] = {"reused": self.given.reused}
            if self._items and self._texts:
                fields["bounds"] = _bounds(self._items)
                fields["output"] = run.recorder.value("".join(self._items))
            elif self._items or status == "answered":
                fields["output"] = run.recorder.list_of(self._items)
            if error is not None:
                fields["error"] = run.recorder.value(error)
            close_with(run, self._seq, status, **fields)
        except Exception as fault:
            run.fault(fault)


def _bounds(items: list[str]) -> list[int]:
    ends, total = [], 0
    for item in items:
        total += len(item)
        ends.append(total)
    return ends


def _open(spec: LinkSpec, args: tuple[Any, ...], kwargs: dict[str, Any]) -> StreamLink | None:
    frame = current_frame()
    if frame is None or frame.unlinked:
        hold_back_late(spec)
    if frame is None:
        return None
    try:
        seq = open_link(spec, frame, args, kwargs)
        return StreamLink(frame.run, seq, supplied(frame.run, spec, seq, streams=True))
    except Exception as fault:
        frame.run.fault(fault)
        return None


def _steered(spec: LinkSpec, args: Any, kwargs: Any) -> tuple[Any, Any]:
    frame = current_frame()
    if frame is None or frame.run.rewrite is None:
        return args, kwargs
    return rewritten(frame.run, spec, args, kwargs)


def drive_generator(spec: LinkSpec) -> Callable[..., Generator[Any, Any, Any]]:
    """Wrap a generator function."""

    def wrapper(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        args, kwargs = _steered(spec, args, kwargs)
        inner = spec.fn(*args, **kwargs)
        link = _open(spec, args, kwargs)
        if link is not None and link.given is not None:
            yield from link.replayed()
            return None
        if link is None:
            return (yield from inner)
        step: Callable[[], Any] = inner.__next__
        try:
            while True:
                token = CURRENT.set(link.frame)
                try:
                    item = step()
                finally:
                    leave(token)
                link.item(item)
                step = yield from _ask(inner, item)
        except StopIteration as stop:
            link.close("answered")
            return stop.value
        except GeneratorExit:
            link.close("cancelled")
            inner.close()
            raise
        except BaseException as error:
            link.close(_status(error), error)
            raise

    return wrapper


def _ask(inner: Generator[Any, Any, Any], item: Any) -> Generator[Any, Any, Callable[[], Any]]:
    """Hand the item out and turn what comes back into the next step of the inner generator."""
    try:
        sent = yield item
    except GeneratorExit:
        raise
    except BaseException as thrown:
        error = thrown
        return lambda: inner.throw(error)
    return lambda: inner.send(sent)


def drive_async_generator(spec: LinkSpec) -> Callable[..., AsyncGenerator[Any, Any]]:
    """Wrap an async generator function."""

    async def wrapper(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        args, kwargs = _steered(spec, args, kwargs)
        inner = spec.fn(*args, **kwargs)
        link = _open(spec, args, kwargs)
        if link is not None and link.given is not None:
            for item in link.replayed():
                yield item
            return
        step: Callable[[], Any] = inner.__anext__
        try:
            while True:
                item = await _current(step, None if link is None else link.frame)
                if link is not None:
                    link.item(item)
                try:
                    sent = yield item
                    step = _sender(inner, sent)
                except GeneratorExit:
                    raise
                except BaseException as thrown:
                    step = _thrower(inner, thrown)
        except StopAsyncIteration:
            _close(link, "answered")
        except GeneratorExit:
            _close(link, "cancelled")
            await inner.aclose()
            raise
        except BaseException as error:
            _close(link, _status(error), error)
            raise

    return wrapper


async def _current(step: Callable[[], Any], frame: Frame | None) -> Any:
    if frame is None:
        return await step()
    token = CURRENT.set(frame)
    try:
        return await step()
    finally:
        leave(token)


def _sender(inner: AsyncGenerator[Any, Any], sent: Any) -> Callable[[], Any]:
    return lambda: inner.asend(sent)


def _thrower(inner: AsyncGenerator[Any, Any], error: BaseException) -> Callable[[], Any]:
    return lambda: inner.athrow(error)


def _close(link: StreamLink | None, status: str, error: BaseException | None = None) -> None:
    if link is not None:
        link.close(status, error)


def _status(error: BaseException) -> str:
    return "error" if issubclass(type(error), Exception) else "cancelled"
