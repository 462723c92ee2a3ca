"""What was measured on a run after its end: its what-ifs and bisections, a line each."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from explainkit.cli.printing import one_line
from explainkit.store import Recording
from explainkit.view.whatif.finding_frames import change_words, continued_by, judgements_of

_LONGEST = 300


def measured_text(recording: Recording) -> Iterator[str]:
    """Lines of the section; none where nothing was measured.

    Each what-if has the word that it has now, beside all the others. One that was asked again
    stands once.

    Args:
        recording: The run with its notes.
    """
    told = list(recording.rows("finding"))
    if not told:
        return
    judged = _judged(recording)
    over = {continued_by(row) for row in told}
    lines, words = [], Counter[str]()
    for row in told:
        if row["seq"] in over:
            continue
        found, changed = judged.get(row["seq"]), one_line(change_words(recording, row), _LONGEST)
        if not changed:
            words["bisection"] += 1
            line = f"bisection: {one_line(row.get('reason') or row.get('word') or '', _LONGEST)}"
        else:
            words[one_line(row.get("word") or "") if found is None else found.word] += 1
            said = row.get("word") if found is None else found
            line = f"{changed}: {one_line(str(said), _LONGEST)}{_asked(row)}"
        lines.append(f"  {row['seq']:>5}  {line}")
    yield f"  {_counts(words)}"
    yield from lines


def _judged(recording: Recording) -> Mapping[int, Any]:
    """What may be said now; nothing where a finding is not of the form that we write."""
    try:
        return judgements_of(recording)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return {}


def _counts(words: Counter[str]) -> str:
    """How many there are of which kind, what-ifs by their word."""
    bisections = words.pop("bisection", 0)
    parts = []
    if what_ifs := words.total():
        each = ", ".join(f"{count:,} {word}" for word, count in words.items())
        parts.append(f"{what_ifs:,} {'what-if' if what_ifs == 1 else 'what-ifs'} ({each})")
    if bisections:
        parts.append(f"{bisections:,} {'bisection' if bisections == 1 else 'bisections'}")
    return " and ".join(parts)


def _asked(row: Mapping[str, Any]) -> str:
    """By which judge, and of which answer where it is not the run's own."""
    detail = row.get("detail")
    family = detail.get("family") if isinstance(detail, Mapping) else None
    if not isinstance(family, Mapping):
        return ""
    slot = str(family.get("slot") or "answer")
    where = "" if slot == "answer" else f", {one_line(slot)}"
    return f" (judge: {one_line(str(family.get('judge')))}{where})"
