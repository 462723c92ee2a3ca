"""Whether a removed text still reached a model, and who else holds the same words with every right.

Only calls that come after the point that was changed can have been given the text in spite of it:
a model may quote its prompt, and what it said is changed behind that. A text that did not become
rarer in any of these calls came another way. Where it did, what is left of it has
to be accounted for: the question may hold the same words, and so may a value that does not hold
the rest of the row that was removed. Anything else is another way.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from explainkit.safety import shorten
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.measuring.folded_texts import folded
from explainkit.whatif.rerunning import Origin, Rerun
from explainkit.whatif.rerunning.origins import texts_by_call
from explainkit.whatif.varying import SHORT, Gone

QUESTION = "the question"


@dataclass(frozen=True, slots=True)
class Holder:
    """Something in a re-run that holds a text.

    Attributes:
        name: What it is called.
        text: What it is, as text.
        copies: It holds what was removed, and not only some words of it.
    """

    name: str
    text: str
    copies: bool


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of a removed text.

    Attributes:
        text: The text.
        leaks: It reached a model another way.
        holders: Who holds it now: those that copy it where it leaks, else all.
        copied: Where it leaks, copies in other contexts account for all of it.
    """

    text: str
    leaks: bool
    holders: tuple[str, ...]
    copied: bool = False

    @property
    def echo(self) -> str:
        """That the words stand there as well, and that this is as it was."""
        return f"{self._shown} also stands in {self._who}, which is as it was"

    def __str__(self) -> str:
        if not self.leaks:
            return self.echo
        way = f": {self._who}" if self.holders else ""
        return f"{self._shown} still reached the model by another way{way}"

    @property
    def _shown(self) -> str:
        return shorten(repr(self.text), 60)

    @property
    def _who(self) -> str:
        return listed(self.holders)


class Sent:
    """What models were given in a re-run, read once, beside what they were given before.

    Args:
        origin: The run that is varied.
        done: A re-run of it.
    """

    def __init__(self, origin: Origin, done: Rerun) -> None:
        self._done = done
        self._origins = _origins_of(done)
        self._now = texts_by_call(done.recording, frozenset(self._origins))
        self._before = texts_by_call(origin.recording, done.executed_origins | done.reused)
        closed = origin.recording.rows("link_closed")
        self._ends = {row["link"]: row["seq"] for row in closed if "link" in row}
        self.now = [text for texts in self._now.values() for text in texts]
        self.before = [text for texts in self._before.values() for text in texts]
        self._folded: dict[str, str] = {}

    def remaining(self, gone: Gone) -> Remaining | None:
        """What is left of a removed text; None when nothing is.

        Args:
            gone: What was taken away.
        """
        later = self._later_than(gone)
        told = (text for link in later for text in self._now.get(link, ()))
        left = [text for text in told if self._count(gone.text, text)]
        if not left:
            return None
        fell = self._fell(gone.text, later)
        if len(gone.text) < SHORT:
            # It stands in many places by chance, so only one that did not become rarer tells.
            return None if fell else Remaining(gone.text, True, self._copies_of(gone))
        holders = self._holders(gone)
        others = [each for each in holders if not each.copies]
        if fell and self._is_accounted_for(gone.text, left, others):
            return Remaining(gone.text, False, _names(holders, False))
        contexts = [each for each in holders if each.name.startswith("context ")]
        copied = fell and self._is_accounted_for(gone.text, left, [*others, *contexts])
        return Remaining(gone.text, True, _names(holders, True), copied)

    def _copies_of(self, gone: Gone) -> tuple[str, ...]:
        return _names(self._holders(gone), True)

    def _later_than(self, gone: Gone) -> frozenset[int]:
        """Calls of the re-run that began after the changed point had given what it gave."""
        if gone.seq is None:
            return frozenset(self._origins)
        since = self._ends.get(gone.seq, gone.seq)
        return frozenset(
            link for link, origin in self._origins.items() if origin is None or origin > since
        )

    def _fell(self, text: str, later: frozenset[int]) -> bool:
        """Whether a call was given the text less often than the one that it stands for.

        Calls are compared one by one, because a run with the change may make more of them. A short
        text that no call was given before tells nothing.
        """
        pairs = [
            (
                self._count(text, *self._before[each.origin]),
                self._count(text, *self._now[each.link]),
            )
            for each in self._done.executed
            if each.origin in self._before and each.link in self._now and each.link in later
        ]
        if not pairs:
            pairs = [(self._count(text, *self.before), self._count(text, *self.now))]
        if any(new < old for old, new in pairs):
            return True
        return len(text) < SHORT and not any(old for old, _ in pairs)

    @cached_property
    def _offered(self) -> list[tuple[str, str, bool]]:
        """Name and text of the question, contexts, events and results; which is the question."""
        recording, found = self._done.recording, []
        asked = next(recording.rows("run_started"), {}).get("question")
        question = None if asked is None else recording.values.text(asked)
        if question is not None:
            found.append((QUESTION, question, True))
        closed = {row["link"]: row.get("output") for row in recording.rows("link_closed")}
        for row in recording.rows("context", "event", "link_opened"):
            is_link, name = row["kind"] == "link_opened", shorten(str(row.get("name")), 60)
            digest = closed.get(row["seq"]) if is_link else row.get("value")
            if digest is None or row.get("admitted") is False or row.get("type") == "assemble":
                continue
            text = recording.values.shown(digest)
            if text != question:
                what = f"what {name!r} gave" if is_link else f"{row['kind']} {name!r}"
                found.append((what, text, False))
        return found

    def _holders(self, gone: Gone) -> list[Holder]:
        return [
            Holder(name, text, not asked and all(self._count(each, text) for each in gone.beside))
            for name, text, asked in self._offered
            if self._count(gone.text, text)
        ]

    def has(self, text: str) -> bool:
        """Whether a model was given a text, in whatever line breaks, case and escapes.

        Args:
            text: What was put in.
        """
        return any(self._fold(text) in self._fold(each) for each in self.now)

    def had(self, text: str) -> bool:
        """Whether a model was given a text before the change.

        Args:
            text: What was taken away.
        """
        return bool(self._count(text, *self.before))

    def _is_accounted_for(self, text: str, left: Iterable[str], holders: list[Holder]) -> bool:
        """Whether no prompt holds the text more often than those who may hold it bring it there."""
        return all(
            self._count(text, each)
            <= sum(
                self._count(text, one.text) * max(1, self._fold(each).count(self._fold(one.text)))
                for one in holders
            )
            for each in left
        )

    def _count(self, text: str, *within: str) -> int:
        """How often a text stands there, however it is dressed; a short one counts as a word."""
        if len(text) >= SHORT:
            return sum(self._fold(each).count(self._fold(text)) for each in within)
        word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
        return sum(len(word.findall(each)) for each in within)

    def _fold(self, text: str) -> str:
        if text not in self._folded:
            self._folded[text] = folded(text) or text
        return self._folded[text]


def _origins_of(done: Rerun) -> dict[int, int | None]:
    """Links of a re-run that ran or were reused, and the recorded ones that they stand for.

    A link whose result was given in its place was not asked, so it was given nothing.
    """
    attrs = ((row["link"], row.get("attrs") or {}) for row in done.recording.rows("link_closed"))
    found: dict[int, int | None] = {
        link: told["reused"] for link, told in attrs if isinstance(told.get("reused"), int)
    }
    return found | {each.link: each.origin for each in done.executed}


def _names(holders: Iterable[Holder], copies: bool) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.name for each in holders if each.copies is copies))
