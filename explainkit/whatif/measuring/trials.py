"""One suspect while it is measured: which re-runs are due next, and which outcomes count.

The unchanged arm runs again exactly what the changed arm runs again. That set is not known before
a change was tried, and it may grow while a run takes other ways; an outcome counts only when
nothing of the set, as it stands in the end, was reused in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from explainkit.errors import RerunError
from explainkit.whatif.continuing import AROUND, COPIED, codes_of, is_other_code, recorded_codes
from explainkit.whatif.families import Member
from explainkit.whatif.judging import End, Judge, end_of
from explainkit.whatif.judging.same_answers import is_same
from explainkit.whatif.measuring.broken_ways import unanswered, went_to_pieces
from explainkit.whatif.measuring.budgets import Budget, Spent
from explainkit.whatif.measuring.calls_left_out import KNOWN_CALLS
from explainkit.whatif.measuring.jobs import Arm, Job, Outcome
from explainkit.whatif.measuring.kept_results import (
    asked_before,
    asked_in,
    kept_around,
    kept_in,
    sampled_once,
)
from explainkit.whatif.measuring.missing_changes import left_undone, missing_before
from explainkit.whatif.measuring.other_code import other_program
from explainkit.whatif.measuring.other_ways import Sent
from explainkit.whatif.measuring.reaching import echoes, is_copied, not_applied
from explainkit.whatif.measuring.refusals import crashed, refusal
from explainkit.whatif.measuring.scripts import scripted
from explainkit.whatif.rerunning import Origin, Rerun
from explainkit.whatif.shared_state import NO_TIES, Ties
from explainkit.whatif.statistics import (
    NO_ARMS,
    Measurement,
    Stopped,
    TwoArms,
    level_in,
    repeats_to_run,
)
from explainkit.whatif.varying import Plan

_OTHER_TOOL = (
    ". Change what the tool gives, as with swap=, or words of its description with replace="
)


@dataclass
class Trial:
    """The measurement of one suspect.

    Attributes:
        origin: The run that is varied.
        plan: What is changed.
        judge: Decides whether an answer flipped.
        slot: Which answer is judged.
        budget: What it may cost.
        spent: What it has cost, shared by the trials of one call.
        others: The family's other measurements.
        planned: Size of the family that is planned.
        times: Repeats per arm at most.
        prior: Outcomes of the same change from an earlier call.
        key: What tells the change from others.
        around: Hash of the code around the links.
        before: The finding itself, with the code that its links had; None without one.
        broken: What a re-run with the change raised; an error is no other answer.
        in_pieces: Why a flip is no other answer: what the run cannot go on without was taken away.
        undeclared: What the code around the links may draw by chance or keep; None when nothing.
        draws: Whether that code may draw by chance.
        ties: What the links share beside what they are given.
        kept: Why the re-runs with the change may be one sample, as their calls tell.
        hidden: Why an answer that stays the same would show nothing.
        imported: What is called was found by the path in a record.
        acts_in_code: A re-run showed that the change reached the answer, through a model or not.
        steady: Unchanged re-runs of other trials in which nothing may vary, by the links that ran.
        copies_count: A copy of a removed text in another context is another way of it.
        also_in: Where words that were taken away stand as well, in the first re-run.
    """

    origin: Origin
    plan: Plan
    judge: Judge
    slot: str = "answer"
    budget: Budget = field(default_factory=Budget)
    spent: Spent = field(default_factory=Spent)
    others: Sequence[Measurement] = ()
    planned: int = 1
    times: int | None = None
    prior: TwoArms = NO_ARMS
    before: Member | None = None
    around: str | None = None
    key: str | None = None
    changed: list[Outcome] = field(default_factory=list)
    unchanged: list[Outcome] = field(default_factory=list)
    forced: frozenset[int] = frozenset()
    stopped: Stopped | None = None
    not_applied: str | None = None
    refused: str | None = None
    broken: str | None = None
    in_pieces: str | None = None
    undeclared: str | None = None
    draws: bool = False
    ties: Ties = NO_TIES
    kept: str | None = None
    hidden: str | None = None
    imported: bool = False
    acts_in_code: bool = False
    steady: Mapping[frozenset[int], tuple[Outcome, ...]] = field(default_factory=dict)
    copies_count: bool = True
    also_in: tuple[str, ...] = ()

    @property
    def continues(self) -> int | None:
        """The finding whose outcomes it goes on with."""
        return None if self.before is None else self.before.seq

    @property
    def codes(self) -> dict[str, str]:
        """The code of the links that ran, by name."""
        return self._codes_with(self.changed[0].done) if self.changed else {}

    def _codes_with(self, done: Rerun) -> dict[str, str]:
        around = {} if self.around is None else {AROUND: self.around}
        return codes_of(done) | around

    def _begin_anew(self, done: Rerun) -> None:
        """What was measured of other code is of another program: it stands beside, as it was."""
        if self.before is None:
            return
        recorded = recorded_codes(self.origin.recorded.points)
        if is_other_code(self.before.codes, self._codes_with(done), recorded):
            self.others = [*self.others, self.before.measurement]
            self.planned += 1
            self.before, self.prior = None, NO_ARMS

    @property
    def is_over(self) -> bool:
        """Whether nothing more can come of it."""
        return bool(self.stopped or self.not_applied or self.refused)

    def stop(self, why: Stopped) -> None:
        """Keep what is done, and start nothing more."""
        self.stopped = self.stopped or why

    def due(self) -> list[Job]:
        """The re-runs to start next; none when the rule, the budget or the trial is at its end."""
        if self.is_over:
            return []
        if self.broken and self.unchanged:
            self.refused = self.broken
            return []
        if self.budget.is_used_up(self.spent):
            jobs = self._due()
            if jobs:
                self.stop("budget")
            return []
        room = 1 if self.origin.caches.are_fed else self.budget.room(self.spent)
        return self._due()[:room]

    def _due(self) -> list[Job]:
        changed, unchanged = self._job("changed"), self._job("unchanged")
        if not self.changed:
            return [changed]  # it shows what has to run again
        if self.broken:
            return [unchanged]  # does the unchanged run raise as well?
        level = level_in([*self.others, self.measurement], planned=self.planned)
        baselines, tries = repeats_to_run(self.measurement, level=level)
        if self.times is not None:
            baselines = min(baselines, self.times - len(self.unchanged))
            tries = min(tries, self.times - len(self.changed))
        jobs = [unchanged] * baselines + [changed] * tries
        # What code keeps from one re-run to the next may go round in any rhythm, so which arm is
        # next is drawn: with a seed, so that the same question goes the same way.
        Random(f"{self.key or self.plan.told}:{self.spent.reruns}").shuffle(jobs)  # noqa: S311
        return jobs

    def _job(self, arm: Arm) -> Job:
        run = self.origin.recording.run
        if arm == "changed":
            return Job(arm, self.plan, self.forced, KNOWN_CALLS.looks_at(run, self._change))
        return Job(arm, Plan(), self.forced, KNOWN_CALLS.looks_at(run))

    @property
    def _change(self) -> str:
        """What tells the change, and the code around the links, from others."""
        return f"{self.around}:{self.key or self.plan.told}"

    def add(self, job: Job, done: Rerun) -> None:
        """Take the outcome of a re-run that was due."""
        self.spent.add(done)
        self.refused = self.refused or refusal(done, self.budget, job.plan)
        if self.imported:
            self.refused = self.refused or other_program(self.origin, done)
        if self.refused is not None:
            return
        end = end_of(done, slot=self.slot, origin=self.origin.recording)
        is_changed = job.arm == "changed"
        made = len(self.changed if is_changed else self.unchanged)
        raised = crashed(self.origin, self.slot, done, changed=is_changed, made=made)
        if missing := missing_before(self.origin, done, raised) - self.forced:
            self.forced |= missing
            self._drop()
            return
        if job.arm == "unchanged":
            self.refused = raised
        else:
            self.broken = self.broken or raised
        try:
            self._require_slot(end)
            flips = raised is None and self.judge.flips(end)
        except RerunError as error:
            self.refused = str(error)
            return
        if job.arm == "changed" and raised is None and not flips:
            self.refused = self.judge.overlooks(end) or scripted(done)
        if job.arm == "changed" and flips:
            self._goes_to_pieces(done, end)
        shows = raised is None and self.refused is None
        outcome = Outcome(done, end, flips, asked_in(done), shows)
        self.forced |= done.executed_origins | self._unsure_of(done)
        if job.arm == "changed":
            self._begin_anew(done)
            if raised is None:
                self._reaches(outcome)
                self._look_for_kept(outcome)
            self.changed.append(outcome)
            self.forced |= self._varying(self.origin.coming_up(done.steered.dropped))
        else:
            self.unchanged.append(outcome)
            KNOWN_CALLS.add_unchanged(self.origin.recording.run, done)
            self.forced |= left_undone(self.origin, self.unchanged)
        self._drop()
        if not self.unchanged and self.is_deterministic_so_far:
            self.unchanged = list(self.steady.get(self.forced, ()))
        self.refused = self.refused or self._kept()

    def _look_for_kept(self, outcome: Outcome) -> None:
        """Whether code made a call once only, and keeps what came of it."""
        run = self.origin.recording.run
        self.kept = self.kept or KNOWN_CALLS.add_changed(
            run, self._change, outcome.done, outcome.asked
        )

    def _drop(self) -> None:
        """Leave out outcomes in which something was reused that runs again by now."""
        self.changed = [each for each in self.changed if self._counts(each)]
        self.unchanged = [each for each in self.unchanged if self._counts(each)]

    def _goes_to_pieces(self, done: Rerun, end: End) -> None:
        """A tool that is missed convicts nobody; in a search, neither does whatever else breaks."""
        why, instead = unanswered(self.origin, self.plan, done), _OTHER_TOOL
        if why is None and not self.copies_count:
            why, instead = went_to_pieces(self.origin, done, end), ""
        if why is not None:
            self.in_pieces = why
            self.refused = self.refused or f"{why}, so this is no other answer{instead}"

    def _require_slot(self, end: End) -> None:
        """Refuse where a run that answered has no such answer: nothing is there to compare.

        Raises:
            RerunError: It has none.
        """
        if self.slot != "answer" and not end.answered and end.status == "answered":
            raise RerunError(
                f"a re-run has no answer that stands for the one in {self.slot!r:.60}, so nothing "
                "can be compared. Judge another slot, or the answer of the whole run"
            )

    def _reaches(self, outcome: Outcome) -> None:
        """Whether the change reached the run; where it did so through code, it does each time."""
        done, flips = outcome.done, outcome.flips or self.acts_in_code
        sent, settings = Sent(self.origin, done), {"copies_count": self.copies_count}
        settings["finds_more"] = bool(done.executed_origins & self.ties.unseen)
        why = not_applied(self.origin, self.plan, done, flips=flips, sent=sent, **settings)
        self.hidden = self.hidden or self.ties.hidden(done.steered)
        self.not_applied = self.not_applied or why
        if not self.changed:
            self.also_in = echoes(self.plan, sent)
            if not self.copies_count and self.key is not None and is_copied(self.plan, sent):
                self.key += COPIED
        self.acts_in_code |= outcome.flips and why is None

    def _kept(self) -> str | None:
        """Why the re-runs are no repeats; None when they are."""
        drawn = self.draws or (self.undeclared or "").startswith("time ")
        by_chance = drawn or self.origin.draws_chance
        missed = partial(kept_in, by_chance=by_chance, readers=self.ties.readers)
        hidden = self._hidden
        recorded = asked_before(self.origin, self.forced - hidden)
        why = missed(recorded, [each.asked for each in self.unchanged])
        if why is not None or not self.changed:
            return why
        first, *others = (each.asked for each in self.changed)
        why = missed(first, others)
        arms = [[each.asked for each in arm] for arm in (self.changed, self.unchanged)]
        why = why or sampled_once(arms, self.ties.keepers) or self.kept
        return why or self._kept_around()

    def _kept_around(self) -> str | None:
        """Why code around the links may have drawn once: it draws, and reads what it left."""
        run = self.origin.recording.run
        word = self.ties.kept_around if self.draws else None
        asks = word is not None and KNOWN_CALLS.asks_around(run, self._change)
        return kept_around(str(word)) if asks else None

    @property
    def _hidden(self) -> frozenset[int]:
        """Recorded links that lie in one whose result was handed out, so that they did not run."""
        return frozenset(
            inner.seq
            for each in self.unchanged
            for seq in each.done.reused
            for inner in self.origin.inside(seq)
        )

    def _varying(self, links: frozenset[int]) -> frozenset[int]:
        """Those of some recorded links of which one recorded result decides nothing.

        A run with the change that does not come to them hides what they would have said; the
        unchanged one has to ask them again.
        """
        points = self.origin.recorded.points
        return frozenset(seq for seq in links if not points[seq].deterministic)

    def _unsure_of(self, done: Rerun) -> frozenset[int]:
        """Links that may be the ones that ran, of which only the names are known to be the same.

        A call that was given something else is paired by its name, and may be another call of that
        name than the first one that is left; the unchanged run repeats all that it may be.
        """
        names = {each.name for each in done.executed if each.differs}
        links = (each for name in names for each in self.origin.by_key.get(("link", name), ()))
        known = done.reused | self.plan.changes.keys()
        return frozenset(each.seq for each in links if each.seq not in known)

    def _counts(self, outcome: Outcome) -> bool:
        return not outcome.done.reused & self.forced

    @property
    def echoes(self) -> tuple[str, ...]:
        """Where words that were taken away stand as well."""
        return () if self.not_applied is not None else self.also_in

    @property
    def is_deterministic(self) -> bool:
        """Every link that ran is declared so, and the unchanged re-runs gave one answer.

        The code around them has to keep nothing and draw nothing. Where no link ran, what decides
        the answer is code that nobody declared anything of.
        """
        first = self.unchanged[0].end if self.unchanged else None
        return self.is_deterministic_so_far and all(
            first is not None
            and each.end.answered == first.answered
            and is_same(each.end.compared, first.compared)
            for each in self.unchanged
        )

    @property
    def is_deterministic_so_far(self) -> bool:
        """Every link that ran is declared so, and nothing around them may vary."""
        ran = [link for each in (*self.changed, *self.unchanged) for link in each.done.executed]
        declared = bool(ran) and all(each.deterministic for each in ran)
        return (
            declared
            and self.undeclared is None
            and self.ties.undeclared is None
            and not self.origin.draws_chance
        )

    @property
    def measurement(self) -> Measurement:
        """What the statistics need to know."""
        return Measurement(
            arms=TwoArms(
                unchanged=(*self.prior.unchanged, *_flips(self.unchanged)),
                changed=(*self.prior.changed, *_flips(self.changed)),
            ),
            deterministic=self.is_deterministic and not self.prior.changed,
            not_applied=self.not_applied,
            refused=self.refused or self.broken,
            hidden=self.hidden,
            stopped=self.stopped,
            judge_hint=self.judge.hint,
        )


def _flips(outcomes: Sequence[Outcome]) -> tuple[bool, ...]:
    return tuple(each.flips for each in outcomes if each.shows)
