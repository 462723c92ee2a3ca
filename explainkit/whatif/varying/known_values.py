"""Refuses a change that an object on record cannot take, before anything runs."""

from collections.abc import Iterator
from typing import Any, Final

from explainkit.errors import InterventionError
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.varying.pointed_parts import Target

_TAKES: Final = {"remove": ("list", "tuple", "str"), "reorder": ("list", "tuple")}
"""Values of which a part may be on record, and the live ones can be changed so."""
_SCALARS: Final = ("$scalar",)
_WHAT: Final = {
    "remove": "cannot be missing",
    "reorder": "is no list whose items could change places",
}


def require_rebuilt(name: str, changed: Any) -> None:
    """Refuse a changed result of a link in which a re-run would hand out stand-ins of objects.

    Code that is given a stand-in goes another way for no fault of the change.

    Args:
        name: The link.
        changed: Its recorded result with the change made.

    Raises:
        InterventionError: There are objects in it that no record can give back.
    """
    kinds = dict.fromkeys(each.called for each in _objects_in(changed))
    if kinds:
        raise InterventionError(
            f"What {name!r:.60} gave holds objects that no record can give back "
            f"({listed([shorten(each, 40) for each in kinds])}), so a re-run cannot give it with "
            f"the change made. Give all of it, with live objects: "
            f"swap={{{shorten(name, 60)!r}: ...}}."
        )


def with_scalars(value: Any) -> Any:
    """A recorded value as code can take it: with plain numbers for those of numpy.

    Args:
        value: As it comes out of a record.
    """
    if isinstance(value, Opaque) and value.type in _SCALARS:
        return value.fields.get("value")
    if isinstance(value, dict):
        return {key: with_scalars(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(with_scalars(each) for each in value)
    return value


def _objects_in(value: Any) -> Iterator[Opaque]:
    waiting = [value]
    for part in waiting:  # it grows while it is read
        if isinstance(part, dict):
            waiting += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple | set | frozenset):
            waiting += part
        elif isinstance(part, Opaque) and part.type not in _SCALARS:
            yield part


def require_known(target: Target, value: Any, verb: str, *, is_link: bool) -> None:
    """Refuse to take away or to reorder what is on record as an object, such as a table.

    Args:
        target: What is changed.
        value: All that its point gave, as it is on record.
        verb: ``remove`` or ``reorder``.
        is_link: Whether a link gave it.

    Raises:
        InterventionError: It is an object; a list that was too long for the record is none.
    """
    if not isinstance(value, Opaque) or (value.is_cut and value.called in _TAKES[verb]):
        return
    instead = f"{'swap' if is_link else 'replace'}={{{shorten(target.name, 60)!r}: ...}}"
    raise InterventionError(
        f"{target.name!r:.60} is on record as an object of type {shorten(value.called, 60)}, which "
        f"{_WHAT[verb]}. Give another one in its place: {instead}."
    )
