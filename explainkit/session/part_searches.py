"""The search over parts: items of lists, and what steps gave, where whole contexts show nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import InterventionError
from explainkit.safety.decoding import Opaque
from explainkit.session.set_searches import SetSearch, can_be_missing
from explainkit.whatif.cut_lists import cut
from explainkit.whatif.searching import Outcome, SmallestSet, planned_size, smallest_set
from explainkit.whatif.varying import Intervention, Plan, plan_of

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun
    from explainkit.session.measured_searches import Search
    from explainkit.whatif.inquiries import Inquiry
    from explainkit.whatif.varying.recorded_points import RecordedPoint

STEPS: Final = ("retrieval", "tool", "function", "embedding", "agent")
"""Types of links whose results are taken away."""
MOST_ITEMS: Final = 40
"""Items of a list that are tried by themselves; a longer list is tried whole."""
MOST_PARTS: Final = 120
"""Parts that are tried; of more than these each list is tried whole."""


@dataclass(frozen=True, slots=True)
class Part:
    """A context, an item of a list or the result of a step, and how it is taken away.

    Attributes:
        name: Its name.
        asked: What is asked for.
        context: The record, where it is a whole context.
        step: Whether it is what a step gave.
        tool: The tool whose result it is.
    """

    name: str
    asked: Intervention
    context: int | None = None
    step: bool = False
    tool: str | None = None


class PartSearch(SetSearch):
    """A search for the smallest set among parts of contexts and results of steps."""

    door = "smallest_cause_async"
    title = "Smallest set of parts whose removal flips the answer"
    found: SmallestSet[int]

    def __init__(
        self,
        run: "AskedRun",
        measuring: "Inquiry",
        parts: tuple[Part, ...],
        *,
        known: Mapping[int, Outcome],
        after: int,
        first: int | None = None,
    ) -> None:
        """Begin; nothing is measured yet.

        Args:
            run: The run.
            measuring: What it has in common with the other what-ifs of the search.
            parts: What is taken away.
            known: What came of whole contexts that were taken away alone, by their records.
            after: Changes that the search tested before, whose shares of the level are spent.
            first: How many the first block of its shares has; where nothing was tested before,
                about as many as a single cause takes.
        """
        self._first = first or 2 * len(parts).bit_length() + 2
        self._parts = parts
        self._after = after
        self._known = {
            frozenset({at}): known[part.context]
            for at, part in enumerate(parts)
            if part.context is not None and part.context in known
        }
        super().__init__(run, measuring, [part.asked.target for part in parts])
        self._names = tuple(part.name for part in parts)

    @property
    def tested(self) -> int:
        """Sets that were tested."""
        return len(self._asked)

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the set; empty when none was shown to flip the answer."""
        return self._named(self.found.items)

    @property
    def has_steps(self) -> bool:
        """Whether results of steps are among the parts."""
        return any(part.step for part in self._parts)

    def how_told(self) -> str:
        """How the one part that was found is taken away, in words."""
        (at,) = self.found.items
        if self._parts[at].asked.verb == "swap":
            return "an empty result instead of what it gave flips the answer"
        return "removing it flips the answer"

    def told(self) -> str:
        """What was tried, in words."""
        names = [part.name for part in self._parts]
        several = sum(1 < len(one) < len(names) for one in self._asked)
        alone = sum(len(one) == 1 for one in self._asked)
        more = [f"{alone} of them alone"] if alone and len(names) > 1 else []
        more += [f"{several} sets of several"] if several else []
        what = "items of lists and results of steps" if self.has_steps else "items of lists"
        told = f", {' and '.join(more)}" if more else ""
        return f"{what} ({listed(names)}): all together{told}"

    def _lines(self) -> list[str]:
        return []

    def _plan(self, chosen: tuple[int, ...]) -> Plan:
        origin = self._measuring.origin
        asked = [self._parts[at].asked for at in chosen]
        return plan_of(origin.recording, origin.recorded, asked, may_take_all=True)

    def _search(self) -> "Search":
        return smallest_set(self._places, known=self._known, only_likely=True)

    def _planned(self, before: int) -> int:
        return planned_size(self._after + before, first=self._first) - self._after


def listed(names: "list[str] | tuple[str, ...]", most: int = 6) -> str:
    """Names in a row, those beyond some counted.

    Args:
        names: The names.
        most: How many are named.
    """
    shown, left = cut(names, most)
    return ", ".join([*shown, *([f"{left:,} more"] if left else [])])


def parts_of(measuring: "Inquiry") -> tuple[Part, ...]:
    """The parts of a run: items of lists among its contexts, other contexts whole, and results.

    Args:
        measuring: What is measured of the run.
    """
    found = tuple(_parts(measuring, items=True))
    return found if len(found) <= MOST_PARTS else tuple(_parts(measuring, items=False))


def is_worth_it(parts: tuple[Part, ...]) -> bool:
    """Whether parts hold anything that whole contexts do not.

    Args:
        parts: The parts.
    """
    return any(part.context is None for part in parts)


def _parts(measuring: "Inquiry", *, items: bool) -> Iterator[Part]:
    points = list(measuring.origin.recorded.points.values())
    models = _models(measuring)
    prompts = {digest for model, _ in models for digest in model.inputs}
    calls: dict[str, int] = {}
    for point in points:
        calls[point.name] = calls.get(point.name, 0) + 1
    for point in points:
        name = point.name if calls[point.name] < 2 else f"{point.name} (record {point.seq})"
        if point.kind == "context":
            yield from _of_context(measuring, point, name, items=items)
        elif point.kind == "link" and point.type in STEPS and _is_read(models, prompts, point):
            tool = point.name if point.type == "tool" else None
            for part in _of_result(measuring, point, name, items=items):
                yield replace(part, step=True, tool=tool)


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
        yield from (
            Part(each.name, each.asked, step=True) for each in _items(measuring, point, name, value)
        )
    elif isinstance(value, str | list | tuple) and can_be_missing(measuring, point):
        yield Part(name, Intervention("remove", point.seq))
    elif isinstance(value, dict | bool | int | float):
        yield Part(name, Intervention("swap", point.seq, _blank(value)))


def _items(measuring: "Inquiry", point: "RecordedPoint", name: str, value: Any) -> Iterator[Part]:
    for at in range(len(value)):
        asked = Intervention("remove", (point.seq, at))
        if _can_be_asked(measuring, asked):
            yield Part(f"{name}[{at}]", asked)


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


def _is_read(
    models: "list[tuple[RecordedPoint, frozenset[int]]]", prompts: set[str], point: "RecordedPoint"
) -> bool:
    """Whether a model outside of a step may have read its result beside other things.

    What is a model's whole input would take everything away.
    """
    if point.value in prompts:
        return False
    later = (around for model, around in models if model.seq > point.seq)
    return any(point.seq not in around for around in later)
