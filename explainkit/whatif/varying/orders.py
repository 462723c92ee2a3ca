"""What of a run stands in an order that can be changed: texts of a template, rows, messages."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explainkit.whatif.varying.item_names import item_words
from explainkit.whatif.varying.landing import printed_slots
from explainkit.whatif.varying.recorded_points import RecordedPoint, RecordedPoints
from explainkit.whatif.varying.requests import Intervention

if TYPE_CHECKING:
    from explainkit.store import Recording


@dataclass(frozen=True)
class Ordered:
    """Things that stand in an order.

    Attributes:
        names: What they are called, in their order.
        seqs: The points that they are, or lie in.
        places: Where they stand in a list; empty for texts of a template.
        size: How long that list is.
    """

    names: tuple[str, ...]
    seqs: tuple[int, ...]
    places: tuple[int, ...] = ()
    size: int = 0

    def reorder(self, order: Sequence[int]) -> Intervention:
        """The change that puts them in another order.

        Args:
            order: Their numbers in the new order.
        """
        if not self.places:
            return Intervention("reorder", tuple(self.seqs[at] for at in order))
        places = list(range(self.size))
        for place, at in zip(self.places, order, strict=True):
            places[place] = self.places[at]
        return Intervention("reorder", self.seqs[0], tuple(places))

    def among(self, wanted: Collection[tuple[int, str]]) -> "Ordered":
        """Only those of them that are wanted; the others keep their places.

        Args:
            wanted: Points, each with the path of a part of it, or without one for the whole.
        """
        paths = [f"/{each}" for each in self.places] or [""] * len(self.seqs)
        pairs = zip(self.seqs, paths, strict=True)
        kept = [
            at for at, (seq, path) in enumerate(pairs) if {(seq, ""), (seq, path)} & set(wanted)
        ]
        return Ordered(
            tuple(self.names[at] for at in kept),
            tuple(self.seqs[at] for at in kept),
            tuple(self.places[at] for at in kept if self.places),
            self.size,
        )


def ordered_in(recording: "Recording", recorded: RecordedPoints) -> list[Ordered]:
    """Everything of a run that stands in an order and can stand in another.

    The contexts that a template takes as they are; then the items of lists that were offered, and
    of lists that links gave which are no models.

    Args:
        recording: The run.
        recorded: Its points.
    """
    points = recorded.points.values()
    contexts = [each for each in points if each.kind == "context"]
    templates = [_in_template(recording, each, contexts) for each in points]
    given = [_items(recording, each) for each in points]
    return [each for each in (*templates, *given) if each is not None]


def _in_template(
    recording: "Recording", point: RecordedPoint, contexts: Sequence[RecordedPoint]
) -> Ordered | None:
    if point.kind != "assemble":
        return None
    given = dict(zip(point.slots, point.inputs, strict=True))
    found: list[RecordedPoint] = []
    for slot in printed_slots(recording, point):
        same = [each for each in contexts if each.value == given[slot]]
        if len(same) == 1 and list(point.inputs).count(given[slot]) == 1:
            found += same
    if len(found) < 2:
        return None
    return Ordered(tuple(each.name for each in found), tuple(each.seq for each in found))


def _items(recording: "Recording", point: RecordedPoint) -> Ordered | None:
    links = point.kind == "link" and point.type not in ("model", "effect")
    if point.value is None or not (links or point.kind in ("context", "event")):
        return None
    if recording.values.fidelity(point.value) != "exact":
        return None
    value = recording.values.object(point.value)
    if not isinstance(value, list | tuple) or len(value) < 2:
        return None
    count = len(value)
    names = tuple(item_words(at, point.name, each) for at, each in enumerate(value))
    return Ordered(names, (point.seq,) * count, tuple(range(count)), count)
