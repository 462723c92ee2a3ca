"""Reads names as walks, boards and bisections print them: `output of search`, `tool price`."""

import re
from typing import TYPE_CHECKING, Final

from explainkit.safety.pointers import token
from explainkit.whatif.varying.recorded_points import RecordedPoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from explainkit.store import Recording

_RECORD: Final = re.compile(r"(?P<name>.*) \(record (?P<seq>\d{1,12})\)", re.DOTALL)
_STEP: Final = re.compile(r"(?P<name>.*) at step (?P<step>\d{1,12})", re.DOTALL)
_CALL: Final = re.compile(r"(?P<name>.*) #(?P<call>\d{1,12})", re.DOTALL)
_OUTPUT: Final = "output of "
_ITEM: Final = re.compile(r"(?P<name>.*)\[(?P<step>\d{1,12})\]", re.DOTALL)
_PART: Final = re.compile(r"(?P<part>'[^'\\]*'|\"[^\"\\]*\"|\d{1,12}) of (?P<rest>.+)", re.DOTALL)
_NUMBERED: Final = re.compile(r"(?:item|sentence) (?P<at>[1-9]\d{0,11}) of (?P<name>.+)", re.DOTALL)
_ITEM_STEP: Final = re.compile(r"item (?P<at>[1-9]\d{0,11})")
_OFFERED: Final = ("context ", "event ")
_STEPS: Final = r"(?:\.\w+|\[\d+\]|\['[^']*'\])+"
_PATH: Final = re.compile(_STEPS)
_PART_OF_OUTPUT: Final = re.compile(rf"output(?P<path>{_STEPS}) of (?P<name>.+)", re.DOTALL)
_KEY: Final = re.compile(r"\.(\w+)|\[(\d+)\]|\['([^']*)'\]")


def part_displayed(
    shown: str, is_known: "Callable[[str], bool] | None" = None
) -> tuple[object, ...] | None:
    """The target that a printed part stands for, as searches name what they removed.

    Args:
        shown: What was printed, such as ``'half of the fare' of note`` or ``item 1 of search``,
            also with what tells the item from others in brackets behind it.
        is_known: Whether something of the run has a name; what is in brackets may be a part of it.

    Example:
        >>> part_displayed("'half' of note"), part_displayed("'half' of item 1 of search (law)")
        (('note', 'half'), ('search', 0, 'half'))
    """
    item = _item_displayed(shown, is_known)
    if item is not None:
        return item
    found = _PART.fullmatch(shown)
    if found is None:
        return None
    part: object = int(found["part"]) if found["part"].isdigit() else found["part"][1:-1]
    inner = _item_displayed(found["rest"], is_known)
    if inner is not None and isinstance(part, str):
        return *inner, part
    return found["rest"], part


def _item_displayed(
    shown: str, is_known: "Callable[[str], bool] | None"
) -> tuple[str, int | str] | None:
    """What holds a numbered item, and its position or address; None where a text names none."""
    found = _NUMBERED.fullmatch(shown)
    if found is None:
        return None
    name, at = found["name"], int(found["at"]) - 1
    cuts = [cut for cut in range(len(name) - 1, 0, -1) if name.startswith(" (", cut)]
    names = [name, *(name[:cut] for cut in cuts if name.endswith(")"))]
    if is_known is None:
        return names[-1], at
    for each in names:
        held = each.split(" of ")
        for keys in range(len(held)):
            rest = " of ".join(held[keys:])
            if is_known(rest):
                return rest, (f"{_path_of(held[:keys])}/{at}" if keys else at)
    return names[-1], at


def _path_of(keys: "Sequence[str]") -> str:
    """The address of what is printed as ``rows of item 2``."""
    steps = []
    for key in reversed(keys):
        item = _ITEM_STEP.fullmatch(key)
        steps.append(str(int(item["at"]) - 1) if item else token(key))
    return "".join(f"/{step}" for step in steps)


def points_displayed(
    recording: "Recording", among: "Sequence[RecordedPoint]", shown: str
) -> list[RecordedPoint]:
    """The points that a printed name stands for; none where it is no such name.

    Args:
        recording: The run.
        among: The points that may be meant.
        shown: What was printed.
    """
    if found := _RECORD.fullmatch(shown):
        return [point for point in among if point.seq == int(found["seq"])]
    if shown.startswith(_OUTPUT):
        links = [point for point in among if point.kind in ("link", "assemble")]
        return _numbered(recording, links, shown.removeprefix(_OUTPUT))
    kind, _, name = shown.partition(" ")
    of_kind = [point for point in among if kind in (point.kind, point.type)]
    return _numbered(recording, of_kind, name) or _numbered(recording, among, shown)


def branches_named(
    recording: "Recording", among: "Sequence[RecordedPoint]", named: str
) -> list[RecordedPoint]:
    """The links that a composition runs under a name: a branch, a node, or a step by its number.

    Args:
        recording: The run.
        among: The points that may be meant.
        named: A branch such as ``facts`` or ``Parallel.facts``, or a step such as ``Sequence[2]``.
    """
    found = branches_of(recording, among)
    whole = [point for name, _, point in found if name == named]
    if whole:
        return whole
    step = _ITEM.fullmatch(named)
    owners = {point.seq: point.name for point in among}
    if step is not None and int(step["step"]) > 0:
        at = int(step["step"]) - 1
        inside = [
            [each for each in among if each.parent == seq and each.kind == "link"]
            for seq, name in owners.items()
            if name == step["name"]
        ]
        return [each[at] for each in inside if at < len(each)]
    return [point for name, seq, point in found if f"{owners.get(seq)}.{name}" == named]


def branches_of(
    recording: "Recording", among: "Sequence[RecordedPoint]"
) -> list[tuple[str, int, RecordedPoint]]:
    """Every branch with the composition that it is of, and the link that it ran.

    Args:
        recording: The run.
        among: The points that may be meant.
    """
    chosen = {
        row["link"]: (row["seq"], str(row["chosen"]))
        for row in recording.rows("decision")
        if row.get("chosen") is not None and isinstance(row.get("link"), int)
    }
    found = []
    for point in among:
        if point.kind != "link" or point.parent is None:
            continue
        attrs = recording.raw(point.seq).get("attrs") or {}
        if isinstance(attrs.get("branch"), str):
            found.append((attrs["branch"], point.parent, point))
        elif point.parent in chosen and point.seq > chosen[point.parent][0]:
            found.append((chosen.pop(point.parent)[1], point.parent, point))
    return found


def parts_displayed(shown: str) -> list[tuple[str, str]]:
    """What may hold a printed part, and its address there; the longest names first.

    A name may have dots of its own, so that only the run says where it ends.

    Args:
        shown: What was printed.

    Example:
        >>> parts_displayed("output[1].text of retrieve")
        [('output of retrieve', '/1/text')]
        >>> parts_displayed("context v1.x['max fare']")
        [('context v1.x', '/max fare'), ('context v1', '/x/max fare')]
    """
    if found := _PART_OF_OUTPUT.fullmatch(shown):
        return [(f"{_OUTPUT}{found['name']}", _address(found["path"]))]
    if not shown.startswith(_OFFERED):
        return []
    cuts = [at for at in range(len(shown) - 1, 0, -1) if shown[at] in ".["]
    return [(shown[:at], _address(shown[at:])) for at in cuts if _PATH.fullmatch(shown[at:])]


def _address(path: str) -> str:
    steps = ("".join(each) for each in _KEY.findall(path))
    return "".join(f"/{token(step)}" for step in steps)


def _numbered(
    recording: "Recording", among: "Sequence[RecordedPoint]", shown: str
) -> list[RecordedPoint]:
    """Those of a name, which may say which call or which step of an imported record is meant."""
    if found := [point for point in among if point.name == shown]:
        return found
    if step := _STEP.fullmatch(shown):
        at = int(step["step"])
        named = [point for point in among if point.name == step["name"]]
        return [each for each in named if recording.raw(each.seq).get("source_index") == at]
    if call := _CALL.fullmatch(shown):
        named = [point for point in among if point.name == call["name"]]
        return named[int(call["call"]) - 1 : int(call["call"])] if int(call["call"]) else []
    return []
