"""A search over sets of context as a person holds it: every set is measured as any what-if."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from explainkit.errors import InterventionError
from explainkit.safety import visible
from explainkit.session.measured_searches import MeasuredSearch
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.session.suspect_parts import (
    Part,
    can_be_missing,
    given_parts,
    is_tool,
    parts_of,
    tools_offered,
)
from explainkit.whatif.cut_lists import cut, listed
from explainkit.whatif.searching import likely_sets
from explainkit.whatif.varying import Intervention, Plan, plan_of
from explainkit.whatif.varying.given_parts import given_values
from explainkit.whatif.varying.given_to_runs import edit_form
from explainkit.whatif.varying.gone import words_in
from explainkit.whatif.varying.pointed_parts import Target
from explainkit.whatif.varying.targets import targets_of

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.session.asking import AskedRun
    from explainkit.whatif.inquiries import Inquiry as Measuring

_BROKEN = 2
"""Sets without which the run went to pieces that are named."""
_STOPPED = {
    "budget": "The budget was used up",
    "cancelled": "It was cancelled",
}


class SetSearch(MeasuredSearch):
    """What a search over sets found: each is removed, and measured."""

    title: ClassVar[str]
    door: ClassVar[str]

    def __init__(self, run: "AskedRun", measuring: "Measuring", items: Any) -> None:
        """Find what may be removed; nothing is measured yet.

        Raises:
            InterventionError: Nothing may be, or a target names nothing.
        """
        chosen = self._chosen(measuring) if items is None else _listed(measuring, items)
        if not chosen and not (items is None and self._may_go_without(measuring)):
            raise InterventionError(
                "There is no context that can be removed. Give items= with parts of what links "
                f"gave, such as items=[({_first_link(measuring)!r:.60}, 0)], or use replace=, "
                f"swap= or edit= of run.whatif{_edit_shown(measuring)}."
            )
        super().__init__(run, measuring)
        self._searched = tuple(chosen)
        self._taken = tuple(each.asked for each in chosen)
        self._items = tuple(each.target for each in self._taken)
        self._names = tuple(each.name for each in chosen)
        self._all = items is None

    @staticmethod
    def _chosen(measuring: "Measuring") -> "Sequence[Part]":
        """What is searched where nothing is listed."""
        found = [*whole_contexts(measuring), *given_parts(measuring)]
        return found or parts_of(measuring) or tools_offered(measuring)

    @staticmethod
    def _may_go_without(measuring: "Measuring") -> bool:
        """Whether there is something else to try where no context can be removed."""
        return False

    @classmethod
    def search(cls, run: "AskedRun", items: Any, settings: Mapping[str, Any]) -> Self:
        """Search in a run; the arguments are those of ``Run.smallest_cause``."""
        found = cls._begun(run, items, settings)
        for trial in found.trials():
            try:
                found._measuring.measure(trial)
            finally:
                found.keep(trial)
        return found

    @classmethod
    async def search_async(cls, run: "AskedRun", items: Any, settings: Mapping[str, Any]) -> Self:
        """As `search`, awaiting the re-runs."""
        found = cls._begun(run, items, settings)
        for trial in found.trials():
            try:
                await found._measuring.measure_async(trial)
            finally:
                found.keep(trial)
        return found

    @classmethod
    def _begun(cls, run: "AskedRun", items: Any, settings: Mapping[str, Any]) -> Self:
        from explainkit.session.whatifs import inquiry_into

        return cls(run, inquiry_into(run, **{"door": cls.door, **settings}), items)

    def _plan(self, chosen: tuple[int, ...]) -> "Plan":
        origin = self._measuring.origin
        asked = [self._taken[at] for at in chosen]
        return plan_of(origin.recording, origin.recorded, asked, may_take_all=True)

    def _key(self, chosen: tuple[int, ...]) -> frozenset[int]:
        return frozenset(chosen)

    def _likely(self) -> "Iterator[tuple[int, ...]]":
        """Sets that may be copies of each other; worked out when a search comes to them."""
        texts = [
            " ".join(words_in([each.value for each in self._targets_of(item)]))
            for item in self._items
        ]
        plans = (self._plan((at,)) for at in range(len(self._items)))
        yield from likely_sets(texts, gone=[[one.text for one in plan.gone] for plan in plans])

    @property
    def _places(self) -> range:
        """The items by number, as the search knows them."""
        return range(len(self._items))

    def _named(self, chosen: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._names[at] for at in chosen)

    @property
    def calls(self) -> int:
        """Calls that were made for it."""
        return self._measuring.spent.calls

    @property
    def reruns(self) -> int:
        """Re-runs that were made for it."""
        return self._measuring.spent.reruns

    def to_frame(self) -> "pd.DataFrame":
        """A row for each set that was measured: what was removed, and what may be said of it."""
        import pandas as pd

        rows = [
            {
                "removed": self._named(chosen),
                "word": judged.word,
                "n": judged.n,
                "flips": judged.flips[0],
                "unchanged_flips": judged.flips[1],
                "p": judged.adjusted_p,
                "reason": judged.reason,
            }
            for chosen, judged in zip(self._asked, self.judged(), strict=True)
        ]
        columns = ("removed", "word", "n", "flips", "unchanged_flips", "p", "reason")
        return pd.DataFrame(rows, columns=list(columns))

    def lines(self) -> list[str]:
        """What was found, line by line."""
        lines = self._lines()
        if self.stopped is not None:
            why = _STOPPED.get(self.stopped, self.stopped)
            lines.append(
                f"{why} after {self._tried()}; these are kept, the others are not decided."
            )
        return [visible(each) for each in lines]

    @property
    def names(self) -> tuple[str, ...]:
        """What is searched, by name."""
        return self._names

    @property
    def tried_alone(self) -> tuple[str, ...]:
        """What was taken away alone."""
        return tuple(self._names[one[0]] for one in self._asked if len(one) == 1)

    @property
    def _alone(self) -> int:
        """How many items of several were tried alone."""
        return sum(len(one) == 1 for one in self._asked) if len(self._items) > 1 else 0

    def _targets_of(self, item: Any) -> list[Target]:
        """What an item names."""
        origin = self._measuring.origin
        return targets_of(origin.recording, origin.recorded, item)

    @abstractmethod
    def _lines(self) -> list[str]:
        """What was found."""

    def broken_told(self) -> list[str]:
        """Sets without which the run went to pieces, which is no other answer."""
        shown, left = cut(self.broken, _BROKEN)
        lines = []
        for chosen, why in shown:
            several = 1 < len(chosen) == len(self._items)
            without = "everything" if several else listed(self._named(chosen), 4)
            lines.append(f"Without {without}: {why}. That is no other answer.")
        return [*lines, *([f"So it was with {left} other sets."] if left else [])]

    def _everything(self) -> str:
        """What removing everything gives, in words."""
        judged = self.judged()
        return str(judged[0]) if judged else "nothing: no re-run was made"

    def _cost(self) -> str:
        reruns, calls = counted(self.reruns, "re-run"), counted(self.calls, "call")
        return f"{self._tried()} measured, {reruns}, {calls}"

    def _tried(self) -> str:
        return counted(len(self._asked), "set")

    def __str__(self) -> str:
        """What was found, in one line."""
        return self.lines()[0]

    def __repr__(self) -> str:
        return guarded(lambda: "\n".join([*self.lines(), self._cost()]), "<explainkit search>")

    def _repr_html_(self) -> str:
        from explainkit.view.whatif.searched import html_of_search

        return guarded_html(lambda: str(html_of_search(self.title, self.lines(), self._cost())))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def whole_contexts(measuring: "Measuring") -> list[Part]:
    """Contexts that can be missing, without descriptions of tools.

    Args:
        measuring: What is measured of the run.
    """
    points = measuring.origin.recorded.points
    contexts = [p for p in points.values() if p.kind == "context" and not is_tool(p)]
    kept = [each for each in contexts if can_be_missing(measuring, each)]
    names = _told_apart([(each.seq, each.name) for each in kept])
    return [
        Part(name, Intervention("remove", each.seq), context=each.seq)
        for each, name in zip(kept, names, strict=True)
    ]


def _listed(measuring: "Measuring", items: Any) -> list[Part]:
    """What a user listed, each with its name."""
    chosen: list[Any]
    if isinstance(items, list):
        chosen = items
    else:
        chosen = sorted(items, key=repr) if isinstance(items, set | frozenset) else [items]
    names = _told_apart([(each, _name(measuring, each)) for each in chosen])
    return [
        Part(name, Intervention("remove", each), context=each if isinstance(each, int) else None)
        for each, name in zip(chosen, names, strict=True)
    ]


def _told_apart(named: list[tuple[Any, str]]) -> list[str]:
    """Names, those of several records with the number of theirs."""
    names = [name for _, name in named]
    return [
        f"{name} (record {each})" if isinstance(each, int) and names.count(name) > 1 else name
        for each, name in named
    ]


def _first_link(measuring: "Measuring") -> str:
    links = _links_beside(measuring)
    return links[0] if links else "name of a link"


def _edit_shown(measuring: "Measuring") -> str:
    """How what the run was given is changed, where it can be."""
    origin = measuring.origin
    for held in given_values(origin.recording, origin.recorded):
        if measuring.takes(held.place.slot):
            return f", such as {edit_form(origin.recording, origin.recorded, held.place)}"
    return ""


def _links_beside(measuring: "Measuring") -> tuple[str, ...]:
    """Names of links that gave something to a later step, where only contexts are tried."""
    points = measuring.origin.recorded.points.values()
    kinds = ("retrieval", "tool", "function", "embedding")
    return tuple(dict.fromkeys(p.name for p in points if p.kind == "link" and p.type in kinds))


def _name(measuring: "Measuring", target: Any) -> str:
    """What is removed, as displays print it and `whatif` takes it."""
    if isinstance(target, tuple):
        origin = measuring.origin
        meant = targets_of(origin.recording, origin.recorded, target)[0]
        named, same = target[0], _calls(measuring, meant.name)
        unique = meant.name if same < 2 else f"{meant.name} (record {meant.seq})"
        return meant.displayed_in(named if isinstance(named, str) else unique)
    points = measuring.origin.recorded.points
    if isinstance(target, int) and target in points:
        return points[target].name
    return str(getattr(target, "name", None) or getattr(target, "label", None) or target)


def _calls(measuring: "Measuring", name: str) -> int:
    return sum(each.name == name for each in measuring.origin.recorded.points.values())


def counted(number: int, what: str) -> str:
    """A number with its noun.

    Args:
        number: How many.
        what: The noun in the singular.
    """
    return f"{number} {what}{'' if number == 1 else 's'}"
