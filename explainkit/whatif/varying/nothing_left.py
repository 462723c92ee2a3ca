"""Refuses a plan that takes every context of a run away, because it tells of none of them."""

from typing import TYPE_CHECKING

from explainkit.errors import InterventionError
from explainkit.safety import shorten

if TYPE_CHECKING:
    from explainkit.whatif.varying.planning import Draft


def refuse_everything(draft: "Draft") -> None:
    """Refuse a plan after which the run has no context.

    Args:
        draft: The plan while it is made.

    Raises:
        InterventionError: It has none.
    """
    found = [p for p in draft.recorded.points.values() if p.kind == "context"]
    contexts = [point.seq for point in found]
    if len({(point.name, point.value) for point in found}) < 2:
        return  # one text, given in each round
    names = ", ".join(f"{point.name}, record {point.seq}" for point in found)
    whole = {
        seq
        for seq, made in draft.changes.items()
        if any(change.said.startswith("remove") and not part.path and part.start is None
               for part, change in made)
    }  # fmt: skip
    if len(contexts) > 1 and whole.issuperset(contexts):
        raise InterventionError(
            f"This takes away all {len(contexts)} contexts of the run ({shorten(names, 120)}), and "
            "without any, nothing is said about one of them. Leave at least one, or ask for "
            "run.smallest_cause()."
        )
