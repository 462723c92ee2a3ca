"""What differs between a machine and the one that a run was made with, in sentences."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from explainkit.flow.statecharts.machines import Machine
from explainkit.safety import shorten

_Facts: TypeAlias = dict[tuple[str, ...], str]
_STATE = "the state {}"
_ORDER = "the order of states, actors or handlers is another"


def drift(recorded: Mapping[str, Any], machine: Machine) -> list[str]:
    """Say what differs, so that a person understands why a run cannot go on.

    Args:
        recorded: What `Machine.doc()` gave for the machine of the run; damaged parts count as
            missing.
        machine: The machine that is there now.

    Returns:
        One sentence for each difference, in document order; none when both are built alike.

    Example:
        >>> from explainkit.flow.statecharts import machine, state, to
        >>> def built(target):
        ...     return machine("door", initial="shut", states={
        ...         "shut": state(on={"go": to(target)}), "wide": state(), "gone": state()})
        >>> drift(built("wide").doc(), built("gone"))
        ['on "go" of "door.shut" led to door.wide and leads to door.gone']
    """
    now = machine.doc()
    if recorded.get("fingerprint") == now["fingerprint"]:
        return []
    if recorded.get("machine") != machine.id:  # then every id differs, and nothing is comparable
        was_called = shorten(str(recorded.get("machine")), 80)
        return [f'the machine was "{was_called}" and is "{shorten(machine.id, 80)}"']
    was, is_ = _facts(recorded), _facts(now)
    differing = [key for key in (was | is_) if was.get(key) != is_.get(key)]
    replaced = {key[-1] for key in differing if key[0] == _STATE}
    # What a state had is no news beside the state itself.
    differing = [key for key in differing if key[0] == _STATE or key[-1] not in replaced]
    return [_told(key, was.get(key), is_.get(key)) for key in differing] or [_ORDER]


def _told(key: tuple[str, ...], was: str | None, is_: str | None) -> str:
    what, *names = key
    shown = what.format(*(f'"{shorten(name, 80)}"' for name in names))
    if was is None:
        return f"{shown} is new"
    if is_ is None:
        return f"{shown} is gone"
    verb = ("led", "leads") if what.startswith("on ") else ("was", "is")
    return f"{shown} {verb[0]} {shorten(was, 200)} and {verb[1]} {shorten(is_, 200)}"


def _facts(doc: Mapping[str, Any]) -> _Facts:
    """Each thing that can differ, by what it is about, a state last; damaged ones compare too."""
    facts: _Facts = {}
    for state in _rows(doc, "states"):
        id_ = str(state.get("id"))
        facts[_STATE, id_] = ""
        for part, words in _PARTS.items():
            facts[f"{words} of {{}}", id_] = str(state.get(part))
    for actor in _rows(doc, "actors"):
        for use in _rows(actor, "invoked"):
            words = f"{actor.get('key')}, {'holding' if use.get('holds') else 'not holding'}"
            facts["the actor {} of {}", str(use.get("id")), str(use.get("state"))] = words
    for row in _rows(doc, "transitions"):
        key = ("on {} of {}", str(row.get("event") or "always"), str(row.get("source")))
        before = facts.get(key)
        facts[key] = _aim(row) if before is None else f"{before}, else {_aim(row)}"
    return facts


_PARTS = {
    "type": "the type",
    "parent": "the parent",
    "initial": "the initial state",
    "history": "the depth",
    "leads": "the default",
}


def _aim(row: Mapping[str, Any]) -> str:
    targets = row.get("targets")
    listed = ", ".join(map(str, targets)) if isinstance(targets, list) else ""
    return f"to {listed or 'nowhere'}{', entering again' if row.get('reenter') else ''}"


def _rows(doc: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
    rows = doc.get(key)
    return (row for row in (rows if isinstance(rows, list) else ()) if isinstance(row, Mapping))
