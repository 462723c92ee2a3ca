"""A what-if as a person holds it: a word, its numbers, and the re-runs behind them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from explainkit.safety import visible
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.whatif.calling_again import entry_of
from explainkit.whatif.families import detail_of, judgements_in
from explainkit.whatif.inquiries import Inquiry, inquiry_of, require_ended
from explainkit.whatif.judging.slots_again import slot_named
from explainkit.whatif.measuring import Trial
from explainkit.whatif.statistics import Judgement
from explainkit.whatif.varying import Intervention, interventions_of

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun
    from explainkit.session.diffs import Diff
    from explainkit.session.run import Run
    from explainkit.view.whatif.told import ToldWhatIf


class WhatIf:
    """What came of a change: made by ``Run.whatif``.

    The word is worked out anew whenever it is shown, beside everything else that was measured on
    the same run for the same answer and judge: a suspect that stood alone as a cause may not be
    one any more when twenty others were tried.

    Example:
        >>> import explainkit as ek
        >>> @ek.link(kind="model", deterministic=True)
        ... def ask(prompt):
        ...     return "Half is paid back." if "half" in prompt else "Nothing is paid back."
        >>> @ek.traced("claim")
        ... def claim(question):
        ...     note = ek.context("note", "For 30 minutes we pay back half.", kind="memory")
        ...     return ask(ek.assemble("{note} {q}", note=note, q=question))
        >>> _ = claim("40 minutes late?")
        >>> found = ek.last().whatif(remove="note")
        >>> found.word, found.flips
        ('cause', (1, 0))
    """

    def __init__(self, run: "AskedRun", inquiry: Inquiry, trial: Trial) -> None:
        """Hold a measured trial."""
        self._run = run
        self._inquiry = inquiry
        self.trial = trial
        self.seq: int | None = None

    @property
    def judgement(self) -> Judgement:
        """What may be said now, beside all others of its family."""
        if self.seq is None:
            return self._inquiry.judged(self.trial)
        return judgements_in(self._run.recording, self._inquiry.family)[self.seq]

    @property
    def word(self) -> str:
        """cause, not shown, inconclusive, not applied or over budget."""
        return self.judgement.word

    @property
    def n(self) -> int:
        """Re-runs that were compared, of each arm; where one has more, of the shorter one."""
        return self.judgement.n

    @property
    def sizes(self) -> tuple[int, int]:
        """Re-runs with the change, and without it: what `flips` are of."""
        return self.judgement.sizes

    @property
    def flips(self) -> tuple[int, int]:
        """Flips with the change, and without it."""
        return self.judgement.flips

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the flip rate with the change; 0 to 1 where none was made."""
        return self.judgement.interval

    @property
    def p(self) -> float | None:
        """p-value after correction for the family; None where nothing was tested."""
        return self.judgement.adjusted_p

    @property
    def reason(self) -> str | None:
        """Why, where the numbers alone do not say it."""
        reason = self.judgement.reason
        return None if reason is None else visible(reason)

    @property
    def interventions(self) -> tuple[str, ...]:
        """What was changed, in words."""
        return tuple(visible(each) for each in self.trial.plan.said)

    @property
    def before(self) -> Any:
        """The recorded answer; None of a run that ended without one."""
        end = self._inquiry.end
        return end.value if end.answered else None

    @property
    def after(self) -> Any:
        """The answer of the first re-run that flipped, else of the first one; None without one."""
        shown = self._shown
        return shown.end.value if shown is not None and shown.end.answered else None

    @property
    def run(self) -> "Run | None":
        """The re-run that `after` is of: a run as any other, to walk and to compare."""
        shown = self._shown
        found: Run | None = None if shown is None else shown.done.run
        return found

    @property
    def reruns(self) -> tuple["Run", ...]:
        """The re-runs with the change that count."""
        return tuple(each.done.run for each in self.trial.changed)

    @property
    def _shown(self) -> Any:
        changed = self.trial.changed
        return next((each for each in changed if each.flips), next(iter(changed), None))

    @property
    def diff(self) -> "Diff | None":
        """The re-run that `after` is of, beside the recorded run; None without one."""
        from explainkit.session.diffs import diff

        return None if self.run is None else diff(self._run, self.run)

    def told(self) -> "ToldWhatIf":
        """What every display of it says."""
        from explainkit.view.whatif.told import told_whatif

        return told_whatif(self.trial, self.judgement, before=self._inquiry.end.words)

    def __str__(self) -> str:
        """The word with its numbers."""
        return visible(str(self.judgement))

    def __repr__(self) -> str:
        from explainkit.view.whatif.skins import text_of_whatif

        return guarded(lambda: text_of_whatif(self.told()), "<explainkit what-if>")

    def _repr_html_(self) -> str:
        from explainkit.view.whatif.skins import html_of_whatif

        return guarded_html(lambda: str(html_of_whatif(self.told())))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def prepared(
    run: "AskedRun", changes: Mapping[str, Any], **settings: Any
) -> tuple[Inquiry, tuple[Intervention, ...]]:
    """What is asked, read before anything is run.

    Args:
        run: The run.
        changes: As `interventions_of` takes them.
        settings: As `inquiry_into` takes them.
    """
    wanted = interventions_of(**changes)
    return inquiry_into(run, **settings), wanted


def inquiry_into(
    run: "AskedRun",
    *,
    call: Callable[..., Any] | None = None,
    model: Any = None,
    span: Any = None,
    slot: str = "answer",
    door: str = "whatif_async",
    **settings: Any,
) -> Inquiry:
    """Prepare what-ifs on a run that a user holds.

    Args:
        run: The run.
        call: A function that makes it again.
        model: What is asked in the place of a model that another tool recorded.
        span: Words of the answer that shall decide, as `Run.backtrack` takes them.
        slot: Which answer.
        door: What a user awaits where an event loop runs.
        settings: As `inquiry_of` takes them.
    """
    recording = run.recording
    require_ended(recording)
    slot = slot_named(recording, slot)
    again, cell, changes = run.again, run.cell, run.changes
    entry = entry_of(recording, again=again, call=call, cell=cell, model=model, changes=changes)
    selected: tuple[int, int] | None = None
    text = ""
    if span is not None:
        back = run.backtrack(span=span, slot=slot)
        selected, text = back.span, back.answer
    settings |= {"door": door, "goes_on": call is None and model is None}
    return inquiry_of(recording, entry, span=selected, text=text, slot=slot, **settings)


def asked(run: "AskedRun", inquiry: Inquiry, changes: tuple[Intervention, ...]) -> WhatIf:
    """Ask one what-if and record what it found."""
    trial = inquiry.trial(inquiry.plan(changes))
    try:
        inquiry.measure(trial)
    finally:
        found = recorded(run, inquiry, trial)
    return found


async def asked_async(
    run: "AskedRun", inquiry: Inquiry, changes: tuple[Intervention, ...]
) -> WhatIf:
    """Ask one what-if, awaiting its re-runs, and record what it found."""
    trial = inquiry.trial(inquiry.plan(changes))
    try:
        await inquiry.measure_async(trial)
    finally:
        found = recorded(run, inquiry, trial)
    return found


def recorded(run: "AskedRun", inquiry: Inquiry, trial: Trial) -> WhatIf:
    """Write a finding beside the run, and hold the what-if."""
    found = WhatIf(run, inquiry, trial)
    if not trial.changed and not trial.is_over:
        return found  # nothing came of it, such as a function that has to be awaited
    judged = inquiry.judged(trial)
    fields: dict[str, Any] = {
        "word": judged.word,
        "interventions": list(trial.plan.told),
        "n": judged.n,
        "flips": list(judged.flips),
        "interval": list(judged.interval),
        "p": judged.adjusted_p,
        "reason": judged.reason,
        "detail": detail_of(inquiry.family, trial.measurement, **_beside(trial)),
    }
    run.keep_record("finding", fields)
    found.seq = len(run.recording) - 1
    return found


def _beside(trial: Trial) -> dict[str, Any]:
    """What it cost, and which finding it goes on with."""
    spent = trial.spent
    told: dict[str, Any] = {"calls": spent.calls, "reruns": spent.reruns, "reused": spent.saved}
    told |= {} if trial.key is None else {"key": trial.key}
    told |= {"codes": trial.codes} if trial.codes else {}
    told |= {"also_in": list(trial.echoes)} if trial.echoes else {}
    return told if trial.continues is None else {**told, "continues": trial.continues}
