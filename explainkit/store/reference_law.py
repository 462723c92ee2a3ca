"""The law of references: backwards only, and to a place that there is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from explainkit.store.problem import Problem

if TYPE_CHECKING:
    from explainkit.store.reader import Recording

_LINKS = ("parent", "link", "machine")


class ReferenceLaw:
    """Checks what the records of one run name.

    Args:
        recording: The run.
    """

    def __init__(self, recording: "Recording") -> None:
        self._recording = recording

    def check(self, row: dict[str, Any]) -> Iterator[Problem]:
        """What is wrong with the references of a record."""
        seq, kind = row["seq"], row["kind"]
        for key in _LINKS:
            target = row.get(key)
            if isinstance(target, int) and not (kind == "link_closed" and key == "link"):
                yield from self._record(seq, key, target, ("link_opened",))
        if kind == "reply":
            yield from self._record(seq, "source", row.get("source"), ())
        for key, place in _occurrences(row):
            yield from self._occurrence(seq, key, place)

    def _record(self, seq: int, key: str, target: Any, kinds: tuple[str, ...]) -> Iterator[Problem]:
        if not (isinstance(target, int) and 0 <= target < seq):
            yield Problem(
                "reference", seq, f"{key} names record {target!r}, which is not before it"
            )
        elif kinds and self._recording.kind(target) not in kinds:
            found = self._recording.kind(target)
            yield Problem("reference", seq, f"{key} names record {target}, which is a {found}")

    def _occurrence(self, seq: int, key: str, place: dict[str, Any]) -> Iterator[Problem]:
        if place.get("run") not in {None, self._recording.run}:
            return
        target = place.get("seq")
        if not (isinstance(target, int) and 0 <= target < seq):
            yield Problem(
                "reference", seq, f"{key} names record {target!r}, which is not before it"
            )
            return
        slot = place.get("slot", "value")
        if key != "target" and slot not in _slots(self._recording.raw(target)):
            yield Problem(
                "reference", seq, f"{key} names {slot!r} of record {target}, which has none"
            )


def _occurrences(row: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every occurrence that a record names, with the field it stands in."""
    for given in row.get("inputs") or ():
        for place in given.get("from") or ():
            yield "from", place
        for segment in given.get("segments") or ():
            yield "segments", segment["origin"]
    for segment in row.get("segments") or ():
        yield "segments", segment["origin"]
    for key in ("uses", "reads"):
        for place in row.get(key) or ():
            if isinstance(place, dict):
                yield key, place
    if isinstance(row.get("target"), dict):
        yield "target", row["target"]


def _slots(row: dict[str, Any]) -> set[str]:
    """The slots in which a record holds a value."""
    names = {str(given.get("slot")) for given in row.get("inputs") or ()}
    for slot in ("value", "output", "error", "question"):
        if isinstance(row.get(slot), str):
            names.add(slot)
    return names
