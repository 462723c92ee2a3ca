"""The first step of a round: values for the items that still need one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explainkit.answering.entries import shown
from explainkit.answering.flow_records import OpenLink, issue_forms, issue_words
from explainkit.answering.flow_work import Work, listed
from explainkit.answering.item_standings import Standing
from explainkit.answering.missing_values import (
    GENERATE_FAILED,
    is_refusal,
    reasons_in,
    refusal_words,
)
from explainkit.answering.port_calls import is_awaited
from explainkit.answering.told_errors import told_raised
from explainkit.errors import AnswerPortError
from explainkit.flow.agents.step_records import Given
from explainkit.flow.checks import UNSET, Issue

NO_VALUE = "NO_VALUE"
_NAMED = 100
"""Unknown ids that a record names; further ones are counted."""


async def generated(work: Work, number: int, standings: Sequence[Standing]) -> list[Standing]:
    """Ask `generate` once for all of them.

    Args:
        work: The batch.
        number: The round.
        standings: The items that need a value.

    Returns:
        Those that got one; the others say what was wrong.
    """
    again = number > 1
    repairs = {each.id: each.issues for each in standings} if again else {}
    previous = {each.id: each.value for each in standings if each.value is not UNSET}
    arguments = {
        "items": tuple(each.item for each in standings),
        "repairs": repairs,
        "previous": previous,
    }
    for each in standings:
        each.rounds += 1
    reply = _Reply({}, {}, {}, ())
    failed: str | None = None
    port = work.port("generate")
    inputs = _inputs(work, standings, arguments)
    with work.records.linked("generate", "generate", inputs, port=port.port) as link:
        try:
            found = await port.ask(link, arguments, work.context)
            reply = _read(work, found, standings)
            _say(link, reply, standings)
        except Exception as error:  # noqa: BLE001 - it ends the round of these items only
            link.status, link.error, link.output = "error", error, UNSET
            failed = _failed(error, standings)
            reply = replace(reply, reasons=reasons_in(error))
    if failed is not None:
        for each in standings:
            _without_value(each, reply.reasons.get(each.id, Issue(GENERATE_FAILED, failed)), ())
        return []
    return [each for each in standings if _took(work, each, reply, link)]


def _inputs(work: Work, standings: Sequence[Standing], arguments: Mapping[str, Any]) -> list[Given]:
    given = [work.records.items_given(standings)]
    if arguments["repairs"]:
        told = {item: issue_forms(issues) for item, issues in arguments["repairs"].items()}
        given.append(Given("repairs", told))
    if arguments["previous"]:
        given.append(work.records.values_given("previous", arguments["previous"], standings))
    return given


@dataclass(frozen=True, slots=True)
class _Reply:
    """What `generate` gave: values, why some cannot be one or are missing, and ids not asked."""

    values: Mapping[Any, Any]
    unfit: Mapping[str, str]
    reasons: Mapping[str, Issue]
    unknown: Sequence[str]


def _read(work: Work, found: Any, standings: Sequence[Standing]) -> _Reply:
    if not isinstance(found, Mapping):
        text = " A step after an Agent can read its text." if isinstance(found, str) else ""
        raise AnswerPortError(
            f"generate gave {shown(found)}. Let it give a mapping from item ids to values.{text}"
        )
    values = dict(found)
    asked = {each.id for each in standings}
    unknown = [shown(each) for each in values if not isinstance(each, str) or each not in asked]
    unfit = {}
    for each in standings:
        value = values.get(each.id, UNSET)
        problem = "it is to be awaited" if is_awaited(value) else work.typed.value.problem(value)
        if value is not UNSET and problem is not None:
            unfit[each.id] = problem
    return _Reply(values, unfit, reasons_in(found), unknown)


def _say(link: OpenLink, reply: _Reply, standings: Sequence[Standing]) -> None:
    """What of the reply is for none of these items, and for which of them there is none."""
    link.output, unknown = reply.values, reply.unknown
    told = {*reply.values, *(each for each, why in reply.reasons.items() if is_refusal(why))}
    missing = [each.id for each in standings if each.id not in told]
    if unknown:
        link.attrs |= {"unknown_ids": list(unknown[:_NAMED]), "unknown": len(unknown)}
    if missing:
        link.attrs |= {"no_value_for": missing}
    if reply.unfit:
        link.attrs |= {"unfit": [[each, problem] for each, problem in reply.unfit.items()]}


def _failed(error: Exception, standings: Sequence[Standing]) -> str:
    if isinstance(error, AnswerPortError):
        return str(error)
    return f"generate raised for {listed(standings)}: {told_raised(error)}"


def _took(work: Work, standing: Standing, reply: _Reply, link: OpenLink) -> bool:
    """Whether an item got a value that can be one."""
    value = reply.values.get(standing.id, UNSET)
    if value is UNSET:
        _without_value(standing, reply.reasons.get(standing.id), reply.unknown)
        return False
    problem = reply.unfit.get(standing.id)
    if problem is not None:
        told = f"generate gave {shown(value)} for {shown(standing.id)}: {problem}"
        standing.rejected(
            f"the value cannot be one: {problem}", Issue(GENERATE_FAILED, told), again=True
        )
        return False
    work.records.version(
        standing,
        value,
        by="repair",
        why=issue_words(standing.issues),
        uses=link.place(standing.id),
        site=work.port("generate").site,
    )
    standing.issues = ()
    return True


def _without_value(standing: Standing, reason: Issue | None, unknown: Sequence[str]) -> None:
    """Say why there is none; an item that no call was allowed for was not generated for."""
    if reason is None:
        told = f"generate gave no value for {shown(standing.id)}"
        if unknown:
            more = f" and {len(unknown) - 4:,} more" if len(unknown) > 4 else ""
            told += f"; it named {', '.join(unknown[:4])}{more}, which it was not asked for"
        standing.rejected("there is no value", Issue(NO_VALUE, told), again=True)
    elif is_refusal(reason):
        standing.rounds -= 1
        standing.rejected(refusal_words(reason), *standing.issues, reason, again=False)
    else:
        standing.rejected("generate failed", reason, again=True)
