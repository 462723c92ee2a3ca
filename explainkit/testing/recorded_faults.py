"""A recorded fault as a test case: run again with its recorded calls, and asked whether it is back.

`run.to_pytest(path)` writes a test that uses this class, and a JSON file beside it.
"""

import asyncio
import inspect
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from explainkit.errors import ReadError, RerunError
from explainkit.flow.runners import Runner
from explainkit.safety import shorten, shorten_at_words
from explainkit.safety.encoding import decode
from explainkit.store import Recording
from explainkit.testing.outside_reads import holding_made_anew, is_made_anew, kept_though_they_read
from explainkit.whatif.calling_again import entry_of, fitted
from explainkit.whatif.judging import End, Judge, end_of, recorded_end
from explainkit.whatif.judging.judges import SameJudge, SpanJudge
from explainkit.whatif.judging.same_answers import is_same
from explainkit.whatif.named_functions import function_at, is_traced_function, why_missing
from explainkit.whatif.named_runners import entry_of_runner, runner_at
from explainkit.whatif.rerunning import CalledEntry, Entry, Origin, Rerun, rerun, rerun_async
from explainkit.whatif.varying import Plan

FORMAT: Final = 2
NAME: Final = "regression test"
Made: TypeAlias = Callable[..., Any] | Runner
"""What makes a run."""


class RecordedFault:
    """A run that answered wrong, and how to see whether it does again.

    Args:
        told: What `run.to_pytest` wrote.
        name: What the file is called, for messages.

    Attributes:
        recording: The run.
        reason: Why its answer was judged wrong; empty when nobody said.
    """

    def __init__(self, told: Mapping[str, Any], *, name: str = "the recorded fault") -> None:
        if told.get("format") != FORMAT:
            raise ReadError(
                f"{name} has format {told.get('format')!r:.20}; this explainkit reads {FORMAT}. "
                "Write it again with run.to_pytest(...)."
            )
        lines = [f"{line}\n".encode() for line in told["records"]]
        self.recording = Recording.of_lines(lines)
        self.reason = str(told.get("reason") or "")
        self._callable = str(told["callable"])
        self._slot = str(told.get("slot") or "answer")
        self._end = recorded_end(self.recording, slot=self._slot)
        self._judge = self._judge_of(told)
        self._expected = (self._value(told["expected"]),) if "expected" in told else None
        self._kept: list[str] = []

    @classmethod
    def beside(cls, test: str | os.PathLike[str]) -> "RecordedFault":
        """Read the file beside a test: the same name with the ending ``.json``.

        Args:
            test: The test's own path, ``__file__``.

        Raises:
            ReadError: It is not there, or cannot be read.
        """
        path = Path(test).with_suffix(".json")
        try:
            told = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ReadError(f"{path.name} beside the test cannot be read: {error}") from error
        return cls(told, name=path.name)

    def run_again(self, call: Made | None = None) -> End:
        """Run it once more.

        Calls whose function, code and inputs are the recorded ones are given their recorded
        results; the others run, and so do those that read data of a module or a closure, which is
        not on record: mending it must show. Links of kind ``effect`` never run.

        Args:
            call: What makes the run: the recorded function, wherever it stands now, or another
                one, which is given the recorded arguments that it takes by name; or the runner,
                such as an Agent, which is given the recorded input. Without it, the function or
                the runner that was recorded, of a module that is imported already.

        Returns:
            How it ended.

        Raises:
            RerunError: The function is gone, an effect would have to run again, or the run gave
                no answer.
        """
        entry, origin, anew = self._prepared(call)
        if not entry.awaits:
            return self._ended(origin, rerun(entry, origin, Plan(), forced=anew))
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            raise RerunError("An event loop runs here. Use await fault.run_again_async(...).")
        return asyncio.run(self.run_again_async(call))

    async def run_again_async(self, call: Made | None = None) -> End:
        """As `run_again`, where an event loop runs, as in a notebook.

        Args:
            call: As `run_again` takes it.
        """
        entry, origin, anew = self._prepared(call)
        return self._ended(origin, await rerun_async(entry, origin, Plan(), forced=anew))

    def assert_mended(self, call: Made | None = None) -> None:
        """Run it once more, and fail where it answers wrong in the same way.

        Args:
            call: As `run_again` takes it.

        Raises:
            AssertionError: It does; the message says what it answered, and what is wrong with it.
            RerunError: As `run_again` raises it.
        """
        __tracebackhide__ = True  # pytest then ends on the line of the test, and on the message
        end = self.run_again(call)
        if self.is_back(end):
            raise AssertionError(self.words(end))

    def _ended(self, origin: Origin, done: Rerun) -> End:
        self._kept = kept_though_they_read(origin, done.reused)
        if done.steered.effect is not None:
            raise RerunError(
                f"The effect {done.steered.effect!r:.60} would have to run again: its inputs are "
                "not the recorded ones. Put something in its place for the test."
            )
        end = end_of(done, slot=self._slot, origin=self.recording)
        if self._end.answered and not end.answered:
            raise RerunError(f"The run gave {end.words}, so nothing can be said of its answer.")
        return end

    def is_back(self, end: End) -> bool:
        """Whether a run answers wrong in the same way.

        Args:
            end: What `run_again` gave.
        """
        if self._expected is not None:
            return not (end.answered and is_same(self._expected[0], end.compared))
        return not self._judge.flips(end)

    def words(self, end: End) -> str:
        """What to say when it is back.

        Args:
            end: What `run_again` gave.
        """
        told = [f"answered {shorten_at_words(end.words, 300)!r}"]
        if not self._judge.flips(end):
            how = "the same answer" if isinstance(self._judge, SameJudge) else self._judge.name
            told.append(f"wrong as recorded{self._because}: {how}")
        elif self._expected is not None:
            told.append(f"another answer than the recorded one, which was wrong{self._because}")
        if self._expected is not None:
            right = self._expected[0]
            told.append(f"expected {shorten_at_words(str(right), 300)!r}")
        if self._kept:
            kept = shorten(", ".join(self._kept), 200)
            told.append(f"recorded results were used of what reads from outside: {kept}")
        return "; ".join(told)

    @property
    def _because(self) -> str:
        return f" ({shorten(self.reason, 200)})" if self.reason else ""

    def _prepared(self, call: Made | None) -> tuple[Entry, Origin, frozenset[int]]:
        """What is called, and which recorded results are not used."""
        origin = Origin(self.recording, renews=is_made_anew)
        return self._entry(call), origin, holding_made_anew(origin)

    def _entry(self, call: Made | None) -> Entry:
        path = self._callable
        fn = (function_at(path) or runner_at(path)) if call is None else call
        if isinstance(fn, Runner):
            return entry_of_runner(self.recording, fn, name=NAME)
        give = "or give run_again(...) the function"
        if fn is None:
            raise RerunError(f"{path!r:.80} {why_missing(path)}, {give}. Is it renamed?")
        if is_traced_function(fn):
            plain = inspect.unwrap(fn)
            advice = "Give run_again(...) a function that makes it."
            args, kwargs = fitted(self.recording, plain, path, advice=advice)
            return CalledEntry(plain, args, kwargs, NAME)
        if call is None:
            # A record is no reason to call just anything: only what was made to be traced.
            raise RerunError(f"{path!r:.80} is not decorated with @ek.traced. Decorate it, {give}.")
        return entry_of(self.recording, call=fn)

    def _judge_of(self, told: Mapping[str, Any]) -> Judge:
        span = told.get("span")
        if span is None:
            return SameJudge(self._end)
        text, start = str(span["within"]), int(span["start"])
        return SpanJudge(text[start : int(span["end"])], text, start)

    def _value(self, kept: Any) -> Any:
        return decode(json.dumps(kept).encode())
