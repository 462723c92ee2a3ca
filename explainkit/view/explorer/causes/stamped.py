"""What was measured, as stamps: the word with its numbers, beside what it was measured on."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.spoken import in_panel
from explainkit.view.explorer.causes.together import said_together
from explainkit.view.explorer.pieces import Json, line_of, pieces_of
from explainkit.view.whatif.told import rates_told
from explainkit.view.words import counted, flat
from explainkit.whatif.families import Family, Member, families_of, members_of
from explainkit.whatif.statistics import Judgement, judge_all

if TYPE_CHECKING:
    from explainkit.store import Recording
    from explainkit.view.whatif.told import ToldWhatIf

STAMPS: Final = 80
SAID: Final = 8
"""Changes of one what-if that are named."""
LINE: Final = 400

Told = Callable[[int], "ToldWhatIf | None"]


def stamps_of(recording: "Recording", offered: Offered, told: Told) -> Json:
    """Every finding, judged now beside the others of its family; the last one first.

    Args:
        recording: The run with its notes.
        offered: Its pieces.
        told: What this process knows of a finding beyond its record.
    """
    rows = {row["seq"]: row for row in recording.rows("finding")}
    found = []
    for family in families_of(recording):
        members = members_of(recording, family)
        judged = judge_all([each.measurement for each in members])
        for member, judgement in zip(members, judged, strict=True):
            detail = rows[member.seq].get("detail") or {}
            found.append(_stamp(family, member, judgement, detail, offered, told(member.seq)))
    found.sort(key=lambda each: -each["seq"])
    left = len(found) - STAMPS
    note = f"{counted(left, 'earlier finding')} not shown: run.findings" if left > 0 else ""
    return {"stamps": found[:STAMPS], "note": note, "steps": _first_wrong(rows)}


def _stamp(
    family: Family,
    member: Member,
    judged: Judgement,
    detail: Mapping[str, Any],
    offered: Offered,
    told: "ToldWhatIf | None",
) -> Json:
    low, high = judged.interval if judged.has_rates else (None, None)
    shown = told is not None and told.executed is not None  # an empty answer is one
    said, more = said_together(member.interventions, offered, SAID)
    return {
        "seq": member.seq,
        "word": judged.word,
        "line": line_of(in_panel(str(judged)), LINE),
        "said": said,
        "more": more,
        "targets": [
            each["seq"] for each in member.interventions if isinstance(each.get("seq"), int)
        ],
        "slot": family.slot,
        "version": family.version,
        "n": [judged.changed.n, judged.unchanged.n],
        "flips": list(judged.flips),
        "low": low,
        "high": high,
        "p": judged.adjusted_p,
        "facts": [
            [label, line_of(in_panel(words), LINE)]
            for label, words in _facts(family, judged, detail, told)
        ],
        "before": pieces_of(told.before) if told is not None and shown else None,
        "after": pieces_of(told.after) if told is not None and shown else None,
    }


def _facts(
    family: Family, judged: Judgement, detail: Mapping[str, Any], told: "ToldWhatIf | None"
) -> list[tuple[str, str]]:
    beside = f"{counted(judged.family - 1, 'other suspect')} of the same answer and judge"
    others = [("beside", beside)] if judged.family > 1 else []
    if told is not None:
        return [*told.facts, *others]
    facts = [("judge", family.judge), *rates_told(judged)]
    ran = [
        counted(detail[name], word)
        for name, word in (("reruns", "re-run"), ("calls", "call"))
        if isinstance(detail.get(name), int)
    ]
    kept = detail.get("reused")
    saved = (
        f"; {counted(kept, 'recorded result')} used instead of a call"
        if isinstance(kept, int)
        else ""
    )
    if ran:
        facts.append(("ran", f"{', '.join(ran)}{saved}"))
    return [*facts, *others]


def _first_wrong(rows: Mapping[int, Mapping[str, Any]]) -> list[Json]:
    """What bisections found, the last one first."""
    found = []
    for seq, row in rows.items():
        detail = row.get("detail")
        if not isinstance(detail, Mapping) or "questions" not in detail:
            continue
        link = detail.get("link")
        words = flat(str(row.get("reason") or row.get("word") or ""), LINE)
        found.append({"seq": seq, "link": link if isinstance(link, int) else None, "words": words})
    return found[::-1][:8]
