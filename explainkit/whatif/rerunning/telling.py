"""Issues the recorded steps of a block again, and knows what each value is this time."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from explainkit.errors import InterventionError
from explainkit.safety import shorten
from explainkit.tracing.answers import answer, override
from explainkit.tracing.assembling import assemble
from explainkit.tracing.current import CURRENT
from explainkit.tracing.points import context, event
from explainkit.tracing.seam import Point
from explainkit.whatif.rerunning.givers import FUNCTION, Givers
from explainkit.whatif.rerunning.segments_again import with_origins
from explainkit.whatif.rerunning.templates_again import template_of

if TYPE_CHECKING:
    from explainkit.store import Recording

Row = Mapping[str, Any]


class Telling:
    """One telling: what each recorded value is this time.

    Args:
        recording: The run.
        changes: Functions of its overrides, by their record.
    """

    def __init__(self, recording: "Recording", changes: Mapping[int, Callable[[Any], Any]]) -> None:
        self._values = recording.values
        self._changes = changes
        self._closed = {row["link"]: row for row in recording.rows("link_closed")}
        self._givers = Givers()
        self._places: dict[tuple[int, str], tuple[Any, Any]] = {}

    def tell(self, row: Row) -> None:
        """Issue one recorded step again."""
        kind, name, digest = row["kind"], str(row.get("name")), row.get("value")
        if kind == "context":
            source, why, type_ = row.get("source"), row.get("why"), str(row.get("type") or "fact")
            now = context(name, self._own(digest), kind=type_, source=source, why=why)
            self._gives(row["seq"], digest, now, name=f"context {name!r:.60}")
        elif kind == "event":
            now = event(name, self._own(digest), sender=row.get("sender"))
            self._gives(row["seq"], digest, now, name=f"event {name!r:.60}")
        elif kind == "answer":
            answer(self._now(digest), slot=str(row["slot"]))
        elif kind == "override":
            self._overrides(row, str(digest))
        elif row.get("type") == "assemble":
            self._assembles(row)
        else:
            self._stays(row)

    def inputs(self, row: Row) -> dict[str, Any]:
        """What a link is given this time."""
        found = {}
        for each in row.get("inputs") or ():
            slot, digest = str(each["slot"]), str(each["value"])
            old = now = self._values.object(digest)
            if self._givers.know(digest):
                now = self._givers.now(digest)
            elif each.get("segments"):
                now = with_origins(old, each["segments"], self._places)
            self._places[row["seq"], slot] = (old, now)
            found[slot] = now
        return found

    def came_of(self, row: Row, given: Any) -> None:
        """What the link gave this time."""
        closed = self._closed.get(row["seq"], {})
        self._result(row, closed, _joined(given))

    def _own(self, digest: Any) -> Any:
        """What a step brings in itself: it may equal an earlier value, and is its own."""
        return None if digest is None else self._values.object(str(digest))

    def _now(self, digest: Any) -> Any:
        known = digest is not None and self._givers.know(str(digest))
        return self._givers.now(str(digest)) if known else self._own(digest)

    def _gives(self, seq: int, digest: Any, now: Any, *, name: str, slot: str = "value") -> None:
        if digest is not None:
            self._givers.add(str(digest), name, now)
            self._places[seq, slot] = (self._values.object(str(digest)), now)

    def _result(self, row: Row, closed: Row, now: Any) -> None:
        name = f"link {str(row.get('name'))!r:.60}"
        self._gives(closed.get("seq", -1), closed.get("output"), now, name=name, slot="output")

    def _overrides(self, row: Row, digest: str) -> None:
        slot, by = str(row.get("slot") or "answer"), str(row.get("by"))
        if by == "answered again":
            answer(self._now(digest), slot=slot)
            return
        now = override(self._changes[row["seq"]], by=by, reason=row.get("reason"), slot=slot)
        self._gives(row["seq"], digest, now, name=f"the override by {by!r:.60}")

    def _assembles(self, row: Row) -> None:
        closed = self._closed[row["seq"]]
        old = {each["slot"]: self._values.object(each["value"]) for each in row.get("inputs") or ()}
        made = self._values.object(closed["output"])
        template = template_of(made, closed.get("segments") or (), old)
        self._result(row, closed, assemble(template, **self.inputs(row)))

    def _stays(self, row: Row) -> None:
        """Another link keeps its recorded result, as long as it is given the same."""
        closed = self._closed.get(row["seq"], {})
        changed = _changed_result(row)
        for slot, now in self.inputs(row).items() if changed is None else ():
            old = self._places[row["seq"], slot][0]
            if row.get("code") is not None and now != old:
                raise InterventionError(
                    f"{shorten(str(row.get('name')), 60)} would have to run again, and of a block "
                    f"only the last model call can. {FUNCTION}"
                )
        own = self._own(closed.get("output"))
        self._result(row, closed, own if changed is None else changed.value)


def _changed_result(row: Row) -> Any:
    """What a what-if puts in the place of the result of a link that does not run."""
    frame = CURRENT.get()
    if frame is None or frame.run.supply is None:
        return None
    return frame.run.supply(Point("link", str(row.get("name")), (), stands_for=row["seq"]))


def _joined(given: Any) -> Any:
    """The items of a stream as they are recorded."""
    if not isinstance(given, Iterator):
        return given
    items = list(given)
    return "".join(items) if items and all(type(each) is str for each in items) else items
