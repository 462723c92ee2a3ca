"""Reads a run's records once into places, links and the edges that need no look at characters."""

from collections.abc import Iterable
from typing import Any, Final

from explainkit.graph.edges import EdgeColumns, Evidence
from explainkit.graph.gate_ends import GateEnds
from explainkit.graph.links import Links, unended_status
from explainkit.graph.losing import Losses
from explainkit.graph.nearest import Nearest
from explainkit.graph.places import (
    ANSWER,
    ARGUMENT,
    CONTEXT,
    ERROR,
    EVENT,
    INPUT,
    OUTPUT,
    OVERRIDE,
    QUESTION,
    RECEIPT,
    RECORDS,
    ROOT,
    Places,
)
from explainkit.graph.small_values import SmallValues
from explainkit.store import Recording

READS, PRODUCED, REPLIES, OVERRIDES, JUDGES, CARRIES = range(6)
DECLARED, VALUE, EXPOSURE = range(3)
_CODES: Final = {name: code for code, name in enumerate(RECORDS)}
_WHOLE_SOURCES: Final = 16


class Reader:
    """One pass over the records, in order.

    Attributes:
        places: Every place.
        links: Every link.
        edges: Declared edges, edges of equal digests, and exposure.
        holders: For each digest number, the places that hold it, ascending.
        answers: For each slot, the places of its versions, version 1 first.
        lost: ``seq`` of each ``lost`` record that says that something is missing.
        losses: What the lost records say.
        verdicts: ``seq`` of each verdict.
        overrides: ``seq`` of each override.
        ranges: For the place of an override, the ranges that it was said to have replaced.
        unreadable: Records whose shape is wrong.
        dangling: Declared origins that name no earlier place of this run.
    """

    def __init__(self, recording: Recording) -> None:
        self.places = Places()
        self.links = Links(unended_status(recording.status))
        self.edges = EdgeColumns()
        self.nearest = Nearest(self.places, self.links)
        self.holders: list[list[int]] = []
        self.answers: dict[str, list[int]] = {}
        self.lost: list[int] = []
        self.verdicts: list[int] = []
        self.overrides: list[int] = []
        self.dangling = 0
        self.ranges: dict[int, list[tuple[int, int, int, int]]] = {}
        self._uses: dict[int, tuple[str, ...]] = {}
        self._assembled: dict[int, int] = {}
        self.losses = Losses()
        self._gates = GateEnds()
        self._small = SmallValues(recording.values)
        self._handlers = {
            "run_started": self._run_started,
            "context": self._context,
            "link_opened": self._opened,
            "link_closed": self._closed,
            "event": self._event,
            "answer": self._answer,
            "override": self._override,
            "verdict": self._verdict,
            "decision": self._decision,
            "reply": self._reply,
            "lost": self._lost,
            "run_ended": self._ended,
        }
        self.unreadable = 0
        for row in recording.rows():
            try:
                self._handlers.get(row["kind"], self._other)(row)
            except (AttributeError, LookupError, TypeError, ValueError, OverflowError):
                self.unreadable += 1  # a record of the wrong shape: said by ``lost``

    def _value(
        self, row: dict[str, Any], slot: str, kind: int, digest: str, inside: int, visible: int
    ) -> int:
        node = self.places.add_value(row["seq"], slot, kind, digest, inside=inside, visible=visible)
        if self.places.digest[node] == len(self.holders):
            self.holders.append([])
        return node

    def _wire(self, node: int) -> None:
        """Add the edge from the nearest earlier place with the same digest; then take part."""
        digest = self.places.digest[node]
        held = self.holders[digest]
        if held:
            made = self._assembled.get(digest)
            if made is not None and self.places.kind[node] != OUTPUT:
                self.edges.add(made, node, CARRIES, DECLARED)
            elif not self._small.is_small(self.places.digests[digest]) or self._is_unique(held):
                source = self.nearest.choose(node, held, whole=True)
                if source is not None:
                    self.edges.add(source, node, CARRIES, VALUE)
        held.append(node)

    def _is_unique(self, held: list[int]) -> bool:
        kinds = self.places.kind
        return sum(kinds[node] not in (INPUT, ARGUMENT) for node in held[:_WHOLE_SOURCES]) == 1

    def _run_started(self, row: dict[str, Any]) -> None:
        self.places.add_record(row["seq"], _CODES["run"], ROOT)
        if row.get("question"):
            self._wire(self._value(row, "question", QUESTION, row["question"], ROOT, ROOT))
        for each in row.get("inputs") or ():
            if each["slot"] != "question" or not row.get("question"):
                self._wire(self._value(row, each["slot"], ARGUMENT, each["value"], ROOT, ROOT))

    def _context(self, row: dict[str, Any]) -> None:
        scope = _scope(row)
        node = self._value(row, "value", CONTEXT, row["value"], scope, scope)
        self._declared(row.get("uses"), node, CARRIES)
        if row.get("admitted") is False:
            self.nearest.left_out.add(node)
        self._wire(node)

    def _event(self, row: dict[str, Any]) -> None:
        self._gates.arrived(row)
        self._made(row, EVENT)

    def _answer(self, row: dict[str, Any]) -> None:
        receipt = row.get("receipt")
        if isinstance(receipt, str) and receipt != row.get("value"):
            scope = _scope(row)
            self._receipt(self._value(row, "receipt", RECEIPT, receipt, scope, scope))
        node = self._made(row, ANSWER, alone=receipt is not None and receipt == row.get("value"))
        self.answers.setdefault(row.get("slot") or "answer", [node])
        self._of_pick(row, node)

    def _of_pick(self, row: dict[str, Any], node: int) -> None:
        slot = row.get("slot")
        if isinstance(slot, str) and slot.startswith("pick:"):
            self.nearest.picks[node] = slot

    def _receipt(self, node: int) -> None:
        """The machine's own words: equal to others, or parts of them, by chance alone."""
        self.nearest.receipts.add(node)
        self.holders[self.places.digest[node]].append(node)

    def _made(self, row: dict[str, Any], kind: int, *, alone: bool = False) -> int:
        scope = _scope(row)
        if not row.get("value"):
            return self.places.add_record(row["seq"], _CODES["event"], scope)
        node = self._value(row, "value", kind, row["value"], scope, scope)
        self._declared(row.get("uses"), node, CARRIES)
        if alone:
            self._receipt(node)
        else:
            self._wire(node)
        return node

    def _override(self, row: dict[str, Any]) -> None:
        self.overrides.append(row["seq"])
        scope = _scope(row)
        if row.get("value"):
            node = self._value(row, "value", OVERRIDE, row["value"], scope, scope)
        else:
            node = self.places.add_record(row["seq"], _CODES["override"], scope)
        self._of_pick(row, node)
        versions = self.answers.get(row.get("slot") or "answer", [])
        if versions and row.get("outcome", "applied") in ("applied", "cleared"):
            before = row.get("from_version") or len(versions)
            self.edges.add(versions[min(before, len(versions)) - 1], node, OVERRIDES, DECLARED)
            versions.append(node)
        if not row.get("value"):
            return
        if row.get("ranges"):
            self.ranges[node] = [(int(a), int(b), int(c), int(d)) for a, b, c, d in row["ranges"]]
        self._declared(row.get("uses"), node, CARRIES)
        self.holders[self.places.digest[node]].append(node)

    def _opened(self, row: dict[str, Any]) -> None:
        seq, parent = row["seq"], _scope(row)
        self.places.add_record(seq, _CODES["link"], parent)
        inputs = row.get("inputs") or ()
        first = len(self.places)
        kind, name = str(row.get("type") or "function"), str(row.get("name") or "")
        self._gates.opened(row)
        self.links.open(seq, parent, kind, name, first, len(inputs))
        if row.get("uses"):
            self._uses[seq] = tuple(row["uses"])
        for each in inputs:
            node = self._value(row, each["slot"], INPUT, each["value"], parent, seq)
            self._declared(each.get("from"), node, READS)
            self._segments(each.get("segments"), node, READS)
            self._wire(node)

    def _closed(self, row: dict[str, Any]) -> None:
        link = self.links.row(row["link"])
        self.losses.ended(row)
        if link is None:
            return
        opened, parent = row["link"], self.links.parent[link]
        if row.get("error"):
            node = self._value(row, "error", ERROR, row["error"], opened, parent)
            self.holders[self.places.digest[node]].append(node)
        node = -1
        if row.get("output"):
            node = self._value(row, "output", OUTPUT, row["output"], opened, parent)
            self._segments(row.get("segments"), node, PRODUCED)
            self._through(link, node, row)
            self._wire(node)
            if self.links.type_of(link) == "assemble":
                self._assembled[self.places.digest[node]] = node
        self.links.close(link, row["seq"], self._gates.status(row), node)

    def _through(self, link: int, output: int, row: dict[str, Any]) -> None:
        """Edges from a link's inputs to its output: declared by ``uses``, exposure for all."""
        first = self.links.first[link]
        inputs = range(first, first + self.links.inputs[link])
        used = self._uses.pop(row["link"], ())
        for node in inputs:
            if self.places.slot_name(node) in used:
                self.edges.add(node, output, PRODUCED, DECLARED)
        for node in inputs:
            self.edges.add(node, output, PRODUCED, EXPOSURE)

    def _verdict(self, row: dict[str, Any]) -> None:
        self.verdicts.append(row["seq"])
        node = self.places.add_record(row["seq"], _CODES["verdict"], ROOT)
        target: int | None = None
        if row.get("link") is not None:
            link = self.links.row(row["link"])
            target = self.places.find(row["link"])
            if link is not None and self.links.output[link] >= 0:
                target = self.links.output[link]
        else:
            versions = self.answers.get(row.get("slot") or "answer", [])
            version = row.get("version") or len(versions)
            target = versions[version - 1] if 0 < version <= len(versions) else None
        if target is not None:
            self.edges.add(target, node, JUDGES, DECLARED)

    def _decision(self, row: dict[str, Any]) -> None:
        node = self.places.add_record(row["seq"], _CODES["decision"], ROOT)
        self._declared(row.get("reads"), node, READS)

    def _reply(self, row: dict[str, Any]) -> None:
        node = self.places.add_record(row["seq"], _CODES["reply"], ROOT)
        link = self.links.row(row["source"])
        held = self.links.output[link] if link is not None else -1
        source = held if held >= 0 else self._place({"seq": row["source"], "slot": "value"})
        if source is not None:
            self.edges.add(source, node, REPLIES, DECLARED)

    def _lost(self, row: dict[str, Any]) -> None:
        if self.losses.counts(row):
            self.lost.append(row["seq"])
        self.places.add_record(row["seq"], _CODES["lost"], _scope(row))

    def _ended(self, row: dict[str, Any]) -> None:
        """The end of a run is the status of its first place."""

    def _other(self, row: dict[str, Any]) -> None:
        self.places.add_record(row["seq"], _CODES.get(row["kind"], _CODES["unknown"]), ROOT)

    def _declared(self, origins: Iterable[dict[str, Any]] | None, node: int, role: int) -> None:
        for origin in origins or ():
            source = self._place(origin)
            if source is None or source >= node:
                self.dangling += 1
                continue
            start, end = _range(origin)
            shown = Evidence(origin.get("path") or "", start, end, "", 0, -1)
            self.edges.add(source, node, role, DECLARED, evidence=shown)

    def _segments(self, segments: Iterable[dict[str, Any]] | None, node: int, role: int) -> None:
        for segment in segments or ():
            origin = segment["origin"]
            source = self._place(origin)
            if source is None or source >= node:
                self.dangling += 1
                continue
            start, end = _range(origin)
            at = segment.get("path") or ""
            shown = Evidence(origin.get("path") or "", start, end, at, *_range(segment))
            self.edges.add(source, node, role, DECLARED, evidence=shown)

    def _place(self, origin: dict[str, Any]) -> int | None:
        """The place that an occurrence names; a link's output may be named by the link's id."""
        if origin.get("run") is not None:
            return None
        seq, slot = origin["seq"], origin.get("slot") or "value"
        found = self.places.find(seq, slot)
        if found is None and slot in ("output", "value"):
            link = self.links.row(seq)
            held = self.links.output[link] if link is not None else -1
            found = held if held >= 0 else self.places.find(seq, "output")
        return found


def _scope(row: dict[str, Any]) -> int:
    parent = row.get("parent")
    return ROOT if parent is None else int(parent)


def _range(origin: dict[str, Any]) -> tuple[int, int]:
    start, end = origin.get("start"), origin.get("end")
    return start or 0, -1 if end is None else end
