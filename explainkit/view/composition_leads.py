"""From the end of a run to the record that it came from: the call, the message, the values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from explainkit.view.composition_ends import Ending
from explainkit.view.composition_links import ToldLink, ToldLinks
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording


@dataclass(frozen=True, slots=True)
class Lead:
    """A record that an end came from.

    Attributes:
        seq: The record.
        slot: Which of its values; empty for the record itself, which has none.
        words: What it is.
        grade: How it is known: the engine wrote it, or the same error stands in both.
        marks: The words in the value that matter; all of it when there are none.
    """

    seq: int
    slot: str
    words: str
    grade: Literal["declared", "value"] = "declared"
    marks: tuple[str, ...] = ()


def leads_of(recording: "Recording", links: ToldLinks, ending: Ending) -> tuple[Lead, ...]:
    """The records that an end came from, the nearest first; none where the record tells none.

    Args:
        recording: The run.
        links: Its links.
        ending: What it ended on; of one that is made of several, the leads of each.
    """
    if ending.branches:
        found = [lead for each in ending.branches for lead in leads_of(recording, links, each)]
        return tuple(dict.fromkeys(found))
    link = ending.link
    if link is None:
        return ()
    below = [links.at[seq] for seq in link.below]
    match ending.word if ending.kind == "verdict" else ending.kind:
        case "policy-halt":
            return _proposed(below)
        case "message-denied":
            return _denied(recording, link)
        case "reliability-fail-fast":
            return _model_error(below)
        case "unsupported-values" | "answer-validation":
            return _candidate(recording, link)
        case "consent-pending":
            return _last_reply(below)
        case "error":
            return _error(link)
        case "exhausted":
            return _value(link, "the last value")
        case "paused":
            return _question(recording, link)
    return ()


def _proposed(below: list[ToldLink]) -> tuple[Lead, ...]:
    asked = [each for each in below if each.kind == "policy"]
    return tuple(Lead(each.seq, "call", "the call that was not made") for each in asked[-1:])


def _denied(recording: "Recording", link: ToldLink) -> tuple[Lead, ...]:
    inside = {link.seq, *link.below}
    found: list[Lead] = []
    for row in recording.rows("lost"):
        target = row.get("target")
        if row.get("what") == "denied" and isinstance(target, dict) and target.get("seq") in inside:
            words = f"the message, which is not kept: {flat(str(row.get('reason')), 120)}"
            found = [Lead(row["seq"], "", words)]
            if target["seq"] != link.seq:
                found.append(Lead(target["seq"], "messages", "what the model was asked then"))
    return tuple(found)


def _model_error(below: list[ToldLink]) -> tuple[Lead, ...]:
    asked = [each for each in below if each.kind == "model" and each.closed is not None]
    last = asked[-1:]
    return tuple(
        Lead(each.closed, "error", "the error of the last call of the model")
        for each in last
        if each.error is not None and each.closed is not None
    )


def _candidate(recording: "Recording", link: ToldLink) -> tuple[Lead, ...]:
    values = link.detail.get("values")
    marks = tuple(each for each in values if isinstance(each, str)) if _is_list(values) else ()
    last: int | None = None
    for row in recording.rows("answer", "override"):
        if row.get("parent") == link.seq and isinstance(row.get("value"), str):
            last = row["seq"]
    words = "the answer that was not let out"
    return () if last is None else (Lead(last, "value", words, marks=marks),)


def _last_reply(below: list[ToldLink]) -> tuple[Lead, ...]:
    said = [each for each in below if each.kind == "model" and each.output is not None]
    return tuple(
        Lead(each.closed, "output", "the reply with the call that waits for consent")
        for each in said[-1:]
        if each.closed is not None
    )


def _error(link: ToldLink) -> tuple[Lead, ...]:
    if link.closed is None or link.error is None:
        return ()
    return (Lead(link.closed, "error", "the error", "value"),)


def _value(link: ToldLink, words: str) -> tuple[Lead, ...]:
    if link.closed is None or link.output is None:
        return ()
    return (Lead(link.closed, "output", words),)


def _question(recording: "Recording", link: ToldLink) -> tuple[Lead, ...]:
    inputs = recording.raw(link.seq).get("inputs")
    rows = inputs if isinstance(inputs, list) else []
    slots = [each.get("slot") for each in rows if isinstance(each, dict)]
    found = [slot for slot in slots if isinstance(slot, str)]
    return (Lead(link.seq, found[0], "what a person is asked"),) if found else ()


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
