"""Knows which executions of cells go on, because one cell can run another inside of itself."""

import threading
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True, eq=False)
class Execution:
    """One execution of a cell, from its first event to its last.

    Attributes:
        info: What IPython says of it; None of a silent one (`%run` of a file of cells).
        earlier: The result that the shell had last when it began.
    """

    info: Any = None
    earlier: Any = None

    @property
    def source(self) -> str | None:
        """The cell as it was typed."""
        raw = getattr(self.info, "raw_cell", None)
        return raw if isinstance(raw, str) else None


class Executions(threading.local):
    """Executions that go on in this thread, the innermost last.

    Cells run in threads of their own where a front end asks for it (subshells), so each thread
    has its list.
    """

    def __init__(self) -> None:
        self._going_on: list[Execution] = []

    @property
    def current(self) -> Execution | None:
        """The innermost; None where the magics were loaded in the middle of a cell."""
        return self._going_on[-1] if self._going_on else None

    def begin(self, earlier: Any) -> None:
        """A cell begins; whether it is a silent one is not known yet."""
        self._going_on.append(Execution(earlier=earlier))

    def tell(self, info: Any) -> None:
        """The cell that began is no silent one."""
        if self._going_on:
            self._going_on[-1].info = info

    def end_silent(self) -> Execution | None:
        """A cell ends of which nothing more will be told, unless it is no silent one."""
        current = self.current
        if current is None or current.info is not None:
            return None
        return self._going_on.pop()

    def end(self, info: Any) -> list[Execution]:
        """A cell ends.

        Args:
            info: What `tell` was given; None when the shell does not know any more, which it
                does for the outermost cell only.

        Returns:
            What ends with it, the innermost first; nothing for an empty cell, which never began.
        """
        if info is None:
            ended, self._going_on = self._going_on[::-1], []
            return ended
        at = next((i for i, each in enumerate(self._going_on) if each.info is info), None)
        if at is None:
            at = self._interrupted(info)
        if at is None:
            return []
        ended = self._going_on[at:][::-1]
        del self._going_on[at:]
        return ended

    def _interrupted(self, info: Any) -> int | None:
        """Of a cell that an interrupt ended early the shell tells only the source."""
        source = getattr(info, "raw_cell", None)
        if not isinstance(source, str) or not source.strip():
            return None
        last = len(self._going_on) - 1
        return last if last >= 0 and self._going_on[last].source == source else None
