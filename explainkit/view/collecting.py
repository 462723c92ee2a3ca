"""Records and evidence of a run as boxes and arrows, one pass over each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from explainkit.backtrack.results import Walk
from explainkit.view.chart import KIND_WORDS, ChartNode, RawEdge

if TYPE_CHECKING:
    from explainkit.store import Recording

NOT_DRAWN = ("transition", "reply")


@dataclass(slots=True)
class Collected:
    """Boxes by record, arrows between records, and what is not drawn."""

    nodes: dict[int, ChartNode] = field(default_factory=dict)
    edges: list[RawEdge] = field(default_factory=list)
    alias: dict[int, int] = field(default_factory=dict)
    hidden: dict[str, int] = field(default_factory=dict)

    def at(self, seq: int) -> int | None:
        """The record whose box stands for a record (a link's end is its beginning)."""
        seq = self.alias.get(seq, seq)
        return seq if seq in self.nodes else None


def collect(recording: "Recording", walk: Walk | None, evidence: Iterable[RawEdge]) -> Collected:
    """Gather what could be drawn.

    Args:
        recording: The run.
        walk: The backtrack whose path is lit.
        evidence: Data edges between records.
    """
    found = Collected()
    versions: dict[tuple[str, int], int] = {}
    latest: dict[str, int] = {}
    calls: dict[str, list[int]] = {}
    for row in recording.rows():
        _record(found, row, calls)
        _bookkeeping(found, row, versions, latest)
    for edge in evidence:
        _edge(found, edge)
    if walk is not None:
        _light(found, walk)
    return found


def joined_by(found: Collected, evidence: Iterable[RawEdge]) -> Collected:
    """The same boxes with further arrows between them.

    Args:
        found: Boxes, and arrows that stay.
        evidence: Data edges between records.
    """
    more = replace(found, edges=list(found.edges))
    for edge in evidence:
        _edge(more, edge)
    return more


def _record(found: Collected, row: dict[str, Any], calls: dict[str, list[int]]) -> None:
    kind, seq = str(row["kind"]), int(row["seq"])
    if kind in NOT_DRAWN:
        found.hidden[kind] = found.hidden.get(kind, 0) + 1
    elif kind == "link_closed":
        link = row.get("link")
        if isinstance(link, int) and link in found.nodes:
            found.alias[seq] = link
            _ended(found, link, str(row.get("status")))
    elif kind == "run_started":
        if row.get("question") is not None or row.get("inputs"):
            word = "question" if row.get("question") is not None else "arguments"
            found.nodes[seq] = ChartNode(seq, "question", word, str(row.get("name", "run")))
    elif kind != "run_ended":
        box = _box(kind, seq, row, _name(found, row, calls))
        step = row.get("source_index")
        if kind != "link_opened" and isinstance(step, int) and box.label:
            box = replace(box, label=f"{box.label} at step {step}")
        found.nodes[seq] = box


def _name(found: Collected, row: dict[str, Any], calls: dict[str, list[int]]) -> str:
    """A name; calls of one name are told apart as a walk and a what-if do: ``search #2``."""
    name = str(row.get("name") or "")
    if not name or row["kind"] != "link_opened":
        return name
    step = row.get("source_index")
    name = f"{name} at step {step}" if isinstance(step, int) else name
    known = calls.setdefault(name, [])
    known.append(int(row["seq"]))
    if len(known) == 2:
        found.nodes[known[0]] = replace(found.nodes[known[0]], label=f"{name} #1")
    return name if len(known) == 1 else f"{name} #{len(known)}"


def _box(kind: str, seq: int, row: dict[str, Any], name: str) -> ChartNode:
    parent = row.get("parent")
    parent = parent if isinstance(parent, int) else None
    if kind == "link_opened":
        type_ = str(row.get("type") or "function")
        shape = "model" if type_ == "model" else "link"
        return ChartNode(seq, shape, type_, name, parent, spine=True)
    if kind == "context":
        absent = row.get("admitted") is False
        word = f"{'left out' if absent else 'context'} · {row.get('type', 'fact')}"
        return ChartNode(seq, "context", word, name, parent, absent=absent)
    if kind == "event":
        return ChartNode(seq, "event", "event", name, parent, spine=True)
    if kind == "answer":
        slot = str(row.get("slot", "answer"))
        return ChartNode(seq, "answer", "answer, version 1", _slot(slot), parent)
    if kind == "override":
        outcome = str(row.get("outcome", "applied"))
        version = row.get("from_version")
        word = f"override to version {version + 1}" if isinstance(version, int) else "override"
        return ChartNode(
            seq,
            "override",
            word if outcome == "applied" else f"override, {outcome}",
            f"by {row.get('by', '?')}",
            parent,
        )
    if kind == "verdict":
        return ChartNode(
            seq,
            "verdict",
            f"verdict: {row.get('status', '?')}",
            str(row.get("judge") or row.get("reason") or ""),
            parent,
        )
    if kind == "lost":
        return ChartNode(
            seq,
            "lost",
            f"not recorded: {row.get('what', '?')}",
            str(row.get("reason") or ""),
            parent,
        )
    label = str(row.get("text") or row.get("word") or row.get("chosen") or name)
    shape = kind if kind in KIND_WORDS else "other"
    return ChartNode(seq, shape, kind.replace("_", " "), label, parent)


def _slot(slot: str) -> str:
    return "the run's answer" if slot == "answer" else slot


def _ended(found: Collected, link: int, status: str) -> None:
    if status != "answered":
        node = found.nodes[link]
        found.nodes[link] = replace(node, word=f"{node.word}, {status}")


def _bookkeeping(
    found: Collected,
    row: dict[str, Any],
    versions: dict[tuple[str, int], int],
    latest: dict[str, int],
) -> None:
    """Arrows that records state by version or by id rather than by an occurrence."""
    kind, seq = row["kind"], row["seq"]
    slot = str(row.get("slot") or "answer")
    if kind == "answer":
        versions.setdefault((slot, 1), seq)
        latest.setdefault(slot, seq)
    elif kind == "override" and row.get("outcome", "applied") in {"applied", "cleared"}:
        if slot in latest:
            found.edges.append(RawEdge(latest[slot], seq, "overridden", "declared"))
        version = row.get("from_version")
        if isinstance(version, int):
            versions[slot, version + 1] = seq
        latest[slot] = seq
    elif kind == "verdict":
        target = row.get("link")
        if target is None and isinstance(row.get("version"), int):
            target = versions.get((slot, row["version"]))
        if isinstance(target, int) and target < seq:
            _edge(found, RawEdge(target, seq, "judges", "declared"))


def _edge(found: Collected, edge: RawEdge) -> None:
    source, target = found.at(edge.source), found.at(edge.target)
    if source is None or target is None or source == target:
        return
    if (source, target) != (edge.source, edge.target):
        edge = RawEdge(source, target, edge.role, edge.grade, edge.lit, edge.count)
    found.edges.append(edge)


def _light(found: Collected, walk: Walk) -> None:
    for hop in walk.hops:
        _edge(found, RawEdge(hop.source.seq, hop.target.seq, hop.verb, hop.grade, lit=True))
    for seq in _walked(walk):
        at = found.at(seq)
        if at is not None:
            found.nodes[at] = replace(found.nodes[at], lit=True)
    for use in walk.contexts:
        at = found.at(use.seq)
        if at is not None and not use.asked and use.grade in {"declared", "value"}:
            found.nodes[at] = replace(found.nodes[at], lit=True, origin=True)


def _walked(walk: Walk) -> Iterator[int]:
    for hop in walk.hops:
        yield hop.source.seq
        yield hop.target.seq
    if walk.answer_seq is not None:
        yield walk.answer_seq
