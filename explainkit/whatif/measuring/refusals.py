"""Why a re-run shows nothing at all, whatever it answered."""

from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.whatif.judging import recorded_end
from explainkit.whatif.measuring.budgets import Budget
from explainkit.whatif.rerunning import Origin, Rerun

_SCRIPT_IS_OVER = "ScriptExhaustedError"
_NO_SUCH_CHANGE = "InterventionError"


def refusal(done: Rerun, budget: Budget) -> str | None:
    """Why the outcome of a re-run may not count; None when it may.

    Args:
        done: The re-run.
        budget: What it may cost: tokens that nobody tells cannot be limited.
    """
    if done.steered.effect is not None:
        return f"effect {done.steered.effect} would have to run again"
    for row in done.recording.rows("link_closed", "run_ended"):
        error = row.get("error")
        if error is None:
            continue
        raised = done.recording.values.object(error)
        if isinstance(raised, Opaque) and raised.type.endswith(_NO_SUCH_CHANGE):
            return raised.repr or str(raised.fields.get("message"))
        if isinstance(raised, Opaque) and raised.type.endswith(_SCRIPT_IS_OVER):
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


def cannot_repeat(origin: Origin, slot: str, unchanged: list[Rerun]) -> str | None:
    """Why the unchanged run cannot be made again: it answered, and raises whenever it is repeated.

    Args:
        origin: The run.
        slot: Which answer.
        unchanged: Its unchanged re-runs.
    """
    failed = all(done.recording.status == "error" for done in unchanged)
    if len(unchanged) < 2 or not failed or not recorded_end(origin.recording, slot=slot).answered:
        return None
    ended = next(unchanged[0].recording.rows("run_ended"), {})
    error = ended.get("error")
    raised = "" if error is None else unchanged[0].recording.values.shown(error)
    return (
        f"the unchanged run cannot be made again, it raised: {shorten(raised, 160)}. "
        "Give call= a function that makes it with live objects"
    )
