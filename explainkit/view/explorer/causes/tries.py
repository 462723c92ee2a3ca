"""What can be tried of a suspect: without it, without an item of it, or with another result."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from explainkit.errors import ExplainkitError
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.spoken import in_panel
from explainkit.view.explorer.pieces import Json, line_of
from explainkit.whatif.varying.recorded_points import RecordedPoint

ITEMS: Final = 3
"""Items of one suspect that have a button of their own; all of them can be ticked off."""
WHOLE: Final = {
    "context": ("remove", "What if it were not there?"),
    "event": ("remove", "What if it had brought nothing?"),
    "link": ("remove", "What if it had given nothing?"),
    "assemble": ("remove", "What if it had given nothing?"),
    "override": ("hold", "What if it had not been made?"),
}
"""How a point of each kind is taken away as a whole, and the words of the button."""
NO_POINT: Final = "it is no context, event, step or override, and only those can be changed"


def tries_of(offered: Offered, seq: int, parts: Sequence[str]) -> Json:
    """What can be tried of one suspect, each as changes or as a piece to edit.

    Every change is checked by the engine that would make it, so that no button leads nowhere.

    Args:
        offered: The pieces of the run.
        seq: The suspect.
        parts: Where in its value the words stand that made it one.

    Returns:
        ``{seq, tries: [{words, changes, edit}], why}``; ``why`` says in words why nothing can be
        tried, and is empty when something can.
    """
    point = offered.point(seq)
    if point is None:
        return {"seq": seq, "tries": [], "why": NO_POINT}
    verb, words = WHOLE[point.kind]
    whole = {"verb": verb, "seq": seq}
    why = "" if point.value is not None or verb == "hold" else "it gave no result"
    why = why or _refused(offered, [whole])
    tries = [] if why else [_try(words, [whole])]
    tries += [
        _try(f"What if item {at + 1} of it were not there?", [change])
        for at, change in _items(offered, point, parts)
        if not _refused(offered, [change])
    ]
    if (why or point.kind not in {"context", "override"}) and offered.editable(seq):
        tries.append({"words": _otherwise(point), "changes": [], "edit": seq})
    return {"seq": seq, "tries": tries, "why": "" if tries else line_of(why, 400)}


def _try(words: str, changes: list[Json]) -> Json:
    return {"words": words, "changes": changes, "edit": None}


def _otherwise(point: RecordedPoint) -> str:
    if point.value is None:
        return "What if it had given a result?"
    said = {"context": "said", "event": "brought"}.get(point.kind, "given")
    return f"What if it had {said} something else?"


def _refused(offered: Offered, changes: list[Json]) -> str:
    """Why the engine would not make some changes; empty when it would."""
    try:
        offered.plan(changes)
    except ExplainkitError as error:
        return in_panel(str(error))
    return ""


def _items(
    offered: Offered, point: RecordedPoint, parts: Sequence[str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The items of a list in which words of the suspect stand, as changes without them."""
    found: dict[str, int] = {}
    for part in parts:
        address, at = offered.item_at(point.seq, part)
        if address is not None:
            found.setdefault(address, at)
    for address, at in list(found.items())[:ITEMS]:
        where = {"position": at} if address.count("/") == 1 else {"path": address}
        yield at, {"verb": "remove", "seq": point.seq, **where}
