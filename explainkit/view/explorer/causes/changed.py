"""The pieces that a person changed in a re-run, each as it was recorded and as it was changed."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError
from explainkit.safety.encoding import encode
from explainkit.view.changes import differing
from explainkit.view.explorer.causes.offered import CHANGES, Offered
from explainkit.view.explorer.causes.stamped_words import said_of
from explainkit.view.explorer.pieces import Json, line_of, pieces_of

if TYPE_CHECKING:
    from explainkit.store import Recording
    from explainkit.whatif.varying import Plan

TEXT: Final = 1_200
"""Code points of each side."""


def changed_told(
    recording: "Recording",
    offered: Offered,
    plan: "Plan | None",
    interventions: Iterable[Mapping[str, Any]],
) -> list[Json]:
    """What was changed, in words and on both sides.

    Args:
        recording: The run.
        offered: Its pieces.
        plan: What was done at each of them; without it there are words alone.
        interventions: The changes as they were recorded.

    Returns:
        ``{seq, said, sides}`` each; ``sides`` is null where what came in is not known here, such
        as other arguments of a link.
    """
    found: dict[int | None, list[str]] = {}
    for each in list(interventions)[:CHANGES]:
        seq = each.get("seq")
        found.setdefault(seq if isinstance(seq, int) else None, []).append(said_of(each, offered))
    return [
        {
            "seq": seq,
            "said": line_of("; ".join(said), 300),
            "sides": None if seq is None or plan is None else _sides(recording, offered, plan, seq),
        }
        for seq, said in found.items()
    ]


def _sides(
    recording: "Recording", offered: Offered, plan: "Plan", seq: int
) -> list[list[list[Any]]] | None:
    point = offered.point(seq)
    if point is None or (seq not in plan.changes and seq not in plan.held):
        return None
    try:
        before = "" if point.value is None else recording.values.shown(point.value)
        after = ""
        if seq not in plan.held:
            value = None if point.value is None else recording.values.object(point.value)
            for change in plan.changes[seq]:
                value = change.edit(value)
            after = value if isinstance(value, str) else encode(value).data.decode("utf-8")
    except (ExplainkitError, LookupError):
        return None  # the live value took the change; the recorded one does not
    old, new = differing(before, after, limit=TEXT)
    return [pieces_of(old), pieces_of(new)]
