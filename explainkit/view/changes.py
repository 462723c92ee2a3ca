"""Overrides as words removed and added, because two long answers side by side hide the change."""

from explainkit.backtrack.results import OverrideStep
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
    for start, end, new_start, new_end in changed_ranges(before, after):
        if end > start:
            removed.append((start, end, "removed"))
        if new_end > new_start:
            added.append((new_start, new_end, "added"))
    return passage(before, removed, limit=limit), passage(after, added, limit=limit)


def changed_ranges(before: str, after: str) -> list[tuple[int, int, int, int]]:
    low = 0
    top = min(len(before), len(after))
    while low < top and before[low] == after[low]:
        low += 1
    end, new_end = len(before), len(after)
    while end > low and new_end > low and before[end - 1] == after[new_end - 1]:
        end -= 1
        new_end -= 1
    return [(low, end, low, new_end)] if end > low or new_end > low else []


def _versions(step: OverrideStep) -> str:
    if step.outcome == "cleared":
        return "Answer cleared"
    if step.outcome != "applied" or step.from_version is None:
        return f"Override {step.outcome}: it changed nothing"
    return f"Version {step.from_version} became {step.from_version + 1}"
