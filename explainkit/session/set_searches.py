"""A search over sets of context as a person holds it: every set is measured as any what-if."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from explainkit.errors import InterventionError
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.whatif.searching import Inquiry, Outcome, likely_sets, outcome_of
from explainkit.whatif.varying import Intervention, Plan, plan_of
from explainkit.whatif.varying.gone import words_in
from explainkit.whatif.varying.targets import targets_of

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.session.asking import AskedRun
    from explainkit.session.whatifs import WhatIf
    from explainkit.whatif.inquiries import Inquiry as Measuring
    from explainkit.whatif.measuring import Trial
    from explainkit.whatif.statistics import Judgement
    from explainkit.whatif.varying.recorded_points import RecordedPoint

Sets = Inquiry[Any, Any, Any]

_STOPPED = {
    "budget": "The budget was used up",
    "cancelled": "It was cancelled",
}


class SetSearch(ABC):
    """What a search over sets found.

    What it says is worked out anew whenever it is shown, beside everything that was measured on
    the same run for the same answer and judge: with further what-ifs a set that was a cause may
    become `inconclusive`, and then nothing is concluded from it any more.

    Attributes:
        whatifs: Every set that was measured, in order; each is recorded as a finding.
        stopped: Why not all sets were measured: `budget` or `cancelled`; None when they were.
    """

    title: ClassVar[str]
    door: ClassVar[str]

    def __init__(self, run: "AskedRun", measuring: "Measuring", items: Any) -> None:
        """Find what may be removed; nothing is measured yet.

        Raises:
            InterventionError: Nothing may be, or a target names nothing.
        """
        chosen = _removable(measuring, items)
        if not chosen:
            raise InterventionError(
                "There is no context that can be removed. Give items=, such as "
                'items=["tariff", "note"], or use replace= of run.whatif.'
            )
        self._run = run
        self._measuring = measuring
        self._items = tuple(item for item, _ in chosen)
        self._names = tuple(name for _, name in chosen)
        self._untried = _links_beside(measuring) if items is None else ()
        self._asked: list[tuple[int, ...]] = []
        self._told: dict[frozenset[int], Outcome] = {}
        self._settled: tuple[int, Any] | None = None
        self.whatifs: list[WhatIf] = []
        self.stopped: str | None = None

    @classmethod
    def search(cls, run: "AskedRun", items: Any, settings: Mapping[str, Any]) -> Self:
        """Search in a run; the arguments are those of ``Run.smallest_cause``."""
        found = cls._begun(run, items, settings)
        for trial in found._trials():
            try:
                found._measuring.measure(trial)
            finally:
                found._keep(trial)
        return found

    @classmethod
    async def search_async(cls, run: "AskedRun", items: Any, settings: Mapping[str, Any]) -> Self:
        """As `search`, awaiting the re-runs."""
        found = cls._begun(run, items, settings)
        for trial in found._trials():
            try:
                await found._measuring.measure_async(trial)
            finally:
                found._keep(trial)
        return found

    @classmethod
    def _begun(cls, run: "AskedRun", items: Any, settings: Mapping[str, Any]) -> Self:
        from explainkit.session.whatifs import inquiry_into

        return cls(run, inquiry_into(run, **{"door": cls.door, **settings}), items)

    def _trials(self) -> "Generator[Trial]":
        """The sets to be measured, one by one; what came of each is read when it goes on."""
        search, measuring = self._search(range(len(self._items))), self._measuring
        while not search.is_done:
            outcomes = []
            for chosen in search.question:
                if self.stopped is None and measuring.budget.is_used_up(measuring.spent):
                    self.stopped = "budget"
                if self.stopped is not None:
                    outcomes.append(Outcome.UNRESOLVED)
                    continue
                trial = self._trial(chosen)
                yield trial
                outcomes.append(_outcome(_judged_in_search(trial)))
                measuring.measured.append(trial.measurement)
                self._told[frozenset(chosen)] = outcomes[-1]
                self.stopped = trial.stopped
            search.answer(outcomes)

    def _trial(self, chosen: tuple[int, ...]) -> "Trial":
        plan = self._plan(chosen)
        before = len(self._asked)
        planned = self._planned(before) - before
        self._asked.append(chosen)
        return self._measuring.trial(plan, planned=planned)

    def _plan(self, chosen: tuple[int, ...]) -> "Plan":
        origin = self._measuring.origin
        asked = [Intervention("remove", self._items[at]) for at in chosen]
        return plan_of(origin.recording, origin.recorded, asked, may_take_all=True)

    def _keep(self, trial: "Trial") -> None:
        from explainkit.session.whatifs import recorded

        self.whatifs.append(recorded(self._run, self._measuring, trial))

    @property
    def found(self) -> Any:
        """The result of the search, from what may be said of each set now."""
        size = len(self._run.recording)
        if self._settled is None or self._settled[0] != size:
            self._settled = (size, self._worked_out())
        return self._settled[1]

    def _worked_out(self) -> Any:
        """Ask the search again; what was not measured stays open."""
        outcomes = dict(self._told)
        for chosen, judged in zip(self._asked, self._judged(), strict=True):
            if outcomes.get(frozenset(chosen)) is not _outcome(judged):
                outcomes[frozenset(chosen)] = Outcome.UNRESOLVED
        search = self._search(range(len(self._items)))
        while not search.is_done:
            asked = [outcomes.get(frozenset(one), Outcome.UNRESOLVED) for one in search.question]
            search.answer(asked)
        return search.result

    def _judged(self) -> "list[Judgement]":
        """What may be said of each set now, beside all of its family."""
        from explainkit.whatif.families import judgements_in

        by_seq = judgements_in(self._run.recording, self._measuring.family)
        return [each.judgement if each.seq is None else by_seq[each.seq] for each in self.whatifs]

    def _likely(self) -> "Iterator[tuple[int, ...]]":
        """Sets that may be copies of each other; worked out when a search comes to them."""
        origin = self._measuring.origin
        named = (targets_of(origin.recording, origin.recorded, item) for item in self._items)
        texts = [" ".join(words_in([each.value for each in targets])) for targets in named]
        plans = (self._plan((at,)) for at in range(len(self._items)))
        yield from likely_sets(texts, gone=[[one.text for one in plan.gone] for plan in plans])

    @abstractmethod
    def _search(self, items: range) -> Sets:
        """The search."""

    @abstractmethod
    def _planned(self, before: int) -> int:
        """Sets that the family counts as planned when so many were tested."""

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
            for chosen, judged in zip(self._asked, self._judged(), strict=True)
        ]
        columns = ("removed", "word", "n", "flips", "unchanged_flips", "p", "reason")
        return pd.DataFrame(rows, columns=list(columns))

    def lines(self) -> list[str]:
        """What was found, line by line."""
        lines = self._lines()
        if self.stopped is not None:
            why = _STOPPED.get(self.stopped, self.stopped)
            lines.append(
                f"{why} after {_count(len(self.whatifs), 'set')}; these are kept, the others are "
                "not decided."
            )
        return lines

    @abstractmethod
    def _lines(self) -> list[str]:
        """What was found."""

    def _everything(self) -> str:
        """What removing everything gives, in words."""
        judged = self._judged()
        return str(judged[0]) if judged else "nothing: no re-run was made"

    def _cost(self) -> str:
        sets, reruns = _count(len(self.whatifs), "set"), _count(self.reruns, "re-run")
        return f"{sets} measured, {reruns}, {_count(self.calls, 'call')}"

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


def _judged_in_search(trial: "Trial") -> "Judgement":
    """What may be said of a set while the search may yet go on, beside all that is planned."""
    from explainkit.whatif.statistics import judge_all

    return judge_all([*trial.others, trial.measurement], planned=trial.planned)[-1]


def _outcome(judged: "Judgement") -> Outcome:
    """What the search is told: a change that did not reach the model changes nothing."""
    return Outcome.HOLDS if judged.word == "not applied" else outcome_of(judged)


def _removable(measuring: "Measuring", items: Any) -> list[tuple[Any, str]]:
    """What may be removed, with its name; contexts of a kind that cannot be missing are left."""
    points = measuring.origin.recorded.points
    chosen: list[Any]
    if items is None:
        contexts = [each for each in points.values() if each.kind == "context"]
        chosen = [each.seq for each in contexts if _can_be_missing(measuring, each)]
    elif isinstance(items, list):
        chosen = items
    else:
        chosen = sorted(items, key=repr) if isinstance(items, set | frozenset) else [items]
    names = [_name(each, points) for each in chosen]
    return [
        (
            each,
            f"{name} (record {each})" if isinstance(each, int) and names.count(name) > 1 else name,
        )
        for each, name in zip(chosen, names, strict=True)
    ]


def _links_beside(measuring: "Measuring") -> tuple[str, ...]:
    """Names of links that gave something to a later step, where only contexts are tried."""
    points = measuring.origin.recorded.points.values()
    kinds = ("retrieval", "tool", "function", "embedding")
    return tuple(dict.fromkeys(p.name for p in points if p.kind == "link" and p.type in kinds))


def _can_be_missing(measuring: "Measuring", point: "RecordedPoint") -> bool:
    origin, asked = measuring.origin, [Intervention("remove", point.seq)]
    try:
        plan_of(origin.recording, origin.recorded, asked, may_take_all=True)
    except InterventionError:
        return False
    return True


def _name(target: Any, points: "Mapping[int, RecordedPoint]") -> str:
    if isinstance(target, tuple) and len(target) > 1:
        return f"{target[1]!r:.40} of {_name(target[0], points)}"
    if isinstance(target, int) and target in points:
        return points[target].name
    return str(getattr(target, "name", None) or getattr(target, "label", None) or target)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
