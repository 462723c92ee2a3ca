"""Which recorded point a point of the re-run stands for, found without looking at all of them."""

from collections import Counter
from collections.abc import Mapping, Sequence

from explainkit.tracing.seam import Point
from explainkit.whatif.rerunning.origins import Call, Key, Origin
from explainkit.whatif.varying.recorded_points import RecordedPoint


class Matching:
    """Pairs the points of one re-run with recorded ones, each recorded one at most once.

    Args:
        origin: The run that is varied.
        absent: Recorded links that do not come up.
    """

    def __init__(self, origin: Origin, *, absent: frozenset[int] = frozenset()) -> None:
        self._origin = origin
        self._over: set[int] = set()
        self._from_call: Counter[Call] = Counter()
        self._from_key: Counter[Key] = Counter()
        self._called = set(absent)
        self._call_from_call: Counter[Call] = Counter()
        self._call_from_key: Counter[Key] = Counter()
        self._over |= absent

    @property
    def left(self) -> frozenset[int]:
        """Recorded links that did not come up yet; runners ask nobody and never do."""
        points = self._origin.recorded.points.values()
        return frozenset(p.seq for p in points if p.kind == "link" and p.seq not in self._over)

    def same(self, point: Point) -> RecordedPoint | None:
        """The first recorded point with this name, code and these inputs that is not over."""
        call = (point.kind, point.name, point.inputs)
        found = _first(self._origin.by_call.get(call, ()), self._from_call, call, self._over)
        if found is None or (found.code and point.code and found.code != point.code):
            return None
        return found

    def of(self, point: Point) -> RecordedPoint | None:
        """The same one, else the first of its name that is not over."""
        key = (point.kind, point.name)
        return self.same(point) or _first(
            self._origin.by_key.get(key, ()), self._from_key, key, self._over
        )

    def called(
        self, kind: str, name: str, digests: Mapping[str, str] | None = None
    ) -> RecordedPoint | None:
        """The recorded point of a call of a link or template that is about to be made.

        Calls that run side by side change their order, so the inputs tell which one it is; where
        none had these, it is the next one in order.
        """
        key, origin, called = (kind, name), self._origin, self._called
        found = next_one = _first(origin.by_key.get(key, ()), self._call_from_key, key, called)
        if next_one is not None and digests is not None:
            inputs = tuple(digests.get(slot, "") for slot in next_one.slots)
            call = (kind, name, inputs)
            same = _first(origin.by_call.get(call, ()), self._call_from_call, call, called)
            found = same or next_one
        if found is not None:
            called.add(found.seq)
        return found

    def passed(self, recorded: RecordedPoint) -> None:
        """A recorded point came up."""
        self._over.add(recorded.seq)

    def skipped(self, recorded: RecordedPoint) -> None:
        """A link that does not run: what lies in it does not come up either."""
        self._over.add(recorded.seq)
        for each in self._origin.inside(recorded.seq):
            self._over.add(each.seq)
            self._called.add(each.seq)


def _first(
    known: Sequence[RecordedPoint],
    starts: Counter[Call] | Counter[Key],
    key: Call | Key,
    over: set[int],
) -> RecordedPoint | None:
    """The first of some points that is not over, looked for from where the last look ended."""
    at = starts[key]  # type: ignore[index]
    while at < len(known) and known[at].seq in over:
        at += 1
    starts[key] = at  # type: ignore[index]
    return known[at] if at < len(known) else None
