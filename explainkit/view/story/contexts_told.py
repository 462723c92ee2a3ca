"""Contexts offered and left out, and what arrived from outside, in sentences."""

from typing import Any

from explainkit.view.machine_words import event_words
from explainkit.view.story.material import Material, mapping, text, whole
from explainkit.view.story.sentences import ROUTINE, TELLING, Happening, Manner
from explainkit.view.story.wording import called, number, quoted, times, value_of, value_words
from explainkit.view.words import flat


def context(material: Material, row: dict[str, Any]) -> Happening:
    """A piece that was offered, and why; or one that was left out."""
    if row.get("admitted") is False:
        return _left_out(material, row)
    manner = Manner(
        ("context",),
        lambda count: f"{number(count, 'piece')} of context {_were(count)} offered",
        lambda count: f"{number(count, 'piece')} of context {_were(count)} offered: ",
    )

    def entry() -> str:
        about = [f"from {flat(text(row.get('source')), 60)}"] if row.get("source") else []
        about += [f"reason: {quoted(text(row.get('why')), 90)}"] if row.get("why") else []
        return f"{_piece(row)} ({'; '.join(about)})" if about else _piece(row)

    def tell() -> str:
        source = f", from {flat(text(row.get('source')), 60)}" if row.get("source") else ""
        why = f" ({_why(row)})" if _why(row) else ""
        return f"{_piece(row)} was offered{source}{why}{_content(material, row)}"

    return Happening("context", (row["seq"],), manner, tell, entry)


def _left_out(material: Material, row: dict[str, Any]) -> Happening:
    manner = Manner(
        ("left out",),
        lambda count: f"{number(count, 'piece')} of context {_were(count)} left out",
        lambda count: f"{number(count, 'piece')} of context {_were(count)} left out: ",
    )
    how = flat(text(row.get("how")), 40)
    why = f" ({_why(row)})" if _why(row) else ""

    def entry() -> str:
        return f"{called(row.get('name'))}{f', {how}' if how else ''}{why}"

    def tell() -> str:
        way = f", {how}" if how else ""
        return f"{_piece(row)} was left out{way}{why}{_content(material, row)}"

    return Happening("left out", (row["seq"],), manner, tell, entry, TELLING)


def _content(material: Material, row: dict[str, Any]) -> str:
    """How a piece of plain text begins; data with a form of its own says little in a sentence."""
    value = value_of(material.recording, row.get("value"))
    return f"; it reads {quoted(value, 80)}" if isinstance(value, str) else ""


def _piece(row: dict[str, Any]) -> str:
    kind = flat(text(row.get("type")), 40) or "fact"
    return f"the {kind} {called(row.get('name'))}"


def _why(row: dict[str, Any]) -> str:
    why = text(row.get("why"))
    return f"the reason given: {quoted(why, 90)}" if why else ""


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def event(material: Material, row: dict[str, Any]) -> Happening:
    """Something that arrived from outside the chain."""
    name, sender = text(row.get("name")), text(row.get("sender"))
    who = f"the {flat(sender, 40)}" if sender in ("user", "human") else called(sender or "somebody")
    if name == "message":
        manner = Manner(("event", name, sender), lambda count: f"{who} wrote {_messages(count)}")
        return Happening(
            "event",
            (row["seq"],),
            manner,
            lambda: f"{who} wrote {value_words(material.recording, row.get('value'))}",
        )
    told = _event_name(material, row)
    refused = text(row.get("refused"))
    word = "was refused" if refused else _arrived(row)
    manner = Manner(
        ("event", name, sender, word), lambda count: f"the event {told} {word} {times(count)}"
    )

    def tell() -> str:
        by = f" from {called(sender)}" if sender else ""
        value = value_words(material.recording, row.get("value"), 80)
        given = f" with {value}" if value not in ("nothing", "“{}”", "“null”") else ""
        why = f": {quoted(refused)}" if refused else ""
        return f"the event {told}{by} {word}{given}{why}"

    return Happening("event", (row["seq"],), manner, tell, weight=TELLING if refused else ROUTINE)


def _messages(count: int) -> str:
    return number(count, "message")


def _arrived(row: dict[str, Any]) -> str:
    return {
        "timer": "came due",
        "dropped": "came when nothing could take it",
        "fault": "reported a fault",
    }.get(text(row.get("arrival")), "arrived")


def _event_name(material: Material, row: dict[str, Any]) -> str:
    machine = whole(row.get("machine"))
    chart = None if machine is None else material.charts.get(machine)
    return called(event_words(chart, text(row.get("name"))))


def note(material: Material, row: dict[str, Any]) -> Happening:
    """A remark, and what it is about."""
    target = whole(mapping(row.get("target")).get("seq"))
    about = f" about record {target}" if target is not None else ""
    by = called(row["by"]) if text(row.get("by")) else "somebody"
    manner = Manner(
        ("note", text(row.get("by"))),
        lambda count: f"{by} left {number(count, 'remark')}",
        lambda count: f"{by} left {number(count, 'remark')}: ",
    )
    return Happening(
        "note",
        (row["seq"],),
        manner,
        lambda: f"{by} remarked{about}: {quoted(text(row.get('text')))}",
        lambda: f"{quoted(text(row.get('text')), 80)}{about}",
    )
