"""Which records a pick has, and whether other things happened before its answer was read."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Any

from explainkit.view.machine_words import START
from explainkit.view.story.material import Material, text, whole

_DIGITS = 16
"""No record number is as long."""


@dataclass(slots=True)
class FollowedPicks:
    """The records of the picks of a run.

    Attributes:
        told: For each pick, by its event, the records that its sentence is told from.
        within: The records that are told with something else: with a pick, or with the beginning
            of a machine.
        put: The answers of charts that their picks tell, since nothing else happened before.
        apart: Picks that were answered after other things had happened; what was read of them is
            told there.
        read: Of those that read a reply, by the record of the reading, the pick and its records.
    """

    told: dict[int, list[int]] = field(default_factory=dict)
    within: set[int] = field(default_factory=set)
    put: set[int] = field(default_factory=set)
    apart: set[int] = field(default_factory=set)
    read: dict[int, tuple[int, list[int]]] = field(default_factory=dict)


def follow_picks(material: Material) -> FollowedPicks:
    """Gather the records of each pick; notes the first step of each machine as well.

    Args:
        material: The run.
    """
    found = FollowedPicks()
    later: dict[int, list[int]] = {}
    put: dict[int, int] = {}
    last: int | None = None
    for row in material.recording.rows("event", "transition", "reply", "answer", "override"):
        kind, seq = row["kind"], row["seq"]
        if kind == "event":
            last = seq if seq in material.picks else None
            if last is not None:
                found.told[seq] = [seq]
        elif kind == "transition":
            last = _step(material, found, row, last)
        else:
            _answer(material, found, row, later, put)
    _settle(material, found, later, put)
    return found


def _step(
    material: Material, found: FollowedPicks, row: dict[str, Any], last: int | None
) -> int | None:
    """A step of a machine: its first one, or that which an event led to; gives the open event."""
    seq = row["seq"]
    if row.get("event") == START:
        machine = whole(row.get("machine"))
        if machine in material.rows and machine not in material.starts:
            material.starts[machine] = (seq, row.get("configuration") or row.get("entered"))
            found.within.add(seq)
        return last
    if last is not None and row.get("event") == material.picks[last].event:
        found.told[last].append(seq)
        found.within.add(seq)
    return None


def _answer(
    material: Material,
    found: FollowedPicks,
    row: dict[str, Any],
    later: dict[int, list[int]],
    put: dict[int, int],
) -> None:
    """A reply to a pick, what its slot held first, or what a chart put there."""
    kind, seq, slot = row["kind"], row["seq"], text(row.get("slot"))
    pick = _number(row.get("pick") if kind == "reply" else slot.removeprefix("pick:"))
    if pick not in found.told or (kind != "reply" and not slot.startswith("pick:")):
        return
    if kind == "override":
        if row.get("outcome") == "applied":
            put[pick] = seq
        return
    if kind == "answer":
        material.slots.setdefault(slot, 1)
    later.setdefault(pick, []).append(seq)
    found.within.add(seq)


def _settle(
    material: Material, found: FollowedPicks, later: dict[int, list[int]], put: dict[int, int]
) -> None:
    """Tell a pick and what was read of it in one sentence only where nothing lies in between."""
    order = [row["seq"] for row in material.records]
    for pick, known in found.told.items():
        rest, answer = later.get(pick, []), put.get(pick)
        own = [*known, *rest, *([] if answer is None else [answer])]
        among = bisect_left(order, max(own)) - bisect_right(order, pick)
        is_apart = material.picks[pick].answered and among > len(set(own) - {pick, max(own)})
        if not is_apart:
            known.extend([*rest, *([] if answer is None else [answer])])
            if answer is not None:
                found.put.add(answer)
            continue
        found.apart.add(pick)
        if answer is None and rest and material.picks[pick].source == "reply":
            found.read[rest[-1]] = (pick, rest)
        else:
            known.extend(rest)


def _number(found: object) -> int | None:
    if not isinstance(found, str) or not found.isascii() or not found.isdigit():
        return None
    return int(found) if len(found) < _DIGITS else None
