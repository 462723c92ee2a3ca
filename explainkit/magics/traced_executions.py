"""Runs that record a cell: armed inside of it, closed when the shell says that it is over."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explainkit.magics.executions import Execution, Executions
from explainkit.magics.options import TraceOptions
from explainkit.magics.pointers import pointer_to
from explainkit.magics.recorded_cells import record_of_cell
from explainkit.session.running import Tracing


@dataclass(frozen=True, slots=True)
class _Armed:
    tracing: Tracing
    execution: Execution | None


class TracedExecutions:
    """Opens and closes the runs of traced cells.

    Args:
        shell: The shell.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._executions = Executions()
        self._armed: list[_Armed] = []

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What the shell's events call."""
        return {
            "pre_execute": self._begins,
            "pre_run_cell": self._is_told,
            "post_execute": self._ends_silently,
            "post_run_cell": self._ends,
        }

    def arm(self, options: TraceOptions) -> None:
        """Record the rest of the cell that runs now."""
        execution = self._executions.current
        earlier = sum(each.execution is execution for each in self._armed)
        source = None if execution is None else execution.source
        cell = record_of_cell(source, earlier, self._shell)
        tracing = Tracing(
            options.name,
            to=options.to,
            question=options.question,
            code=None if cell is None else cell.code,
        )
        run = tracing.__enter__()
        run.cell = cell
        self._armed.append(_Armed(tracing, execution))

    def close_all(self) -> None:
        """End every run that is armed."""
        self._close(self._armed[::-1], None)

    def _begins(self) -> None:
        self._executions.begin(self._shell.last_execution_result)

    def _is_told(self, info: Any) -> None:
        self._executions.tell(info)

    def _ends_silently(self) -> None:
        """The end of a silent cell is told without its result, but the shell keeps it."""
        ended = self._executions.end_silent()
        if ended is not None:
            result = self._shell.last_execution_result
            self._close_those_of([ended], _error_of(None if result is ended.earlier else result))

    def _ends(self, result: Any) -> None:
        """A cell is over; without a result it was interrupted before it had one."""
        ended: list[Execution | None] = []
        ended += self._executions.end(getattr(result, "info", None))
        if self._executions.current is None:
            ended.append(None)
        self._close_those_of(ended, _error_of(result))

    def _close_those_of(
        self, ended: list[Execution] | list[Execution | None], error: BaseException | None
    ) -> None:
        gone = [each for each in self._armed if any(each.execution is one for one in ended)]
        self._close(gone[::-1], error)

    def _close(self, armed: list[_Armed], error: BaseException | None) -> None:
        for each in armed:
            self._armed.remove(each)
            try:
                each.tracing.__exit__(None if error is None else type(error), error, None)
            finally:
                sys.stdout.write(pointer_to(each.tracing.run) + "\n")


def _error_of(result: Any) -> BaseException | None:
    if result is None:
        return KeyboardInterrupt()
    before: BaseException | None = result.error_before_exec
    during: BaseException | None = result.error_in_exec
    return before if before is not None else during
