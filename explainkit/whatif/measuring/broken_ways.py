"""Flips that are no other answer: the change took away what the run cannot go on without."""

from typing import TYPE_CHECKING

from explainkit.safety import shorten
from explainkit.whatif.judging import End, recorded_end
from explainkit.whatif.rerunning import Origin, Rerun
from explainkit.whatif.varying import Plan

if TYPE_CHECKING:
    from explainkit.store import Recording


def unanswered(origin: Origin, plan: Plan, done: Rerun) -> str | None:
    """That a model still called for a tool that it was not offered any more; None when none did.

    Such a call has no result, and what is said then tells that the tool is gone, and not what its
    description did to the words of the answer.

    Args:
        origin: The run.
        plan: What is changed.
        done: A re-run with the change.
    """
    points = origin.recorded.points
    gone = {
        points[seq].name.removeprefix("tool ")
        for seq in plan.changes
        if points[seq].type == "tool description" and seq in done.steered.made
    }
    called = (name for name in _failed(done.recording, "tool") if name in gone) if gone else ()
    name = next(iter(called), None)
    if name is None:
        return None
    return f"the model still called {shorten(name, 60)!r}, which it was not offered any more"


def went_to_pieces(origin: Origin, done: Rerun, end: End) -> str | None:
    """Why another end, or an error that a runner went on with, is no other answer; else None.

    A search for what the words of an answer hang on meets many sets without which nothing works.

    Args:
        origin: The run.
        done: A re-run with the change.
        end: How it ended.
    """
    if end.status == "error" and not end.answered:
        return None  # that is told by itself
    before = recorded_end(origin.recording, slot=end.slot)
    if before.answered and not end.answered:
        return f"the run ended otherwise: {shorten(end.words, 160)}"
    known = set(_failed(origin.recording))
    name = next((each for each in _failed(done.recording) if each not in known), None)
    if name is None:
        return None
    return f"{shorten(name, 60)!r} raised an error, which it did not in the recorded run"


def _failed(recording: "Recording", kind: str | None = None) -> list[str]:
    ended = {r.get("link") for r in recording.rows("link_closed") if r.get("status") == "error"}
    opened = recording.rows("link_opened") if ended else ()
    return [
        str(row.get("name"))
        for row in opened
        if row["seq"] in ended and kind in (None, row.get("type"))
    ]
