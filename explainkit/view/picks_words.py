"""A pick on one line, so that text, HTML and the shell say the same."""

from typing import TYPE_CHECKING

from explainkit.errors import ExplainkitError
from explainkit.view.picks_told import ToldPick
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording

SOURCES = {
    "answer": "an answer in the chart",
    "reply": "the last reply",
    "receipt": "the receipt alone",
}
"""Where what was read comes from, in words."""


def read_words(recording: "Recording", pick: ToldPick, limit: int = 80) -> str:
    """What the Agent read; empty where it read nothing but the receipt."""
    if pick.read is None or pick.source == "receipt":
        return ""
    try:
        return flat(recording.values.shown(pick.read), limit)
    except ExplainkitError:
        return "(this value cannot be read)"


def end_words(pick: ToldPick) -> str:
    """Where it comes from, what the pick still waits for, or why it was none."""
    if pick.refused is not None:
        return f"refused: {flat(pick.refused, 120)}"
    if not pick.answered:
        held = ", ".join(flat(name, 40) for name in pick.held_by[:4])
        return f"still open, held by {held}" if held else "still open"
    source = SOURCES.get(str(pick.source), str(pick.source))
    ends = [source]
    if "cleared" in pick.outcomes:
        ends.append("an answer was cleared")
    if "superseded" in pick.outcomes:
        ends.append(f"{pick.outcomes.count('superseded')} superseded")
    if "unread" in pick.outcomes:
        ends.append("unread")
    if pick.moved is False:
        ends.append("nothing moved")
    if pick.turn_complete:
        ends.append("Turn over")
    return "; ".join(ends)


def pick_words(recording: "Recording", pick: ToldPick, limit: int = 80) -> str:
    """A whole pick: ``run_tests → tests: exited 1 → “The tests fail” (an answer in the chart)``."""
    chain = ", ".join(pick.chain[-3:])
    more = len(pick.chain) - 3
    told = [f"{flat(pick.agent, 40)} picked {flat(pick.event, 60)}"]
    told += [f"{f'{more} earlier, ' if more > 0 else ''}{chain}"] if chain else []
    said = read_words(recording, pick, limit)
    told += [f"“{said}”"] if said else []
    return f"{' → '.join(told)} ({end_words(pick)})"
