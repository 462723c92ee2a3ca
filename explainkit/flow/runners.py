"""What everything that runs has in common: one outcome, and two short ways to its answer."""

import asyncio
from abc import ABC, abstractmethod
from typing import Any

from explainkit.flow.outcomes import Outcome, answer_of


class Runner(ABC):
    """Something that runs and ends in an `Outcome`."""

    __slots__ = ()

    @abstractmethod
    async def outcome(self, input: Any = None) -> Outcome[Any]:  # noqa: A002 - the word of every runner
        """Run to an end.

        Args:
            input: What it is given.

        Returns:
            How it ended. Only an `Exception` becomes `Failed`: a task that is cancelled, an
            interrupt and an exit close the records and go on as they are.
        """

    async def run(self, input: Any = None, **settings: Any) -> Any:  # noqa: A002
        """Run to the answer.

        Args:
            input: What it is given.
            settings: As `outcome` takes them.

        Raises:
            Exception: What the run raised, as it is; `PausedError`, `ExhaustedError` and
                `asyncio.CancelledError` for the other ends.
        """
        outcome: Any = self.outcome  # each runner has settings of its own
        return answer_of(await outcome(input, **settings))

    def run_sync(self, input: Any = None, **settings: Any) -> Any:  # noqa: A002
        """Run to the answer, from code that does not await.

        Args:
            input: What it is given.
            settings: As `outcome` takes them.

        Raises:
            RuntimeError: An event loop runs here already, as in a notebook: await `run` there.
            Exception: As `run`.
        """
        return in_new_loop(self.run(input, **settings))


def in_new_loop(waiting: Any) -> Any:
    """Drive a coroutine in a loop of its own.

    Raises:
        RuntimeError: A loop runs here already.
    """
    if not _is_in_loop():
        # Not where the question is caught: that would be the cause of whatever is raised.
        return asyncio.run(waiting)
    waiting.close()
    raise RuntimeError(
        "An event loop runs here already, as in every notebook cell. "
        "Write `await runner.run(...)` instead of `runner.run_sync(...)`."
    )


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
