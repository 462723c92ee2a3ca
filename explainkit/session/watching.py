"""Shows a run while it goes on, from a thread that reads what was recorded and holds nothing up."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from explainkit.flow.driving.open_gates import gates_in
from explainkit.session.following_records import RecordFollower, names_of
from explainkit.session.recent import opened_last
from explainkit.view.watching_lines import AWAITED, Watched, state_line
from explainkit.view.watching_screens import final_text, screen_for

if TYPE_CHECKING:
    from explainkit.session.run import Run

PERIOD = 0.2
"""Seconds between two looks, and at least between two updates: five a second."""


class Watch:
    """A run that is watched; made by `run.watch()` and `ek.watch()`.

    It stops by itself when the run ends. Nothing that goes wrong here is raised: it is kept in
    `problem`, and the watch is over.

    Attributes:
        problem: What went wrong, if anything did.
    """

    def __init__(self, find: Callable[[], "Run | None"], *, stream: TextIO | None) -> None:
        """Begin to watch.

        Args:
            find: Gives the run, or None while there is none yet.
            stream: Where lines are written.
        """
        self.problem: BaseException | None = None
        self._find = find
        self._follower: RecordFollower | None = None
        self._run: Run | None = None
        self._stopping = threading.Event()
        self._over = threading.Event()
        self._now = Watched("", status=AWAITED)
        self._look()
        self._screen = screen_for(stream, last=self._now)
        self._thread = threading.Thread(target=self._watch, name="explainkit-watch", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether nothing is watched any more."""
        return self._over.is_set()

    def text(self) -> str:
        """What is shown now, as text."""
        return final_text(self._now)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the watch is over.

        Args:
            seconds: How long at most.

        Returns:
            Whether it is over.
        """
        return self._over.wait(seconds)

    def stop(self) -> None:
        """Stop watching and close the widgets; the run goes on.

        Called while it is drawn, such as by the stream that it writes to, it waits for nothing.
        """
        self._stopping.set()
        if threading.current_thread() is not self._thread:
            self._over.wait()

    def __repr__(self) -> str:
        if self._now.status == AWAITED:
            return f"<watch, {'over' if self.over else 'waits for the next run to open'}>"
        return f"<watch of {state_line(self._now)}>"

    def _watch(self) -> None:
        try:
            while True:
                last = self._stopping.is_set()
                gates = self._look()
                self._screen.draw(self._now, gates)
                if last or (self._follower is not None and self._follower.is_over):
                    break
                self._stopping.wait(PERIOD)
        # All of them: a SystemExit would end the thread unheard, and wait() would wait for ever.
        except BaseException as problem:  # noqa: BLE001 - what is shown is no reason to stop a run
            self.problem = problem
        try:
            self._screen.close(self.text(), problem=self._told())
        except BaseException as problem:  # noqa: BLE001 - as above
            self.problem = self.problem or problem
        finally:
            self._over.set()

    def _told(self) -> str:
        if self.problem is None:
            return ""
        problem = f"{type(self.problem).__name__}: {str(self.problem)[:200]}"
        return f"The watch is over, because it could not go on: {problem}"

    def _look(self) -> list[Any]:
        """Read what is new; gives the Gates that stand open."""
        if self._follower is None:
            self._run = self._find()
            if self._run is None:
                return []
            self._follower = RecordFollower(self._run, self._run._source)
        self._follower.read()
        active = None if self._run is None else self._run.active
        gates = [] if active is None else gates_in(active)
        self._now = self._follower.now(gates=names_of(gates))
        return gates


def watch(*, stream: TextIO | None = None) -> Watch:
    """Show the run that is open now, or else the one that opens next, while it goes on.

    Args:
        stream: Write plain lines there instead of showing widgets.

    Returns:
        What is watched; `stop()` ends it before the run does.

    Example:
        >>> import io
        >>> import explainkit as ek
        >>> told = io.StringIO()
        >>> watch = ek.watch(stream=told)
        >>> with ek.trace("hello"):
        ...     _ = ek.answer("world")
        >>> watch.wait()
        True
        >>> watch.text().splitlines()[-1]
        'Answer: world'
    """
    before = opened_last()

    def find() -> "Run | None":
        found = opened_last()
        return None if found is None or (found is before and found.active is None) else found

    return Watch(find, stream=stream)
