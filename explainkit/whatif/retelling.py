"""Whether the steps of a run without a function can be told again, and through which model."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explainkit.errors import RerunError
from explainkit.safety import shorten
from explainkit.tracing.decorated import function_named
from explainkit.whatif.rerunning import Entry
from explainkit.whatif.rerunning.asked_models import asked_model
from explainkit.whatif.rerunning.retold_blocks import RetoldBlock
from explainkit.whatif.rerunning.templates_again import template_of
from explainkit.whatif.varying import SHORT

if TYPE_CHECKING:
    from explainkit.store import Recording

Row = Mapping[str, Any]
Changes = Mapping[int, Callable[[Any], Any]]


def retold(recording: "Recording", *, changes: Changes, model: Any = None) -> Entry:
    """A way to ask the last model of a run again, its other steps told from the record.

    Args:
        recording: The run.
        changes: Functions of its overrides, by their record.
        model: What is asked; the recorded function, when it still lives, where not given.

    Raises:
        RerunError: A step between context and answer is not on record, or nothing can be asked.
    """
    rows = [row for row in recording.rows() if row.get("parent") is None]
    kept = ("context", "event", "link_opened", "answer", "override")
    told = [row for row in rows if row["kind"] in kept and row.get("admitted") is not False]
    closed = {row["link"]: row for row in recording.rows("link_closed")}
    models = [row for row in recording.rows("link_opened") if row.get("type") == "model"]
    if not models:
        kinds = dict.fromkeys(
            f"{_name(row)} is of kind {shorten(str(row.get('type')), 40)}"
            for row in recording.rows("link_opened")
            if row.get("type") != "assemble"
        )
        there = f" ({shorten('; '.join(kinds), 160)}; only kind='model' is asked)" if kinds else ""
        raise RerunError(f"no model call is on record{there}")
    last = models[-1]
    if last not in told:
        raise RerunError(f"the last model call, {_name(last)}, lies inside of another link")
    recorded = closed.get(last["seq"], {}).get("output")
    if recorded is None:
        raise RerunError(f"{_name(last)} gave nothing")
    if model is not None:
        ask = asked_model(model, str(last["name"]), recording.values.object(recorded))
    else:
        _check_steps(recording, told, closed, changes, last)
        ask = _own_function(last)
    awaits = inspect.iscoroutinefunction(inspect.unwrap(ask))
    return RetoldBlock(recording, told, last["seq"], ask, changes, awaits=awaits)


def _own_function(last: Row) -> Callable[..., Any]:
    fn = function_named(str(last.get("name")), last.get("code"))
    if fn is None or last.get("code") is None:
        raise RerunError(f"the function of {_name(last)} is gone, or its code has changed")
    slots = {str(each["slot"]): None for each in last.get("inputs") or ()}
    try:
        inspect.signature(fn).bind(**slots)
    except TypeError:
        raise RerunError(f"{_name(last)} cannot be called with its inputs by name") from None
    return fn


def _check_steps(
    recording: "Recording",
    told: Sequence[Row],
    closed: Mapping[int, Row],
    changes: Changes,
    last: Row,
) -> None:
    """Refuse where a step between context and answer is not on record.

    Raises:
        RerunError: One is not.
    """
    known: set[str] = set()
    offered: list[str] = []
    for row in told:
        kind, digest = row["kind"], str(row.get("value"))
        if kind in ("context", "event"):
            known.add(digest)
            offered.append(recording.values.shown(digest))
        elif kind == "link_opened":
            _check_link(recording, row, closed, known, offered, last)
            known.add(str(closed.get(row["seq"], {}).get("output")))
        elif kind == "answer" or row.get("by") == "answered again":
            _check_answer(recording, row, known, last)
        elif kind == "override":
            if row["seq"] not in changes:
                raise RerunError(
                    f"the override by {shorten(str(row.get('by')), 60)} was given as a value, not "
                    "as a function"
                )
            known.add(digest)


def _check_answer(recording: "Recording", row: Row, known: set[str], last: Row) -> None:
    """An answer is what a step gave only where it cannot be the same by chance."""
    digest = str(row.get("value"))
    if digest not in known:
        raise RerunError("what stands between the last recorded step and the answer is not")
    shown = recording.values.shown(digest)
    if len(shown) < SHORT and not row.get("uses"):
        raise RerunError(
            f"it is not on record whether the answer {shown!r} is what {_name(last)} gave or what "
            "the block itself says (ek.answer(reply, uses=[reply]) records it)"
        )


def _check_link(
    recording: "Recording",
    row: Row,
    closed: Mapping[int, Row],
    known: set[str],
    offered: list[str],
    last: Row,
) -> None:
    inputs = list(row.get("inputs") or ())
    if row.get("type") == "assemble":
        end = closed.get(row["seq"], {})
        values = {each["slot"]: recording.values.object(each["value"]) for each in inputs}
        made = recording.values.object(str(end.get("output")))
        if template_of(made, end.get("segments") or (), values) is None:
            raise RerunError("a template has a field with a format, which is not on record")
        return
    unknown = [str(each["value"]) for each in inputs if str(each["value"]) not in known]
    held = any(
        len(text) and text in recording.values.shown(each) for each in unknown for text in offered
    )
    if held or (row["seq"] == last["seq"] and offered and len(unknown) == len(inputs)):
        raise RerunError(f"what made the input of {_name(row)} is not (use ek.assemble)")


def _name(row: Row) -> str:
    return shorten(str(row.get("name")), 60)
