"""What was measured on a run, or found by a bisection, in sentences."""

from typing import Any, Final

from explainkit.view.story.changes_told import change_words
from explainkit.view.story.material import Material, entries, mapping, text
from explainkit.view.story.sentences import NOTABLE, Happening, Manner
from explainkit.view.story.wording import called, number, quoted
from explainkit.view.words import counted

_NOT_APPLIED: Final = "not applied"
_ORDER: Final = ("cause", "not shown", "inconclusive", "over budget", _NOT_APPLIED)
"""What tells more comes first in a list."""


def finding(material: Material, row: dict[str, Any]) -> Happening | None:
    """What a measured change or a bisection found; its word is quoted.

    The word is the one that it has beside everything else that was measured since. A change that
    was asked again is told once, where it was asked last.

    Args:
        material: The run.
        row: The finding.
    """
    if row["seq"] in material.asked_again:
        return None
    seqs, now = material.findings_of(row), material.words_now.get(row["seq"])
    detail = mapping(row.get("detail"))
    if detail.get("questions") is not None:
        return _bisection(row, seqs)
    word = text(row.get("word") if now is None else now)
    asked = entries(row.get("interventions"))

    def entry() -> str:
        judge = mapping(detail.get("family")).get("judge")
        by = f" with the judge {called(judge)}" if material.differs_by_judge(row) else ""
        return f"{change_words(material, asked)}{by}"

    rank = _ORDER.index(word) if word in _ORDER else len(_ORDER)
    return Happening(
        "finding",
        seqs,
        _MEASURED,
        lambda: f"{change_words(material, asked)}{_came_out(row, detail, word)}",
        entry=entry,
        weight=NOTABLE,
        order=(rank, len(asked)),
        outcome=f"came out as {called(word)}",
    )


_MEASURED: Final = Manner(
    ("finding",),
    lambda count: f"{number(count, 'change')} {'was' if count == 1 else 'were'} measured",
    listed=lambda count: f"{number(count, 'change')} {'was' if count == 1 else 'were'} measured: ",
)


def _bisection(row: dict[str, Any], seqs: tuple[int, ...]) -> Happening:
    manner = Manner(("finding", "bisection"), lambda count: f"{number(count, 'bisection')} ran")
    reason = text(row.get("reason"))
    told = quoted(reason, 200) if reason else called(row.get("word"))
    return Happening(
        "finding", seqs, manner, lambda: f"the result of a bisection: {told}", weight=NOTABLE
    )


def _came_out(row: dict[str, Any], detail: dict[str, Any], word: str) -> str:
    """How a change came out: its numbers only where the answers with it say something."""
    why = f": {quoted(text(row.get('reason')), 200)}" if row.get("reason") else ""
    if word != text(row.get("word")):
        why = f" beside all that was measured since, and as {called(row.get('word'))} before"
    told = f" came out as {called(word)}{why}"
    if word == _NOT_APPLIED or detail.get("not_applied") or detail.get("refused"):
        return told
    return f"{_turned(row, detail)}{told}"


def _turned(row: dict[str, Any], detail: dict[str, Any]) -> str:
    """How often the answer turned in each arm, of how many re-runs."""
    flips = [each for each in entries(row.get("flips"))[:2] if isinstance(each, int)]
    changed, unchanged = len(text(detail.get("changed"))), len(text(detail.get("unchanged")))
    if len(flips) < 2 or not (changed or unchanged):
        return ""
    return (
        f" turned the answer in {flips[0]:,} of {counted(changed, 're-run')}, against "
        f"{flips[1]:,} of {counted(unchanged, 're-run')} without the change, and"
    )
