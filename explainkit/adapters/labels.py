"""Annotators' labels as verdicts, which no walk follows, so that they never become evidence."""

from collections.abc import Sequence
from typing import Any

from explainkit.adapters.script import Emitted
from explainkit.adapters.turns import Turn
from explainkit.adapters.wording import inline
from explainkit.tracing.recorder import Recorder

JUDGE = "who&when annotators"
LABELS = (
    "mistake_agent",
    "mistake_step",
    "mistake_reason",
    "mistake_type",
    "labels",
    "is_correct",
    "is_corrected",
    "ground_truth",
    "groundtruth",
)
"""Keys that hold labels, over all variants of the data."""


def write_labels(
    run: dict[str, Any],
    turns: Sequence[Turn],
    recorder: Recorder,
    done: Emitted,
    *,
    answered: bool,
) -> list[str]:
    """Write a verdict on the answer and one on the step that the annotators name.

    Args:
        run: The source with its labels.
        turns: Its turns.
        recorder: Takes the records.
        done: Where the turns landed.
        answered: Whether there is an answer to judge.

    Returns:
        Remarks for the report.
    """
    notes: list[str] = []
    reason = _text(recorder, run.get("mistake_reason"))
    named = run.get("mistake_step") not in (None, "")
    status = _status(run, named=named)
    if status is not None and answered:
        recorder.append(
            "verdict",
            slot="answer",
            version=1,
            status=status,
            judge=JUDGE,
            reason=reason,
            issues=_issues(recorder, run),
        )
    elif status is not None:
        notes.append("there is no answer for the annotators' verdict")
    if named:
        notes.extend(_judge_step(run, turns, recorder, done, reason))
    return notes


def _judge_step(
    run: dict[str, Any],
    turns: Sequence[Turn],
    recorder: Recorder,
    done: Emitted,
    reason: str | None,
) -> list[str]:
    written = run["mistake_step"]
    step = int(written) if str(written).isdecimal() and len(str(written)) < 9 else None
    link = done.links.get(step) if step is not None else None
    agent = run.get("mistake_agent")
    if link is None:
        text = f"the annotators name step {str(written)[:40]!r}, which is no step of the record"
        recorder.append("note", text=inline(recorder, text), by=JUDGE)
        return [text]
    recorder.append("verdict", link=link, status="failed", judge=JUDGE, reason=reason)
    actor = next((turn.actor for turn in turns if turn.index == step), None)
    if isinstance(agent, str) and agent and agent != actor:
        return [f"the annotators name {agent[:60]!r}, but step {step} is by {actor!r}"]
    return []


def _status(run: dict[str, Any], *, named: bool) -> str | None:
    correct = run.get("is_correct", run.get("is_corrected"))
    if named or correct is False:
        return "failed"
    return "passed" if correct is True else None


def _issues(recorder: Recorder, run: dict[str, Any]) -> list[dict[str, str]]:
    named = (
        ("ground-truth", run.get("ground_truth", run.get("groundtruth"))),
        ("mistake-agent", run.get("mistake_agent")),
        ("mistake-step", run.get("mistake_step")),
        ("mistake-type", run.get("mistake_type", run.get("labels"))),
    )
    issues = []
    for code, value in named:
        text = _text(recorder, value)
        if text is not None:
            issues.append({"code": code, "message": text, "path": ""})
    return issues


def _text(recorder: Recorder, value: Any) -> str | None:
    if value is None or value == "":
        return None
    text = value if isinstance(value, str) else repr(value)[:2_000]
    return inline(recorder, text, limit=10_000)
