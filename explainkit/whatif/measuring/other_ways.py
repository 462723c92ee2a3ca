"""Whether a removed text still reached a model, and who else holds the same words with every right.

A text that did not become rarer in any call came another way. Where it did, what is left of it has
to be accounted for: the question may hold the same words, and so may a value that does not hold
the rest of the row that was removed. Anything else is another way.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explainkit.safety import shorten
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
    """

    text: str
    leaks: bool
    holders: tuple[str, ...]

    def __str__(self) -> str:
        text, who = shorten(repr(self.text), 60), ", ".join(self.holders)
        if not self.leaks:
            return f"{text} also stands in {who}, which is as it was"
        return f"{text} still reached the model by another way{f': {who}' if who else ''}"


def remaining(origin: Origin, gone: Gone, done: Rerun) -> Remaining | None:
    """What is left of a removed text in what models were given; None when nothing is.

    Args:
        origin: The run that is varied.
        gone: What was taken away.
        done: A re-run without it.
    """
    now = texts_by_call(done.recording)
    left = [text for texts in now.values() for text in texts if _count(gone.text, text)]
    fell = _fell(origin, gone.text, done, now)
    if len(gone.text) < SHORT:
        # It stands in many places by chance, so only one that did not become rarer tells.
        return None if fell else Remaining(gone.text, True, _names(_holders(gone, done), True))
    if not left:
        return None
    holders = list(_holders(gone, done))
    if fell and _is_accounted_for(gone.text, left, [each for each in holders if not each.copies]):
        return Remaining(gone.text, False, _names(holders, False))
    return Remaining(gone.text, True, _names(holders, True))


def _fell(origin: Origin, text: str, done: Rerun, now: dict[int, list[str]]) -> bool:
    """Whether a call was given the text less often than the one that it stands for, or none ever.

    Calls are compared one by one, because a run with the change may make more of them.
    """
    paired = [(each.origin, each.link) for each in done.executed if each.link in now]
    before = texts_by_call(origin.recording, done.executed_origins | done.reused)
    pairs = [
        (_count(text, *before[old]), _count(text, *now[new]))
        for old, new in paired
        if old in before
    ]
    if not pairs:
        then = sum(_count(text, *each) for each in before.values())
        pairs = [(then, sum(_count(text, *each) for each in now.values()))]
    if any(new < old for old, new in pairs):
        return True
    return len(text) < SHORT and not any(old for old, _ in pairs)


def _is_accounted_for(text: str, left: Iterable[str], holders: list[Holder]) -> bool:
    """Whether no prompt holds the text more often than those who may hold it bring it there."""
    return all(
        _count(text, each)
        <= sum(_count(text, one.text) * max(1, each.count(one.text)) for one in holders)
        for each in left
    )


def _holders(gone: Gone, done: Rerun) -> Iterator[Holder]:
    """The question, contexts, events, and what links gave."""
    recording = done.recording
    asked = next(recording.rows("run_started"), {}).get("question")
    question = None if asked is None else recording.values.text(asked)
    if question is not None and _count(gone.text, question):
        yield Holder(QUESTION, question, copies=False)
    closed = {row["link"]: row for row in recording.rows("link_closed")}
    for row in recording.rows("context", "event", "link_opened"):
        if row["kind"] == "link_opened":
            digest, is_link = closed.get(row["seq"], {}).get("output"), True
        else:
            digest, is_link = row.get("value"), False
        if digest is None or row.get("admitted") is False or row.get("type") == "assemble":
            continue
        text = recording.values.shown(digest)
        if text == question or not _count(gone.text, text):
            continue
        copies = all(_count(each, text) for each in gone.beside)
        what = f"what {shorten(str(row.get('name')), 60)!r} gave"
        if not is_link:
            what = f"{row['kind']} {shorten(str(row.get('name')), 60)!r}"
        yield Holder(what, text, copies)


def _names(holders: Iterable[Holder], copies: bool) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.name for each in holders if each.copies is copies))


def _count(text: str, *within: str) -> int:
    """How often a text stands there; a short one is counted as a word."""
    if len(text) >= SHORT:
        return sum(each.count(text) for each in within)
    word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    return sum(len(word.findall(each)) for each in within)
