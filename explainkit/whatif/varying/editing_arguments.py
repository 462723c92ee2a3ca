"""Other arguments: of a link as it is called, or of the run, which is asked something else."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from explainkit.errors import InterventionError
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.varying.defaults import parameters_of
from explainkit.whatif.varying.edits import own_copy
from explainkit.whatif.varying.given_parts import given_values
from explainkit.whatif.varying.given_to_runs import (
    OwnArguments,
    own_arguments,
    require_editable,
)
from explainkit.whatif.varying.landing import Landing
from explainkit.whatif.varying.pointed_parts import Target
from explainkit.whatif.varying.requests import Intervention
from explainkit.whatif.varying.targets import targets_of

if TYPE_CHECKING:
    from explainkit.whatif.varying.planning import Draft


def edit_arguments(draft: "Draft", asked: Intervention) -> None:
    """Add an edit of arguments to a plan.

    Args:
        draft: The plan while it is made.
        asked: The edit.

    Raises:
        InterventionError: They are no arguments of that, or cannot be others.
    """
    own = own_arguments(draft.recording, draft.recorded, asked.target)
    if own is not None:
        _edit_own(draft, asked, own)
        return
    (target,) = one_link(draft, asked)
    point = draft.recorded.points[target.seq]
    _require_named(asked, target.name, point.slots)
    takes = (*point.slots, *parameters_of(point))
    unknown = [name for name in asked.value if name not in takes]
    if unknown:
        raise InterventionError(
            f"{target.name} was not given {unknown[0]!r:.60}; it was given: "
            f"{', '.join(point.slots) or 'nothing'}."
        )
    require_editable(draft.recording, draft.recorded, point)
    said = f"edit {', '.join(map(str, asked.value))} of {target.words}"
    for other in draft.inputs:
        if other.seq == target.seq:
            raise InterventionError(
                f"Two changes collide: {other.said!r:.80} and {said!r:.80} touch the same call. "
                "Ask for one of them."
            )
    given = dict(asked.value)
    draft.inputs.append(
        Landing(target.seq, point.kind, point.name, lambda _: own_copy(given), said)
    )
    draft.said.append(said)
    draft.told.append({"verb": "edit", **target.told, "slots": sorted(map(str, given))})


def _edit_own(draft: "Draft", asked: Intervention, own: OwnArguments) -> None:
    """Other arguments of the run itself: it is asked something else."""
    _require_named(asked, own.name, tuple(own.digests))
    said = f"edit {', '.join(map(str, asked.value))} of {own.name}"
    if draft.given:
        raise InterventionError(
            f"Two changes collide: {said!r:.80} and another edit of what the run was given. Ask "
            "for one of them, with all new arguments in it."
        )
    draft.given = {str(slot): new for slot, new in asked.value.items()}
    for slot, new in draft.given.items():
        if own.question is not None and own.digests.get(slot) == own.question:
            draft.question = new if isinstance(new, str) else None
    draft.said.append(said)
    slots = sorted(draft.given)
    draft.told.append({"verb": "edit", "seq": own.seq, "name": own.name, "slots": slots})


def settle_given(draft: "Draft") -> None:
    """Parts of an argument cannot change beside all of it; and what was asked may be one of them.

    Args:
        draft: The plan while it is made.

    Raises:
        InterventionError: Both are asked for.
    """
    for held in given_values(draft.recording, draft.recorded) if draft.reshaped else ():
        made = draft.reshaped.get(held.place.slot, [])
        if made and draft.given and (held.is_batch or held.place.slot in draft.given):
            raise InterventionError(
                f"Two changes collide: {made[0][1].said!r:.80} and an edit of all of "
                f"{held.label!r:.60}. Ask for one of them."
            )
        if made and held.is_question and isinstance(held.value, str):
            asked = held.value
            for _, change in sorted(made, key=lambda each: each[0].place, reverse=True):
                asked = change.edit(asked)
            draft.question = asked


def _require_named(asked: Intervention, name: str, slots: Sequence[str]) -> None:
    if not isinstance(asked.value, Mapping) or not asked.value:
        raise InterventionError(
            f"edit= takes new arguments by name; got {asked.value!r:.60}. "
            f"{name} was given: {', '.join(slots) or 'nothing'}."
        )


def one_link(draft: "Draft", asked: Intervention) -> tuple[Target]:
    """The one link that is meant.

    Args:
        draft: The plan while it is made.
        asked: What is asked.

    Raises:
        InterventionError: It is the name of several.
    """
    found = targets_of(draft.recording, draft.recorded, asked.target, links=True)
    if len(found) > 1:
        seqs = listed([str(target.seq) for target in found])
        raise InterventionError(
            f"{asked.verb}= changes one link; {asked.target!r:.60} is the name of {len(found)}. "
            f"Give one of their numbers: {seqs}."
        )
    return (found[0],)
