"""The judges: each says of a re-run whether its answer is another one than the recorded answer."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, Protocol

from explainkit.errors import RerunError
from explainkit.safety import shorten
from explainkit.text.saying import still_says
from explainkit.whatif.judging.ends import End

TOLERANCE = 1e-9
"""Relative difference of two numbers that are the same answer (ours)."""


class Judge(Protocol):
    """Decides whether an answer flipped.

    Attributes:
        name: What it is called beside a result.
        hint: What to write when it turns out to be unfit.
    """

    @property
    def name(self) -> str:
        """What it is called beside a result."""
        ...

    @property
    def hint(self) -> str:
        """What to write when it turns out to be unfit."""
        ...

    def flips(self, end: End) -> bool:
        """Whether this end is another one than the recorded end.

        Raises:
            RerunError: It cannot say.
        """
        ...


@dataclass(frozen=True)
class SpanJudge:
    """Does the answer still say the selected words?"""

    words: str
    within: str
    start: int
    hint: str = 'judge=lambda answer: "..." in answer'

    @property
    def name(self) -> str:
        """What it asks."""
        return f"still says {shorten(self.words, 60)!r}"

    def flips(self, end: End) -> bool:
        """Whether the words are gone, or mean the opposite."""
        if not end.answered:
            return True
        text = end.value if isinstance(end.value, str) else _text_of(end)
        return not still_says(text, self.words, within=self.within, start=self.start)


@dataclass(frozen=True)
class SameJudge:
    """Is the answer the same: equal, numbers within a tolerance, fields one by one?"""

    origin: End
    hint: str = 'span="the words in question"'

    @property
    def name(self) -> str:
        """What it asks: of a machine without an answer, the way that it took."""
        return "same picks and end" if self.origin.took_a_way else "same answer"

    def flips(self, end: End) -> bool:
        """Whether it is another answer, an end of another kind, or another way to it."""
        if end.answered != self.origin.answered:
            return True
        if end.status != self.origin.status and not end.answered:
            return True
        return not is_same(self.origin.compared, end.compared)


@dataclass(frozen=True)
class CheckerJudge:
    """Does the checker whose verdict failed fail again?"""

    checker: str
    hint: str = 'span="the words in question"'

    @property
    def name(self) -> str:
        """Which checker."""
        return f"checker {shorten(self.checker, 60)}"

    def flips(self, end: End) -> bool:
        """Whether it passes now.

        Raises:
            RerunError: It did not judge this answer.
        """
        if not end.answered:
            return True
        found = [
            str(row.get("status"))
            for row in end.recording.rows("verdict")
            if row.get("judge") == self.checker
            and row.get("slot") == end.slot
            and row.get("version") == end.version
        ]
        if not found:
            raise RerunError(f"the checker {self.checker!r:.60} did not judge the new answer")
        return "failed" not in found


@dataclass(frozen=True)
class FunctionJudge:
    """Does a user's function say something else of this answer than of the recorded one?"""

    fn: Callable[[Any], Any]
    said: Any
    hint: str = "judge=... with a function that gives the same for the same answer"

    @property
    def name(self) -> str:
        """Its name."""
        return str(getattr(self.fn, "__name__", type(self.fn).__name__))

    def flips(self, end: End) -> bool:
        """Whether it says something else.

        Raises:
            RerunError: It raised, or contradicts itself.
        """
        return not is_same(self.said, said_by(self.fn, end))


def said_by(fn: Callable[[Any], Any], end: End) -> Any:
    """What a user's function says of an end; of one without an answer, what kind of end it is.

    Raises:
        RerunError: It raised, or said two things of one answer.
    """
    if not end.answered:
        return f"ended without an answer: {end.status}"
    try:
        first, second = fn(end.value), fn(end.value)
    except Exception as error:
        raise RerunError(
            f"the judge raised {type(error).__name__}: {shorten(str(error), 120)}"
        ) from error
    if not is_same(first, second):
        raise RerunError(
            f"the judge contradicts itself: of one answer it says {first!r:.40} and {second!r:.40}"
        )
    return first


def is_same(a: Any, b: Any) -> bool:
    """Equality by type: numbers within a tolerance, fields and items one by one.

    Example:
        >>> is_same({"fare": 0.1 + 0.2}, {"fare": 0.3}), is_same("approved", "not approved")
        (True, False)
    """
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return math.isclose(a, b, rel_tol=TOLERANCE) or (a != a and b != b)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(is_same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(is_same, a, b))
    if type(a) is type(b) and is_dataclass(a):
        return is_same(vars(a), vars(b)) if hasattr(a, "__dict__") else bool(a == b)
    try:
        return type(a) is type(b) and bool(a == b)
    except Exception:  # noqa: BLE001 - values of a user may compare in any way
        return False


def _text_of(end: End) -> str:
    fold = end.recording.effective(end.slot)
    digest = None if fold is None else fold.final.value
    return "" if digest is None else end.recording.values.shown(digest)
