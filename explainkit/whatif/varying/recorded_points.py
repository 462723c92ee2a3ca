"""The recording points of a run as it was recorded, so that a re-run can be compared with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explainkit.tracing.seam import PointKind

if TYPE_CHECKING:
    from explainkit.store import Recording

OPAQUE_TO_REUSE = ("answer", "override", "event", "verdict")
"""Records that a link's value does not bring back: a link that holds one is not reused."""


@dataclass(frozen=True, slots=True)
class RecordedPoint:
    """A context, event, override, template or link of the recorded run.

    Attributes:
        seq: The record; of a link the one that opened it.
        kind: Which kind of point.
        name: As the seam names it.
        inputs: Digests of its inputs in order.
        value: Digest of what it gave; None for a link that gave nothing.
        type: The link's type; of a context its kind.
        code: Hash of the link's code.
        parent: The link that it lies in.
        slots: Names of its inputs.
        status: How the link ended.
        bounds: Ends of the items of a stream whose output joins texts.
        deterministic: Declared so.
    """

    seq: int
    kind: PointKind
    name: str
    inputs: tuple[str, ...]
    value: str | None
    type: str = ""
    code: str | None = None
    parent: int | None = None
    slots: tuple[str, ...] = ()
    status: str = "answered"
    bounds: tuple[int, ...] = ()
    deterministic: bool = False


@dataclass(frozen=True)
class RecordedPoints:
    """All points of a run.

    Attributes:
        points: By ``seq``, in order.
        left_out: Contexts that were left out, by ``seq``.
        busy: Links that hold an answer, override, event or verdict of the run itself.
    """

    points: Mapping[int, RecordedPoint]
    left_out: Mapping[int, RecordedPoint]
    busy: frozenset[int] = field(default_factory=frozenset)

    def around(self, seq: int) -> tuple[int, ...]:
        """The links that a record lies in, the nearest first."""
        found: list[int] = []
        at = self.points[seq].parent if seq in self.points else None
        while at is not None and at in self.points:
            found.append(at)
            at = self.points[at].parent
        return tuple(found)


def points_of(recording: "Recording") -> RecordedPoints:
    """Read the points of a run.

    Args:
        recording: The run.
    """
    closed = {row["link"]: row for row in recording.rows("link_closed") if "link" in row}
    points: dict[int, RecordedPoint] = {}
    left_out: dict[int, RecordedPoint] = {}
    versions: dict[str, str | None] = {}
    held: set[int] = set()
    ended = False
    for row in recording.rows():
        kind = row["kind"]
        ended = ended or kind == "run_ended"
        if kind == "context":
            point = _offered(row, "context")
            (left_out if row.get("admitted") is False else points)[row["seq"]] = point
        elif kind == "event":
            points[row["seq"]] = _offered(row, "event")
        elif kind == "link_opened":
            points[row["seq"]] = _link(row, closed.get(row["seq"], {}))
        elif kind in {"answer", "override"}:
            slot = str(row.get("slot") or "answer")
            if kind == "override":
                points[row["seq"]] = _override(row, versions.get(slot))
            versions[slot] = row.get("value")
        parent = row.get("parent", row.get("link") if kind == "verdict" else None)
        # What is said of a link after the end, as in a bisection, did not come of its call.
        if kind in OPAQUE_TO_REUSE and isinstance(parent, int) and not ended:
            held.add(parent)
    return RecordedPoints(points, left_out, _with_ancestors(held, points))


def _with_ancestors(held: set[int], points: Mapping[int, RecordedPoint]) -> frozenset[int]:
    found: set[int] = set()
    for seq in held:
        at: int | None = seq
        while at is not None and at in points and at not in found:
            found.add(at)
            at = points[at].parent
    return frozenset(found)


def _offered(row: Mapping[str, Any], kind: PointKind) -> RecordedPoint:
    value = row.get("value")
    return RecordedPoint(
        row["seq"],
        kind,
        str(row.get("name") or ""),
        () if value is None else (value,),
        value,
        type=str(row.get("type") or ""),
        parent=row.get("parent"),
    )


def _override(row: Mapping[str, Any], before: str | None) -> RecordedPoint:
    return RecordedPoint(
        row["seq"],
        "override",
        str(row.get("by") or ""),
        () if before is None else (before,),
        row.get("value"),
        type=str(row.get("outcome") or "applied"),
        parent=row.get("parent"),
    )


def _link(row: Mapping[str, Any], end: Mapping[str, Any]) -> RecordedPoint:
    inputs = [each for each in row.get("inputs") or () if isinstance(each, Mapping)]
    type_ = str(row.get("type") or "function")
    return RecordedPoint(
        row["seq"],
        "assemble" if type_ == "assemble" else "link",
        str(row.get("name") or ""),
        tuple(str(each.get("value")) for each in inputs),
        end.get("output"),
        type=type_,
        code=row.get("code"),
        parent=row.get("parent"),
        slots=tuple(str(each.get("slot")) for each in inputs),
        status=str(end.get("status") or "crashed"),
        bounds=tuple(end.get("bounds") or ()),
        deterministic=bool(row.get("deterministic")) or type_ == "assemble",
    )
