"""What a person may change: the contexts, what was left out, overrides and results of steps."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError, InterventionError, UnknownRecordError
from explainkit.safety.pointers import untoken
from explainkit.view.composition_links import RUNNERS
from explainkit.view.explorer.causes.leaves import (
    EDITED,
    Leaf,
    edit_of,
    leaves_of,
    shown_for_editing,
)
from explainkit.view.explorer.pieces import Json, line_of
from explainkit.view.words import counted, flat
from explainkit.whatif.varying import Intervention, Plan, interventions_of, plan_of
from explainkit.whatif.varying.edits import MISSING
from explainkit.whatif.varying.item_names import place_words, steps_to_item
from explainkit.whatif.varying.recorded_points import RecordedPoint, RecordedPoints, points_of

if TYPE_CHECKING:
    from explainkit.store import Recording

ROWS: Final = 200
LEAVES: Final = 60
PARTS: Final = 60
CHANGES: Final = 60
QUOTE: Final = 60
TEXTLESS: Final = frozenset({"true", "false", "null", "[]", "{}"})
"""Values, as they are shown, that hold no text and no number to be edited."""
NO_STEPS: Final = frozenset({"assemble", "model", "run"}) | RUNNERS
GONE: Final = {"link": "without what {} gave", "assemble": "without what {} gave",
               "event": "without what {} brought"}  # fmt: skip
"""What is missing when the whole of a piece of some kind is taken away."""
GROUPS: Final = {"context": "context", "override": "override", "event": "event", "link": "result",
                 "assemble": "result"}  # fmt: skip
VERBS: Final = {"context": "remove", "left out": "restore", "override": "hold", "result": "",
                "event": ""}  # fmt: skip


class Offered:
    """The pieces of a run that can be taken away, put back, held off or edited."""

    def __init__(self, recording: "Recording") -> None:
        """Read nothing yet."""
        self._recording = recording

    @cached_property
    def _points(self) -> RecordedPoints:
        return points_of(self._recording)

    def rows(self, query: str = "", *, first: int | None = None) -> Json:
        """Every piece on a line, those that hold the words of a query only.

        Args:
            query: Words of the name or the text.
            first: A piece that is listed before the others of its group, whatever it holds.
        """
        wanted = " ".join(query.casefold().split())
        lead = None if first is None else self.point(first)
        found = (
            []
            if lead is None
            else [_row(GROUPS[lead.kind], lead, self.name(lead), self._text(lead))]
        )
        left = 0
        for group, point in self._pieces():
            if point is lead:
                continue
            text = self._text(point)
            if wanted and wanted not in " ".join(f"{self.name(point)} {text}".casefold().split()):
                continue
            if len(found) == ROWS:
                left += 1
                continue
            found.append(_row(group, point, self.name(point), text))
        note = f"{counted(left, 'more piece')} not listed; search for its words" if left else ""
        return {"rows": found, "note": note}

    def piece(self, seq: int) -> Json:
        """The texts and numbers of a piece, to be edited.

        Raises:
            UnknownRecordError: There is no such piece.
            InterventionError: It was not recorded whole.
        """
        point = self._point(seq)
        if _is_without_result(point):
            instead = {"path": "", "label": "The result that it gives instead", "text": "",
                       "number": False, "left": 0}  # fmt: skip
            return {"seq": seq, "name": self.name(point), "items": [], "leaves": [instead],
                    "note": ""}  # fmt: skip
        value = self._value(point)
        leaves = list(leaves_of(value))
        items = len(value) if isinstance(value, list | tuple) else 0
        cut = max(0, len(leaves) - LEAVES)
        notes = [f"{counted(cut, 'more text')} not shown"] if cut else []
        if items > PARTS:
            notes.append(f"{counted(items - PARTS, 'more item')} cannot be ticked off here")
        return {
            "seq": seq,
            "name": self.name(point),
            "items": [
                {"position": at, "text": flat(_told(value[at]), 120)}
                for at in range(min(items, PARTS))
            ] if items > 1 else [],
            "leaves": [_leaf(value, path, leaf) for path, leaf in leaves[:LEAVES]],
            "note": "; ".join(notes) or ("" if leaves else "It holds no text and no number."),
        }  # fmt: skip

    def meant(self, changes: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What changes of a front end mean: keywords of a what-if, and words for a person.

        Raises:
            InterventionError: Nothing is changed, or one of them means nothing.
            UnknownRecordError: A piece is not there.
        """
        if not changes:
            raise InterventionError("Nothing is changed yet. Tick a piece off, or edit one.")
        if len(changes) > CHANGES:
            raise InterventionError(f"{len(changes)} changes are too many; {CHANGES} go together.")
        found: dict[str, Any] = {"remove": [], "replace": {}, "restore": [], "hold": [], "swap": {}}
        said = [self._meant(change, found) for change in changes]
        return {verb: given for verb, given in found.items() if given}, tuple(said)

    def plan(self, changes: Sequence[Mapping[str, Any]]) -> Plan:
        """What the engine would do for some changes, worked out and not run.

        Raises:
            InterventionError: It would refuse them; the message says why.
            UnknownRecordError: A piece is not there.
        """
        asked = interventions_of(**self.meant(changes)[0])
        return plan_of(self._recording, self._points, asked)

    def name(self, point: RecordedPoint) -> str:
        """The name of a piece; where others of its kind share it, with which of them it is."""
        name = flat(point.name, 80)
        same = self._same[point.seq in self._points.left_out, point.kind, point.name]
        return f"{name} #{bisect_left(same, point.seq) + 1}" if len(same) > 1 else name

    @cached_property
    def _same(self) -> dict[tuple[bool, str, str], list[int]]:
        """Records of the pieces of one name and kind, in order."""
        found: dict[tuple[bool, str, str], list[int]] = {}
        for left, those in ((False, self._points.points), (True, self._points.left_out)):
            for point in those.values():
                found.setdefault((left, point.kind, point.name), []).append(point.seq)
        return {key: sorted(seqs) for key, seqs in found.items()}

    @property
    def contexts(self) -> Iterator[RecordedPoint]:
        """Every context that the run had."""
        return (each for each in self._points.points.values() if each.kind == "context")

    def point(self, seq: int) -> RecordedPoint | None:
        """The context, event, step or override of a number; nothing for any other record."""
        return self._points.points.get(seq)

    def editable(self, seq: int) -> bool:
        """Whether a piece holds a text or a number to be edited, or can be given a result."""
        point = self._point(seq)
        empty = _is_without_result(point)
        asked = Intervention("swap" if empty else "replace", seq, "")
        try:
            plan_of(self._recording, self._points, [asked])
            return empty or any(True for _ in leaves_of(self._value(point)))
        except ExplainkitError:
            return False

    def item_at(self, seq: int, path: str) -> tuple[str | None, int]:
        """The item of a list, among others, in which a part of a piece stands.

        Args:
            seq: The piece.
            path: JSON Pointer of the part.

        Returns:
            The address of the item and its position; no address where the part stands in no list.
        """
        try:
            value = self._value(self._point(seq))
        except ExplainkitError:
            return None, 0
        steps = path.split("/")[1:]
        for depth, step in enumerate(steps):
            if isinstance(value, list | tuple) and len(value) > 1 and step.isdecimal():
                return "/" + "/".join(steps[: depth + 1]), int(step)
            value = _inside(value, untoken(step))
        return None, 0

    def quoted(self, told: Mapping[str, Any]) -> str | None:
        """The words that a recorded change touched; None where it touched a whole, or an item."""
        seq, path, start = told.get("seq"), told.get("path") or "", told.get("start")
        point = self._points.points.get(seq) if isinstance(seq, int) else None
        if point is None or (start is None and not path) or told.get("slot"):
            return None
        steps = [untoken(step) for step in path.split("/")[1:]]
        try:
            value = self._value(point)
            if start is None and steps_to_item(value, steps) == len(steps):
                return None
            leaf = _at(value, path)
        except (ExplainkitError, LookupError):
            return None
        text = leaf[start : told.get("end")] if isinstance(leaf, str) else _words(leaf)
        return flat(text, QUOTE)

    def _meant(self, change: Mapping[str, Any], found: dict[str, Any]) -> str:
        verb, seq, path = change.get("verb"), change.get("seq"), change.get("path")
        if not isinstance(seq, int) or isinstance(seq, bool):
            raise InterventionError("A change names no record.")
        point = self._point(seq)
        name = self.name(point)
        if verb == "replace":
            return self._edited(point, str(path or ""), change.get("text"), found)
        if verb not in {"remove", "restore", "hold"}:
            raise InterventionError(f"There is no change {verb!r:.40}.")
        at = change.get("position")
        if verb == "remove" and isinstance(at, int):
            found["remove"].append((seq, at))
            return f"without {self._place(point, f'/{at}', name)}"
        if verb == "remove" and path:
            found["remove"].append((seq, str(path)))
            return f"without {self._place(point, str(path), name)}"
        found[verb].append(seq)
        said = {"restore": "with {} put back", "hold": "without the override by {}"}
        return said.get(str(verb), GONE.get(point.kind, "without {}")).format(name)

    def named(self, seq: Any, name: str) -> str:
        """The name of a piece as the list has it; the given one where there is no such piece."""
        found = None
        if isinstance(seq, int):
            found = self._points.points.get(seq) or self._points.left_out.get(seq)
        return name if found is None or not found.name else self.name(found)

    def holder(self, told: Mapping[str, Any], name: str) -> str:
        """What a recorded change touched, or holds its words: a piece, or an item of it.

        Args:
            told: The change.
            name: What the piece is called.
        """
        seq, path = told.get("seq"), str(told.get("path") or "")
        point = self._points.points.get(seq) if isinstance(seq, int) else None
        return name if point is None else self._place(point, path, name)

    def _place(self, point: RecordedPoint, path: str, name: str) -> str:
        """A place in a piece, as it is called everywhere."""
        try:
            value = self._value(point)
        except ExplainkitError:
            value = None
        return place_words(name, value, [untoken(step) for step in path.split("/")[1:]])

    def gone_words(self, seq: Any, name: str) -> str:
        """What is missing when a piece is taken away as a whole, in words."""
        point = self._points.points.get(seq) if isinstance(seq, int) else None
        return GONE.get("" if point is None else point.kind, "without {}").format(name)

    def _edited(self, point: RecordedPoint, path: str, text: Any, found: dict[str, Any]) -> str:
        if _is_without_result(point):
            if not isinstance(text, str) or not text:
                raise InterventionError("Write the result that the step gives instead.")
            found["swap"][point.seq] = text
            return f"{self.name(point)} gives “{flat(text, QUOTE)}”"
        leaf = _at(self._value(point), path)
        if not isinstance(leaf, str | int | float) or isinstance(leaf, bool):
            raise InterventionError(
                f"There is no text to edit at {path!r:.60} of {point.name!r:.60}."
            )
        where, new = edit_of(point.seq, path, leaf, str(text))
        old, name = flat(where.text, QUOTE), self._place(point, path, self.name(point))
        if new is None:
            found["remove"].append(where)
            return f"without “{old}” in {name}"
        found["replace"][where] = new
        return f"“{old}” becomes “{flat(str(new), QUOTE)}” in {name}"

    def _pieces(self) -> Iterator[tuple[str, RecordedPoint]]:
        points = list(self._points.points.values())
        yield from (("context", each) for each in points if each.kind == "context")
        yield from (("left out", each) for each in self._points.left_out.values())
        yield from (
            ("override", each)
            for each in points
            if each.kind == "override" and each.type in {"applied", "cleared"}
        )
        yield from (
            ("result", each)
            for each in points
            if each.kind == "link" and each.type not in NO_STEPS and each.value is not None
        )
        yield from (("event", each) for each in points if each.kind == "event" and each.value)

    def _point(self, seq: int) -> RecordedPoint:
        found = self._points.points.get(seq) or self._points.left_out.get(seq)
        if found is None:
            raise UnknownRecordError(f"Record {seq} is nothing that can be changed.")
        return found

    def _value(self, point: RecordedPoint) -> Any:
        values = self._recording.values
        if point.value is None or values.fidelity(point.value) not in {"exact", "redacted"}:
            raise InterventionError(
                f"{point.name!r:.60} was not recorded whole, so its parts cannot be edited."
            )
        return values.object(point.value)

    def _text(self, point: RecordedPoint) -> str:
        try:
            return "" if point.value is None else self._recording.values.shown(point.value)
        except ExplainkitError:
            return ""


def _row(group: str, point: RecordedPoint, name: str, text: str) -> Json:
    empty = "it gave no result" if _is_without_result(point) else ""
    word = flat(point.type, 40) if group != "override" else "override"
    return {
        "seq": point.seq,
        "group": group,
        "verb": VERBS[group],
        "name": name,
        "word": "" if word == point.name else word,
        "text": flat(text, 160) or empty,
        "edit": group not in {"left out", "override"} and text not in TEXTLESS,
    }


def _is_without_result(point: RecordedPoint) -> bool:
    """Whether a step raised an error, or never ended: it can be given a result."""
    return point.kind == "link" and point.value is None


def _leaf(value: Any, path: str, leaf: Leaf) -> Json:
    is_text = isinstance(leaf, str)
    return {
        "path": path,
        "label": line_of(", ".join(_steps_in_words(value, path)), 80),
        "text": shown_for_editing(leaf),
        "number": not is_text,
        "left": max(0, len(leaf) - EDITED) if isinstance(leaf, str) else 0,
    }


def _steps_in_words(value: Any, path: str) -> Iterator[str]:
    """The way to a leaf, items counted from 1 as their tick boxes are."""
    for step in map(untoken, path.split("/")[1:]):
        yield f"item {int(step) + 1}" if isinstance(value, list | tuple) else step
        value = _inside(value, step)


def _at(value: Any, path: str) -> Any:
    for step in path.split("/")[1:] if path else ():
        value = _inside(value, untoken(step))
        if value is MISSING:
            raise InterventionError(f"There is nothing at {path!r:.60}.")
    return value


def _inside(value: Any, name: str) -> Any:
    found = value if isinstance(value, dict) else {}
    if isinstance(value, list | tuple):
        found = dict(enumerate(value))
    return {str(key): each for key, each in found.items()}.get(name, MISSING)


def _words(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _told(value: Any) -> str:
    """An item by its own words: of an object its names and what they hold."""
    if isinstance(value, dict):
        return ", ".join(f"{flat(str(key), 40)}: {_words(each)}" for key, each in value.items())
    return _words(value)
