"""A search as a person holds it: whatever it tries is measured as any what-if."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable
from typing import TYPE_CHECKING, Any

from explainkit.whatif.searching import Inquiry, Outcome, outcome_of

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun
    from explainkit.session.whatifs import WhatIf
    from explainkit.whatif.inquiries import Inquiry as Measuring
    from explainkit.whatif.measuring import Trial
    from explainkit.whatif.statistics import Judgement
    from explainkit.whatif.varying import Plan

Search = Inquiry[Any, Any, Any]


class MeasuredSearch(ABC):
    """What a search found that asks for outcomes of changes.

    What it says is worked out anew whenever it is shown, beside everything that was measured on
    the same run for the same answer and judge: with further what-ifs a change that was a cause may
    become `inconclusive`, and then nothing is concluded from it any more.

    Attributes:
        stopped: Why not all were measured: `budget` or `cancelled`; None when they were.
        broken: Changes with which the run went to pieces, and how.
    """

    def __init__(self, run: "AskedRun", measuring: "Measuring") -> None:
        """Begin; nothing is measured yet."""
        self._run = run
        self._measuring = measuring
        self._asked: list[Any] = []
        self._told: dict[Hashable, Outcome] = {}
        self._settled: tuple[int, Any] | None = None
        self._measured: list[WhatIf] = []
        self.stopped: str | None = None
        self.broken: list[tuple[Any, str]] = []

    def trials(self) -> "Generator[Trial]":
        """What is to be measured, one by one; what came of each is read when it goes on.

        Each is kept with `keep` before the next one is asked for.
        """
        search, measuring = self._search(), self._measuring
        while not search.is_done:
            outcomes = []
            for chosen in search.question:
                key = self._key(chosen)
                if key in self._told:
                    outcomes.append(self._told[key])
                    continue
                if self.stopped is None and measuring.budget.is_used_up(measuring.spent):
                    self.stopped = "budget"
                if self.stopped is not None:
                    outcomes.append(Outcome.UNRESOLVED)
                    continue
                trial = self._trial(chosen)
                yield trial
                outcomes.append(self._came_of(chosen, trial))
                measuring.settle(trial)
                self._told[key] = outcomes[-1]
                self.stopped = trial.stopped
            search.answer(outcomes)

    def _came_of(self, chosen: Any, trial: "Trial") -> Outcome:
        """What the search is told; that a run goes to pieces says nothing of its answer's words."""
        from explainkit.whatif.measuring import raised_in

        why = trial.in_pieces
        if trial.broken is not None and trial.changed:
            why = f"the run raised {raised_in(trial.changed[-1].done)}"
        if why is not None:
            self.broken.append((chosen, why))
        return _outcome(_judged_in_search(trial))

    def _trial(self, chosen: Any) -> "Trial":
        plan = self._plan(chosen)
        before = len(self._asked)
        planned = self._planned(before) - before
        self._asked.append(chosen)
        return self._measuring.trial(plan, planned=planned, copies_count=False)

    def keep(self, trial: "Trial") -> None:
        """Record what came of a trial."""
        from explainkit.session.whatifs import recorded

        self._measured.append(recorded(self._run, self._measuring, trial))

    @property
    def whatifs(self) -> "list[WhatIf]":
        """Every change that was measured, in order; each is recorded as a finding."""
        return list(self._measured)

    @property
    def found(self) -> Any:
        """The result of the search, from what may be said of each change now."""
        size = len(self._run.recording)
        if self._settled is None or self._settled[0] != size:
            self._settled = (size, self._worked_out())
        return self._settled[1]

    def _worked_out(self) -> Any:
        """Ask the search again; what was not measured stays open."""
        outcomes = dict(self._told)
        for chosen, judged in zip(self._asked, self.judged(), strict=True):
            if outcomes.get(self._key(chosen)) is not _outcome(judged):
                outcomes[self._key(chosen)] = Outcome.UNRESOLVED
        search = self._search()
        while not search.is_done:
            keys = [self._key(one) for one in search.question]
            search.answer([outcomes.get(key, Outcome.UNRESOLVED) for key in keys])
        return search.result

    def judged(self) -> "list[Judgement]":
        """What may be said of each change now, beside all of its family."""
        from explainkit.whatif.families import judgements_in

        by_seq = judgements_in(self._run.recording, self._measuring.family)
        return [each.judgement if each.seq is None else by_seq[each.seq] for each in self._measured]

    def whatif_of(self, chosen: Any) -> "WhatIf | None":
        """The what-if of a change; None where it was not measured.

        Args:
            chosen: What the search asked about.
        """
        keys = [self._key(each) for each in self._asked]
        key = self._key(chosen)
        return self._measured[keys.index(key)] if key in keys else None

    @abstractmethod
    def _search(self) -> Search:
        """The search."""

    @abstractmethod
    def _plan(self, chosen: Any) -> "Plan":
        """What is changed."""

    @abstractmethod
    def _key(self, chosen: Any) -> Hashable:
        """What tells one change from another."""

    @abstractmethod
    def _planned(self, before: int) -> int:
        """Changes that the family counts as planned when so many were tested."""


def _judged_in_search(trial: "Trial") -> "Judgement":
    """What may be said of a change while the search may yet go on, beside all that is planned."""
    from explainkit.whatif.statistics import judge_all

    return judge_all([*trial.others, trial.measurement], planned=trial.planned)[-1]


def _outcome(judged: "Judgement") -> Outcome:
    """What the search is told: a change that did not reach the model changes nothing."""
    return Outcome.HOLDS if judged.word == "not applied" else outcome_of(judged)
