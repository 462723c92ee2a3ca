"""The links of a run with what the record says of their ends: which one handed on which end."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from explainkit.graph.gate_ends import GateEnds
from explainkit.graph.links import unended_status

if TYPE_CHECKING:
    from explainkit.store import Recording

COMPOSITIONS: Final = frozenset(
    {
        "sequence", "workflow", "conditional", "loop", "parallel", "graph", "router",
        "map-reduce", "composition",
    }
)  # fmt: skip
WIDE: Final = frozenset({"parallel", "graph", "map-reduce"})
"""Compositions of which several children can fail together."""
CHOOSING: Final = frozenset({"conditional", "router"})
RUNNERS: Final = COMPOSITIONS | {"agent", "machine", "runner", "run"}
KEEPERS: Final = frozenset({"agent", "machine"})
"""What lies in these is folded, unless it is a runner itself."""
FAILING: Final = frozenset({"verdict", "error", "exhausted"})


@dataclass(slots=True)
class ToldLink:
    """A link as the record tells of it.

    Attributes:
        seq: Its id.
        kind: Its type.
        name: Its name.
        branch: The name that the composition around has for it.
        parent: The link around it.
        opened: When it began, in nanoseconds; None when that was not recorded.
        closed: The record in which it ended; None when it did not.
        ended: When.
        status: How, in the record's word; `running` or `crashed` when it did not end.
        output: Digest of what it gave.
        error: Digest of what it raised.
        source: The link that its end came about in, when it handed one on.
        path: The way from it to there, in words.
        verdict: The record of a terminal verdict on it.
        terminal: The verdict's kind.
        reason: The verdict's sentence.
        detail: What the verdict carries.
        options: What it chose from.
        chosen: What it chose.
        below: The links in it.
    """

    seq: int
    kind: str
    name: str
    parent: int | None
    opened: int | None
    status: str
    branch: str = ""
    closed: int | None = None
    ended: int | None = None
    output: str | None = None
    error: str | None = None
    source: int | None = None
    path: tuple[str, ...] = ()
    verdict: int | None = None
    terminal: str | None = None
    reason: str = ""
    detail: dict[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    chosen: str | None = None
    below: list[int] = field(default_factory=list)

    @property
    def seconds(self) -> float | None:
        """How long it took."""
        timed = self.opened is not None and self.ended is not None
        return (self.ended - self.opened) / 1e9 if timed else None  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class ToldLinks:
    """The links of a run.

    Attributes:
        at: Every link by its id.
        roots: Those that lie in no other.
    """

    at: dict[int, ToldLink]
    roots: tuple[int, ...]

    def around(self, link: ToldLink) -> list[ToldLink]:
        """The links around a link, innermost first."""
        found: list[ToldLink] = []
        while link.parent is not None and link.parent in self.at and link.parent < link.seq:
            link = self.at[link.parent]
            found.append(link)
        return found

    def inside(self, link: ToldLink) -> list[ToldLink]:
        """The links in a link, in order."""
        return [self.at[seq] for seq in link.below]


_TELLING = ("link_opened", "event", "link_closed", "verdict", "decision")


def links_of(recording: "Recording", rows: Iterable[dict[str, Any]] | None = None) -> ToldLinks:
    """Read the links of a run; a record of a wrong shape tells nothing.

    Args:
        recording: The run, or the beginning of one.
        rows: Its records, where they were read already.
    """
    unended, gates = unended_status(recording.status), GateEnds()
    at: dict[int, ToldLink] = {}
    for row in recording.rows(*_TELLING) if rows is None else rows:
        kind = row["kind"]
        if kind not in _TELLING:
            continue
        if kind == "link_opened":
            gates.opened(row)
            at[row["seq"]] = _opened(row, unended)
            continue
        if kind == "event":
            gates.arrived(row)
            continue
        link = at.get(number) if (number := _whole(row.get("link"))) is not None else None
        if link is None:
            continue
        if kind == "link_closed":
            _close(link, row, gates.status(row))
        elif kind == "verdict":
            _judge(link, row)
        else:
            link.options = _words(row.get("options"))
            link.chosen = _text(row.get("chosen"))
    for link in at.values():
        # A cut file may lack the link around one, which must be shown all the same.
        if link.parent not in at or link.parent >= link.seq:
            link.parent = None
        else:
            at[link.parent].below.append(link.seq)
    return ToldLinks(at, tuple(link.seq for link in at.values() if link.parent is None))


def _opened(row: dict[str, Any], unended: str) -> ToldLink:
    attrs = _attrs(row)
    return ToldLink(
        seq=row["seq"],
        kind=_text(row.get("type")) or "function",
        name=_text(row.get("name")) or "",
        parent=_whole(row.get("parent")),
        opened=_whole(row.get("at")),
        status=unended,
        branch=_text(attrs.get("branch")) or "",
    )


def _close(link: ToldLink, row: dict[str, Any], status: object) -> None:
    attrs = _attrs(row)
    link.closed, link.ended = row["seq"], _whole(row.get("at"))
    link.status = _text(status) or "unknown"
    link.output, link.error = _text(row.get("output")), _text(row.get("error"))
    link.source, link.path = _whole(attrs.get("from")), _words(attrs.get("path"))


def _judge(link: ToldLink, row: dict[str, Any]) -> None:
    terminal = _text(row.get("terminal"))
    if terminal is None:
        return
    detail = row.get("detail")
    link.verdict, link.terminal = row["seq"], terminal
    link.reason = _text(row.get("reason")) or ""
    link.detail = detail if isinstance(detail, dict) else {}


def _attrs(row: dict[str, Any]) -> dict[str, Any]:
    found = row.get("attrs")
    return found if isinstance(found, dict) else {}


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _words(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
