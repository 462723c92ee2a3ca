"""What a search may take away beside whole contexts: items, results, and what the run was given."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import InterventionError
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.safety.pointers import token
from explainkit.text.sentence_bounds import sentences
from explainkit.whatif.varying import Intervention, plan_of
from explainkit.whatif.varying.given_parts import GivenPlace, GivenValue, given_values
from explainkit.whatif.varying.item_names import item_words

if TYPE_CHECKING:
    from explainkit.whatif.inquiries import Inquiry
    from explainkit.whatif.varying.recorded_points import RecordedPoint

STEPS: Final = ("retrieval", "tool", "function", "embedding", "agent")
"""Types of links whose results are taken away."""
_SOURCES: Final = ("retrieval", "tool")
"""Those whose result is no prompt: of others, a model's whole input would take everything away."""
MOST_ITEMS: Final = 40
"""Items of a list that are tried by themselves; a longer list is tried whole."""
MOST_PARTS: Final = 120
"""Parts that are tried; of more than these each list is tried whole."""


@dataclass(frozen=True, slots=True)
class Part:
    """A context, an item of a list, the result of a step or a part of what the run was given.

    Attributes:
        name: Its name.
        asked: What is asked for.
        context: The record, where it is a whole context.
        step: Whether it is what a step gave.
        tool: The tool whose result it is.
        given: Whether the run itself was given it.
        held_by: What the list is called whose item it is; empty for anything else.
    """

    name: str
    asked: Intervention
    context: int | None = None
    step: bool = False
    tool: str | None = None
    given: bool = False
    held_by: str = ""


def parts_of(measuring: "Inquiry") -> tuple[Part, ...]:
    """The parts of a run: items of lists among its contexts, other contexts whole, results, input.

    Args:
        measuring: What is measured of the run.
    """
    return _all_parts(measuring)[:MOST_PARTS]


def parts_cut(measuring: "Inquiry") -> int:
    """How many parts a search leaves out because there are too many of them.

    Args:
        measuring: What is measured of the run.
    """
    return max(0, len(_all_parts(measuring)) - MOST_PARTS)


def _all_parts(measuring: "Inquiry") -> tuple[Part, ...]:
    found = tuple(_parts(measuring, items=True))
    return found if len(found) <= MOST_PARTS else tuple(_parts(measuring, items=False))


def results_that_are_objects(measuring: "Inquiry") -> list[str]:
    """Names of steps whose results are on record as objects, such as tables of pandas.

    Args:
        measuring: What is measured of the run.
    """
    points = measuring.origin.recorded.points.values()
    steps = (each for each in points if each.kind == "link" and each.type in STEPS)
    found = (each.name for each in steps if isinstance(_value(measuring, each), Opaque))
    return list(dict.fromkeys(found))


def given_parts(measuring: "Inquiry") -> tuple[Part, ...]:
    """The parts of what the run itself was given: its texts, and the items of its lists.

    Of what was asked they are its sentences, when it has several.

    Args:
        measuring: What is measured of the run.
    """
    found = tuple(_given(measuring, items=True))
    return found if len(found) <= MOST_PARTS else tuple(_given(measuring, items=False))[:MOST_PARTS]


def tools_offered(measuring: "Inquiry") -> tuple[Part, ...]:
    """The descriptions of tools that can be taken away.

    Args:
        measuring: What is measured of the run.
    """
    points = measuring.origin.recorded.points.values()
    tools = [p for p in points if is_tool(p) and can_be_missing(measuring, p)]
    return tuple(Part(p.name, Intervention("remove", p.seq), context=p.seq) for p in tools)


def is_tool(point: "RecordedPoint") -> bool:
    """Whether a point is the description of a tool that a model was offered.

    Args:
        point: The point.
    """
    return point.kind == "context" and point.type == "tool description"


def can_be_missing(measuring: "Inquiry", point: "RecordedPoint") -> bool:
    """Whether all that a point gave can be taken away.

    Args:
        measuring: What is measured of the run.
        point: The point.
    """
    return _can_be_asked(measuring, Intervention("remove", point.seq))


def target_shown(part: Part) -> str:
    """How a user lists a part.

    Args:
        part: The part.
    """
    asked = part.asked.target
    if isinstance(asked, tuple) and part.held_by and part.step:
        return repr((part.held_by, asked[1]))
    return repr(asked if isinstance(asked, tuple) else part.name)


def is_worth_it(parts: tuple[Part, ...]) -> bool:
    """Whether parts hold anything that whole contexts do not.

    Args:
        parts: The parts.
    """
    return any(part.context is None for part in parts)


def _parts(measuring: "Inquiry", *, items: bool) -> Iterator[Part]:
    points = list(measuring.origin.recorded.points.values())
    models = _models(measuring)
    wholes = {model.inputs[0] for model, _ in models if len(model.inputs) == 1}
    calls: dict[str, int] = {}
    for point in points:
        calls[point.name] = calls.get(point.name, 0) + 1
    for point in points:
        name = point.name if calls[point.name] < 2 else f"{point.name} (record {point.seq})"
        if point.kind == "context" and not is_tool(point):
            yield from _of_context(measuring, point, name, items=items)
        elif point.kind == "link" and point.type in STEPS and _is_read(models, point):
            tool = point.name if point.type == "tool" else None
            parts = list(_of_result(measuring, point, name, items=items))
            if len(parts) > 1 or point.value not in wholes or point.type in _SOURCES:
                yield from (replace(part, step=True, tool=tool) for part in parts)
    yield from _given(measuring, items=items)


def _given(measuring: "Inquiry", *, items: bool) -> Iterator[Part]:
    """Parts of what the run was given, those of the item that is judged first."""
    origin = measuring.origin
    for held in given_values(origin.recording, origin.recorded):
        if not measuring.takes(held.place.slot):
            continue
        if held.is_question and isinstance(held.value, str):
            yield from _of_question(held)
            continue
        paths = list(_of_batch(held, measuring.end.slot, items=items) if held.is_batch
                     else _texts(held.value, "", items=items))  # fmt: skip
        names = [held.name(path) for path in paths]
        for name, path in zip(names, paths, strict=True):
            place = GivenPlace(held.place.seq, held.place.slot, path)
            part = Part(name, Intervention("remove", place), given=True)
            if _can_be_asked(measuring, part.asked):
                yield part


def _of_question(held: GivenValue) -> Iterator[Part]:
    parts = sentences(held.value)
    for at, (start, end) in enumerate(parts if 1 < len(parts) <= MOST_ITEMS else ()):
        name = f"{shorten(repr(held.value[start:end].strip()), 40)} in {held.label}"
        yield Part(name, Intervention("remove", (held.label, at)), given=True)


def _of_batch(held: GivenValue, slot: str, *, items: bool) -> Iterator[str]:
    """Texts of the items of an answer flow; how an item is called is no part of its source."""
    batch = held.at("/items")
    rows = list(enumerate(batch)) if isinstance(batch, list | tuple) else []
    for at, row in sorted(rows, key=lambda each: _id_of(each[1]) != slot.removeprefix("item:")):
        if isinstance(row, dict):
            yield from _texts(row.get("data"), f"/items/{at}/data", items=items)


def _id_of(row: Any) -> Any:
    return row.get("id") if isinstance(row, dict) else None


def _texts(value: Any, path: str, *, items: bool) -> Iterator[str]:
    """Where the texts of a value stand, and the items of its lists."""
    if isinstance(value, str) and value.strip():
        yield path
    elif items and _is_list(value):
        yield from (f"{path}/{at}" for at in range(len(value)))
    elif isinstance(value, list | tuple) and value:
        yield path
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(each, f"{path}/{token(str(key))}", items=items)


def _value(measuring: "Inquiry", point: "RecordedPoint") -> Any:
    if point.value is None:
        return None
    return measuring.origin.recording.values.object(point.value)


def _of_context(
    measuring: "Inquiry", point: "RecordedPoint", name: str, *, items: bool
) -> Iterator[Part]:
    value = _value(measuring, point)
    if items and _is_list(value):
        yield from _items(measuring, point, name, value)
    elif can_be_missing(measuring, point):
        yield Part(name, Intervention("remove", point.seq), context=point.seq)


def _of_result(
    measuring: "Inquiry", point: "RecordedPoint", name: str, *, items: bool
) -> Iterator[Part]:
    """What a step gave: its items, else all of it, else a value of its shape that says nothing."""
    value = _value(measuring, point)
    if value is None or isinstance(value, Opaque):
        return
    if items and _is_list(value):
        yield from (replace(each, step=True) for each in _items(measuring, point, name, value))
    elif isinstance(value, str | list | tuple) and can_be_missing(measuring, point):
        yield Part(name, Intervention("remove", point.seq))
    elif isinstance(value, dict | bool | int | float):
        yield Part(name, Intervention("swap", point.seq, _blank(value)))


def _items(measuring: "Inquiry", point: "RecordedPoint", name: str, value: Any) -> Iterator[Part]:
    for at in range(len(value)):
        asked = Intervention("remove", (point.seq, at))
        if _can_be_asked(measuring, asked):
            yield Part(item_words(at, name, value[at]), asked, held_by=name)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) and 1 < len(value) <= MOST_ITEMS


def _blank(value: Any) -> Any:
    """A value of the same shape that says nothing."""
    if isinstance(value, dict):
        return {key: _blank(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)()
    return "" if isinstance(value, str) else None


def _can_be_asked(measuring: "Inquiry", asked: Intervention) -> bool:
    origin = measuring.origin
    try:
        plan_of(origin.recording, origin.recorded, [asked], may_take_all=True)
    except InterventionError:
        return False
    return True


def _models(measuring: "Inquiry") -> "list[tuple[RecordedPoint, frozenset[int]]]":
    """The links that ask models, the last one first, each with the links around it."""
    recorded = measuring.origin.recorded
    found = [p for p in recorded.points.values() if p.kind == "link" and p.type == "model"]
    return [(point, frozenset(recorded.around(point.seq))) for point in reversed(found)]


def _is_read(models: "list[tuple[RecordedPoint, frozenset[int]]]", point: "RecordedPoint") -> bool:
    """Whether a model outside of a step may have read its result."""
    later = (around for model, around in models if model.seq > point.seq)
    return any(point.seq not in around for around in later)
