"""The history of each item of an answer flow, rung by rung, from the records of its run alone."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explainkit.errors import ExplainkitError
from explainkit.safety.pointers import untoken
from explainkit.view.composition_words import raised, shown_value
from explainkit.view.words import flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from explainkit.store import Recording

TEXT = 160
"""Code points of a value or a remark that a rung shows."""
KINDS = ("link_opened", "link_closed", "answer", "override", "verdict", "decision")
_CALLS = ("guard", "chunk", "vote")
"""Links that may stand below the call of a port."""
_GIVERS = ("generate", "check", "fallback")
_PORTS = (*_GIVERS, "review", *_CALLS)
_ENDS = ["accepted", "fallback", "blocked"]


@dataclass(frozen=True, slots=True)
class Rung:
    """One thing that happened to an item.

    Attributes:
        what: `draft`, `check`, `review`, `repair`, `value`, `fallback`, `override`, `verdict`,
            `delivered`, `blocked`, `no value`, or `guard` for a guard that allowed no call.
        text: The value, what was found, or why.
        status: What a check or a review said; empty for anything else.
        round: The round; None outside of one.
        version: The version that it made, or judged; None where there is none.
        seq: The record.
    """

    what: str
    text: str
    status: str = ""
    round: int | None = None
    version: int | None = None
    seq: int = -1


@dataclass(slots=True)
class Ladder:
    """The history of one item.

    Attributes:
        item: Its id.
        flow: The flow's link.
        slot: Its answer slot; None while it has none.
        status: `accepted`, `fallback`, `blocked`, or `unfinished`.
        reason: Why it ended so.
        rungs: What happened, oldest first.
    """

    item: str
    flow: int
    slot: str | None = None
    status: str = "unfinished"
    reason: str = ""
    rungs: list[Rung] = field(default_factory=list)


def ladders_of(recording: "Recording", flow: int | None = None) -> tuple[Ladder, ...]:
    """The ladders of a run, in the order of the flows and of their items.

    Args:
        recording: The run: finished, cancelled, crashed or still running.
        flow: The link of one flow; all flows when not given.
    """
    if next(recording.links_of_type("answer-flow"), None) is None:
        return ()
    reading = _Reading(recording)
    for row in recording.rows(*KINDS):
        reading.read(row)
    return tuple(
        ladder
        for link, ladders in reading.flows.items()
        if flow in (None, link)
        for ladder in ladders
    )


class _Reading:
    """One pass over the records of a run."""

    def __init__(self, recording: "Recording") -> None:
        self._recording = recording
        self.flows: dict[int, list[Ladder]] = {}
        self._by_id: dict[tuple[int, str], Ladder] = {}
        self._by_slot: dict[str, Ladder] = {}
        self._ports: dict[int, _Port] = {}
        self._gave: dict[int, _Port] = {}
        """Ports by the record in which their link closed."""
        self._rounds: dict[int, tuple[int, int]] = {}
        self._told: set[tuple[int, int | None, str]] = set()
        """Items, with flow and round, of which it is told why there was no value."""

    def read(self, row: dict[str, Any]) -> None:
        steps = {
            "link_opened": self._opened,
            "link_closed": self._closed,
            "answer": self._answer,
            "override": self._override,
            "verdict": self._verdict,
            "decision": self._decision,
        }
        steps[row["kind"]](row)

    def _opened(self, row: dict[str, Any]) -> None:
        seq, kind, attrs = row["seq"], row.get("type"), _mapping(row.get("attrs"))
        parent = row.get("parent")
        if kind == "answer-flow":
            given = _mapping(self._object(_input(row, "input")))
            ids = [_mapping(each).get("id") for each in _list(given.get("items"))]
            ladders = [Ladder(str(each), seq) for each in ids]
            self.flows[seq] = ladders
            self._by_id |= {(seq, each.item): each for each in ladders}
        elif kind == "round" and parent in self.flows and isinstance(attrs.get("number"), int):
            self._rounds[seq] = (parent, attrs["number"])
        elif kind in _PORTS and isinstance(parent, int):
            flow, number = self._rounds.get(parent, (parent, None))
            above = self._ports.get(parent)
            generates = above is not None and above.kind == "generate"
            if above is not None and kind in _CALLS:
                flow, number = above.flow, above.number
            if flow in self.flows:
                self._ports[seq] = _Port(kind, flow, number, attrs.get("item"), row, generates)

    def _closed(self, row: dict[str, Any]) -> None:
        port = self._ports.get(row["link"])
        if port is None or row.get("status") == "cancelled":
            return
        if port.kind in _GIVERS:
            self._gave[row["seq"]] = port
        if port.kind == "generate":
            self._ungenerated(port, row)
        elif port.kind == "guard":
            self._refused(port, row)
        elif port.kind == "chunk" and port.generates and row.get("status") == "error":
            told = f"call {port.row.get('name')} failed: {self._raised(row)}"
            self._without_value(port, _list(self._object(_input(port.row, "ids"))), told, row)
        elif port.kind == "fallback":
            said = _mapping(self._object(row.get("output")))
            ladder = self._by_id.get((port.flow, str(port.item)))
            if ladder is not None and said.get("handled") is not True:
                failed = row.get("status") == "error"
                told = self._raised(row) if failed else "did not handle it"
                ladder.rungs.append(Rung("fallback", told, seq=row["seq"]))

    def _ungenerated(self, port: "_Port", row: dict[str, Any]) -> None:
        """The items that a call gave no value."""
        missing: Iterable[Any] = _list(_mapping(row.get("attrs")).get("no_value_for"))
        told = "generate gave none"
        if row.get("status") == "error":
            asked = _list(self._object(_input(port.row, "items")))
            missing = [_mapping(each).get("id") for each in asked]
            told = f"generate failed: {self._raised(row)}"
        self._without_value(port, missing, told, row)
        for each in _list(_mapping(row.get("attrs")).get("unfit")):
            item, problem = (*_list(each), "", "")[:2]
            told = f"generate gave what cannot be one: {problem}"
            self._without_value(port, [item], flat(told, TEXT), row)

    def _without_value(
        self, port: "_Port", items: "Iterable[Any]", told: str, row: dict[str, Any]
    ) -> None:
        """Rungs of items, but of those that the call of their own has told already."""
        for item in items:
            ladder = self._by_id.get((port.flow, str(item)))
            here = (port.flow, port.number, str(item))
            if ladder is not None and here not in self._told:
                self._told.add(here)
                ladder.rungs.append(Rung("no value", told, round=port.number, seq=row["seq"]))

    def _refused(self, port: "_Port", row: dict[str, Any]) -> None:
        """The items that no call was allowed for."""
        call = str(_mapping(port.row.get("attrs")).get("before"))
        told = f"can_invoke does not allow {call}"
        if row.get("status") == "error":
            told = f"can_invoke raised before {call}: {self._raised(row)}"
        for item in _list(_mapping(row.get("attrs")).get("refused_for")):
            ladder = self._by_id.get((port.flow, str(item)))
            self._told.add((port.flow, port.number, str(item)))
            if ladder is not None:
                ladder.rungs.append(Rung("guard", told, round=port.number, seq=row["seq"]))

    def _answer(self, row: dict[str, Any]) -> None:
        port, slot = self._giver(row), str(row.get("slot"))
        ladder = None if port is None else self._owner(port, row)
        if port is None or ladder is None:
            return
        ladder.slot = slot
        self._by_slot[slot] = ladder
        what = "fallback" if port.kind == "fallback" else "draft"
        text = self._shown(row.get("value"))
        ladder.rungs.append(Rung(what, text, round=port.number, version=1, seq=row["seq"]))

    def _giver(self, row: dict[str, Any]) -> "_Port | None":
        """The call of a port that a version was made from."""
        places = _list(row.get("uses"))
        return self._gave.get(_mapping(places[0]).get("seq", -1)) if places else None

    def _owner(self, port: "_Port", row: dict[str, Any]) -> Ladder | None:
        """Whose first version it is: where its value stands in what a port gave tells."""
        if port.item is not None:
            return self._by_id.get((port.flow, str(port.item)))
        places = _list(row.get("uses"))
        path = str(_mapping(places[0]).get("path", "")) if places else ""
        if path:
            return self._by_id.get((port.flow, untoken(path[1:])))
        item = str(row.get("slot")).removeprefix("item:")
        first = item.rpartition(" (")[0]  # the slot of a later flow of the run is numbered
        return self._by_id.get((port.flow, item)) or self._by_id.get((port.flow, first))

    def _override(self, row: dict[str, Any]) -> None:
        ladder, port = self._by_slot.get(str(row.get("slot"))), self._giver(row)
        if ladder is None or row.get("outcome", "applied") not in ("applied", "cleared"):
            return
        kind = None if port is None else port.kind
        what = {"generate": "repair", "check": "value", "fallback": "fallback"}.get(
            str(kind), "override"
        )
        text = self._shown(row.get("value"))
        if what == "override":
            text = f"by {flat(str(row.get('by')), 60)}: {text}"
        before = row.get("from_version")
        version = before + 1 if isinstance(before, int) else None
        number = None if port is None else port.number
        ladder.rungs.append(Rung(what, text, round=number, version=version, seq=row["seq"]))

    def _verdict(self, row: dict[str, Any]) -> None:
        ladder = self._by_slot.get(str(row.get("slot")))
        if ladder is None:
            return
        judge = str(row.get("judge"))
        what = judge if judge in ("check", "review") else "verdict"
        told = [_issue_words(each) for each in _list(row.get("issues"))]
        told += [str(row["reason"])] if row.get("reason") else []
        told = [f"by {judge}", *told] if what == "verdict" else told
        number = next((rung.round for rung in reversed(ladder.rungs) if rung.round), None)
        ladder.rungs.append(
            Rung(
                what,
                flat("; ".join(told), TEXT),
                status=str(row.get("status")),
                round=None if what == "verdict" else number,
                version=row.get("version"),
                seq=row["seq"],
            )
        )

    def _decision(self, row: dict[str, Any]) -> None:
        ladders = self.flows.get(row.get("link", -1))
        reads = [_mapping(each) for each in _list(row.get("reads"))]
        if ladders is None or list(row.get("options") or ()) != _ENDS or not reads:
            return
        index = str(reads[0].get("path", "")).removeprefix("/items/")
        if not index.isdecimal() or int(index) >= len(ladders):
            return
        ladder = ladders[int(index)]
        ladder.status = str(row.get("chosen"))
        said = [str(each) for each in _list(row.get("results")) if each]
        ladder.reason = "; ".join(said)
        value = ""
        if len(reads) > 1:
            value = self._shown(self._recording.raw(int(reads[1].get("seq", 0))).get("value"))
        blocked = ladder.status == "blocked"
        text = flat(ladder.reason, TEXT) if blocked else value
        what = "blocked" if blocked else "delivered"
        ladder.rungs.append(Rung(what, text, seq=row["seq"]))

    def _shown(self, digest: Any) -> str:
        return shown_value(self._recording, digest if isinstance(digest, str) else None, TEXT)

    def _raised(self, row: dict[str, Any]) -> str:
        digest = row.get("error")
        if not isinstance(digest, str):
            return ""
        return flat(": ".join(each for each in raised(self._recording, digest) if each), TEXT)

    def _object(self, digest: Any) -> Any:
        try:
            return self._recording.values.object(digest) if isinstance(digest, str) else None
        except ExplainkitError:
            return None


@dataclass(frozen=True, slots=True)
class _Port:
    """A call of a port."""

    kind: str
    flow: int
    number: int | None
    item: Any
    row: dict[str, Any]
    generates: bool
    """Whether it is one of the calls of a `generate`."""


def _issue_words(issue: Any) -> str:
    found = _mapping(issue)
    told = str(found.get("message") or found.get("code") or "")
    return f"{told} (at {found['path']})" if found.get("path") else told


def _input(row: dict[str, Any], slot: str) -> Any:
    given: Sequence[Any] = row.get("inputs") or ()
    return next((each.get("value") for each in given if each.get("slot") == slot), None)


def _mapping(found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _list(found: Any) -> list[Any]:
    return list(found) if isinstance(found, list | tuple) else []
