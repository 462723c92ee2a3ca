"""Which slot of a re-run stands for a recorded one, because slots of picks hold record numbers."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from explainkit.errors import UnknownRecordError
from explainkit.safety import shorten

if TYPE_CHECKING:
    from explainkit.store import Recording

PICK, RUNNER = "pick:", "answer:"


def slot_named(recording: "Recording", slot: str) -> str:
    """The slot of a pick that is named by its event; every other slot as it is.

    Args:
        recording: The run.
        slot: A slot such as ``pick:26``, or ``pick:approve`` for the first pick of that event.

    Raises:
        UnknownRecordError: No pick of that event has an answer.
    """
    name = slot.removeprefix(PICK)
    if not slot.startswith(PICK) or name.isdecimal():
        return slot
    names = {row["seq"]: str(row.get("name")) for row in recording.rows("event")}
    picked = [seq for seq in _picks(recording) if names.get(seq) == name]
    if not picked:
        told = dict.fromkeys(repr(names[seq]) for seq in _picks(recording) if seq in names)
        raise UnknownRecordError(
            f"The run has no answered pick of {name!r:.60}. It has picks of: "
            f"{shorten(', '.join(told) or 'none', 300)}."
        )
    return f"{PICK}{picked[0]}"


def slot_again(origin: "Recording", again: "Recording", slot: str) -> str | None:
    """The slot of a re-run that stands for a recorded one.

    The number of a pick or of a runner's link is that of a record, and a re-run has other records;
    so the n-th pick stands for the n-th, and the n-th link of a name for the n-th of that name.

    Args:
        origin: The recorded run.
        again: The re-run.
        slot: A slot of the recorded run.

    Returns:
        None where the re-run has none.
    """
    for prefix, listed in ((PICK, _picks), (RUNNER, _links_like(origin, slot))):
        number = slot.removeprefix(prefix)
        if slot.startswith(prefix) and number.isdecimal():
            before, now = listed(origin), listed(again)
            at = before.index(int(number)) if int(number) in before else len(now)
            return f"{prefix}{now[at]}" if at < len(now) else None
    return slot


def _picks(recording: "Recording") -> list[int]:
    """The picks that have an answer, in order."""
    slots = (str(row.get("slot")) for row in recording.rows("answer"))
    numbers = (slot.removeprefix(PICK) for slot in slots if slot.startswith(PICK))
    return sorted({int(number) for number in numbers if number.isdecimal()})


def _links_like(origin: "Recording", slot: str) -> Callable[["Recording"], list[int]]:
    """Lists the links that have the name and type of the one that a slot is of."""
    number = slot.removeprefix(RUNNER)
    opened = {str(row["seq"]): row for row in origin.rows("link_opened")}
    like = opened.get(number, {})
    key = (like.get("type"), like.get("name"))

    def listed(recording: "Recording") -> list[int]:
        rows = recording.rows("link_opened")
        return [row["seq"] for row in rows if (row.get("type"), row.get("name")) == key]

    return listed
