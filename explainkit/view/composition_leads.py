"""From the end of a run to the record that it came from: the call, the message, the values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

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
        grade: How it is known: the engine wrote it, the same error stands in both, or it was given
            to what raised.
        marks: The words in the value that matter; all of it when there are none.
    """

    seq: int
    slot: str
    words: str
    grade: Literal["declared", "value", "exposure"] = "declared"
    marks: tuple[str, ...] = ()


def leads_of(recording: "Recording", links: ToldLinks, ending: Ending) -> tuple[Lead, ...]:
    """The records that an end came from, each from the next one; none where the record tells none.

    Args:
        recording: The run.
        links: Its links.
        ending: What it ended on; one of its branches, when it has some.
    """
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
            return _model_error(recording, below)
        case "unsupported-values" | "answer-validation":
            return _candidate(recording, link)
        case "consent-pending":
            return _last_reply(below)
        case "error":
            return _error(recording, link)
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
            words = f"the message ({flat(str(row.get('reason')), 120)})"
            found = [Lead(row["seq"], "", words)]
            if target["seq"] != link.seq:
                found.append(Lead(target["seq"], "messages", "what the model was asked then"))
    return tuple(found)


def _model_error(recording: "Recording", below: list[ToldLink]) -> tuple[Lead, ...]:
    asked = [each for each in below if each.kind == "model"]
    return _error(recording, asked[-1]) if asked else ()


def _candidate(recording: "Recording", link: ToldLink) -> tuple[Lead, ...]:
    values = link.detail.get("values")
    listed = values if isinstance(values, list) else []
    marks = tuple(each for each in listed if isinstance(each, str))
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


def _error(recording: "Recording", link: ToldLink) -> tuple[Lead, ...]:
    if link.closed is None or link.error is None:
        return ()
    name = flat(link.name, 60)
    given = [
        Lead(link.seq, slot, f"what {name} was given", "exposure")
        for slot in _slots(recording, link)
    ]
    return (Lead(link.closed, "error", f"the error of {name}", "value"), *given[:1])


def _value(link: ToldLink, words: str) -> tuple[Lead, ...]:
    if link.closed is None or link.output is None:
        return ()
    return (Lead(link.closed, "output", words),)


def _question(recording: "Recording", link: ToldLink) -> tuple[Lead, ...]:
    return tuple(
        Lead(link.seq, slot, "what a person is asked") for slot in _slots(recording, link)[:1]
    )


def _slots(recording: "Recording", link: ToldLink) -> list[str]:
    """Names of what a link was given."""
    inputs = recording.raw(link.seq).get("inputs")
    rows = inputs if isinstance(inputs, list) else []
    slots = [each.get("slot") for each in rows if isinstance(each, dict)]
    return [slot for slot in slots if isinstance(slot, str)]
