"""Overrides as words removed and added, because two long answers side by side hide the change."""

from explainkit.backtrack.results import OverrideStep
from explainkit.text.alignment import align
from explainkit.view.board import Change
from explainkit.view.passages import Passage, Range, passage


def change_of(step: OverrideStep, *, limit: int = 800) -> Change:
    """An override with what it removed marked in the old text and what it added in the new one."""
    before, after = differing(step.before or "", step.after or "", limit=limit)
    slot = f" of {step.slot}" if step.slot and step.slot != "answer" else ""
    moved = _versions(step)
    return Change(
        seq=step.seq,
        title=f"{moved}{slot}, by {step.by}",
        reason=step.reason,
        site=step.site,
        outcome=step.outcome,
        touches_span=step.touches_span,
        before=before,
        after=after,
    )


def differing(before: str, after: str, *, limit: int = 800) -> tuple[Passage, Passage]:
    """Both texts as passages, with removed and added stretches marked.

    Args:
        before: The old text.
        after: The new text.
        limit: Code points to show of each.
    """
    removed: list[Range] = []
    added: list[Range] = []
    for piece in align(before, after):
        if piece.equal:
            continue
        removed.append((piece.before_start, piece.before_end, "removed"))
        added.append((piece.after_start, piece.after_end, "added"))
    return passage(before, removed, limit=limit), passage(after, added, limit=limit)


def _versions(step: OverrideStep) -> str:
    if step.outcome == "cleared":
        return "Answer cleared"
    if step.outcome != "applied" or step.from_version is None:
        return f"Override {step.outcome}: it changed nothing"
    return f"Version {step.from_version} became {step.from_version + 1}"
