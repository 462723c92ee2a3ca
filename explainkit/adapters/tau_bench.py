"""Results of tau-bench: many runs in one file, each with the reward it earned."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from explainkit.adapters.answers import last_said, write_answer
from explainkit.adapters.dialects import turns_of
from explainkit.adapters.identity import content_key, distinct
from explainkit.adapters.reader import Reading
from explainkit.adapters.reports import Skipped
from explainkit.adapters.script import Emitted, Script
from explainkit.adapters.wording import inline
from explainkit.tracing.recorder import Recorder

_DOMAIN = re.compile(r"#\s*(\w+) agent policy", re.IGNORECASE)
_JUDGE = "tau-bench reward"
_KEPT = ("source", "user_cost")


@dataclass(frozen=True)
class TauBench:
    """Reads tau-bench results.

    Attributes:
        runs: The results as written.
    """

    runs: tuple[dict[str, Any], ...]
    format: str = "tau-bench"

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """``tau-<domain>-<task>-trial-<n>-`` and twelve characters that stand for the content."""
        return distinct(f"{_label(run)}-{content_key(run)}" for run in self.runs)

    def read(self, index: int, source: dict[str, Any]) -> Reading:
        """Normalise one result; the simulated user's instruction is no context of the model."""
        run = self.runs[index]
        skip: list[tuple[int, str]] = []
        turns = tuple(turns_of(run["traj"], skip))
        spoken = (turn.texts[0].text for turn in turns if turn.role == "user" and turn.texts)
        info = _info(run)
        script = Script(
            run=self.ids[index],
            name=_label(run),
            source={
                **source,
                "task": _short(run.get("task_id")),
                "trial": _short(run.get("trial")),
            },
            turns=turns,
            question=next(spoken, None),
            fields={key: info[key] for key in _KEPT if key in info},
        )
        return Reading(script, tuple(Skipped(place, reason) for place, reason in skip))

    def finish(self, index: int, recorder: Recorder, done: Emitted) -> Sequence[str]:
        """Write the answer, the reward as a verdict, and the reference as notes."""
        run = self.runs[index]
        last = last_said(done)
        target: dict[str, Any] = {}
        if last is not None:
            write_answer(recorder, done.said[last])
            target = {"slot": "answer", "version": 1}
        elif done.links:
            target = {"link": done.links[max(done.links)]}
        reward = run.get("reward")
        if target:
            recorder.append(
                "verdict",
                **target,
                status=_status(reward),
                judge=_JUDGE,
                reason=f"reward {json.dumps(reward)[:40]}",
            )
        task = _task(run)
        for title, key in (
            ("reference actions", "actions"),
            ("reference outputs", "outputs"),
            ("hidden instruction of the simulated user", "instruction"),
        ):
            if task.get(key):
                text = task[key] if isinstance(task[key], str) else json.dumps(task[key])
                note = inline(recorder, f"{title}: {text}", limit=100_000)
                recorder.append("note", text=note, by="tau-bench")
        return () if target else ("nothing was said or done, so the reward judges nothing",)


def recognise_tau_bench(data: Any) -> TauBench | None:
    """Recognise results: objects with a trajectory and a reward.

    Example:
        >>> recognise_tau_bench([{"task_id": 0, "reward": 1.0, "traj": [], "trial": 0}]).format
        'tau-bench'
    """
    runs = data if isinstance(data, list) else [data]
    if not runs or not all(_is_result(run) for run in runs):
        return None
    return TauBench(tuple(runs))


def _is_result(run: Any) -> bool:
    if not isinstance(run, dict) or not isinstance(run.get("traj"), list):
        return False
    return "reward" in run or "task_id" in run


def _status(reward: Any) -> str:
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        return "unavailable"
    return "passed" if abs(reward - 1) < 1e-6 else "failed"


def _label(run: dict[str, Any]) -> str:
    words = ["tau"]
    first = run["traj"][0] if run["traj"] else None
    content = first.get("content") if isinstance(first, dict) else None
    found = _DOMAIN.search(content[:2_000]) if isinstance(content, str) else None
    if found:
        words.append(found[1].lower()[:20])
    words.append(_short(run.get("task_id")))
    words.extend(("trial", _short(run.get("trial"))))
    return "-".join(words)


def _short(value: Any) -> str:
    word = str(value) if isinstance(value, int | str) else "none"
    return re.sub(r"[^\w.]+", "_", word)[:24] or "none"


def _info(run: dict[str, Any]) -> dict[str, Any]:
    info = run.get("info")
    return info if isinstance(info, dict) else {}


def _task(run: dict[str, Any]) -> dict[str, Any]:
    task = _info(run).get("task")
    return task if isinstance(task, dict) else {}
