"""Runs a run again for the explorer's panels: beside the cells, one at a time, and stoppable.

A thread of its own drives it, so that neither a click nor the kernel's loop waits for a re-run.
What has to be awaited is awaited on the loop in which the explorer was made, because clients and
locks of a user's functions belong to it.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError, RerunError
from explainkit.session.programs_away import program_away
from explainkit.session.whatifs import WhatIf, asked, asked_async, inquiry_into
from explainkit.view.explorer.causes import Wanted, ended, measuring, refused
from explainkit.view.explorer.exchange import Exchange, words_of
from explainkit.whatif.measuring import Trial
from explainkit.whatif.varying import interventions_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from explainkit.backtrack.comparing import Compared
    from explainkit.session.bisections import Bisection
    from explainkit.session.run import Run
    from explainkit.store import Recording
    from explainkit.view.whatif.told import ToldWhatIf
    from explainkit.whatif.varying import Plan

Json = dict[str, Any]

SECONDS: Final = 0.2
"""Between two tellings of progress: five a second at most."""
KEPT: Final = 60
"""What-ifs whose re-runs stay at hand."""
BUSY = "Something is measured already. Wait for it, or stop it first."


class PanelReruns:
    """What the panels of one explorer have measured.

    Attributes:
        last: The what-if that was measured last.
        bisection: The bisection that was begun last.
    """

    def __init__(self, run: "Run", call: Callable[..., Any] | None = None) -> None:
        """Measure nothing yet.

        Args:
            run: The run.
            call: A function that makes it again, where it cannot be found.
        """
        self._run = run
        self._call = call
        self._loop = _loop_here()
        self._lock = threading.Lock()
        self._going: Wanted | None = None
        self._stopping = threading.Event()
        self._awaited: Future[Any] | None = None
        self._begun = False
        self._so_far: Json = {}
        self._whatifs: dict[int, WhatIf] = {}
        self._refusals: dict[tuple[str, int], str | None] = {}
        self._tell: Callable[[Json, bool], None] = lambda tried, over: None
        self._thread: threading.Thread | None = None
        self.last: WhatIf | None = None
        self.bisection: Bisection | None = None

    def shown_in(self, exchange: Exchange, found: Callable[[], Json]) -> None:
        """Show what is measured there from now on, and what was found before at once.

        Args:
            exchange: The state that is shown.
            found: Gives all findings as stamps.
        """
        exchange.measured({}, found())
        self._tell = lambda tried, over: exchange.measured(tried, found() if over else None)

    @property
    def recording(self) -> "Recording":
        """The records with all findings."""
        return self._run.recording

    def refusal(self, slot: str) -> str | None:
        """Why nothing can be run again; None when it can."""
        key = slot, len(self._run.recording)
        if key not in self._refusals:
            try:
                inquiry_into(self._run, call=self._call, slot=slot)
                self._refusals[key] = None
            except (ExplainkitError, LookupError) as error:
                self._refusals[key] = program_away(self._run, words_of(error))
        return self._refusals[key]

    def start(self, wanted: Wanted) -> None:
        """Measure it in a thread of its own.

        Raises:
            RerunError: Something is measured already.
        """
        with self._lock:
            if self._going is not None:
                raise RerunError(BUSY)
            self._going, self._begun, self._awaited = wanted, False, None
            self._stopping.clear()
        self._told(wanted)
        # In the context of who asked: what the thread tells the widget counts as said by the
        # handler, and ipykernel takes the next click where the last word on it came from.
        context = copy_context()
        self._thread = threading.Thread(
            target=context.run, args=(self._work, wanted), name="explainkit what-if", daemon=True
        )
        self._thread.start()

    def stop(self) -> str:
        """End what is measured after the present re-run; gives what happens in words."""
        with self._lock:
            wanted, waiting = self._going, self._awaited
            begun = self._begun
        if wanted is None:
            return "Nothing is measured now."
        self._stopping.set()
        if waiting is not None and not begun:
            waiting.cancel()  # a cell holds the loop; nothing has begun
        self._told(wanted, **{**self._so_far, "stopping": True})
        return "It stops after the present re-run; what is done is kept."

    def close(self) -> None:
        """Stop what is measured, if anything is."""
        if self._going is not None:
            self.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nothing is measured; whether that is so."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(seconds)
        return self._going is None

    def told(self, seq: int) -> "ToldWhatIf | None":
        """A what-if that was measured by the panels, by its finding."""
        found = self._whatifs.get(seq)
        return None if found is None else found.told()

    def compared(self, seq: int) -> "Compared | None":
        """Its re-run beside the recorded run."""
        found = self._whatifs.get(seq)
        beside = None if found is None else found.diff
        return None if beside is None else beside.found

    def plan(self, seq: int) -> "Plan | None":
        """What it changed at each record."""
        found = self._whatifs.get(seq)
        return None if found is None else found.trial.plan

    def begin_bisection(self, slot: str, *, wrong: bool) -> "Bisection":
        """Begin a bisection anew; of an answer that is wrong, whoever let it pass, if so said."""
        self.bisection = self._run.bisect(slot=slot, wrong=wrong)
        return self.bisection

    def _work(self, wanted: Wanted) -> None:
        try:
            told = self._search(wanted) if wanted.is_search else self._whatif(wanted)
        except BaseException as error:  # noqa: BLE001 - a person reads it; a thread has nobody else
            told = refused(wanted, self._why(error))
        with self._lock:
            self._going = None
        try:
            self._tell(told, True)
        except Exception as error:  # noqa: BLE001 - damaged findings must not hide the end
            self._tell(refused(wanted, words_of(error)), False)

    def _why(self, error: BaseException) -> str:
        if self._stopping.is_set() and not self._begun:
            return "Stopped before the first re-run; nothing was measured."
        what = words_of(error)
        known = isinstance(error, ExplainkitError | LookupError)
        return what if known else f"{type(error).__name__}: {what}"

    def _settings(self, wanted: Wanted) -> Json:
        return {
            "call": self._call,
            "span": wanted.span,
            "slot": wanted.slot,
            "budget": wanted.calls,
            "progress": self._progress(wanted),
            "stop": self._stopping.is_set,
        }

    def _whatif(self, wanted: Wanted) -> Json:
        changes = interventions_of(**wanted.changes)
        inquiry = inquiry_into(self._run, **self._settings(wanted))
        if self._is_awaited(inquiry.entry.awaits):
            found = self._on_loop(wanted, lambda: asked_async(self._run, inquiry, changes))
        else:
            self._begun = True
            found = asked(self._run, inquiry, changes)
        self._keep(found)
        spent, stopped = found.trial.spent, found.trial.stopped == "cancelled"
        return ended(wanted, [str(found)], seq=found.seq, reruns=spent.reruns, calls=spent.calls,
                     stopped=stopped)  # fmt: skip

    def _search(self, wanted: Wanted) -> Json:
        settings = self._settings(wanted)
        if self._is_awaited(inquiry_into(self._run, **settings).entry.awaits):
            found = self._on_loop(wanted, lambda: self._run.smallest_cause_async(**settings))
        else:
            self._begun = True
            found = self._run.smallest_cause(**settings)
        for each in found.whatifs:
            self._keep(each)
        self.last = found.whatif or self.last
        seq = None if found.whatif is None else found.whatif.seq
        return ended(wanted, found.lines(), seq=seq, reruns=found.reruns, calls=found.calls,
                     stopped=found.stopped == "cancelled")  # fmt: skip

    def _keep(self, found: WhatIf) -> None:
        self.last = found
        if found.seq is not None:
            self._whatifs[found.seq] = found
        while len(self._whatifs) > KEPT:
            del self._whatifs[next(iter(self._whatifs))]

    def _is_awaited(self, awaits: bool) -> bool:
        return awaits and self._loop is not None and self._loop.is_running()

    def _on_loop(self, wanted: Wanted, begin: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Await it on the loop of the cells, and wait here until it is done."""
        loop = self._loop
        if loop is None:
            raise RuntimeError("There is no loop to await it on.")

        async def measured() -> Any:
            self._begun = True
            self._told(wanted)
            return await begin()

        self._told(wanted, waits=True)
        self._awaited = asyncio.run_coroutine_threadsafe(measured(), loop)
        if self._stopping.is_set():
            self._awaited.cancel()
        return self._awaited.result()

    def _progress(self, wanted: Wanted) -> Callable[[Trial], None]:
        """Tells how far it is, five times a second at most."""
        last = 0.0
        trials: dict[int, Trial] = {}

        def progress(trial: Trial) -> None:
            nonlocal last
            trials.setdefault(id(trial), trial)
            now = time.monotonic()
            if now - last < SECONDS:
                return
            last = now
            arms = tuple(
                (sum(each.flips for each in arm), len(arm))
                for arm in (trial.changed, trial.unchanged)
            )
            self._told(
                wanted,
                reruns=trial.spent.reruns,
                calls=trial.spent.calls,
                arms=arms,
                sets=len(trials),
                stopping=self._stopping.is_set(),
            )

        return progress

    def _told(self, wanted: Wanted, **so_far: Any) -> None:
        self._so_far = so_far
        self._tell(measuring(wanted, **so_far), False)


def _loop_here() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
