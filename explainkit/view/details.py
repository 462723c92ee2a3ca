"""What the inspector shows of each box: the record's values, cut to a budget that is printed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explainkit.backtrack.results import Place, Prompt, Walk
from explainkit.safety import visible
from explainkit.view.changes import differing
from explainkit.view.chart import Chart, ChartNode
from explainkit.view.passages import Passage, Range, passage
from explainkit.view.prompting import pane_of
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording

BUDGET = 1_200_000
"""Code points of recorded text in one page, roughly."""
LIT = 16_000
"""Code points of one text on the walked path."""
MEMBERS = 40

Json = dict[str, Any]
FIELDS: dict[str, tuple[str, ...]] = {
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
}


@dataclass(slots=True)
class Details:
    """Builds the inspector's content of each box.

    Attributes:
        recording: The run.
        walk: The backtrack whose words are marked.
        prompts: What model links saw, by link.
        room: Code points for one text off the path.
    """

    recording: "Recording"
    walk: Walk
    prompts: dict[int, Prompt]
    room: int
    marks: dict[int, list[Place]] = field(default_factory=dict)
    closed: dict[int, Json] = field(default_factory=dict)
    versions: dict[tuple[str, int], str | None] = field(default_factory=dict)

    def of(self, node: ChartNode) -> Json:
        """The content of one box as plain JSON: lines, texts, members."""
        if node.members:
            return {"lines": self._members(node), "texts": []}
        row = self.recording.raw(node.seq)
        lines = [[name, _line(row[name])] for name in FIELDS.get(row["kind"], ()) if row.get(name)]
        lines.insert(0, ["record", str(node.seq)])
        if isinstance(row.get("source_index"), int):
            lines.append(["step in the source", str(row["source_index"])])
        end = self.closed.get(node.seq)
        if end is not None:
            lines.append(["ended", _line(end.get("status", "?"))])
        lines += [["issue", _line(issue)] for issue in (row.get("issues") or [])[:10]]
        return {"lines": lines, "texts": list(self._texts(node, row, end))}

    def _texts(self, node: ChartNode, row: Json, end: Json | None) -> Iterator[Json]:
        prompt = self.prompts.get(node.seq)
        if prompt is not None:
            yield _prompt(prompt, self.walk, LIT if node.lit else self.room)
        for item in row.get("inputs") or ():
            if prompt is None and isinstance(item, dict):
                yield self._text(node, str(item.get("slot")), item.get("value"), node.seq)
        if row["kind"] == "override":
            yield from self._change(row)
        elif row.get("value"):
            yield self._text(node, "value", row["value"], node.seq)
        if row.get("question"):
            yield self._text(node, "question", row["question"], node.seq)
        for slot in ("output", "error"):
            if end is not None and end.get(slot):
                yield self._text(node, slot, end[slot], end["seq"])

    def _text(self, node: ChartNode, slot: str, digest: Any, seq: int) -> Json:
        text, lost = self._shown(digest)
        ranges = [
            found
            for place in (*self.marks.get(seq, ()), *self.marks.get(node.seq, ()))
            if place.slot == slot and (found := _found(text, place)) is not None
        ]
        shown = passage(text, ranges, limit=LIT if node.lit else self.room)
        return {"title": slot, "size": len(text), "pieces": list(_pieces(shown)), "note": lost}

    def _change(self, row: Json) -> Iterator[Json]:
        slot, version = str(row.get("slot") or "answer"), row.get("from_version")
        old = self.versions.get((slot, version)) if isinstance(version, int) else None
        before = self._shown(old)[0] if old else ""
        after = self._shown(row["value"])[0] if row.get("value") else ""
        for title, text, shown in zip(
            ("before", "after"), (before, after), differing(before, after, limit=LIT), strict=True
        ):
            yield {"title": title, "size": len(text), "pieces": list(_pieces(shown)), "note": ""}

    def _shown(self, digest: Any) -> tuple[str, str]:
        try:
            text = self.recording.values.shown(str(digest))
            fidelity = self.recording.values.fidelity(str(digest))
        except Exception as error:  # noqa: BLE001 - a damaged value must not cost the page
            return "", f"cannot be read: {visible(str(error))[:200]}"
        return text, "" if fidelity == "exact" else f"recorded as {fidelity}"

    def _members(self, node: ChartNode) -> list[list[str]]:
        lines = [["folded", f"{len(node.members):,} records"]]
        for seq in node.members[:MEMBERS]:
            row = self.recording.raw(seq)
            name = row.get("name") or row.get("by") or row.get("status") or ""
            lines.append([f"record {seq}", f"{_line(row['kind'])} {_line(name)}".strip()])
        if len(node.members) > MEMBERS:
            lines.append(["…", f"{len(node.members) - MEMBERS:,} more records"])
        return lines


def details_of(
    recording: "Recording", chart: Chart, walk: Walk, prompts: Iterable[Prompt]
) -> list[Json]:
    """The inspector's content of every box of a chart, within the page's budget."""
    by_link = {prompt.link: prompt for prompt in prompts}
    shown = {node.seq for node in chart.nodes}
    closed = {row["link"]: row for row in recording.rows("link_closed") if row.get("link") in shown}
    singles = sum(1 for node in chart.nodes if not node.members)
    room = max(200, min(4_000, BUDGET // max(1, 3 * singles)))
    details = Details(recording, walk, by_link, room, closed=closed)
    for place in _places(walk):
        details.marks.setdefault(place.seq, []).append(place)
    for row in recording.rows("answer", "override"):
        slot = str(row.get("slot") or "answer")
        version = row.get("from_version")
        number = 1 if row["kind"] == "answer" else version + 1 if isinstance(version, int) else 0
        details.versions.setdefault((slot, number), row.get("value"))
    return [details.of(node) for node in chart.nodes]


def _places(walk: Walk) -> Iterator[Place]:
    for hop in walk.hops:
        yield hop.target
        if hop.verb != "born":
            yield hop.source


def _found(text: str, place: Place) -> Range | None:
    """Where the stretch of a place is in a text as shown, checked by its characters."""
    if not place.text:
        return None
    start = place.start if text[place.start : place.end] == place.text else text.find(place.text)
    return None if start < 0 else (start, start + len(place.text), "span")


def _prompt(prompt: Prompt, walk: Walk, limit: int) -> Json:
    pane = pane_of(prompt, walk, limit=limit)
    pieces: list[list[Any]] = []
    for segment in pane.segments:
        pieces += [[*piece, segment.origin] for piece in _pieces(segment.passage)]
    if pane.folded:
        pieces.append(["", "", pane.folded_size, 0])
    origins = [
        [origin.number, visible(origin.name), origin.grade, origin.seq] for origin in pane.origins
    ]
    return {
        "title": "what the model saw",
        "size": pane.size,
        "pieces": pieces,
        "note": "",
        "origins": origins,
    }


def _pieces(shown: Passage) -> Iterator[list[Any]]:
    """``[text, mark, code points left out before]``; a last one may hold only a count."""
    for piece in shown.pieces:
        yield [visible(piece.text), piece.mark, piece.skipped]
    if shown.skipped:
        yield ["", "", shown.skipped]


def _line(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = ", ".join(str(item) for item in value)
    return flat(str(value), 300)
