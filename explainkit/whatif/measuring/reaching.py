"""Was the change applied? It must have been made, and have changed what was really sent."""

from explainkit.safety import shorten
from explainkit.whatif.measuring.other_ways import Sent
from explainkit.whatif.rerunning import Origin, Rerun
from explainkit.whatif.varying import Plan

OFFERED = ("context", "event", "assemble")
"""Points that matter through a model that reads them."""


def not_applied(
    origin: Origin,
    plan: Plan,
    done: Rerun,
    *,
    flips: bool,
    sent: Sent,
    copies_count: bool = True,
    finds_more: bool = False,
) -> str | None:
    """Why a change did not reach the run; None when it did.

    Args:
        origin: The run that is varied.
        plan: What was to be changed.
        done: A re-run with the change.
        flips: Whether its answer is another one.
        sent: What models were given in it.
        copies_count: A copy of a removed text in another context is another way of it. Where sets
            of contexts are compared it is not: a copy is one more of them.
        finds_more: A link that ran finds something that it is not given, where another one left it.
    """
    steered = done.steered
    if steered.missed:
        return steered.missed[0]
    absent = plan.touched - steered.made
    if plan.touched > plan.stand_ins:
        absent -= plan.stand_ins  # beside a change they only keep a call from being made
    if absent:
        return _absent(origin, min(absent), made=bool(steered.made))
    for each in plan.gone:
        left = sent.remaining(each)
        if left is not None and left.leaks and (copies_count or not left.copied):
            return f"{left}{_beside(plan)}"
    now, before = sent.now, sent.before
    if now and plan.come and not any(map(sent.has, plan.come)):
        return f"{shorten(repr(plan.come[0]), 60)} did not reach the model"
    offered = all(_is_offered(origin, seq) for seq in plan.touched) or _was_never_sent(plan, sent)
    elsewhere = finds_more or any(each.differs for each in done.executed)
    if not (before and offered and not elsewhere and now == before):
        return None
    if _drops_models(origin, done) or (flips and _models_said_the_same(origin, done)):
        return None  # what was changed is read by code: it decides what is asked, or what is said
    return "every model call was given the same as before; it never reached one"


def _is_offered(origin: Origin, seq: int) -> bool:
    """Whether a point matters through a model that reads it: what was retrieved does too."""
    point = origin.recorded.points.get(seq)
    return point is None or point.kind in OFFERED or point.type == "retrieval"


def _was_never_sent(plan: Plan, sent: Sent) -> bool:
    """Whether what was taken away of a result stood in nothing that a model was given."""
    return bool(plan.gone) and not any(sent.had(each.text) for each in plan.gone)


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


def echoes(plan: Plan, sent: Sent) -> tuple[str, ...]:
    """Where words that were taken away stand as well, although the change reached the run.

    Args:
        plan: What was changed.
        sent: What models were given with the change.
    """
    found = (sent.remaining(each) for each in plan.gone)
    return tuple(each.echo for each in found if each is not None and each.holders)


def is_copied(plan: Plan, sent: Sent) -> bool:
    """Whether another context brought a copy of something that was taken away.

    Args:
        plan: What was changed.
        sent: What models were given with the change.
    """
    found = (sent.remaining(each) for each in plan.gone)
    return any(each is not None and each.copied for each in found)


def _beside(plan: Plan) -> str:
    """What to do where only one of several changes came another way."""
    if len(plan.said) < 2:
        return ""
    return f". It is one of {len(plan.said)} changes: ask for the others alone, or for its copy too"


def _absent(origin: Origin, seq: int, *, made: bool) -> str:
    recorded = origin.recorded
    point = recorded.points.get(seq) or recorded.left_out[seq]
    others = "a part of it; " if made else ""
    return (
        f"{others}{point.kind} {shorten(point.name, 60)!r} (record {seq}) did not change: it did "
        "not come up in the re-run, or its value is the same as before"
    )
