"""What else two runs have recorded and differs, so that "the same" means everything on record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from explainkit.backtrack.comparing.compared import FieldChange
from explainkit.backtrack.comparing.sides import Side
from explainkit.backtrack.comparing.telling import part_told

_TOLD_KINDS: Final = frozenset(
    "link_opened link_closed context event answer override verdict run_ended".split()
)
"""Kinds of which it is told elsewhere that only one run has one."""
_CHANGED: Final = {
    "context": ("value", "admitted"),
    "event": ("value",),
    "run_ended": ("status",),
    "lost": ("value",),
}
"""What of records of both runs is told elsewhere."""
_JUDGING: Final = ("by", "reason", "outcome", "status", "judge", "slot", "link")
_WORDS: Final = {
    "run_started": {"name": "name of the run", "code": "code of the function"},
    "run_ended": {"error": "error at the end"},
}
_FIELDS: Final = {"type": "kind"}


@dataclass(frozen=True)
class Elsewhere:
    """What is told elsewhere of two runs.

    Attributes:
        other_inputs: Names of links that were given something else.
        other_outputs: Names of the ends of links that gave something else.
        answers: Whether an answer is another one.
        records: Kinds, override or verdict, of which one run has another one.
        varied: Whether the second run is a re-run of the first one.
    """

    other_inputs: frozenset[str] = frozenset()
    other_outputs: frozenset[str] = frozenset()
    answers: bool = False
    records: frozenset[str] = frozenset()
    varied: bool = False


def what_else(a: Side, b: Side, elsewhere: Elsewhere) -> Iterator[FieldChange]:
    """Everything that was recorded, differs, and is told nowhere else.

    Args:
        a: The first run.
        b: The second run.
        elsewhere: What is told elsewhere.
    """
    left, right = a.rows(), b.rows()
    for name in dict.fromkeys((*left, *right)):
        one, other = left.get(name), right.get(name)
        if one is not None and other is not None:
            yield from _parts(a, b, name, one, other, elsewhere)
        elif (one or other or {})["kind"] not in _TOLD_KINDS:
            before, after = ("recorded" if each else "" for each in (one, other))
            yield FieldChange(name, "", before, after)
    # What was measured of a run when it was over is no part of it; a note may well be.
    said = a.later("note"), b.later("note")
    if said[0] != said[1] and not elsewhere.varied:
        before, after = (str(len(each)) for each in said)
        how = "" if before != after else "what they say"
        yield FieldChange("notes", how, before, after)


def _parts(
    a: Side, b: Side, name: str, one: Mapping[str, Any], other: Mapping[str, Any], told: Elsewhere
) -> Iterator[FieldChange]:
    kind = str(one["kind"])
    if name in told.other_outputs:
        return
    before, after = a.plain(one, kind), b.plain(other, kind)
    skipped = set(_skipped(kind, name, told))
    if kind == "run_started":
        if told.varied:  # a re-run is no call of the function, and its record does not say so
            skipped |= before.keys() ^ after.keys()
        arguments = [] if "inputs" in skipped else list(_arguments(a, b, before, after))
        yield from arguments
        skipped.add("inputs")
        texts = [part_told(side.recording, "question", each.get("question"))
                 for side, each in ((a, before), (b, after))]  # fmt: skip
        if any([each.before, each.after] == texts for each in arguments):
            skipped.add("question")  # it is told as the argument that it is
    for key in dict.fromkeys((*before, *after)):
        if key in skipped or before.get(key) == after.get(key):
            continue
        words = _WORDS.get(kind, {}).get(key, key if kind.startswith("run_") else "")
        yield FieldChange(
            words or name,
            "" if words else _FIELDS.get(key, key),
            part_told(a.recording, key, before.get(key)),
            part_told(b.recording, key, after.get(key)),
        )


def _skipped(kind: str, name: str, told: Elsewhere) -> Iterator[str]:
    yield from _CHANGED.get(kind, ())
    if kind == "link_opened" and name in told.other_inputs:
        yield "inputs"
    if kind in ("answer", "override") and told.answers:
        yield "value"
    if kind in told.records:
        yield from _JUDGING


def _arguments(
    a: Side, b: Side, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[FieldChange]:
    given = [
        {str(each.get("slot")): each for each in told.get("inputs") or ()}
        for told in (before, after)
    ]
    for slot in dict.fromkeys((*given[0], *given[1])):
        one, other = given[0].get(slot), given[1].get(slot)
        if one != other:
            texts = [
                part_told(side.recording, "value", (each or {}).get("value"))
                for side, each in ((a, one), (b, other))
            ]
            yield FieldChange(f"argument {slot}", "", *texts)
