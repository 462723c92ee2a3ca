"""Decisions, picks and steps of machines in sentences, with what was not asked."""

from typing import Any

from explainkit.view.machine_words import event_words
from explainkit.view.picks_told import ToldPick
from explainkit.view.picks_words import SOURCES
from explainkit.view.story.material import Material, entries, mapping, text, whole
from explainkit.view.story.sentences import NOTABLE, ROUTINE, TELLING, Happening, Manner
from explainkit.view.story.wording import (
    called,
    number,
    plain_words,
    quoted,
    series,
    times,
    value_of,
    value_words,
)
from explainkit.view.words import flat

_ENDS = {
    "accepted": "was accepted",
    "fallback": "got the value of the fallback",
    "blocked": "was blocked",
}


def decision(material: Material, row: dict[str, Any]) -> Happening:
    """What each option answered, which was taken, and which was never asked."""
    link = whole(row.get("link"))
    around = material.links.at.get(link) if link is not None else None
    if around is not None and around.kind == "answer-flow" and row.get("chosen") in _ENDS:
        return _item_end(material, row, around.seq)
    who = material.link_words(link) if link is not None else "somebody"
    manner = Manner(("decision", who), lambda count: f"{who} decided {times(count)}")
    # A loop decides at every turn; what tells is how it ended.
    weight = ROUTINE if around is not None and around.kind == "loop" else TELLING
    return Happening(
        "decision", (row["seq"],), manner, lambda: f"{who} {_tried(row)}", weight=weight
    )


def _tried(row: dict[str, Any]) -> str:
    options = [called(each) for each in entries(row.get("options"))]
    results = entries(row.get("results"))
    results += [None] * (len(options) - len(results))
    pairs = list(zip(options, results, strict=False))
    asked = [f"{name} gave {plain_words(said, 60)}" for name, said in pairs if said is not None]
    left = [name for name, said in pairs if said is None]
    tried = f"went through its options in order: {series(asked)}" if asked else "asked no option"
    chosen = row.get("chosen")
    taken = f"; it took {called(chosen)}" if isinstance(chosen, str) else "; it took none"
    rest = [name for name in left if name != (called(chosen) if chosen else "")]
    if not rest:
        return f"{tried}{taken}"
    return f"{tried}{taken}; {series(rest)} {'was' if len(rest) == 1 else 'were'} not asked"


def _item_end(material: Material, row: dict[str, Any], flow: int) -> Happening:
    chosen = str(row["chosen"])
    item = _item(material, row, flow)
    ends = _ENDS[chosen].replace("was ", "")
    manner = Manner(
        ("item end", chosen),
        lambda count: (
            f"{number(count, 'item')} {'was' if count == 1 else 'were'} {ends}"
            if chosen != "fallback"
            else f"{number(count, 'item')} got the value of the fallback"
        ),
        lambda count: (
            f"{number(count, 'item')} "
            + (f"were {ends}: " if chosen != "fallback" else "got the value of the fallback: ")
        ),
    )

    said = [each for each in entries(row.get("results")) if isinstance(each, str)]

    def delivered() -> list[str]:
        value = None if chosen == "blocked" else material.delivered(f"item:{item}")
        return [] if value is None else [value_words(material.recording, value, 80)]

    def tell() -> str:
        why = f": {series([quoted(each, 100) for each in said], 3)}" if said else ""
        value = "".join(f" ({each})" for each in delivered())
        return f"the item {called(item)} {_ENDS[chosen]}{value}{why}"

    def entry() -> str:
        about = delivered() + ([flat(said[0], 100)] if said and chosen != "accepted" else [])
        return f"{called(item)} ({'; '.join(about)})" if about else called(item)

    return Happening("decision", (row["seq"],), manner, tell, entry, NOTABLE)


def _item(material: Material, row: dict[str, Any], flow: int) -> str:
    """Which item of a batch a decision is about."""
    for each in map(mapping, entries(row.get("reads"))):
        path = text(each.get("path"))
        index = path.removeprefix("/items/")
        if each.get("seq") == flow and path != index and index.isascii() and index.isdigit():
            items = batch(material, flow)
            at = int(index) if len(index) < 9 else len(items)
            return str(mapping(items[at]).get("id")) if at < len(items) else f"number {at + 1}"
    return "without a name"


def batch(material: Material, flow: int) -> list[Any]:
    """The items that an answer flow was given."""
    kept = material.batches.get(flow)
    if kept is None:
        inputs = map(mapping, entries(material.rows[flow].get("inputs")))
        given = next((each.get("value") for each in inputs if each.get("slot") == "input"), None)
        kept = entries(mapping(value_of(material.recording, given)).get("items"))
        material.batches[flow] = kept
    return kept


def pick(
    material: Material, told: ToldPick, seqs: tuple[int, ...], *, apart: bool = False
) -> Happening:
    """What an Agent picked, what replied, and what it read.

    Args:
        material: The run.
        told: The pick.
        seqs: The records.
        apart: Other things happened before it was answered; what was read is told after them.
    """
    agent, event = called(told.agent), called(told.event)
    manner = Manner(
        ("pick", agent, event, told.status), lambda count: f"{agent} picked {event} {times(count)}"
    )

    def tell() -> str:
        given = value_words(material.recording, told.payload, 70)
        payload = "" if given in ("nothing", "“{}”") else f" with {given}"
        after = _nothing_moved(told) if apart else _after(material, told)
        return f"the Agent {agent} picked {event}{payload}{after}"

    weight = TELLING if told.refused is not None or not told.answered else ROUTINE
    return Happening("pick", seqs, manner, tell, weight=weight)


def _after(material: Material, told: ToldPick) -> str:
    if told.refused is not None:
        return f", which was refused: {quoted(told.refused)}"
    said = _replies(told)
    if not told.answered:
        held = series([flat(name, 40) for name in told.held_by]) if told.held_by else ""
        return f"{said}; the pick is still open{f', held by {held}' if held else ''}"
    return f"{said}{_nothing_moved(told)}; {_read(material, told)}{_over(told)}"


def _nothing_moved(told: ToldPick) -> str:
    return "; nothing moved" if told.moved is False else ""


def _over(told: ToldPick) -> str:
    return "; with that its Turn was over" if told.turn_complete else ""


def read_of_pick(material: Material, told: ToldPick, seqs: tuple[int, ...]) -> Happening:
    """What an Agent read of a pick, after what had happened for it.

    Args:
        material: The run.
        told: The pick.
        seqs: The records of the reading.
    """
    agent, event = called(told.agent), called(told.event)
    manner = Manner(
        ("read", agent, event), lambda count: f"{agent} read a reply to {event} {times(count)}"
    )

    def tell() -> str:
        said = value_words(material.recording, told.read, 80)
        return f"{agent} read the last reply to its pick {event}: {said}{_over(told)}"

    return Happening("pick", seqs, manner, tell, weight=ROUTINE)


def _read(material: Material, told: ToldPick) -> str:
    if told.source == "receipt" or told.read is None:
        return "it read no more than that it was taken"
    if told.source == "reply" and len(told.chain) == 1:
        return "in the end it read that reply"
    source = SOURCES.get(str(told.source), str(told.source))
    return f"in the end it read {value_words(material.recording, told.read, 80)} ({source})"


def _replies(told: ToldPick) -> str:
    chain = [flat(each, 70) for each in told.chain[-2:]]
    more = len(told.chain) - len(chain)
    before = f"after {number(more, 'earlier reply', 'earlier replies')} " if more else ""
    return f"; {before}the reply was {series(chain)}" if chain else ""


def step(material: Material, row: dict[str, Any]) -> Happening:
    """A step of a machine that no pick told."""
    machine = whole(row.get("machine"))
    who = material.link_words(machine) if machine is not None else "a machine"
    name = text(row.get("event"))
    manner = Manner(("step", who), lambda count: f"{who} made {number(count, 'step')}")

    def tell() -> str:
        into = states(row.get("configuration") or row.get("entered"))
        chart = material.charts.get(machine) if machine is not None else None
        on = called(event_words(chart, name))
        if not entries(row.get("entered")) and not entries(row.get("exited")):
            return f"{who} took {on} and stayed in {into}"
        return f"on {on}, {who} went on to {into}"

    return Happening("step", (row["seq"],), manner, tell, weight=ROUTINE)


def states(found: object) -> str:
    """The innermost of some states, without the machine's own name before them."""
    names = [each for each in entries(found) if isinstance(each, str)]
    leaves = [each for each in names if not any(other.startswith(f"{each}.") for other in names)]
    short = [each.partition(".")[2] or each for each in leaves]
    return series([called(each) for each in short], 3) if short else "no state"


def unknown(row: dict[str, Any]) -> Happening:
    """A record of a kind that this version does not know."""
    kind = called(row.get("kind"))
    manner = Manner(
        ("unknown", kind),
        lambda count: f"{number(count, 'record')} of the unknown kind {kind} followed",
    )
    return Happening(
        "unknown", (row["seq"],), manner, lambda: f"a record of the unknown kind {kind} stands here"
    )
