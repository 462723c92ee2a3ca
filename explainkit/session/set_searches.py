"""Searches over sets of context, each set measured as any what-if: who causes, jointly or twice."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import ceil, log2
from typing import TYPE_CHECKING, Any, ClassVar, Self

from explainkit.errors import InterventionError
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.whatif.searching import (
    Inquiry,
    Outcome,
    Roles,
    Share,
    SmallestSet,
    find_roles,
    outcome_of,
    shapley_shares,
    smallest_set,
)
from explainkit.whatif.varying import Intervention
from explainkit.whatif.varying.planning import plan_of

if TYPE_CHECKING:
    from explainkit.session.searched import SearchedRun
    from explainkit.session.whatifs import WhatIf
    from explainkit.whatif.inquiries import Inquiry as Asked

Batch = tuple[tuple[int, ...], ...]


class SetSearch(ABC):
    """What a search over sets found.

    Attributes:
        whatifs: Every set that was measured, in order; each is recorded as a finding.
    """

    title: ClassVar[str]

    def __init__(self, items: Sequence[Any], names: Sequence[str]) -> None:
        """Keep what may be removed, and what it is called."""
        self._items = tuple(items)
        self._names = tuple(names)
        self.whatifs: list[WhatIf] = []

    @classmethod
    def search(cls, run: "SearchedRun", items: Any, settings: Mapping[str, Any]) -> Self:
        """Search in a run; the arguments are those of ``Run.smallest_cause``."""
        from explainkit.session.whatifs import inquiry_into, recorded

        inquiry = inquiry_into(run, **settings)
        found = cls._begun(inquiry, items)
        search = found._inquiry(range(len(found._items)))
        while not search.is_done:
            outcomes = []
            for chosen in search.question:
                trial = found._trial(inquiry, chosen)
                try:
                    inquiry.measure(trial)
                finally:
                    found.whatifs.append(recorded(run, inquiry, trial))
                outcomes.append(_outcome(inquiry, trial))
            search.answer(outcomes)
        found._take(search.result)
        return found

    @classmethod
    async def search_async(
        cls, run: "SearchedRun", items: Any, settings: Mapping[str, Any]
    ) -> Self:
        """As `search`, awaiting the re-runs."""
        from explainkit.session.whatifs import inquiry_into, recorded

        inquiry = inquiry_into(run, **settings)
        found = cls._begun(inquiry, items)
        search = found._inquiry(range(len(found._items)))
        while not search.is_done:
            outcomes = []
            for chosen in search.question:
                trial = found._trial(inquiry, chosen)
                try:
                    await inquiry.measure_async(trial)
                finally:
                    found.whatifs.append(recorded(run, inquiry, trial))
                outcomes.append(_outcome(inquiry, trial))
            search.answer(outcomes)
        found._take(search.result)
        return found

    @classmethod
    def _begun(cls, inquiry: "Asked", items: Any) -> Self:
        chosen = _removable(inquiry, items)
        if not chosen:
            raise InterventionError(
                "There is no context that can be removed. Give items=, such as "
                'items=["tariff", "note"], or use replace= of run.whatif.'
            )
        return cls([each for each, _ in chosen], [name for _, name in chosen])

    def _trial(self, inquiry: "Asked", chosen: Sequence[int]) -> Any:
        asked = [Intervention("remove", self._items[at]) for at in chosen]
        origin = inquiry.origin
        plan = plan_of(origin.recording, origin.recorded, asked, may_take_all=True)
        return inquiry.trial(plan, planned=self._planned)

    @property
    def _planned(self) -> int:
        """Sets that the family counts from the start (ours): about those of a single cause."""
        return max(1, 2 * ceil(log2(len(self._items))) + 2 - len(self.whatifs))

    def _named(self, chosen: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._names[at] for at in chosen)

    @abstractmethod
    def _inquiry(self, items: range) -> Inquiry[Any, Any, Any]:
        """The search."""

    @abstractmethod
    def _take(self, result: Any) -> None:
        """Keep what it found."""

    @property
    def calls(self) -> int:
        """Calls that were made for it."""
        return self.whatifs[-1].trial.spent.calls if self.whatifs else 0

    @property
    def reruns(self) -> int:
        """Re-runs that were made for it."""
        return self.whatifs[-1].trial.spent.reruns if self.whatifs else 0

    @abstractmethod
    def lines(self) -> list[str]:
        """What was found, line by line."""

    def _cost(self) -> str:
        return f"{len(self.whatifs)} sets measured, {self.reruns} re-runs, {self.calls} calls"

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


class SmallestCause(SetSearch):
    """The smallest set of context whose removal flips the answer; made by ``Run.smallest_cause``.

    Example:
        >>> import explainkit as ek
        >>> @ek.link(kind="model", deterministic=True)
        ... def ask(prompt):
        ...     return "Half is paid." if "half" in prompt else "Nothing is paid."
        >>> @ek.traced("claim")
        ... def claim(question):
        ...     one = ek.context("note", "For 30 minutes we pay half.", kind="memory")
        ...     two = ek.context("mail", "You get half of it back.", kind="message")
        ...     law = ek.context("law", "No rule is known.", kind="document")
        ...     return ask(ek.assemble("{a} {b} {c}", a=one, b=two, c=law))
        >>> _ = claim("40 minutes late?")
        >>> ek.last().smallest_cause().items
        ('note', 'mail')
    """

    title = "Smallest set whose removal flips the answer"
    found: SmallestSet[int]

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the set; empty when removing everything was not shown to flip the answer."""
        return self._named(self.found.items)

    @property
    def whatif(self) -> "WhatIf | None":
        """The what-if of the set itself."""
        wanted = set(self.found.items)
        at = [n for n, chosen in enumerate(self._asked) if set(chosen) == wanted]
        return self.whatifs[at[-1]] if at and wanted else None

    def lines(self) -> list[str]:
        """What was found, line by line."""
        if not self.items:
            reason = self.whatifs[0] if self.whatifs else ""
            return [f"No set was found: removing everything gives {reason}."]
        kind = "flips the answer alone"
        if len(self.items) > 1:
            kind = "flip the answer together; without any of them it holds"
        lines = [f"{', '.join(self.items)}: {kind}"]
        if self.whatif is not None:  # worked out anew beside all sets that were tried
            lines.append(str(self.whatif))
        if self.found.uncertain:
            lines.append(f"{len(self.found.uncertain)} smaller sets could not be decided")
        return lines

    def _inquiry(self, items: range) -> Inquiry[Any, Any, Any]:
        return smallest_set(items)

    def _take(self, result: Any) -> None:
        self.found = result
        self._asked = [tuple(sorted(chosen)) for chosen in result.outcomes]


class CauseRoles(SetSearch):
    """The part that each context has in the answer; made by ``Run.cause_roles``."""

    title = "Who is needed, who is a copy, who has no part"
    found: Roles[int]

    @property
    def needed(self) -> tuple[str, ...]:
        """Removing one of them alone flips the answer; several are a joint cause."""
        return self._named(self.found.needed)

    @property
    def copies(self) -> tuple[str, ...]:
        """Redundant: any one of them is enough, so none flips the answer alone."""
        return self._named(self.found.copies)

    @property
    def bystanders(self) -> tuple[str, ...]:
        """Those without a part."""
        return self._named(self.found.bystanders)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Those of which nothing can be said yet."""
        return self._named((*self.found.unresolved, *self.found.unexplained))

    def lines(self) -> list[str]:
        """What was found, line by line."""
        rows = (
            ("needed together" if self.found.is_joint else "needed", self.needed),
            ("redundant copies", self.copies),
            ("no part", self.bystanders),
            ("not decided", self.unresolved),
        )
        lines = [f"{label}: {', '.join(names)}" for label, names in rows if names]
        if self.found.whole is not Outcome.FLIPS:
            first = self.whatifs[0] if self.whatifs else ""
            lines.insert(0, f"removing everything gives {first}")
        return lines

    def _inquiry(self, items: range) -> Inquiry[Any, Any, Any]:
        return find_roles(items)

    def _take(self, result: Any) -> None:
        self.found = result


class CauseShares(SetSearch):
    """Exact Shapley values of contexts in the flip of the answer; made by ``Run.cause_shares``."""

    title = "Shares of the flip (Shapley values)"
    found: tuple[Share[int], ...]

    @property
    def shares(self) -> dict[str, tuple[float, float]]:
        """The least and the most that each share can be; equal where every set was decided."""
        return {self._names[each.item]: (float(each.low), float(each.high)) for each in self.found}

    def lines(self) -> list[str]:
        """What was found, line by line."""
        ordered = sorted(self.found, key=lambda each: (-each.high, each.item))
        return [
            f"{self._names[each.item]}: {each.low}"
            + ("" if each.is_exact else f" to {each.high}, some sets could not be decided")
            for each in ordered
        ]

    def _inquiry(self, items: range) -> Inquiry[Any, Any, Any]:
        return shapley_shares(items)

    def _take(self, result: Any) -> None:
        self.found = result


def _outcome(inquiry: "Asked", trial: Any) -> Outcome:
    """What the search is told: a change that did not reach the model changes nothing."""
    judged = inquiry.judged(trial)
    inquiry.measured.append(trial.measurement)
    return Outcome.HOLDS if judged.word == "not applied" else outcome_of(judged)


def _removable(inquiry: "Asked", items: Any) -> list[tuple[Any, str]]:
    """What may be removed, with its name; contexts of a kind that cannot be missing are left."""
    origin = inquiry.origin
    points = origin.recorded.points
    if items is not None:
        given = list(items) if isinstance(items, list | tuple | set) else [items]
        return [(each, _name(each)) for each in given]
    found = []
    for point in points.values():
        if point.kind != "context":
            continue
        try:
            plan_of(
                origin.recording,
                origin.recorded,
                [Intervention("remove", point.seq)],
                may_take_all=True,
            )
        except InterventionError:
            continue
        found.append((point.seq, point.name))
    return found


def _name(target: Any) -> str:
    if isinstance(target, tuple):
        return f"{target[1]!r:.40} in {target[0]}"
    return str(getattr(target, "name", None) or getattr(target, "label", None) or target)
