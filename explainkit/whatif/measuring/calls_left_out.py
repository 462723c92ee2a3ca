"""Finds calls of the user's code that were made once with a change, and left out ever after.

Code that asks or draws the first time and not again has kept what it got. Where a link that is not
declared deterministic gives the same each time besides, every repeat shows the one sample that is
kept. What was kept outlives a what-if, so what is known of it is known of the process.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from explainkit.safety import shorten
from explainkit.tracing.current import BEGUN
from explainkit.whatif.measuring.kept_results import Asked
from explainkit.whatif.rerunning import Rerun
from explainkit.whatif.rerunning.own_calls import OwnCall, OwnCalls

_LATER: Final = 3
"""Re-runs without a call that tell more than chance would (ours); no more are looked at."""
_MOST: Final = 5_000
"""Changes that are remembered; the oldest is forgotten."""
_AROUND: Final = "the code around the links"
_PLACE: Final = re.compile(r"^.*:\d+ ", re.DOTALL)


@dataclass(eq=False)
class History:
    """What re-runs with one change called.

    Attributes:
        suspects: Calls of the first re-run that no later one made, each with its link.
        outputs: What links that may vary gave in the first re-run.
        asks_around: Whether the code around the links asks or draws.
        later: How many re-runs came after it.
    """

    suspects: dict[OwnCall, Asked | None] = field(default_factory=dict)
    outputs: dict[tuple[str, tuple[str, ...]], str | None] = field(default_factory=dict)
    asks_around: bool = True
    later: int = -1

    def add(self, calls: OwnCalls, asked: Sequence[Asked]) -> None:
        """Take one more re-run.

        Args:
            calls: Its calls.
            asked: The links that ran in it.
        """
        self.later += 1
        if not self.later:
            links = {each.link: each for each in asked}
            self.outputs = {(a.name, a.inputs): a.output for a in asked if a.varies}
            told = {call: None if at is None else links.get(at) for call, at in calls.items()}
            self.suspects = {c: at for c, at in told.items() if at is None or at.varies}
            self.asks_around = any(call.outside for call, at in calls.items() if at is None)
            return
        gave = {(each.name, each.inputs): each.output for each in asked}
        varying = {key for key, output in self.outputs.items() if gave.get(key, output) != output}
        self.suspects = {
            call: at
            for call, at in self.suspects.items()
            if call not in calls
            and (not varying if at is None else (at.name, at.inputs) not in varying)
        }

    @property
    def left_out(self) -> dict[OwnCall, Asked | None]:
        """Calls that seem to be made once only; none where a module was loaded meanwhile."""
        if self.later < _LATER or any(call.loads for call in self.suspects):
            return {}
        asks = {at for call, at in self.suspects.items() if call.outside}
        return {call: at for call, at in self.suspects.items() if at in asks}


@dataclass(eq=False)
class OfProcess:
    """What is known of the calls of this process.

    Attributes:
        histories: By run and change.
        unchanged: What the first unchanged re-run of a run called that another process recorded.
        once: Calls that a link made once only, by its name and what it was given.
    """

    histories: dict[tuple[str, str], History] = field(default_factory=dict)
    unchanged: dict[str, frozenset[OwnCall]] = field(default_factory=dict)
    once: dict[tuple[str, tuple[str, ...]], dict[OwnCall, None]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def looks_at(self, run: str, change: str | None = None) -> bool:
        """Whether the calls of the next re-run tell something.

        Args:
            run: The run that is repeated.
            change: What tells the change from others; an unchanged re-run when not given.
        """
        if change is None:
            return run not in BEGUN and run not in self.unchanged
        history = self.histories.get((run, change))
        return history is None or history.later < _LATER

    def add_unchanged(self, run: str, done: Rerun) -> None:
        """Take an unchanged re-run.

        Args:
            run: The run that is repeated.
            done: The re-run.
        """
        if run not in BEGUN and done.own_calls is not None:
            with self._lock:
                self.unchanged.setdefault(run, frozenset(done.own_calls))

    def add_changed(self, run: str, change: str, done: Rerun, asked: Sequence[Asked]) -> str | None:
        """Take a re-run with a change; say where its result may be one that is kept.

        Args:
            run: The run that is repeated.
            change: What tells the change from others.
            done: The re-run.
            asked: The links that ran in it.
        """
        with self._lock:
            history = self.histories.setdefault((run, change), History())
            if len(self.histories) > _MOST:
                del self.histories[next(iter(self.histories))]
            known = None
            if done.own_calls is not None:
                history.add(done.own_calls, asked)
                known = self._known(done.own_calls, asked)
            return known or self._found(run, history)

    def asks_around(self, run: str, change: str) -> bool:
        """Whether the code around the links asks or draws, as far as anybody looked.

        Args:
            run: The run that is repeated.
            change: What tells the change from others.
        """
        return self.histories.get((run, change), History()).asks_around

    def _found(self, run: str, history: History) -> str | None:
        """A call that was made in the first re-run and in none that came later."""
        found = history.left_out
        if run not in BEGUN:  # then the first re-run at all may have prepared what lasts
            unchanged = self.unchanged.get(run, frozenset())
            found = {call: at for call, at in found.items() if call in unchanged}
        for call, at in found.items():
            if at is not None:
                self.once.setdefault((at.name, at.inputs), {})[call] = None
        named = next(iter(found.items()), None)
        return None if named is None else _why(*named)

    def _known(self, calls: OwnCalls, asked: Sequence[Asked]) -> str | None:
        """A link that is given what it once answered with a call that it does not make now."""
        entered = {call.called for call in calls}
        for each in asked:
            once = self.once.get((each.name, each.inputs), {}) if each.varies else {}
            skipped = (call for call in once if call.caller in entered and call not in calls)
            left = next(skipped, None)
            if left is not None:
                return _why(left, each)
        return None


KNOWN_CALLS: Final = OfProcess()
"""Of this process."""


def _why(call: OwnCall, link: Asked | None) -> str:
    who = _AROUND if link is None else repr(shorten(link.name, 60))
    called = shorten(_PLACE.sub("", call.called).rpartition("<locals>.")[2], 60)
    return (
        f"{who} calls {called} once and not again, and gives the same each time: something keeps "
        "its result (a cache?), so repeats are one sample. Begin that anew in the function that "
        "runs, give call= one that does, or declare the link deterministic=True if it is"
    )
