"""One what-if from question to numbers: what is changed, who judges, what was measured."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from explainkit.errors import InterventionError, RerunError, UnknownRecordError
from explainkit.safety import shorten
from explainkit.tracing.current import OPEN
from explainkit.whatif.continuing import change_key, code_around, earlier_of
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.elsewhere import is_elsewhere, sender
from explainkit.whatif.families import Family, members_of
from explainkit.whatif.judging import End, Judge, judge_for, recorded_end
from explainkit.whatif.measuring import (
    AT_ONCE,
    Budget,
    Outcome,
    Spent,
    Trial,
    measure,
    measure_async,
)
from explainkit.whatif.rerunning import CalledEntry, Entry, Origin, loop_runs, require_given
from explainkit.whatif.shared_state import Ties, is_runner, ties_of
from explainkit.whatif.statistics import Judgement, Measurement, judge_all
from explainkit.whatif.varying import Intervention, Plan, plan_of

if TYPE_CHECKING:
    from explainkit.store import Recording


_OWN_RESULT = ("machine", "run")
"""Types of links whose result nothing can take the place of: a machine, and another run."""


@dataclass
class Inquiry:
    """What several what-ifs on one run, one answer and one judge have in common.

    Attributes:
        origin: The run.
        entry: How it is called again.
        end: How it ended.
        judge: Who decides whether an answer flipped.
        budget: What all of it may cost.
        allow_effects: Let effects run again.
        executor: Runs re-runs side by side.
        progress: Told after each re-run.
        stop: Asked before each re-run.
        times: Repeats per arm at most.
        spent: What was used so far.
        steady: Unchanged re-runs that agreed where nothing may vary, by the links that ran.
        goes_on: Add to what was measured of the same change before.
        trials: The suspects, in order; earlier findings that they go on with are counted once.
        door: What a user awaits where an event loop runs.
    """

    origin: Origin
    entry: Entry
    end: End
    judge: Judge
    budget: Budget = field(default_factory=Budget)
    allow_effects: bool = False
    executor: Executor | None = None
    progress: Callable[[Trial], Any] | None = None
    stop: Callable[[], bool] | None = None
    times: int | None = None
    spent: Spent = field(default_factory=Spent)
    steady: dict[frozenset[int], tuple[Outcome, ...]] = field(default_factory=dict)
    goes_on: bool = True
    trials: list[Trial] = field(default_factory=list)
    door: str = "whatif_async"

    @property
    def family(self) -> Family:
        """The family that its suspects belong to."""
        return Family(self.end.slot, self.end.version, self.judge.name)

    @cached_property
    def ties(self) -> Ties:
        """What the links of the run share beside what they are given."""
        return ties_of(self.origin, self.entry, allow_effects=self.allow_effects)

    @property
    def others(self) -> list[Measurement]:
        """What was measured before."""
        members = members_of(self.origin.recording, self.family)
        continued = {each.continues for each in self.trials}
        return [each.measurement for each in members if each.seq not in continued]

    def plan(self, asked: Sequence[Intervention]) -> Plan:
        """Work out what is changed.

        Raises:
            InterventionError: It is nothing, or cannot reach what runs again.
        """
        plan = plan_of(self.origin.recording, self.origin.recorded, asked)
        self.require_reached(plan)
        return plan

    def takes(self, slot: str) -> bool:
        """Whether parts of what the run was given under a name can be others.

        Args:
            slot: The name on record; an answer flow takes the parts of its ``input`` by theirs.
        """
        takes = self.entry.takes
        return slot in takes or (slot == "input" and {"input_ids", "items"} <= takes.keys())

    def require_reached(self, plan: Plan) -> None:
        """Refuse a change of what does not run again in a run that is told from its record.

        Args:
            plan: What is changed.

        Raises:
            InterventionError: It cannot be reached.
        """
        recorded, skips = self.origin.recorded, self.entry.skips
        unknown = [slot for slot in plan.given if slot not in self.entry.takes]
        unknown += [slot for slot in plan.reshaped if not self.takes(slot)]
        if unknown:
            takes = ", ".join(map(repr, self.entry.takes))
            there = f"It takes: {shorten(takes, 300)}" if takes else "Give call= one that does"
            raise InterventionError(
                f"What makes the run {self.origin.recording.name!r:.60} again takes no "
                f"{unknown[0]!r:.60} that can be another one. {there}."
            )
        require_given(self.entry, plan)
        self._require_supplied(plan)
        edited = {each.seq for each in plan.inputs if not each.result}
        for seq in sorted(plan.touched):
            held = [at for at in recorded.around(seq) if at in skips]
            if not held and not (seq in skips and seq in edited):
                continue
            name = shorten(recorded.points[held[0] if held else seq].name, 60)
            what = f"lies inside of {name!r}, which" if held else f"is given to {name!r}, which"
            raise InterventionError(
                f"What is to be changed {what} keeps its recorded result: of this run only the "
                "last model call is asked again. Change the result itself, as with "
                f"swap={{{name!r}: ...}}, or give call= a function that makes the run again."
            )

    def _require_supplied(self, plan: Plan) -> None:
        """Refuse another result of what cannot be given one."""
        points = self.origin.recorded.points
        links = [point for point in points.values() if point.kind == "link"]
        whole = next((each.seq for each in links if each.parent is None), None)
        for seq in plan.changes:
            point = points[seq]
            if point.type in _OWN_RESULT:
                why = f"is a {point.type}, whose result comes out of its own course"
            elif seq == whole and is_runner(self.entry):
                why = "is the run itself, and what it gives is the answer"
            else:
                continue
            inside = sorted(each.seq for each in self.origin.inside(seq))
            within = dict.fromkeys(points[at].name for at in inside if points[at].name)
            names = listed([repr(shorten(name, 60)) for name in within]) or "nothing"
            raise InterventionError(
                f"{point.name!r:.60} {why}. Change what it is made of: {names}."
            )

    def trial(self, plan: Plan, *, planned: int = 1, copies_count: bool = True) -> Trial:
        """A suspect that is to be measured.

        Args:
            plan: What is changed.
            planned: Suspects that the family counts from the start, beside those measured before.
            copies_count: A copy of a removed text in another context is another way of it.
        """
        ties = self.ties.after(plan.first)
        key = change_key(plan, self.judge) if self.goes_on else None
        members = members_of(self.origin.recording, self.family)
        before, prior = earlier_of(members, key, copies_count=copies_count)
        others = [each.measurement for each in members if each is not before]
        trial = Trial(
            self.origin,
            plan,
            self.judge,
            slot=self.end.slot,
            budget=self.budget,
            spent=self.spent,
            others=others,
            planned=len(others) + planned,
            times=self.times,
            prior=prior,
            before=before,
            around=code_around(self.entry),
            key=key,
            copies_count=copies_count,
            steady=self.steady,
            ties=ties,
            imported=isinstance(self.entry, CalledEntry) and self.entry.imported,
            forced=ties.forced,
        )
        self.trials.append(trial)
        return trial

    def settle(self, trial: Trial) -> None:
        """Let later trials have the unchanged re-runs of one in which nothing may vary.

        Args:
            trial: A trial that was measured to its end.
        """
        if trial.measurement.is_certain:
            self.steady.setdefault(trial.forced, tuple(trial.unchanged))

    def measure(self, trial: Trial) -> Trial:
        """Run a trial to its end.

        Raises:
            RerunError: What is called has to be awaited.
        """
        self._require_placed(self.executor is not None and not is_elsewhere(self.executor))
        if self.entry.awaits and loop_runs():
            raise RerunError(
                "What runs again has to be awaited, and an event loop runs here, as in every "
                f"notebook cell. Write `await run.{self.door}(...)` with the same arguments."
            )
        if self.entry.awaits and self.executor is None:
            with suppress(KeyboardInterrupt):  # what is done is kept
                asyncio.run(self.measure_async(trial))
            return trial
        send = None
        if self.executor is not None and is_elsewhere(self.executor):
            effects = self.allow_effects
            send = sender(self.executor, self.origin, self.entry, allow_effects=effects)
        return measure(
            trial,
            self.entry,
            allow_effects=self.allow_effects,
            executor=self.executor,
            send=send,
            at_once=1 if send is None and self.ties.one_by_one else None,
            progress=self.progress,
            stop=self.stop,
        )

    async def measure_async(self, trial: Trial) -> Trial:
        """Run a trial to its end, awaiting what is to be awaited."""
        self._require_placed(False)
        return await measure_async(
            trial,
            self.entry,
            allow_effects=self.allow_effects,
            at_once=1 if self.origin.strays or self.ties.one_by_one else AT_ONCE,
            progress=self.progress,
            stop=self.stop,
        )

    def _require_placed(self, side_by_side: bool) -> None:
        """Calls in threads that belong to no run are placed only while one run is open.

        Where they are not, nothing could keep an effect among them from being repeated.
        """
        if self.origin.strays and (side_by_side or OPEN):
            why = "with an executor" if side_by_side else "while another run is open"
            raise RerunError(
                f"The run {self.origin.recording.name!r:.60} makes calls in threads that belong to "
                f"no run, so it cannot be run again {why}. Carry the functions into the threads "
                "with run.bind(fn), or ask without it."
            )

    def judged(self, trial: Trial) -> Judgement:
        """What may be said of a trial now, beside all others of its family."""
        return judge_all([*self.others, trial.measurement])[-1]


def inquiry_of(
    recording: "Recording",
    entry: Entry,
    *,
    judge: Callable[[Any], Any] | None = None,
    span: tuple[int, int] | None = None,
    text: str = "",
    slot: str = "answer",
    version: int | None = None,
    budget: float | Mapping[str, float] | None = None,
    **settings: Any,
) -> Inquiry:
    """Prepare what-ifs on a run.

    Args:
        recording: The run.
        entry: How it is called again.
        judge: A function of the answer.
        span: The selected words, in code points of the answer's text.
        text: The answer's text.
        slot: Which answer.
        version: Which version; the effective one when not given.
        budget: What it may cost.
        settings: Other fields of `Inquiry`.

    Raises:
        InterventionError: The judge, the budget, the executor or the number of repeats is none.
        UnknownRecordError: There is no such answer.
        RerunError: The run goes on.
    """
    require_ended(recording)
    _require_times(settings.get("times"))
    _require_executor(settings.get("executor"))
    end = recorded_end(recording, slot=slot, version=version)
    _require_slot(recording, end)
    return Inquiry(
        Origin(recording),
        entry,
        end,
        judge_for(end, judge=judge, span=span, text=text),
        budget=Budget.of(budget),
        **settings,
    )


def _require_times(times: Any) -> None:
    whole = isinstance(times, int) and not isinstance(times, bool)
    if times is not None and not (whole and times > 0):
        raise InterventionError(
            f"times={times!r:.60} is no number of re-runs. Give 1 or more, such as times=5."
        )


def _require_executor(executor: Any) -> None:
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InterventionError(
            f"executor= takes a concurrent.futures.Executor; got {executor!r:.60}. Example: "
            "executor=ThreadPoolExecutor(8)."
        )


def _require_slot(recording: "Recording", end: End) -> None:
    if end.answered or end.slot == "answer":
        return
    slots = dict.fromkeys(repr(str(row.get("slot"))) for row in recording.rows("answer"))
    raise UnknownRecordError(
        f"The run has no answer in the slot {end.slot!r:.60}. It has: "
        f"{shorten(', '.join(slots) or 'none', 300)}."
    )


def require_ended(recording: "Recording") -> None:
    """Refuse a run that goes on.

    Raises:
        RerunError: It does.
    """
    if recording.status == "running":
        raise RerunError(
            f"The run {recording.name!r:.60} still goes on. Ask what-if once it has ended."
        )
