"""Links in sentences: what was asked or called with what, and what came of it."""

from typing import Any

from explainkit.errors import ExplainkitError
from explainkit.view.composition_links import RUNNERS, ToldLink
from explainkit.view.composition_words import raised
from explainkit.view.story.choices_told import batch, states
from explainkit.view.story.material import (
    HOLDERS,
    Material,
    entries,
    mapping,
    noun,
    text,
)
from explainkit.view.story.sentences import (
    NOTABLE,
    QUIET,
    ROUTINE,
    TELLING,
    Happening,
    Manner,
)
from explainkit.view.story.wording import (
    called,
    number,
    quoted,
    said_words,
    series,
    times,
    value_of,
    value_words,
)
from explainkit.view.words import flat

_QUIET = frozenset({"guard", "chunk", "round", "review", "generate", "observe"})
_VERBS = {"model": "was asked", "tool": "was called", "policy": "was asked", "guard": "was asked"}
_ENDS = {
    "paused": "and waits for a person",
    "cancelled": "and was cancelled",
    "abandoned": "and was still open when the run ended",
    "crashed": "and was still open where the record stops",
    "running": "and still goes on",
}
_SLOTS = 3
_BARE = frozenset({"input", "prompt", "text", "value", "call"})


def opened(material: Material, seq: int) -> Happening:
    """A link: whole when it is a step, its beginning when it holds others."""
    link = material.links.at[seq]
    holder = link.kind in HOLDERS and bool(link.below or link.kind in RUNNERS)
    if holder:
        return _begun(material, link)
    end = material.closed.get(seq)
    records = (seq,) if end is None else (seq, end["seq"])
    return Happening(
        "link", records, _manner(material, link), lambda: _step(material, link),
        lambda: _end_of(material, link).removeprefix("and "), _weight(material, link),
    )  # fmt: skip


def closed(material: Material, row: dict[str, Any]) -> Happening | None:
    """The end of a link that holds others; None where nothing is to be told of it."""
    link = material.links.at.get(row["link"])
    if link is None or not (link.kind in HOLDERS and bool(link.below or link.kind in RUNNERS)):
        return None
    if link.seq in material.carriers or link.terminal is not None:
        return None
    if link.status == "answered" and (link.output is None or link.kind in _QUIET):
        return None
    words = _who(material, link)
    manner = Manner(
        ("end", link.kind, link.name, link.status),
        lambda count: f"{words} {_ended_verb(link)} {times(count)}",
    )
    weight = TELLING if link.status == "answered" else NOTABLE
    return Happening(
        "link",
        (row["seq"],),
        manner,
        lambda: f"{words} {_end_of(material, link).removeprefix('and ')}",
        weight=weight,
    )


def _begun(material: Material, link: ToldLink) -> Happening:
    words = noun(link)
    branch = f", as the branch {called(link.branch)}" if link.branch else ""
    manner = Manner(
        ("begun", link.kind, link.name),
        lambda count: f"{words} began{f' {times(count)}' if count > 1 else ''}",
    )

    start = material.starts.get(link.seq)
    records = (link.seq,) if start is None else (link.seq, start[0])

    def tell() -> str:
        given = _given(material, material.rows[link.seq])
        stood = "" if start is None else f", in {states(start[1])}"
        given = f" with {given}" if given else ""
        still = ""
        if link.status in ("crashed", "running", "abandoned"):
            still = f" {_ENDS[link.status].replace('and was', ', and it was')}"
            still = still.replace("and still", ", and it still").replace(" ,", ",")
        return f"{words} began{given}{branch}{stood}{still}"

    return Happening(
        "link", records, manner, tell, weight=QUIET if link.kind in _QUIET else ROUTINE
    )


def _step(material: Material, link: ToldLink) -> str:
    row = material.rows[link.seq]
    if link.kind == "assemble":
        return _assembled(material, link, row)
    if material.imported and link.kind == "model" and link.status == "answered":
        return f"{_who(material, link)} {said_words(material.recording, link.output)}"
    given = _given(material, row)
    verb = f"was given {given}" if given else _VERBS.get(link.kind, "ran")
    end = _end_of(material, link)
    joint = "" if end.startswith("and ") else "and "
    comma = "," if " and " in given else ""
    return f"{_who(material, link)} {verb}{comma} {joint}{end}"


def _who(material: Material, link: ToldLink) -> str:
    branch = f" (the branch {called(link.branch)})" if link.branch else ""
    return f"{material.link_words(link.seq)}{branch}"


def _end_of(material: Material, link: ToldLink) -> str:
    recording = material.recording
    if link.terminal is not None:
        return f"ended on the verdict {called(link.terminal)}"
    if link.status == "error":
        name, message = ("an error", "") if link.error is None else raised(recording, link.error)
        said = f": {quoted(message)}" if message else ""
        return f"failed with {flat(name, 60)}{said}"
    if link.status == "exhausted":
        return f"used up its budget; its last value was {value_words(recording, link.output)}"
    if link.status == "answered":
        if link.kind == "model":
            return said_words(recording, link.output)
        if link.output is None:
            return "ended"
        if value_of(recording, link.output) is None and link.kind in HOLDERS:
            return "ended"
        verb = {"agent": "answered", "policy": "said", "check": "said", "guard": "said"}
        return f"{verb.get(link.kind, 'gave')} {value_words(recording, link.output)}"
    return _ENDS.get(link.status, f"ended as {called(link.status)}")


def _ended_verb(link: ToldLink) -> str:
    return {"answered": "gave a result", "error": "failed"}.get(link.status, "ended")


def _given(material: Material, row: dict[str, Any]) -> str:
    """What a link was given, in a few words."""
    inputs = [each for each in entries(row.get("inputs")) if isinstance(each, dict)]
    recording = material.recording
    if row.get("type") == "answer-flow" and (items := batch(material, row["seq"])):
        names = [called(mapping(each).get("id")) for each in items]
        return f"{number(len(items), 'item')}: {series(names, 5)}"
    parts: list[str] = []
    for each in inputs[: _SLOTS + 1]:
        slot, digest = text(each.get("slot")), each.get("value")
        if slot == "messages":
            count = len(entries(value_of(recording, digest)))
            parts.append(number(count, "message") if count else "a message")
        elif slot == "tools":
            offered = len(entries(value_of(recording, digest)))
            parts.append(number(offered, "tool") if offered else "")
        elif slot == "prompt" and row.get("type") == "model":
            parts.append(_prompt_words(material, digest))
        elif slot in _BARE and len(inputs) == 1:
            parts.append(_bare(material, slot, digest))
        else:
            parts.append(f"{flat(slot, 40)} {value_words(recording, digest, 70)}")
    parts = [part for part in parts if part]
    if not parts:
        return ""
    more = [f"{len(inputs) - len(parts):,} more"] if len(inputs) > len(parts) > _SLOTS else []
    return series([*parts, *more], _SLOTS + 2)


def _bare(material: Material, slot: str, digest: object) -> str:
    value = value_of(material.recording, digest)
    if slot == "call" and isinstance(value, dict):
        from explainkit.view.story.wording import call_words

        return f"the call {call_words(value)}"
    return "" if value is None else value_words(material.recording, digest)


def _prompt_words(material: Material, digest: object) -> str:
    value = value_of(material.recording, digest)
    if isinstance(value, str):
        return f"a prompt of {number(len(value), 'character')}"
    return f"the prompt {value_words(material.recording, digest, 70)}"


def _assembled(material: Material, link: ToldLink, row: dict[str, Any]) -> str:
    inputs = entries(row.get("inputs"))
    slots = [flat(text(mapping(each).get("slot")), 40) for each in inputs]
    of = f" of {series([slot for slot in slots if slot], 6)}" if any(slots) else ""
    value = value_of(material.recording, link.output)
    if isinstance(value, str):
        return f"a prompt of {number(len(value), 'character')} was put together out{of}"
    if isinstance(value, list):
        return f"a list of {number(len(value), 'message')} was put together out{of}"
    return f"a prompt was to be put together out{of}, which {_end_of(material, link)}"


def _manner(material: Material, link: ToldLink) -> Manner:
    words = material.link_words(link.seq)
    verb = _VERBS.get(link.kind, "ran")
    if material.imported and link.kind == "model":
        verb = "spoke"
    if link.kind == "assemble":
        return Manner(
            ("link", "assemble"), lambda count: f"a prompt was put together {times(count)}"
        )
    failed = f" and {_ended_verb(link)}" if link.status == "error" else ""
    speaks = material.imported and link.kind == "model"
    kin = (link.kind, link.name, f"{verb.replace('was', 'were')}{failed}")
    return Manner(
        ("link", link.kind, words, link.status),
        lambda count: f"{words} {verb}{failed} {times(count)}",
        kin=None if speaks else kin,
    )


def _weight(material: Material, link: ToldLink) -> int:
    if link.status != "answered" or link.terminal is not None or link.seq in material.judged:
        return NOTABLE
    if link.kind in _QUIET:
        return QUIET
    parent = material.parent(link.seq)
    if link.kind == "check" and parent is not None:
        return QUIET
    if link.kind == "model" and parent is not None and parent.kind == "review":
        return QUIET  # what it said is told as the verdicts of the review
    if link.kind == "fallback" and parent is not None and parent.kind == "answer-flow":
        return QUIET  # what it gave is told with the end of the item
    if link.kind == "policy":
        said = mapping(value_of(material.recording, link.output)).get("decision")
        return ROUTINE if said == "allow" else TELLING
    if link.kind in ("tool", "effect") and _tells_of_an_error(material, link):
        return TELLING
    return ROUTINE


def _tells_of_an_error(material: Material, link: ToldLink) -> bool:
    """Whether the text that a tool gave begins with the word error."""
    try:
        value = material.recording.values.text(link.output or "")
    except ExplainkitError:
        return False
    return value is not None and value[:20].lstrip().casefold().startswith("error")
