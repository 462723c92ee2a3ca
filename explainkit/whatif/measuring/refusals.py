"""Why a re-run shows nothing at all, whatever it answered."""

from explainkit import errors
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.safety.described import type_name
from explainkit.whatif.judging import end_of, recorded_end
from explainkit.whatif.measuring.budgets import Budget
from explainkit.whatif.measuring.raised_errors import raised_in
from explainkit.whatif.rerunning import Origin, Rerun
from explainkit.whatif.rerunning.steering import Steered
from explainkit.whatif.varying import Plan

_SCRIPT_IS_OVER = type_name(errors.ScriptExhaustedError)
_NO_SUCH_CHANGE = type_name(errors.InterventionError)
_NO_CRASHES = frozenset(
    name
    for name, each in vars(errors).items()
    if isinstance(each, type)
    and issubclass(each, errors.VerdictError | errors.PausedError | errors.ExhaustedError)
)
"""What a runner raises for a verdict, a pause or a used-up limit: these are ends, no crashes."""


def refusal(done: Rerun, budget: Budget, plan: Plan) -> str | None:
    """Why the outcome of a re-run may not count; None when it may.

    Args:
        done: The re-run.
        budget: What it may cost: tokens that nobody tells cannot be limited.
        plan: What is changed in it.
    """
    if done.steered.effect is not None:
        return _held_back(done.steered, plan)
    for row in done.recording.rows("link_closed", "run_ended"):
        error = row.get("error")
        if error is None:
            continue
        raised = done.recording.values.object(error)
        if isinstance(raised, Opaque) and raised.type == _NO_SUCH_CHANGE:
            return raised.repr or str(raised.fields.get("message"))
        if isinstance(raised, Opaque) and raised.type == _SCRIPT_IS_OVER:
            return (
                "a scripted model had no reply left; it gives its replies in order, so a re-run of "
                "it shows nothing. Use a model that reads its prompt"
            )
    models = any(each.type == "model" for each in done.executed)
    if budget.tokens is not None and models and not done.tokens:
        return (
            "the budget is in tokens, and the models do not say how many they use. "
            "Give budget= in calls or seconds"
        )
    return None


def _held_back(steered: Steered, plan: Plan) -> str:
    """An effect that would have to run, and what to do."""
    name = shorten(str(steered.effect), 60)
    if steered.is_new:
        return (
            f"effect {name} would have to run, which it did not in the recorded run. "
            "allow_effects=True lets it run"
        )
    if any((told["verb"], told.get("name")) == ("swap", steered.effect) for told in plan.told):
        return (
            f"effect {name} would have to run once more than swap= gives results for. "
            "allow_effects=True lets it run"
        )
    return (
        f"effect {name} would have to run again. allow_effects=True lets it run, "
        f"swap={{{name!r}: ...}} gives a result in its place"
    )


def crashed(origin: Origin, slot: str, done: Rerun, *, changed: bool, made: int = 0) -> str | None:
    """Why a re-run that raised says nothing of the answer; None when it did not raise.

    An error is no other answer: the change may only have broken the code before anything was
    asked. A run that was recorded with an error may raise the same one again.

    Args:
        origin: The run.
        slot: Which answer.
        done: A re-run of it.
        changed: Whether something was changed in it.
        made: Re-runs of its arm that were made before it.
    """
    end, before = (
        end_of(done, slot=slot, origin=origin.recording),
        recorded_end(origin.recording, slot=slot),
    )
    if end.answered or end.status != "error":
        return None
    if (before.status, before.value) == (end.status, end.value) and not before.answered:
        return None
    if str(end.value).rpartition(".")[2] in _NO_CRASHES:
        return None
    raised = raised_in(done)
    if made:
        arm = "with the change" if changed else "unchanged"
        return (
            f"1 of {made + 1} re-runs ({arm}) raised {raised}. An error is no answer, so "
            "nothing is concluded: let the code catch or repeat what fails now and then, and ask "
            "again"
        )
    if changed:
        return (
            f"the run with the change raised {raised}. Give a change that the code can work with, "
            "such as replace= instead of remove="
        )
    if next(origin.recording.rows("run_started"), {}).get("source"):
        return f"the model that was given raised {raised}. Give one that answers these messages"
    return (
        f"the unchanged run cannot be made again, it raised {raised}. "
        "Give call= a function that makes it with live objects"
    )
