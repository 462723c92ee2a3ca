"""The hops between one record and the answer, and where a record's text went."""

from typing import Final

from explainkit.backtrack.results import Hop, Place, Walk
from explainkit.backtrack.walking import names_of
from explainkit.errors import UnknownRecordError
from explainkit.graph.edges import Edge
from explainkit.graph.evidence import Evidence
from explainkit.graph.stretches import REST, Stretch

MOST_PLACES: Final = 2000
Key = tuple[int, str]


def chop(evidence: Evidence, walk: Walk, source: int) -> tuple[Hop, ...]:
    """The hops of a walk that lie between a record and the answer.

    Args:
        evidence: The run.
        walk: A backtrack of it.
        source: ``seq`` of a record: a context, an event, or a link.

    Returns:
        Hops in the walk's order; none when the walk does not meet the record.

    Raises:
        UnknownRecordError: The run has no such record.
    """
    wanted = {(place.seq, place.slot) for place in _places(evidence, source)}
    sources: dict[Key, list[Hop]] = {}
    for hop in walk.hops:
        if hop.verb != "born" and hop.leads_on:
            sources.setdefault((hop.source.seq, hop.source.slot), []).append(hop)
    kept: dict[int, None] = {}
    waiting = sorted(wanted & set(sources))
    seen = set(waiting)
    for key in waiting:  # grows while it is read
        for hop in sources.get(key, ()):
            kept.setdefault(id(hop))
            above = (hop.target.seq, hop.target.slot)
            if above not in seen:
                seen.add(above)
                waiting.append(above)
    return tuple(hop for hop in walk.hops if id(hop) in kept)


class LaterPlaces(tuple[Place, ...]):  # noqa: SLOT001 - a tuple has no room for slots
    """Places in order of time.

    Attributes:
        caps: Lines about what was cut; empty when nothing was.
    """

    caps: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """The places, and behind them what was cut."""
        return "\n".join([super().__repr__(), *(f"Cut: {line}" for line in self.caps)])


def forward(evidence: Evidence, source: int) -> LaterPlaces:
    """The later places that hold characters of a record, as far as values carried them.

    Args:
        evidence: The run.
        source: ``seq`` of a record: a context, an event, a link, or the run's start.

    Returns:
        Places in order of time, at most ``MOST_PLACES``; the record's own are not among them. When
        there are more, ``caps`` says so.

    Raises:
        UnknownRecordError: The run has no such record.
    """
    names = names_of(evidence)
    starts = [
        node
        for place in _places(evidence, source)
        if (node := evidence.places.find(place.seq, place.slot)) is not None
    ]
    held: dict[int, list[tuple[str, int, int]]] = {node: [("", 0, REST)] for node in starts}
    found: dict[Stretch, None] = {}
    for node in _ordered(evidence, starts):
        for path, start, end in held.get(node, ()):
            for edge in evidence.edges.edges_from(node):
                if not _carries(edge) or _is_replaced(evidence, edge):
                    continue
                moved = _moved(edge, path, start, end)
                moved = None if moved is None else _ended(evidence, moved)
                if moved is not None and moved not in found:
                    found[moved] = None
                    held.setdefault(edge.target, []).append((moved.path, moved.start, moved.end))
        if len(found) > MOST_PLACES:
            break
    listed = LaterPlaces(names.place(stretch) for stretch in sorted(found)[:MOST_PLACES])
    if len(found) > MOST_PLACES:
        listed.caps = (
            f"not listed further: more than {MOST_PLACES:,} later places hold characters of it",
        )
    return listed


def _ended(evidence: Evidence, stretch: Stretch) -> Stretch:
    """A whole text with its length, so that it is not another stretch than all of its words."""
    value = evidence.givers.value(stretch.node)
    if stretch.end != REST or value < 0:
        return stretch
    length = evidence.holding.leaf(value, stretch.path)
    return stretch if length is None else stretch._replace(end=length)


def _ordered(evidence: Evidence, starts: list[int]) -> list[int]:
    return sorted([*starts, *evidence.edges.descendants(starts, grade="value").tolist()])


def _carries(edge: Edge) -> bool:
    return edge.grade in ("declared", "value") and edge.strong and edge.role != "judges"


def _is_replaced(evidence: Evidence, edge: Edge) -> bool:
    """Whether others took the place of the words, which so went no further."""
    return edge.role == "overrides" and evidence.carrying.declared.is_replaced(edge)


def _moved(edge: Edge, path: str, start: int, end: int) -> Stretch | None:
    """Where a stretch of an edge's source went."""
    target = edge.target
    source_path, low, high, target_path, first, last = edge.evidence
    if REST in (high, end):
        around, inside = f"{path}/", f"{source_path}/"
        if not around.startswith(inside) and not inside.startswith(around):
            return None
        if high == REST and last == REST:
            below = path[len(source_path) :] if around.startswith(inside) else ""
            return Stretch(target, target_path + below, start, end)
        return Stretch(target, target_path, first, last)
    if source_path != path or low >= end or high <= start:
        return None
    if last == REST or high - low != last - first:
        return Stretch(target, target_path, first, last)
    shift = first - low
    return Stretch(target, target_path, max(start, low) + shift, min(end, high) + shift)


def _places(evidence: Evidence, source: int) -> list[Place]:
    """The slots that stand for a record: for a link what it put out, else what it holds."""
    names = names_of(evidence)
    places = evidence.places
    row = evidence.links.row(source)
    nodes = list(places.of_seq(source))
    if not nodes:
        raise UnknownRecordError(f"The run has no record {source} that holds a value.")
    if row is not None:
        output = evidence.links.output[row]
        nodes = [output] if output >= 0 else []
    return [names.place(Stretch(node, "", 0, REST)) for node in nodes if places.digest[node] >= 0]
