"""What went together in one what-if: each change in words, or that it was all there was."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explainkit.errors import ExplainkitError
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.stamped_words import said_of

FEW: Final = 3
"""So many are named one by one, even where they are all."""
TOOL: Final = "tool description"


def said_together(
    changes: Sequence[Mapping[str, Any]], offered: Offered, most: int
) -> tuple[list[str], int]:
    """The changes of a what-if in words.

    Args:
        changes: As its finding holds them.
        offered: The pieces of the run.
        most: How many are named.

    Returns:
        Their words, and how many more there are.
    """
    everything = _everything(changes, offered) if len(changes) > FEW else ""
    if everything:
        return [f"{everything} ({len(changes):,})"], 0
    return [said_of(each, offered) for each in changes[:most]], max(0, len(changes) - most)


def _everything(changes: Sequence[Mapping[str, Any]], offered: Offered) -> str:
    """Words for the removal of all contexts, or of all but the tools; empty for any other."""
    gone = {each.get("seq") for each in changes if _is_whole_removal(each)}
    if len(gone) < len(changes):
        return ""
    contexts = {point.seq: point.type for point in offered.contexts}
    if not gone <= contexts.keys():
        return ""
    left = {seq: kind for seq, kind in contexts.items() if seq not in gone}
    # To see what can go costs a plan each, so the first that says no ends the search.
    if any(kind != TOOL and _can_go(offered, seq) for seq, kind in left.items()):
        return ""
    everything = "without everything that can be taken away"
    if not any(_can_go(offered, seq) for seq in left):
        return everything
    some = any(kind == TOOL and seq in gone for seq, kind in contexts.items())
    return "" if some else f"{everything}, but for tools"


def _is_whole_removal(told: Mapping[str, Any]) -> bool:
    return told.get("verb") == "remove" and not told.get("path") and told.get("start") is None


def _can_go(offered: Offered, seq: int) -> bool:
    try:
        offered.plan([{"verb": "remove", "seq": seq}])
    except ExplainkitError:
        return False
    return True
