"""The judges: each says of a re-run whether its answer is another one than the recorded answer."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from explainkit.backtrack.shown_values import shown
from explainkit.errors import RerunError
from explainkit.safety import shorten, shorten_at_words
from explainkit.text.other_forms import may_say
from explainkit.text.senses import sense_of
from explainkit.whatif.judging.ends import End
from explainkit.whatif.judging.hidden_parts import hidden_in, holds_objects
from explainkit.whatif.judging.recorded_forms import Described
from explainkit.whatif.judging.same_answers import is_same


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

    def overlooks(self, end: End) -> str | None:
        """Why an end that does not flip may be another one all the same; None when it is not."""
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
        """Whether the words are gone, or mean the opposite.

        Raises:
            RerunError: They are there, and nobody can tell in which sense.
        """
        if not end.answered:
            return True
        is_text = isinstance(end.value, str) and end.parts is None
        text = end.value if is_text else _text_of(end)
        sense, clause = sense_of(text, self.words, within=self.within, start=self.start)
        if sense == "unsure" or (sense == "not said" and may_say(text, self.words)):
            clause = clause or text
            raise RerunError(
                f"of {shorten(repr(clause), 160)} it cannot be told whether it still says "
                f"{shorten(repr(self.words), 60)} as the recorded answer does. Give a judge that "
                f"can, such as {self.hint}"
            )
        return sense != "same"

    def overlooks(self, end: End) -> str | None:
        """Words in which something is redacted are the same for every secret."""
        hidden = hidden_in(self.words)
        return hidden and f"of the words only this is known: {hidden}. Select others with span="


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

    def overlooks(self, end: End) -> str | None:
        """Why two answers that look the same may not be: something of one is not on record."""
        for each in (end, self.origin) if end.answered else ():
            hidden = hidden_in(each.compared)
            if hidden is not None:
                return (
                    f"the answers look the same, but {hidden}, so they may be two. Give judge= or "
                    f"span= for what can be read of the answer{_or_plain(each.compared)}"
                )
        return None


def _or_plain(value: Any) -> str:
    """Of an object it helps to answer with what is in it, of a secret it does not."""
    return ", or make it of plain data (a dict, a dataclass)" if holds_objects(value) else ""


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

    def overlooks(self, end: End) -> None:
        """Nothing: the checker saw the living answer."""


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

    def overlooks(self, end: End) -> None:
        """Nothing: who gave it says what counts."""


def said_by(fn: Callable[[Any], Any], end: End) -> Any:
    """What a user's function says of an end; of one without an answer, what kind of end it is.

    Raises:
        RerunError: It raised, or said two things of one answer.
    """
    if not end.answered:
        return f"ended without an answer: {end.status}"
    first, second = _called(fn, end), _called(fn, end)
    if is_same(first, second):
        return first
    if type(first).__module__.partition(".")[0] in ("numpy", "pandas"):
        raise RerunError(
            f"the judge gives a {type(first).__name__:.60}, which is compared item by item. Let it "
            "give a bool, such as judge=lambda answer: bool((...).any())"
        )
    if type(first) is type(second) and getattr(type(first), "__eq__", None) is object.__eq__:
        kind = f"{type(first).__module__}.{type(first).__qualname__}"
        raise RerunError(
            f"the judge gives a {kind:.60}, which is never equal to another one. Let it give a "
            "bool, such as judge=lambda answer: bool(...)"
        )
    raise RerunError(
        f"the judge contradicts itself: of one answer it says {first!r:.40} and {second!r:.40}"
    )


def _called(fn: Callable[[Any], Any], end: End) -> Any:
    given = end.judged  # a new one each time, because a judge may change it
    if isinstance(given, Described) and given.in_part:
        raise RerunError(given.why)
    try:
        said = fn(given)
    except RerunError:
        raise
    except Exception as error:
        said = str(error.args[0] if isinstance(error, KeyError) else error)
        told = shorten_at_words(said, 300)
        why = f"the judge raised {type(error).__name__}: {told}"
        if not isinstance(given, str):
            why = f"{why.rstrip('.')}. It is given {shorten_at_words(end.words, 160)}"
        raise RerunError(why) from error
    if inspect.isawaitable(said):
        if inspect.iscoroutine(said):
            said.close()
        raise RerunError("the judge has to be awaited. Give a plain function of the answer")
    return said


def _text_of(end: End) -> str:
    fold = end.recording.effective(end.slot)
    digest = None if fold is None else fold.final.value
    # As a walk shows it, because the words were selected in that text.
    return "" if digest is None else shown(end.recording.values.tagged(digest)).text
