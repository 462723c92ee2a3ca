"""What was measured on a run, or found by a bisection, in sentences."""

from typing import Any

from explainkit.view.story.material import Material, entries, mapping, text, whole
from explainkit.view.story.sentences import NOTABLE, Happening, Manner
from explainkit.view.story.wording import called, number, quoted, series
from explainkit.view.words import counted, flat


def finding(material: Material, row: dict[str, Any]) -> Happening | None:
    """What a measured change or a bisection found; its word is quoted.

    The word is the one that it has beside everything else that was measured since. A change that
    was asked again is told once, where it was asked last.

    Args:
        material: The run.
        row: The finding.
    """
    seqs, now = material.findings_of(row), material.words_now.get(row["seq"])
    if row["seq"] in material.asked_again:
        return None
    detail = mapping(row.get("detail"))
    why = f": {quoted(text(row.get('reason')))}" if row.get("reason") else ""
    word = called(row.get("word") if now is None else now)
    if now is not None and now != row.get("word"):
        why = f" beside all that was measured since, and as {called(row.get('word'))} before"
    if detail.get("questions") is not None:
        manner = Manner(("finding", "bisection"), lambda count: f"{number(count, 'bisection')} ran")
        told = f"a bisection came out as {word}{why}"
        return Happening("finding", seqs, manner, lambda: told, weight=NOTABLE)
    changes = _changes(row)
    measured = Manner(
        ("finding",),
        lambda count: f"{number(count, 'change')} {'was' if count == 1 else 'were'} measured",
        listed=lambda count: f"{number(count, 'change')} were measured: ",
    )
    return Happening(
        "finding",
        seqs,
        measured,
        lambda: f"{changes}{_turned(row, detail)} came out as {word}{why}",
        entry=lambda: f"{changes} ({word})",
        weight=NOTABLE,
    )


_CHANGED = {
    "remove": "taking away {}",
    "replace": "replacing {}",
    "restore": "bringing back {}",
    "reorder": "reordering {}",
    "edit": "giving {} other arguments",
    "swap": "giving another result of {}",
    "hold": "holding off the override by {}",
}


def _changes(row: dict[str, Any]) -> str:
    """What was changed, in the words of the recorded interventions."""
    told = []
    for each in map(mapping, entries(row.get("interventions"))):
        names = series([flat(text(name), 60) for name in entries(each.get("names"))], 4)
        name = called(text(each.get("name")) or text(each.get("by")) or names or "a part of it")
        told.append(_CHANGED.get(text(each.get("verb")), "changing {}").format(_part(each) + name))
    return series(told, 4) if told else "a measured change"


def _part(changed: dict[str, Any]) -> str:
    """Which part of something was changed; nothing for all of it."""
    start, end, path = whole(changed.get("start")), whole(changed.get("end")), changed.get("path")
    at = [f"at {flat(path, 60)}"] if text(path) else []
    if start is None:
        return f"a part ({at[0]}) of " if at else ""
    where = [f"characters {start + 1:,} to {end:,}"] if end is not None and end > start else []
    told = ", ".join([*at, *where])
    return f"words ({told}) of " if told else "words of "


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
