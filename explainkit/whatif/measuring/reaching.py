"""Was the change applied? It must have been made, and have changed what was really sent."""

from explainkit.safety import shorten
from explainkit.whatif.measuring.other_ways import remaining
from explainkit.whatif.rerunning import Origin, Rerun
from explainkit.whatif.varying import Plan

OFFERED = ("context", "event", "assemble")
"""Points that matter through a model that reads them."""


def not_applied(origin: Origin, plan: Plan, done: Rerun, *, flips: bool) -> str | None:
    """Why a change did not reach the run; None when it did.

    Args:
        origin: The run that is varied.
        plan: What was to be changed.
        done: A re-run with the change.
        flips: Whether its answer is another one.
    """
    steered = done.steered
    if steered.missed:
        return steered.missed[0]
    absent = plan.touched - steered.made
    if absent:
        return _absent(origin, min(absent), made=bool(steered.made))
    sent = done.sent()
    before = origin.sent(done.executed_origins | done.reused)
    for each in plan.gone:
        left = remaining(origin, each, done)
        if left is not None and left.leaks:
            return str(left)
    if sent and plan.come and not any(text in each for text in plan.come for each in sent):
        return f"{shorten(repr(plan.come[0]), 60)} did not reach the model"
    points = origin.recorded.points
    offered = all(seq not in points or points[seq].kind in OFFERED for seq in plan.touched)
    elsewhere = any(each.differs for each in done.executed)
    if not (before and offered and not elsewhere and sent == before):
        return None
    if _drops_models(origin, done) or (flips and _models_said_the_same(origin, done)):
        return None  # what was changed is read by code: it decides what is asked, or what is said
    return "every model call was given the same as before; it never reached one"


def _drops_models(origin: Origin, done: Rerun) -> bool:
    points = origin.recorded.points
    return any(points[seq].type == "model" for seq in done.steered.dropped)


def _models_said_the_same(origin: Origin, done: Rerun) -> bool:
    """Whether no model said anything else, so that the other answer cannot come from one."""
    closed = {row["link"]: row.get("output") for row in done.recording.rows("link_closed")}
    return all(
        each.origin is not None
        and closed.get(each.link) == origin.recorded.points[each.origin].value
        for each in done.executed
        if each.type == "model"
    )


def echoes(origin: Origin, plan: Plan, done: Rerun) -> tuple[str, ...]:
    """Where words that were taken away stand as well, with every right.

    Args:
        origin: The run that is varied.
        plan: What was changed.
        done: A re-run with the change.
    """
    found = (remaining(origin, each, done) for each in plan.gone)
    return tuple(str(each) for each in found if each is not None and not each.leaks)


def _absent(origin: Origin, seq: int, *, made: bool) -> str:
    recorded = origin.recorded
    point = recorded.points.get(seq) or recorded.left_out[seq]
    others = "a part of it; " if made else ""
    return (
        f"{others}{point.kind} {shorten(point.name, 60)!r} (record {seq}) did not change: it did "
        "not come up in the re-run, or its value is the same as before"
    )
