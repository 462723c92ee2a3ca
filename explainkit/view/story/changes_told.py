"""Measured changes in words: what was taken away, replaced, reordered, and of which piece."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explainkit.view.story.changed_parts import changed_of
from explainkit.view.story.material import Material, entries, mapping, text
from explainkit.view.story.wording import called, number, quoted, series
from explainkit.view.words import flat

NAMED: Final = 3
"""Pieces of one change that are named; the others are counted."""
_CHANGED: Final = {
    "remove": "taking away {}",
    "replace": "replacing {}",
    "restore": "bringing back {}",
    "reorder": "reordering {}",
    "hold": "holding off the override by {}",
}
_TOGETHER: Final = frozenset({"remove", "restore"})
"""Changes of many pieces that are told by their number."""


def change_words(material: Material, interventions: Any) -> str:
    """What was changed, in words; several at once are one change.

    Args:
        material: The run.
        interventions: What a finding says was changed.
    """
    asked = [mapping(each) for each in entries(interventions)]
    if not asked:
        return "a measured change"
    if len(asked) == 1:
        return _single(material, asked[0])
    verbs = {text(each.get("verb")) for each in asked}
    if len(verbs) == 1 and verbs <= _TOGETHER:
        return _CHANGED[verbs.pop()].format(_pieces(material, asked))
    told = series([_single(material, each) for each in asked[:NAMED]], NAMED)
    more = f" and {len(asked) - NAMED:,} more" if len(asked) > NAMED else ""
    return f"{number(len(asked), 'change')} together ({told}{more})"


def _pieces(material: Material, asked: Sequence[Mapping[str, Any]]) -> str:
    """Pieces that are gone, or back, together."""
    found = [changed_of(material, each) for each in asked]
    items = [each.item for each in found]
    if len({each.holder for each in found}) == 1 and None not in items:
        ranks = series([f"{item}" for item in items if item is not None], 2 * NAMED)
        return f"{number(len(asked), 'item')} of {found[0].holder} together ({ranks})"
    names = series([each.words for each in found], NAMED)
    return f"{number(len(asked), 'piece')} together ({names})"


def _single(material: Material, asked: Mapping[str, Any]) -> str:
    verb, changed = text(asked.get("verb")), changed_of(material, asked)
    if verb == "remove" and changed.old and changed.item is None:
        return f"taking away {changed.old} from {changed.place}"
    if verb == "replace" and (new := _new(asked)):
        if not changed.old:
            return f"replacing {changed.words} by {new}"
        was_number = changed.old[0] in "-0123456789"
        return (
            f"replacing {changed.old} by {new.strip('“”') if was_number else new} "
            f"in {changed.place}"
        )
    if verb == "swap":
        new = _new(asked)
        given = f"{new} as the" if new else "another"
        return f"giving {given} result of {changed.holder}"
    if verb == "edit":
        slots = [called(slot) for slot in entries(asked.get("slots"))]
        new = f"another {slots[0]}" if len(slots) == 1 else f"other arguments ({series(slots)})"
        return f"giving {changed.holder} {new if slots else 'other arguments'}"
    if verb == "reorder":
        order = [each + 1 for each in entries(asked.get("order")) if type(each) is int]
        if order and not entries(asked.get("names")):
            ranks = series([str(each) for each in order], 2 * NAMED)
            return f"putting the items of {changed.holder} in the order {ranks}"
    return _CHANGED.get(verb, "changing {}").format(changed.words)


def _new(asked: Mapping[str, Any]) -> str:
    """A new value that a sentence can carry; nothing for a list or an object."""
    written = text(asked.get("by"))
    if not written or written[0] in "[{(<":
        return ""
    if len(written) > 1 and written[0] == written[-1] and written[0] in "'\"":
        return quoted(written[1:-1].replace("\\n", " "), 60)
    return flat(written, 40)
