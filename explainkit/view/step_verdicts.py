"""Which verdicts stand beside an answer: those on it, and those on many steps as one line."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from explainkit.backtrack.results import VerdictLine, Walk
from explainkit.view import words
from explainkit.view.board import StepVerdicts, VerdictWords

ROWS: Final = 12
ISSUES: Final = 3
FEW: Final = 2
"""Verdicts of one judge on steps from which on they are one line."""
SAID: Final = {
    "passed": ("let", "pass"),
    "failed": ("called", "wrong"),
    "refused": ("refused", ""),
    "unavailable": ("could not judge", ""),
    "not-run": ("left open", ""),
}


def verdicts_of(walk: Walk) -> tuple[list[VerdictWords], tuple[StepVerdicts, ...]]:
    """The verdicts of a walk in the order in which they are read, and those that are folded.

    What many verdicts of one judge say of steps, as those of a bisection, is counted: a person
    looks for what was said of the answer.

    Args:
        walk: What a backtrack found.
    """
    steps: dict[str, list[VerdictLine]] = {}
    for line in walk.verdicts:
        if _is_on_step(line):
            steps.setdefault(line.judge or "", []).append(line)
    many = {judge: lines for judge, lines in steps.items() if len(lines) >= FEW}
    shown = [
        _verdict(line)
        for line in _standing_first(walk)
        if not (_is_on_step(line) and (line.judge or "") in many)
    ]
    return shown, tuple(_folded(judge, lines) for judge, lines in many.items())


def _is_on_step(line: VerdictLine) -> bool:
    return line.slot is None and line.target.startswith("link ")


def _folded(judge: str, lines: Sequence[VerdictLine]) -> StepVerdicts:
    last = {line.target: line.status for line in lines}  # what was taken back says no more
    who = judge or "somebody"
    return StepVerdicts(
        words=f"{who} {_counted_words(last.values())}",
        failed=any(status in {"failed", "refused"} for status in last.values()),
        verdicts=tuple(_verdict(line) for line in lines[:ROWS]),
        more=max(0, len(lines) - ROWS),
    )


def _counted_words(statuses: Iterable[str]) -> str:
    """Such as ``let 2 steps pass and called 1 wrong``."""
    told: list[str] = []
    for status, count in sorted(Counter(statuses).items(), key=lambda each: _place(each[0])):
        verb, rest = SAID.get(status, (f"said {status!r:.40} of", ""))
        what = f"{count:,}" if told else words.counted(count, "step")
        told.append(" ".join(filter(None, (verb, what, rest))))
    return " and ".join(told) if len(told) < 3 else f"{', '.join(told[:-1])} and {told[-1]}"


def _place(status: str) -> int:
    return list(SAID).index(status) if status in SAID else len(SAID)


def _standing_first(walk: Walk) -> list[VerdictLine]:
    """Verdicts on what was delivered before those on what a later version replaced.

    Of the former those on the walked answer first, the newest before the others, so that no cut
    takes it away.
    """
    own = [line for line in walk.verdicts if line.slot == walk.slot and not line.stale]
    others = [line for line in walk.verdicts if line.slot != walk.slot or line.stale]
    failed = ("failed", "refused")
    return [
        *reversed(own),
        *sorted(others, key=lambda line: (line.stale, line.status not in failed)),
    ]


def _verdict(line: VerdictLine) -> VerdictWords:
    issues = list(line.issues[:ISSUES])
    if len(line.issues) > ISSUES:
        issues.append(f"and {words.counted(len(line.issues) - ISSUES, 'more issue')}")
    return VerdictWords(
        seq=line.seq,
        words=words.verdict_words(line),
        reason=line.reason or "; ".join(issues) or None,
        failed=line.status in {"failed", "refused"},
        stale=line.stale,
    )
