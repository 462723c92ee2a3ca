"""Was the change applied? It must have been made, and have changed what was really sent."""

import re

from explainkit.safety import shorten
from explainkit.whatif.rerunning import Origin, Rerun
from explainkit.whatif.varying import SHORT, Plan

OFFERED = ("context", "event", "assemble")
"""Points that matter through a model that reads them."""


def not_applied(origin: Origin, plan: Plan, done: Rerun) -> str | None:
    """Why a change did not reach the run; None when it did.

    Args:
        origin: The run that is varied.
        plan: What was to be changed.
        done: A re-run with the change.
    """
    steered = done.steered
    if steered.missed:
        return steered.missed[0]
    absent = plan.touched - steered.made
    if absent:
        return _absent(origin, min(absent), made=bool(steered.made))
    sent = done.sent()
    before = origin.sent(done.executed_origins | done.reused)
    for text in plan.gone:
        if _still_there(text, sent, before):
            return _leak(done, text)
    if sent and plan.come and not any(text in each for text in plan.come for each in sent):
        return f"{shorten(repr(plan.come[0]), 60)} did not reach the model"
    points = origin.recorded.points
    offered = all(seq not in points or points[seq].kind in OFFERED for seq in plan.touched)
    elsewhere = any(each.differs for each in done.executed)
    if before and offered and not elsewhere and sent == before:
        return "every model call was given the same as before; it never reached one"
    return None


def _absent(origin: Origin, seq: int, *, made: bool) -> str:
    recorded = origin.recorded
    point = recorded.points.get(seq) or recorded.left_out[seq]
    others = "a part of it; " if made else ""
    return (
        f"{others}{point.kind} {shorten(point.name, 60)!r} (record {seq}) did not change: it did "
        "not come up in the re-run, or its value is the same as before"
    )


def _still_there(text: str, sent: list[str], before: list[str]) -> bool:
    """A short text stands in many places by chance, so it is counted as a word."""
    if len(text) >= SHORT:
        return any(text in each for each in sent)
    word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    now, then = (sum(len(word.findall(each)) for each in texts) for texts in (sent, before))
    return now >= then > 0


def _leak(done: Rerun, text: str) -> str:
    """Which other way the text took, when a context or a link's output holds it."""
    recording = done.recording
    holders: list[str] = []
    for row in recording.rows("context", "event"):
        offered = row.get("value") and row.get("admitted") is not False
        if offered and text in recording.values.shown(row["value"]):
            holders.append(f"{row['kind']} {shorten(str(row.get('name')), 60)!r}")
    way = f": {', '.join(dict.fromkeys(holders))}" if holders else ""
    return f"{shorten(repr(text), 60)} still reached the model by another way{way}"
