"""What every skin says of one what-if, in the order in which a person reads it."""

from collections import Counter
from dataclasses import dataclass

from explainkit.safety import shorten
from explainkit.view.changes import differing
from explainkit.view.passages import Passage
from explainkit.view.words import counted
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.measuring import Trial, told_of_mended, why_repeated
from explainkit.whatif.statistics import Judgement

ANSWER = 1_200
"""Code points of an answer that a what-if shows."""

LINKS = ("link", "assemble")
NOT_COMPARED = (
    "of a loaded run the code of its function and links was compared with the record; that of "
    "helper functions beside them was not, and may be newer"
)


@dataclass(frozen=True, slots=True)
class ToldWhatIf:
    """A what-if in words.

    Attributes:
        asked: What was changed, in words.
        verdict: The word with its numbers.
        word: The word alone.
        facts: ``(label, words)`` in order.
        before: The recorded answer, with what is gone marked.
        after: The answer with the change, with what is new marked; empty without one.
        others: How many other suspects the verdict counts with.
        executed: Links that ran again in the re-run that ``after`` is of; None without one.
        reused: Links of it whose recorded result was handed out instead; None without one.
    """

    asked: tuple[str, ...]
    verdict: str
    word: str
    facts: tuple[tuple[str, str], ...]
    before: Passage
    after: Passage
    others: int
    executed: int | None = None
    reused: int | None = None


def told_whatif(trial: Trial, judgement: Judgement, *, before: str) -> ToldWhatIf:
    """Put a what-if into words.

    Args:
        trial: What was measured.
        judgement: What may be said of it.
        before: The recorded answer.
    """
    shown = next((each for each in trial.changed if each.flips), None) or next(
        iter(trial.changed), None
    )
    after = "" if shown is None else shown.end.words
    old, new = differing(before, after, limit=ANSWER)
    return ToldWhatIf(
        tuple(shorten(each, 200) for each in trial.plan.said),
        str(judgement),
        judgement.word,
        tuple(_facts(trial, judgement)),
        old,
        new,
        max(0, judgement.family - 1),
        executed=None if shown is None else len(shown.done.executed),
        reused=None if shown is None else len(shown.done.reused),
    )


def rates_told(judgement: Judgement) -> list[tuple[str, str]]:
    """The flips of both arms, and how often it flips with the change; nothing without re-runs."""
    facts = []
    if judgement.has_rates:
        changed, unchanged = judgement.changed, judgement.unchanged
        with_it = f"in {changed.flips} of {counted(changed.n, 're-run')} with the change"
        without = f"in {unchanged.flips} of {counted(unchanged.n, 're-run')} without it"
        facts.append(("flips", f"{with_it}, {without}"))
    if judgement.has_rates and not judgement.deterministic:
        low, high = judgement.interval
        rates = f"flips between {low:.0%} and {high:.0%} of re-runs with the change"
        facts.append(("interval", f"{rates} (Wilson, 95 %)"))
    return facts


def _facts(trial: Trial, judgement: Judgement) -> list[tuple[str, str]]:
    facts = [("judge", trial.judge.name), *rates_told(judgement)]
    facts += [("note", each) for each in trial.echoes]
    spent = trial.spent
    ran = f"{counted(spent.reruns, 're-run')}, {counted(spent.calls, 'call')}"
    kept = counted(spent.saved, "recorded result")
    facts.append(("ran", f"{ran}; {kept} used instead of a call"))
    if (earlier := sum(judgement.sizes) - len(trial.changed) - len(trial.unchanged)) > 0:
        facts.append(("earlier", f"{counted(earlier, 're-run')} of this question made before"))
    if (why := why_repeated(trial)) is not None:
        facts.append(("repeats", why))
    if trial.imported and trial.changed:
        facts.append(("note", NOT_COMPARED))
    mended = told_of_mended(trial.origin, trial.changed[0].done) if trial.changed else None
    if mended is not None:
        facts.append(("note", mended))
    if trial.changed:
        done = trial.changed[0].done
        calls = _calls(trial)
        names = _names([calls.get(each.origin, each.name) for each in done.executed])
        same = _names([calls[seq] for seq in sorted(done.reused)])
        facts.append(("each time", f"executed: {names or 'nothing'}; reused: {same or 'nothing'}"))
    return facts


def _names(names: list[str]) -> str:
    return listed([shorten(name, 40) for name in dict.fromkeys(names)])


def _calls(trial: Trial) -> dict[int | None, str]:
    """The recorded links by their names, those of one name with the number of the call."""
    points = [p for p in trial.origin.recorded.points.values() if p.kind in LINKS]
    every = Counter(each.name for each in points)
    seen: Counter[str] = Counter()
    found: dict[int | None, str] = {}
    for each in points:
        seen[each.name] += 1
        many = every[each.name] > 1
        found[each.seq] = f"{each.name} #{seen[each.name]}" if many else each.name
    return found
