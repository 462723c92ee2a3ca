"""From measurements to judgements: the only place where a suspect may become a cause."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from explainkit.whatif.statistics.arms import Arm, TwoArms
from explainkit.whatif.statistics.foresight import (
    is_hopeless,
    needed_for_baseline,
    needed_to_convict,
)
from explainkit.whatif.statistics.holm import holm_adjusted, holm_level
from explainkit.whatif.statistics.judgements import (
    Judgement,
    Word,
    more_text,
    p_text,
    rate_text,
)
from explainkit.whatif.statistics.looks import ALPHA, LAST_LOOK, LOOKS, p_after_looks
from explainkit.whatif.statistics.measurements import Measurement

_FIRST: Final = LOOKS[0]
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where one suspect stands in its family.

    Attributes:
        p: Its own p-value, valid under looking.
        adjusted: After Holm.
        level: The level that its own p has to reach, given the others.
        family: Suspects counted.
    """

    p: float
    adjusted: float
    level: float
    family: int


def judge_all(measurements: Sequence[Measurement], *, planned: int = 0) -> tuple[Judgement, ...]:
    """Judge a whole family: every suspect measured on one run for one answer and judge.

    Give all of them, those of earlier calls too, whenever any is shown: a suspect that was a cause
    alone may not be one beside many others.

    Args:
        measurements: One for each suspect (or each time that one was measured anew).
        planned: Suspects that a call under way is going to measure, together with those measured
            before; counted from the start, so that stopping at the first cause gains nothing.

    Returns:
        One judgement for each measurement, in their order.

    Raises:
        MissingExtraError: scipy is not installed, and something has to be tested.

    Example:
        >>> clean = Measurement(arms=TwoArms(unchanged=(False,) * 5, changed=(True,) * 5))
        >>> [str(judged) for judged in judge_all([clean])]
        ['cause 5/5 vs 0/5, p = 0.008']
        >>> str(judge_all([clean], planned=6)[0])
        'cause 5/5 vs 0/5, p = 0.048 over 6 suspects'
    """
    tested = [at for at, measured in enumerate(measurements) if measured.is_tested]
    ps = [p_after_looks(measurements[at].arms).p for at in tested]
    family = max(planned, len(ps))
    level = holm_level(ps, alpha=ALPHA, family=family)
    standings = {
        at: _Standing(p=p, adjusted=adjusted, level=level, family=family)
        for at, p, adjusted in zip(tested, ps, holm_adjusted(ps, family=family), strict=True)
    }
    return tuple(
        _in_doubt(each, _judge(each, standings.get(at))) for at, each in enumerate(measurements)
    )


def level_in(measurements: Sequence[Measurement], *, planned: int = 0) -> float:
    """The level that a suspect of this family has to reach now; for `repeats_to_run`."""
    ps = [p_after_looks(m.arms).p for m in measurements if m.is_tested]
    return holm_level(ps, alpha=ALPHA, family=planned)


def repeats_to_run(measured: Measurement, *, level: float = ALPHA) -> tuple[int, int]:
    """How many re-runs to start next, of the unchanged and of the changed arm.

    Args:
        measured: The suspect so far.
        level: What `level_in` says of its family.

    Returns:
        Both 0 when the rule has come to its end, and `judge_all` says the word.

    Example:
        >>> repeats_to_run(Measurement())
        (5, 5)
        >>> repeats_to_run(Measurement(deterministic=True))
        (2, 0)
    """
    arms = measured.arms
    if measured.not_applied or measured.refused or measured.stopped:
        return (0, 0)
    if measured.deterministic and len(arms.unchanged) < 2:
        return (2 - len(arms.unchanged), 0)
    if measured.is_certain:
        return (0, 0) if arms.changed or arms.unchanged[0] else (0, 1)
    if _is_over(arms, level):
        return (0, 0)
    look = next(look for look in LOOKS if look > arms.pairs)
    return (max(0, look - len(arms.unchanged)), max(0, look - len(arms.changed)))


def _is_over(arms: TwoArms, level: float) -> bool:
    """Has the rule come to its end, whatever the word is?"""
    if arms.pairs < _FIRST:
        return False
    unchanged = arms.unchanged_arm
    if arms.pairs >= LAST_LOOK or unchanged.interval[0] > _HALF:
        return True
    # A baseline that flips more than half by chance gets the looks that are left to show it.
    if p_after_looks(arms).p <= level and unchanged.rate <= _HALF:
        return True
    return _is_settled(arms, level)


def _is_settled(arms: TwoArms, level: float) -> bool:
    """Enough repeats for such a baseline, and no sign that more of them would convict?"""
    return arms.pairs >= needed_for_baseline(arms) and is_hopeless(arms, level=level)


def _in_doubt(measured: Measurement, judged: Judgement) -> Judgement:
    """Where something is hidden, an answer that stays, or changes by itself, shows nothing."""
    quiet = judged.word in ("not shown", "not applied") or _is_unfit(measured)
    if measured.hidden is None or measured.refused is not None or not quiet:
        return judged
    return replace(judged, word="inconclusive", reason=measured.hidden, deterministic=False)


def _judge(measured: Measurement, standing: _Standing | None) -> Judgement:
    changed, unchanged = measured.arms.changed_arm, measured.arms.unchanged_arm
    if measured.not_applied is not None:
        return Judgement("not applied", changed, unchanged, reason=measured.not_applied)
    if measured.refused is not None:
        return _said("inconclusive", measured, standing, reason=measured.refused)
    if _is_unfit(measured):
        return _said("inconclusive", measured, standing, reason=_unfit(measured))
    if measured.is_certain and changed.n:
        word: Word = "cause" if changed.flips else "not shown"
        return Judgement(word, changed, unchanged, deterministic=True)
    if standing is None or measured.arms.pairs < _FIRST:
        return _too_few(measured, standing)
    return _tested(measured, standing)


def _tested(measured: Measurement, standing: _Standing) -> Judgement:
    arms = measured.arms
    if standing.adjusted <= ALPHA and arms.changed_arm.rate > arms.unchanged_arm.rate:
        return _said("cause", measured, standing)
    if p_after_looks(arms, more_flips=False).p <= standing.level:
        reason = "the answer flips less often with the change"
        return _said("not shown", measured, standing, reason=reason)
    if arms.pairs >= LAST_LOOK or _is_settled(arms, standing.level):
        return _said("not shown", measured, standing)
    more = least_to_decide(arms, level=standing.level)
    needed = more_text(more)
    if needed_to_convict(arms, level=standing.level) is None:
        needed += f", and {LAST_LOOK - arms.pairs} may not be enough"
    if arms.unchanged_arm.flips:
        so_far = _baseline(arms.unchanged_arm)
    else:
        so_far = f"{arms.changed_arm} vs {arms.unchanged_arm}"
    if standing.p <= ALPHA:
        so_far += (
            f", a cause alone but p {p_text(standing.adjusted)} over {standing.family} suspects"
        )
    reason = f"{so_far}, {needed}"
    return _said("inconclusive", measured, standing, reason=reason, more_needed=more)


def _too_few(measured: Measurement, standing: _Standing | None) -> Judgement:
    """The words before the first look: nothing was compared yet."""
    arms = measured.arms
    more = 1 if measured.is_certain else least_to_decide(arms, level=_level(standing))
    if measured.stopped == "budget":
        reason = f"{arms.pairs} of at least {arms.pairs + more} repeats made"
        return _said("over budget", measured, standing, reason=reason, more_needed=more)
    parts = [_baseline(arms.unchanged_arm)] if arms.unchanged_arm.flips else []
    reason = ", ".join([*parts, more_text(more)])
    return _said("inconclusive", measured, standing, reason=reason, more_needed=more)


def least_to_decide(arms: TwoArms, *, level: float) -> int:
    """Further re-runs per arm after which the rule can end at the earliest, whatever they show.

    It convicts soonest when all further changed ones flip and no unchanged one does; it gives up
    soonest when no further changed one flips, and a judge is unfit soonest when all unchanged do.

    Args:
        arms: Outcomes so far.
        level: What `level_in` says of the family.

    Example:
        >>> least_to_decide(TwoArms((False,) * 3, (True,) * 3), level=0.05)
        2
    """
    known = TwoArms(unchanged=arms.unchanged[: arms.pairs], changed=arms.changed[: arms.pairs])
    return _least_from(known, level)


@lru_cache(maxsize=4096)
def _least_from(arms: TwoArms, level: float) -> int:
    for n in range(max(arms.pairs + 1, _FIRST), LAST_LOOK):
        more = n - arms.pairs
        ends = [(more, 0), *((0, flips) for flips in range(more + 1))]
        if any(_is_over(_gone_on(arms, more, changed, flips), level) for changed, flips in ends):
            return more
    return LAST_LOOK - arms.pairs


def _gone_on(arms: TwoArms, more: int, changed: int, unchanged: int) -> TwoArms:
    """Both arms with further re-runs, so many of which flip."""
    return TwoArms(
        unchanged=(*arms.unchanged, *(at < unchanged for at in range(more))),
        changed=(*arms.changed, *(at < changed for at in range(more))),
    )


def _level(standing: _Standing | None) -> float:
    return ALPHA if standing is None else standing.level


def _is_unfit(measured: Measurement) -> bool:
    unchanged = measured.arms.unchanged_arm
    enough = measured.is_certain or unchanged.n >= _FIRST
    return enough and unchanged.flips > unchanged.n * _HALF


def _unfit(measured: Measurement) -> str:
    unchanged = measured.arms.unchanged_arm
    kept = unchanged.n - unchanged.flips
    return (
        f"the judge is unfit: {_baseline(unchanged)}, so what was recorded is the rare case "
        f"({kept} of {unchanged.n}). Give another one: {measured.judge_hint}; or ask of a run that "
        "ended as most do"
    )


def _baseline(unchanged: Arm) -> str:
    return f"the unchanged run flips {rate_text(unchanged)}"


def _said(
    word: Word,
    measured: Measurement,
    standing: _Standing | None,
    *,
    reason: str | None = None,
    more_needed: int | None = None,
) -> Judgement:
    return Judgement(
        word,
        measured.arms.changed_arm,
        measured.arms.unchanged_arm,
        p=standing.p if standing else None,
        adjusted_p=standing.adjusted if standing else None,
        family=standing.family if standing else 0,
        reason=reason,
        more_needed=more_needed,
    )
