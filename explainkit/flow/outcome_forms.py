"""How branches ended, as plain data, so that a record of what a merge was given lacks nothing."""

from typing import Any

from explainkit.flow.checks.asking import told_error
from explainkit.flow.outcomes import (
    Answered,
    Cancelled,
    Exhausted,
    Failed,
    Outcome,
    Paused,
    Refused,
)
from explainkit.safety.described import repr_of

_ENDS = (Answered, Refused, Failed, Paused, Exhausted, Cancelled)


def recorded_form(value: Any) -> Any:
    """What is recorded of a value: outcomes, and outcomes by name, as plain data.

    Args:
        value: Any value; one without outcomes is returned as it is.

    Example:
        >>> recorded_form({"a": Answered(42)})
        {'a': {'outcome': 'answered', 'value': 42}}
        >>> recorded_form(Failed(ValueError("no seat")))
        {'outcome': 'failed', 'error': 'ValueError: no seat'}
    """
    if type(value) in _ENDS:
        return _form(value)
    if type(value) is not dict:
        return value
    named = dict(value)  # somebody else may change it meanwhile
    if not any(type(each) in _ENDS for each in named.values()):
        return value
    return {name: _form(each) if type(each) in _ENDS else each for name, each in named.items()}


def recorded_end(outcome: Outcome[Any]) -> Outcome[Any]:
    """An outcome whose answer is what is recorded of it."""
    if not isinstance(outcome, Answered):
        return outcome
    form = recorded_form(outcome.value)
    return outcome if form is outcome.value else Answered(form)


def _form(outcome: Outcome[Any]) -> dict[str, Any]:
    match outcome:
        case Answered(value):
            return {"outcome": "answered", "value": value}
        case Refused(verdict):
            return {"outcome": "refused", "verdict": _verdict(verdict)}
        case Failed(error):
            return {"outcome": "failed", "error": told_error(error)}
        case Paused(checkpoint):
            return {"outcome": "paused", "checkpoint": checkpoint}
        case Exhausted(last):
            return {"outcome": "exhausted", "last": last}
    return {"outcome": "cancelled"}


def _verdict(verdict: Any) -> Any:
    try:
        return verdict.to_json()
    except Exception:  # noqa: BLE001 - a verdict of a user may do anything
        return repr_of(verdict, limit=400).text
