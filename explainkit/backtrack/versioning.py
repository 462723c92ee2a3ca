"""Overrides and verdicts: what stands between the model's own reply and what the reader got."""

from typing import Any

from explainkit.backtrack.answers import Chosen
from explainkit.backtrack.following import Trail
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import OverrideStep, VerdictLine
from explainkit.backtrack.shown_values import shown
from explainkit.errors import ExplainkitError


def text_of(names: Names, digest: str | None) -> str | None:
    """A stored value as a person reads it; ``None`` without one."""
    if digest is None:
        return None
    try:
        return shown(names.evidence.recording.values.tagged(digest)).text
    except ExplainkitError as error:
        return f"[{error}]"


def overrides_of(names: Names, chosen: Chosen, trail: Trail) -> tuple[OverrideStep, ...]:
    """Every override of the answer's slot, and those that nobody heard, in order."""
    evidence = names.evidence
    found = []
    versions = evidence.answers.get(chosen.slot, [])
    for seq in evidence.overrides:
        row = names.row(seq)
        slot = row.get("slot")
        if slot is not None and slot != chosen.slot:
            continue
        node = evidence.places.find(seq, "value")
        if node is None:
            node = evidence.places.find(seq)
        before: int | None = None
        if node in versions:
            before = versions[versions.index(node) - 1]
        elif row.get("from_version") and row["from_version"] <= len(versions):
            before = versions[row["from_version"] - 1]
        found.append(_step(names, trail, row, before, node))
    return tuple(found)


def _step(
    names: Names, trail: Trail, row: dict[str, Any], before: int | None, node: int | None
) -> OverrideStep:
    places = names.evidence.places
    return OverrideStep(
        seq=row["seq"],
        slot=row.get("slot"),
        from_version=row.get("from_version"),
        by=str(row.get("by", "")),
        reason=row.get("reason"),
        site=row.get("site"),
        outcome=str(row.get("outcome", "applied")),
        before=None if before is None else text_of(names, places.digest_of(before)),
        after=text_of(names, row.get("value")),
        touches_span=node is not None and _touches(names, trail, node),
    )


def _touches(names: Names, trail: Trail, node: int) -> bool:
    """Whether the walked characters are among those that the override put in or took out."""
    declared = names.evidence.carrying.declared
    return any(declared.replaced(stretch) for stretch in trail.held.get(node, ()))


def verdicts_of(names: Names, slot: str) -> tuple[VerdictLine, ...]:
    """The verdicts of the run, stale ones marked.

    Args:
        names: The run.
        slot: The answer that is asked about; for one beside the run's own, such as that of an
            item or a pick, the verdicts on other answers are no matter.
    """
    evidence = names.evidence
    found = []
    for seq in evidence.verdicts:
        row = names.row(seq)
        link = row.get("link")
        judged = row.get("slot") or ("answer" if link is None else None)
        if slot != "answer" and link is None and judged != slot:
            continue
        stale = False
        target = "run"
        if judged is not None and link is None:
            version = row.get("version")
            stale = version is not None and version < len(evidence.answers.get(judged, ()))
            target = judged if version is None else f"{judged} v{version}"
        elif link is not None:
            at = evidence.links.row(link)
            target = f"link {link}" if at is None else f"link {evidence.links.name_of(at)} ({link})"
        found.append(
            VerdictLine(
                seq=seq,
                target=target,
                status=str(row.get("status", "")),
                judge=row.get("judge"),
                reason=row.get("reason") or row.get("terminal"),
                issues=tuple(_issue(each) for each in row.get("issues") or ()),
                stale=stale,
                slot=judged if link is None else None,
            )
        )
    return tuple(found)


def _issue(issue: dict[str, Any]) -> str:
    words = [str(issue[key]) for key in ("code", "message", "path") if issue.get(key)]
    return ": ".join(words)
