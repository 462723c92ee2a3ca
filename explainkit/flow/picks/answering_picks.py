"""What an Agent reads when nothing holds its pick any more."""

from typing import Any

from explainkit.flow.actors.protocols import Receipt, Source
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.flow.picks.standings import Answered, OpenPick, Outcome, SetAnswer
from explainkit.flow.statecharts.chains import ChainLink, NoAnswer, Output
from explainkit.flow.statecharts.nodes import ActionUse, Chart


def set_by(action: ActionUse, value: Any, *, seen: int) -> SetAnswer:
    """An answer as it is set: its JSON form, or nothing where it has none.

    Args:
        action: Where it is written.
        value: What its function gave.
        seen: How many replies it could see.
    """
    if isinstance(value, NoAnswer):
        return SetAnswer(action, seen, cleared=True, why="NO_ANSWER takes back what was set")
    try:
        return SetAnswer(action, seen, json_form(value))
    except NoJsonForm as problem:
        return SetAnswer(
            action, seen, cleared=True, why=f"no JSON form: {problem}; the last reply stands"
        )


def answered(chart: Chart, pick: OpenPick, receipt: Receipt, *, read: bool) -> Answered:
    """A pick with what is read and what became of each answer that ran for it.

    Args:
        chart: The chart.
        pick: The pick.
        receipt: Its receipt.
        read: Whether the Agent is there to read it.
    """
    first, first_source, note = _first(chart, pick, receipt)
    last = pick.sets[-1] if pick.sets else None
    value: Any = first
    source: Source = first_source
    if last is not None and not last.cleared:
        value, source = last.value, "answer"
    return Answered(
        pick, first, first_source, value, source, receipt, _outcomes(pick.sets, read=read), note
    )


def link_form(chart: Chart, link: ChainLink) -> Any:
    """A reply as JSON: an actor's output, or the event with its payload beside its `type`.

    Raises:
        NoJsonForm: The output has none.
    """
    if isinstance(link, Output):
        return json_form(_stored(chart, link))
    payload = json_form(link.event.payload)
    if payload is None:
        return {"type": link.event.name}
    if isinstance(payload, dict):
        return {"type": link.event.name} | {k: v for k, v in payload.items() if k != "type"}
    return {"type": link.event.name, "payload": payload}


def _stored(chart: Chart, link: Output) -> Any:
    stored = getattr(chart.actors.get(link.src), "stored", None)
    try:
        return stored(link.output) if stored else link.output
    except Exception as error:
        raise NoJsonForm(f'"{link.src}" cannot store it') from error


def _first(chart: Chart, pick: OpenPick, receipt: Receipt) -> tuple[Any, Source, str | None]:
    note = None
    if pick.chain:
        try:
            return link_form(chart, pick.chain[-1]), "reply", None
        except NoJsonForm as problem:
            note = f"the last reply has no JSON form: {problem}; the receipt stands alone"
    return receipt.to_json(), "receipt", note


def _outcomes(sets: tuple[SetAnswer, ...], *, read: bool) -> tuple[tuple[SetAnswer, Outcome], ...]:
    if not sets:
        return ()
    final: Outcome = "cleared" if sets[-1].cleared else "applied"
    earlier: list[tuple[SetAnswer, Outcome]] = [(each, "superseded") for each in sets[:-1]]
    return (*earlier, (sets[-1], final if read else "unread"))
