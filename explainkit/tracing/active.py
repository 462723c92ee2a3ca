"""A run while it goes on: its open links, its answers, its faults, its end.

The tracer's law lives here: nothing that goes wrong while recording reaches user code; it is
counted, and raised only under ``strict``.
"""

import inspect
import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar, cast

from explainkit.errors import ExplainkitError, WriteError
from explainkit.safety.labels import fields_json
from explainkit.tracing.current import BEGUN, CURRENT, OPEN, Frame, leave
from explainkit.tracing.recorder import Recorder
from explainkit.tracing.seam import Rewriter, Supplier
from explainkit.tracing.watchdog import unwatch, watch

if TYPE_CHECKING:
    import threading

P = ParamSpec("P")
R = TypeVar("R")


class AnswerState(NamedTuple):
    """The effective version of a slot and the user's own object."""

    version: int
    value: object


class ActiveRun:
    """One open run. Made by ``explainkit.trace`` and ``explainkit.traced``."""

    def __init__(
        self,
        recorder: Recorder,
        *,
        name: str,
        strict: bool | None = None,
        supply: Supplier | None = None,
        rewrite: Rewriter | None = None,
    ) -> None:
        """Wrap a recorder.

        Args:
            recorder: Writes the records.
            name: The run's name.
            strict: Raise own faults; default is what ``EXPLAINKIT_STRICT`` says.
            supply: Supplies values in place of computed ones (replay and what-if).
            rewrite: Changes what goes into links and templates (what-if).
        """
        self.recorder = recorder
        self.id = recorder.run
        self.name = name
        self.ended = False
        self.suppressed = 0
        self.unplaced = 0
        self.supply = supply
        self.rewrite = rewrite
        self.steered = supply is not None or rewrite is not None
        self.links: dict[int, list[bytes]] = {}
        self.pieces: dict[bytes, int] = {}
        self.outputs: dict[bytes, int] = {}
        self.answers: dict[str, AnswerState] = {}
        self.changes: dict[int, Callable[[Any], Any]] = {}
        """Functions of overrides, by their record, so that they can be asked again."""
        self.host: object | None = None
        """Of a re-run, what a user holds of it, until the code that it repeats opens its run."""
        self.memos: dict[int, Callable[..., Any]] = {}
        """Of a re-run, functions of links that keep their results, each with nothing kept yet."""
        self.inner_supply: Supplier | None = None
        """Of a re-run, what supplies values in runs that open inside of it."""
        self.home: threading.Thread | None = None
        """Of a re-run, the thread in which it is made."""
        self.seen: Any = None
        """Of a re-run, what was seen of the calls of the user's own code."""
        self.repeats: str | None = None
        """Of a re-run, the id of the run that it makes again."""
        self.outermost: tuple[object] | None = None
        """What the last runner at the top of the run answered; its answer if nobody gives one."""
        self._strict = os.environ.get("EXPLAINKIT_STRICT") == "1" if strict is None else strict
        self._finishers: dict[int, Callable[[], None]] = {}
        self._last_words: str | None = None

    def start(self, **fields: Any) -> None:
        """Write ``run_started`` (its values must come from ``recorder.value`` before)."""
        try:
            self.recorder.append("run_started", run=self.id, name=self.name, **fields)
        except WriteError as full:  # the line waits; a later one may find room
            self.fault(full)
        OPEN[id(self)] = self
        BEGUN.add(self.id)
        watch(self.recorder)

    def enter(self) -> Any:
        """Make this run current in this context; give the token to ``leave``."""
        return CURRENT.set(Frame(self))

    def leave(self, token: Any) -> None:
        """Undo ``enter``. In another context (a later cell) the run is cleared where it stands."""
        if leave(token):
            return
        here = CURRENT.get()
        if here is not None and here.run is self:
            CURRENT.set(None)

    def bind(self, fn: Callable[P, R]) -> Callable[P, R]:
        """Carry the run, and the link that is open now, into a thread or executor.

        Args:
            fn: The function that the other thread will call.

        Returns:
            A function with the same behaviour whose recording calls belong to this run.
        """
        here = CURRENT.get()
        frame = here if here is not None and here.run is self else Frame(self)

        def bound(*args: P.args, **kwargs: P.kwargs) -> R:
            token = CURRENT.set(frame)
            try:
                return fn(*args, **kwargs)
            finally:
                leave(token)

        async def bound_async(*args: P.args, **kwargs: P.kwargs) -> Any:
            token = CURRENT.set(frame)
            try:
                return await cast("Awaitable[Any]", fn(*args, **kwargs))
            finally:
                leave(token)

        return cast("Callable[P, R]", bound_async) if inspect.iscoroutinefunction(fn) else bound

    def place_of(self, digest: bytes) -> tuple[int, str] | None:
        """The latest occurrence of a value: ``seq`` and slot."""
        piece, output = self.pieces.get(digest, -1), self.outputs.get(digest, -1)
        if piece < 0 and output < 0:
            return None
        return (piece, "value") if piece > output else (output, "output")

    def fault(self, error: Exception) -> None:
        """Count an own fault; raise it only when strict. Misuse errors are never faults."""
        if self._strict and not isinstance(error, ExplainkitError):
            raise error
        self.suppressed += 1

    def count_unplaced(self) -> None:
        """Count a recording call that no context variable could place."""
        self.unplaced += 1

    def on_end(self, key: int, finish: Callable[[], None] | None) -> None:
        """Call ``finish`` when the run ends first (an open generator link); ``None`` withdraws."""
        if finish is None:
            self._finishers.pop(key, None)
        else:
            self._finishers[key] = finish

    def end(self, status: str, error: BaseException | None = None) -> None:
        """Close what is still open and end the stream; a second call does nothing."""
        interrupt: KeyboardInterrupt | None = None
        while not self.ended:
            try:
                self._finish("cancelled" if interrupt else status, error or interrupt)
            except KeyboardInterrupt as again:  # the record is closed first, then it goes on
                interrupt = again
            except Exception as fault:
                self._over()
                self.fault(fault)
        if interrupt is not None:
            raise interrupt

    def _finish(self, status: str, error: BaseException | None) -> None:
        """Each step may be interrupted and done again."""
        recorder = self.recorder
        with recorder.lock:
            if self._last_words is None:
                self._close_open_links()
                fields: dict[str, Any] = {"status": status}
                if error is not None:
                    fields["error"] = recorder.value(error)
                if self.suppressed:
                    fields["suppressed"] = self.suppressed
                recorder.flush()  # what was lost stands before the end
                recorder.line(b'"run_ended"', recorder.now(), fields_json(fields))
                self._last_words = status
            recorder.close(self._last_words)
        self._over()

    def _over(self) -> None:
        OPEN.pop(id(self), None)
        unwatch(self.recorder)
        self.ended = True

    def _close_open_links(self) -> None:
        for finish in list(self._finishers.values()):
            finish()
        for seq in sorted(self.links, reverse=True):
            fields = fields_json({"link": seq, "status": "abandoned"})
            self.recorder.line(b'"link_closed"', self.recorder.now(), fields)
            del self.links[seq]
        if self.unplaced:
            count, self.unplaced = self.unplaced, 0
            reason = "recording calls in threads that belong to no run; use run.bind"
            self.recorder.append("lost", what="unlinked", reason=reason, count=count)


def _disown_in_child() -> None:
    """A forked child goes on with its own work; what it does is not in the parent's record."""
    for run in list(OPEN.values()):
        run.recorder.disown()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown_in_child)
