"""Who&When and AutoGen histories: several speakers, and labels of where it went wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from explainkit.adapters.answers import write_answer
from explainkit.adapters.ending import last_step
from explainkit.adapters.group_chat import group_turns, is_group_chat
from explainkit.adapters.identity import content_key, distinct
from explainkit.adapters.labels import LABELS, write_labels
from explainkit.adapters.reader import Reading
from explainkit.adapters.reports import Skipped
from explainkit.adapters.script import Emitted, Script
from explainkit.tracing.recorder import Recorder

_LISTS = ("history", "chat_history")
_SEEN = "who saw which message is not recorded: every speaker is taken to have seen all before"


@dataclass(frozen=True)
class WhoAndWhen:
    """Reads annotated multi-agent histories.

    Attributes:
        runs: The histories as written.
    """

    runs: tuple[dict[str, Any], ...]
    format: str = "who-and-when"

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """``who-and-when-`` and twelve characters that stand for the content."""
        return distinct(f"who-and-when-{content_key(run)}" for run in self.runs)

    def read(self, index: int, source: dict[str, Any]) -> Reading:
        """Normalise one history; its labels stay outside."""
        run = self.runs[index]
        skip: list[tuple[int, str]] = []
        turns = group_turns(_history(run), skip)
        question = run.get("question")
        prompts = run.get("system_prompt")
        beside = {"history", "chat_history", "question", "system_prompt", *LABELS}
        own = prompts if isinstance(prompts, dict) else {}
        script = Script(
            run=self.ids[index],
            name=_name(run),
            source=source,
            turns=turns,
            question=question if isinstance(question, str) else None,
            system=prompts if isinstance(prompts, str) and prompts else None,
            systems={str(actor): text for actor, text in own.items() if text},
            fields={key: value for key, value in run.items() if key not in beside},
            ask_first=bool(turns) and turns[0].role != "user",
        )
        return Reading(script, tuple(Skipped(place, reason) for place, reason in skip), (_SEEN,))

    def finish(self, index: int, recorder: Recorder, done: Emitted) -> Sequence[str]:
        """Write the answer (the last substantive step) and the labels as verdicts."""
        run = self.runs[index]
        turns = group_turns(_history(run), [])
        notes: list[str] = []
        step = last_step(turns, done, recorder.redactor.text)
        if step is None:
            notes.append("no step holds an answer")
        else:
            write_answer(recorder, done.said[step.index], start=step.start, end=step.end)
            if step.start is not None:
                notes.append(f"the answer is the FINAL ANSWER line in message {step.index}")
        notes.extend(write_labels(run, turns, recorder, done, answered=step is not None))
        return notes


def recognise_who_and_when(data: Any) -> WhoAndWhen | None:
    """Recognise a history of named speakers, bare or wrapped, or a list of wrapped ones.

    Example:
        >>> steps = [{"role": "Ann", "content": "hi"}]
        >>> recognise_who_and_when({"question": "?", "history": steps}).format
        'who-and-when'
    """
    if isinstance(data, list) and is_group_chat(data):
        return WhoAndWhen(({"history": data},))
    runs = data if isinstance(data, list) else [data]
    if not runs or not all(isinstance(run, dict) and _history(run) for run in runs):
        return None
    return WhoAndWhen(tuple(runs))


def _history(run: dict[str, Any]) -> list[Any]:
    for key in _LISTS:
        listed = run.get(key)
        if not isinstance(listed, list) or not any(_is_step(item) for item in listed):
            continue
        if is_group_chat(listed) or any(label in run for label in ("question", *LABELS)):
            return listed
    return []


def _is_step(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and "content" in item
        and (isinstance(item.get("role"), str) or isinstance(item.get("name"), str))
    )


def _name(run: dict[str, Any]) -> str:
    known = run.get("question_ID")
    if isinstance(known, str) and known:
        return f"who&when {known[:8]}"
    return "group chat"
