"""What the inspector shows of a record: lines, texts with marks and origins, and neighbours."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from explainkit.backtrack import prompt_of
from explainkit.backtrack.results import Place, Prompt, Walk
from explainkit.errors import ExplainkitError
from explainkit.view.changes import differing
from explainkit.view.chart import RawEdge
from explainkit.view.explorer.material import Material
from explainkit.view.explorer.pieces import Json, line_of, pieces_of
from explainkit.view.passages import Range, passage
from explainkit.view.prompting import pane_of
from explainkit.view.words import counted, flat

ROOM: Final = 16_000
"""Code points of one text that an answer holds."""
NEIGHBOURS: Final = 60
LINES: Final = 40
INPUTS: Final = 24
"""Texts of one record that are shown; further ones are counted."""

FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "context": ("type", "source", "why", "how", "slot"),
    "link_opened": ("actor", "type"),
    "event": ("sender",),
    "answer": ("slot", "via"),
    "override": ("by", "reason", "site", "outcome", "slot"),
    "verdict": ("status", "judge", "reason", "slot", "version", "terminal"),
    "decision": ("options", "results", "chosen"),
    "finding": ("word", "reason", "n", "flips", "interval", "p"),
    "note": ("by", "text"),
    "lost": ("what", "reason", "count"),
    "run_started": ("run", "callable", "parent", "resumes", "origin"),
    "run_ended": ("status", "suppressed"),
    "transition": ("machine", "event", "exited", "entered", "configuration"),
    "reply": ("to", "sender", "status"),
    "value": ("media", "fidelity"),
}


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a record.

    Attributes:
        slot: The name under which its next part is asked for.
        title: What a person calls it.
        digest: The stored value; None for a text that is no stored value.
        seq: The record that holds it.
        held: Name of the slot at that record.
    """

    slot: str
    title: str
    digest: str | None
    seq: int
    held: str


class Inspector:
    """Answers what a record holds."""

    def __init__(self, material: Material) -> None:
        """Inspect the records of a run."""
        self._material = material
        self._recording = material.recording
        self._marked: tuple[Walk | None, dict[int, list[Place]]] = None, {}

    def of(self, seq: int, walk: Walk | None, *, room: int = ROOM) -> Json:
        """The content of a record; the end of a link is shown with its beginning.

        Args:
            seq: The record.
            walk: The backtrack whose words are marked.
            room: Code points of one text.

        Raises:
            UnknownRecordError: There is no such record.
        """
        seq = self._material.boxes.alias.get(seq, seq)
        row = self._recording.raw(seq)
        node = self._material.node(seq)
        kind = "other" if node is None else node.kind
        label = node.label if node else str(row.get("name") or "")
        cell = row.get("cell")
        return {
            "seq": seq,
            "kind": kind,
            "word": flat(node.word if node else row["kind"].replace("_", " "), 100),
            "label": flat(label, 300),
            "lines": self._lines(seq, row),
            "texts": list(self._texts(seq, row, walk, room)),
            **self._neighbours(seq),
            "cell": _cell(cell) if isinstance(cell, dict) else None,
        }

    def part(self, seq: int, slot: str, start: int, walk: Walk | None) -> Json:
        """The next part of a text.

        Raises:
            LookupError: The record has no such text.
        """
        seq = self._material.boxes.alias.get(seq, seq)
        row = self._recording.raw(seq)
        for each in self._held(seq, row):
            if each.slot == slot:
                text, note = self._read(each.digest)
                marks = self._marks(each, seq, walk, text)
                return {"seq": seq, **_part(each, text, note, start, marks, ROOM)}
        if slot == "seen" and (prompt := self._prompt(seq, row)) is not None:
            held = Text("seen", "what the model saw", None, seq, "")
            return {"seq": seq, **_part(held, prompt.text, "", start, (), ROOM)}
        raise LookupError(f"Record {seq} has no text {slot!r:.40}. Inspect it to see what it has.")

    def _lines(self, seq: int, row: Json) -> list[list[str]]:
        lines = [["record", str(seq)]]
        lines += [[name, _line(row[name])] for name in FIELDS.get(row["kind"], ()) if row.get(name)]
        if isinstance(row.get("source_index"), int):
            lines.append(["step in the source", str(row["source_index"])])
        closed = self._closed(seq, row)
        if closed is not None:
            lines.append(["ended", _line(closed.get("status", "?"))])
        elif row["kind"] == "link_opened":
            lines.append(["ended", "never, as far as the record goes"])
        if not self._material.compared:
            lines.append(["neighbours", "only those known before the graph compares characters"])
        took = _took(row, closed)
        lines += [["took", took]] if took else []
        issues = row.get("issues")
        lines += [["issue", _line(each)] for each in (issues if isinstance(issues, list) else [])]
        if len(lines) > LINES:
            lines[LINES:] = [["…", counted(len(lines) - LINES, "more line")]]
        return lines

    def _closed(self, seq: int, row: Json) -> Json | None:
        if row["kind"] != "link_opened":
            return None
        closing = self._material.closing(seq)
        return None if closing is None else self._recording.raw(closing)

    def _texts(self, seq: int, row: Json, walk: Walk | None, room: int) -> Iterator[Json]:
        prompt = self._prompt(seq, row)
        if prompt is not None:
            yield _seen(prompt, walk, room)
        if row["kind"] == "override":
            yield from self._change(seq, row, room)
            return
        held = [each for each in self._held(seq, row) if prompt is None or not _is_input(each)]
        for each in held[:INPUTS]:
            text, note = self._read(each.digest)
            marks = self._marks(each, seq, walk, text)
            yield _part(each, text, note, 0, marks, room)
        if len(held) > INPUTS:
            said = counted(len(held) - INPUTS, "more text")
            yield _empty("", f"… {said}", "they are in the record: run.links")

    def _held(self, seq: int, row: Json) -> Iterator[Text]:
        inputs = row.get("inputs")
        for number, each in enumerate(inputs if isinstance(inputs, list) else ()):
            if isinstance(each, dict):
                slot = str(each.get("slot"))
                yield Text(f"input:{number}", flat(slot, 80), _digest(each.get("value")), seq, slot)
        if row["kind"] == "value":
            yield Text("stored", "stored value", _digest(row.get("digest")), seq, "value")
        elif row["kind"] == "override":
            yield Text("before", "before", self._before(row), seq, "before")
            yield Text("after", "after", _digest(row.get("value")), seq, "value")
        elif row.get("value"):
            yield Text("value", "value", _digest(row["value"]), seq, "value")
        if row.get("question"):
            yield Text("question", "question", _digest(row["question"]), seq, "question")
        end = self._closed(seq, row)
        for slot in ("output", "error"):
            source = row if row["kind"] == "run_ended" else end
            if source is not None and source.get(slot):
                yield Text(slot, slot, _digest(source[slot]), source["seq"], slot)

    def _before(self, row: Json) -> str | None:
        number = row.get("from_version")
        slot = str(row.get("slot") or "answer")
        if not isinstance(number, int):
            return None
        found = self._material.versions.get((slot, number))
        return None if found is None else found.value

    def _change(self, seq: int, row: Json, room: int) -> Iterator[Json]:
        before, after = self._held(seq, row)
        texts = [self._read(each.digest) if each.digest else ("", "") for each in (before, after)]
        shown = differing(texts[0][0], texts[1][0], limit=room)
        for held, (text, note), each in zip((before, after), texts, shown, strict=True):
            yield {
                "title": held.title,
                "slot": held.slot,
                "size": len(text),
                "pieces": pieces_of(each),
                "next": None,
                "note": note,
                "origins": [],
            }

    def _read(self, digest: str | None) -> tuple[str, str]:
        if digest is None:
            return "", "not recorded"
        try:
            text = self._recording.values.shown(digest)
            fidelity = self._recording.values.fidelity(digest)
        except Exception as error:  # noqa: BLE001 - a damaged value must not cost the record
            return "", f"cannot be read: {line_of(str(error), 200)}"
        return text, "" if fidelity == "exact" else f"recorded as {fidelity}"

    def _prompt(self, seq: int, row: Json) -> Prompt | None:
        if row["kind"] != "link_opened" or row.get("type") != "model":
            return None
        try:
            return prompt_of(self._material.evidence, seq)
        except (ExplainkitError, ValueError, LookupError):
            return None  # a prompt that cannot be read: its plain inputs are shown

    def _marks(self, held: Text, seq: int, walk: Walk | None, text: str) -> list[Range]:
        if walk is None:
            return []
        if self._marked[0] is not walk:
            self._marked = walk, places_of(walk)
        places = self._marked[1]
        return [
            found
            for each in dict.fromkeys((held.seq, seq))
            for place in places.get(each, ())
            if place.slot == held.held and (found := _found(text, place)) is not None
        ]

    def _neighbours(self, seq: int) -> Json:
        known = self._material.known
        into, out = known.into.get(seq, []), known.out.get(seq, [])
        return {
            "fed_by": [self._neighbour(edge, edge.source) for edge in into[:NEIGHBOURS]],
            "fed_by_more": max(0, len(into) - NEIGHBOURS),
            "feeds": [self._neighbour(edge, edge.target) for edge in out[:NEIGHBOURS]],
            "feeds_more": max(0, len(out) - NEIGHBOURS),
        }

    def _neighbour(self, edge: RawEdge, seq: int) -> Json:
        node = self._material.boxes.nodes[seq]
        return {
            "seq": seq,
            "kind": node.kind,
            "word": flat(node.word, 60),
            "label": flat(node.label, 120),
            "role": edge.role,
            "grade": edge.grade,
            "count": edge.count,
        }


def places_of(walk: Walk) -> dict[int, list[Place]]:
    """The stretches of a walk by the record that holds them."""
    found: dict[int, dict[Place, None]] = {}
    for hop in walk.hops:
        found.setdefault(hop.target.seq, {})[hop.target] = None
        if hop.verb != "born":
            found.setdefault(hop.source.seq, {})[hop.source] = None
    return {seq: list(places) for seq, places in found.items()}


def _found(text: str, place: Place) -> Range | None:
    """Where the stretch of a place is in a text as shown, checked by its characters."""
    if not place.text:
        return None
    start = place.start if text[place.start : place.end] == place.text else text.find(place.text)
    return None if start < 0 else (start, start + len(place.text), "span")


def _part(held: Text, text: str, note: str, start: int, marks: Iterable[Range], room: int) -> Json:
    start = min(max(start, 0), len(text))
    if start == 0:
        shown = passage(text, marks, limit=room)
        cut = shown.skipped
        following = len(text) - cut if cut else None
    else:
        stop = min(start + room, len(text))
        moved = [(low - start, high - start, mark) for low, high, mark in marks]
        shown = passage(text[start:stop], moved, limit=room)
        following = stop if stop < len(text) else None
    return {
        "title": held.title,
        "slot": held.slot,
        "start": start,
        "size": len(text),
        "pieces": pieces_of(shown),
        "next": following,
        "note": note,
        "origins": [],
    }


def _empty(slot: str, title: str, note: str) -> Json:
    return {"title": title, "slot": slot, "start": 0, "size": 0, "pieces": [], "next": None,
            "note": note, "origins": []}  # fmt: skip


def _seen(prompt: Prompt, walk: Walk | None, room: int) -> Json:
    pane = pane_of(prompt, walk, limit=room)
    pieces: list[list[Any]] = []
    for segment in pane.segments:
        shown = pieces_of(segment.passage)
        pieces += [[*piece[:3], segment.origin, *piece[4:]] for piece in shown]
    if pane.folded:
        pieces.append(["", "", pane.folded_size, 0])
    whole = not pane.folded and all(not piece[2] for piece in pieces)
    return {
        "title": "what the model saw",
        "slot": "seen",
        "start": 0,
        "size": pane.size,
        "pieces": pieces,
        "next": None if whole else 0,
        "note": "",
        "origins": [
            [each.number, line_of(each.name, 200), each.grade, each.seq] for each in pane.origins
        ],
    }


def _is_input(held: Text) -> bool:
    return held.slot.startswith("input:")


def _digest(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _took(row: Json, closed: Json | None) -> str:
    start, end = row.get("at"), None if closed is None else closed.get("at")
    if not isinstance(start, int) or not isinstance(end, int):
        return ""
    took = end - start
    return f"{took / 1e9:,.2f} s" if took >= 1e9 else f"{took / 1e6:,.1f} ms"


def _cell(cell: Json) -> Json:
    count, code = cell.get("count"), cell.get("hash")
    return {
        "count": count if isinstance(count, int) else None,
        "hash": flat(str(code), 20) if code else None,
    }


def _line(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = ", ".join(str(item) for item in value)
    return flat(str(value), 300)
