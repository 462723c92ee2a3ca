"""Where a composition waits, as plain JSON, so that it can go on in another process."""

from collections.abc import Mapping
from typing import Any, TypeVar

import orjson

from explainkit.errors import ResumeError
from explainkit.flow.compositions.naming import shown
from explainkit.flow.outcomes import Answered, Cancelled, Exhausted, Outcome, Paused, Refused
from explainkit.flow.verdicts.registry import verdict_from_json
from explainkit.safety import shorten
from explainkit.safety.encoding import decode, encode

T = TypeVar("T")

_FORM = "explainkit composition checkpoint 1"


def checkpoint_of(shape: str, *, run: str, **state: Any) -> dict[str, Any]:
    """A checkpoint.

    Args:
        shape: The composition and its children in words; another one is not resumed.
        run: Id of the run.
        state: Where it stands, plain JSON.
    """
    return {"form": _FORM, "shape": shape, "run": run, **state}


def state_of(shape: str, checkpoint: Any) -> Mapping[str, Any]:
    """What a checkpoint says.

    Raises:
        ResumeError: It is none, or of another composition.
    """
    if not isinstance(checkpoint, Mapping) or checkpoint.get("form") != _FORM:
        raise ResumeError(
            f"{shown(checkpoint)} is no checkpoint of a composition. Give back what "
            "`Paused.checkpoint` holds."
        )
    if checkpoint.get("shape") != shape:
        raise ResumeError(
            f"The checkpoint is of {shorten(str(checkpoint.get('shape')), 200)}, and this is "
            f"{shorten(shape, 200)}. Resume it with the composition that was paused."
        )
    return checkpoint


def stated(state: Mapping[str, Any], key: str, kind: type[T]) -> T:
    """A part of a state.

    Raises:
        ResumeError: It is not there, or something else.
    """
    found = state.get(key)
    if not isinstance(found, kind):
        raise ResumeError(
            f"The checkpoint is damaged: {key} is {shown(found)}, and no {kind.__name__}. "
            "Give back what `Paused.checkpoint` holds."
        )
    return found


def run_of(checkpoint: Any) -> str | None:
    """Id of the run that a checkpoint continues."""
    found = checkpoint.get("run") if isinstance(checkpoint, Mapping) else None
    return found if isinstance(found, str) else None


def kept(value: Any, what: str) -> Any:
    """A value as tagged JSON, whole.

    Args:
        value: Any value.
        what: Its words in the message.

    Raises:
        ResumeError: It cannot be kept whole.

    Example:
        >>> kept((1, 2), "the input")
        {'$tuple': [1, 2]}
    """
    encoded = encode(value)
    if encoded.fidelity != "exact":
        raise ResumeError(
            f"It waits, but {what} cannot be kept whole ({type(value).__name__}, "
            f"{encoded.fidelity}), so there is no checkpoint. Give plain data."
        )
    data = orjson.loads(encoded.data)
    try:
        decode(encoded.data)
    except ValueError as problem:
        raise ResumeError(f"It waits, but {what} cannot be read back: {problem}.") from problem
    return data


def restored(tree: Any) -> Any:
    """The value that was kept."""
    return decode(orjson.dumps(tree))


def kept_end(outcome: Outcome[Any], what: str) -> dict[str, Any]:
    """How a branch ended, while others wait; what an exception was cannot be kept.

    A branch that raised is run again when the whole is resumed.

    Raises:
        ResumeError: A value cannot be kept whole.
    """
    match outcome:
        case Answered(value):
            return {"answered": kept(value, f"the answer of {what}")}
        case Paused(checkpoint):
            return {"paused": checkpoint}
        case Exhausted(last):
            return {"exhausted": kept(last, f"the last value of {what}")}
        case Refused(verdict):
            return {"refused": verdict.to_json()}
        case Cancelled():
            return {"cancelled": True}
    return {"again": True}


def restored_end(written: Mapping[str, Any]) -> Outcome[Any] | None:
    """How a branch ended; None for one that has to run (again).

    Raises:
        ResumeError: It says nothing that is known.
    """
    try:
        match dict(written):
            case {"answered": value}:
                return Answered(restored(value))
            case {"paused": checkpoint}:
                return Paused(checkpoint)
            case {"exhausted": last}:
                return Exhausted(restored(last))
            case {"refused": verdict}:
                return Refused(verdict_from_json(verdict))
            case {"cancelled": True}:
                return Cancelled()
            case {"again": True}:
                return None
    except (ValueError, TypeError) as problem:
        raise ResumeError(f"The checkpoint is damaged: {problem}.") from problem
    raise ResumeError(f"The checkpoint is damaged: {shown(written)} is no end of a branch.")
