"""One way to call a port, whatever it is: a function, a coroutine function, or a runner."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from explainkit.answering.definitions import is_runner
from explainkit.answering.flow_records import OpenLink, site_of
from explainkit.errors import AnswerPortError, PausedError
from explainkit.flow.checks import UNSET, OperationContext
from explainkit.flow.compositions.children import as_child, asked
from explainkit.flow.compositions.worker_threads import called
from explainkit.flow.outcomes import answer_of
from explainkit.tracing.current import CURRENT, leave


class StrayCancellationError(RuntimeError):
    """A port was cancelled, and nobody had asked for it."""


class PausedPortError(AnswerPortError):
    """A port waits for a person, and a flow does not."""

    def __init__(self, name: str) -> None:
        """Say which port."""
        super().__init__(
            f"{name} paused, and an answer flow cannot wait. Let a person answer while it runs, as "
            "PersonReviewer does, or before it."
        )


@dataclass(frozen=True, slots=True)
class PortCall:
    """A port that may await.

    Attributes:
        name: Its field.
        port: What is called.
        step: The flow and the port, in a path.
    """

    name: str
    port: Any
    step: str

    @property
    def site(self) -> str | None:
        """Where in the code it is."""
        return site_of(self.port)

    async def ask(
        self, link: OpenLink, arguments: Mapping[str, Any], context: OperationContext
    ) -> Any:
        """What it gives.

        Args:
            link: Its link.
            arguments: Its keywords but `context`.
            context: Its `context`.

        Raises:
            Exception: What it raised, and the error of a runner that did not answer.
            PausedPortError: It paused.
            StrayCancellationError: It was cancelled by itself.
            asyncio.CancelledError: The flow is cancelled.
        """
        if link.supplied is not UNSET:
            return link.supplied
        token = CURRENT.set(link.frame)
        try:
            if not is_runner(self.port):
                return await called(self.port, **arguments, context=context)
            child = as_child(self.port, place=self.step)
            given = dict(arguments)
            places = [{"seq": link.seq, "slot": slot} for slot in link.slots]
            ended = await asked(child, given, step=self.step, places=places)
            return answer_of(ended.outcome)
        except PausedError as pause:
            raise PausedPortError(self.name) from pause
        except asyncio.CancelledError:
            if is_cancelled(context):
                raise
            raise StrayCancellationError("it was cancelled by itself") from None
        finally:
            leave(token)


def is_cancelled(context: OperationContext) -> bool:
    """Whether somebody asked the flow to stop: by its signal, or by its task."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # in the thread of the checks
        task = None
    return context.signal.cancelled or (task is not None and task.cancelling() > 0)


def is_awaited(value: Any) -> bool:
    """Whether a value is something to await; then it is closed, because nobody will."""
    try:
        if not isawaitable(value):
            return False
    except Exception:  # noqa: BLE001 - a proxy that stands for nothing cannot even say its class
        return False
    close = getattr(value, "close", None)
    if callable(close):
        close()
    return True
