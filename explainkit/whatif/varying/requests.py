"""What a user asks to change, as plain data that is recorded beside the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from explainkit.errors import InterventionError

Verb = Literal["remove", "replace", "restore", "reorder", "edit", "swap", "hold"]


@dataclass(frozen=True)
class Intervention:
    """One change.

    Attributes:
        verb: remove, replace, restore, reorder, edit (arguments of a link), swap (its result) or
            hold (an override off).
        target: What is changed, as the user named it: a name, a `seq`, ``(name, words)``,
            ``(name, position)``, or anything with an address (a place, a suspect, a context).
        value: What stands there instead, where there is one.
    """

    verb: Verb
    target: Any
    value: Any = field(default=None)


def interventions_of(
    *,
    remove: Any = None,
    replace: Mapping[Any, Any] | None = None,
    restore: Any = None,
    reorder: Any = None,
    edit: Mapping[Any, Any] | None = None,
    swap: Mapping[Any, Any] | None = None,
    hold: Any = None,
) -> tuple[Intervention, ...]:
    """Read the keywords of a what-if.

    Args:
        remove: A target, or a list of them.
        replace: New content by target.
        restore: A left-out context by name or `seq`, or a list of them; or, by left-out context,
            where it comes back: the name of a link, a context or a field of a template.
        reorder: Positions by target, for lists; or the names of contexts in the order that their
            texts shall take in the prompt.
        edit: For a link, its new arguments by name.
        swap: For a link, its result.
        hold: An override by who made it or by `seq`, or a list of them.

    Raises:
        InterventionError: Nothing is to be changed, or a keyword has another shape.

    Example:
        >>> interventions_of(remove="campaign-note")
        (Intervention(verb='remove', target='campaign-note', value=None),)
    """
    found = [Intervention("remove", each) for each in _listed(remove)]
    found += [Intervention("replace", key, new) for key, new in _pairs("replace", replace)]
    if isinstance(restore, Mapping):
        found += [Intervention("restore", key, where) for key, where in restore.items()]
    else:
        found += [Intervention("restore", each) for each in _listed(restore)]
    found += _reorders(reorder)
    found += [Intervention("edit", key, new) for key, new in _pairs("edit", edit)]
    found += [Intervention("swap", key, new) for key, new in _pairs("swap", swap)]
    found += [Intervention("hold", each) for each in _listed(hold)]
    if not found:
        raise InterventionError(
            "Nothing is to be changed. Say what: remove=, replace=, restore=, reorder=, edit=, "
            'swap= or hold=, such as run.whatif(remove="campaign-note").'
        )
    return tuple(found)


def _listed(given: Any) -> list[Any]:
    """One target or a list of them; a tuple is one target with a part."""
    if given is None:
        return []
    if isinstance(given, set | frozenset):  # in an order that no hash decides
        return sorted(given, key=lambda each: (type(each).__name__, repr(each)))
    return list(given) if isinstance(given, list) else [given]


def _pairs(word: str, given: Mapping[Any, Any] | None) -> list[tuple[Any, Any]]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise InterventionError(
            f"{word}= takes a mapping from what is changed to what stands there instead; got "
            f'{given!r:.60}. Example: {word}={{"tariff": "..."}}.'
        )
    return list(given.items())


def _reorders(given: Any) -> list[Intervention]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        for key, order in given.items():
            if isinstance(order, str) or not hasattr(type(order), "__iter__"):
                raise InterventionError(
                    f"reorder={{{key!r:.60}: {order!r:.60}}} names no order. Give positions, such "
                    f"as reorder={{{key!r:.60}: [1, 0]}}."
                )
        return [Intervention("reorder", key, tuple(order)) for key, order in given.items()]
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) > 1:
        return [Intervention("reorder", tuple(given))]
    raise InterventionError(
        f"reorder= takes names of contexts in their new order, or positions by target; got "
        f'{given!r:.60}. Example: reorder=["note", "tariff"] or reorder={{"lines": [1, 0]}}.'
    )
