"""The last step of a flow: the fallback of each item that was not accepted, one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from explainkit.answering.entries import shown
from explainkit.answering.flow_records import issue_forms
from explainkit.answering.flow_work import Work
from explainkit.answering.item_standings import Standing
from explainkit.answering.port_calls import is_awaited
from explainkit.answering.shapes import Recovery
from explainkit.answering.told_errors import told_raised
from explainkit.errors import AnswerPortError
from explainkit.flow.agents.step_records import Given
from explainkit.flow.checks import UNSET

WRITTEN_BY = "fallback"


@dataclass(frozen=True, slots=True)
class LastResort:
    """What the fallback of an item came to.

    Attributes:
        handled: Whether the item has a replacement.
        reason: What the fallback did, in words.
    """

    handled: bool
    reason: str


async def fallen_back(work: Work, standing: Standing) -> LastResort:
    """Ask `fallback` about one item; a replacement is its next version, and is not checked."""
    port = work.port("fallback")
    arguments = {"item": standing.item, "issues": standing.issues}
    inputs = [
        work.records.item_given(standing),
        Given("issues", issue_forms(standing.issues)),
    ]
    linked = work.records.linked("fallback", "fallback", inputs, port=port.port, item=standing.id)
    with linked as link:
        try:
            found = _read(work, standing, await port.ask(link, arguments, work.context))
            link.output = {"handled": found.handled}
            if found.handled:
                link.output["value"] = found.value
        except Exception as error:  # noqa: BLE001 - it blocks this item only
            link.status, link.error = "error", error
            if isinstance(error, AnswerPortError):
                return LastResort(False, str(error))
            return LastResort(False, f"the fallback raised {told_raised(error)}")
    if not found.handled:
        return LastResort(False, "the fallback did not handle it")
    work.records.version(
        standing,
        found.value,
        by=WRITTEN_BY,
        why=standing.why,
        uses=link.place("value"),
        site=port.site,
    )
    return LastResort(True, "the fallback gave a value")


def _read(work: Work, standing: Standing, found: Any) -> Recovery:
    recovery = found
    if isinstance(found, Mapping):
        try:
            recovery = Recovery(**found)
        except (TypeError, ValidationError):
            recovery = None
    if not isinstance(recovery, Recovery):
        raise AnswerPortError(
            f"fallback gave {shown(found)} for {shown(standing.id)}. Let it give Recovery(False), "
            "or Recovery(True, value)."
        )
    if not recovery.handled:
        return recovery
    problem = "there is no value" if recovery.value is UNSET else None
    if is_awaited(recovery.value):
        problem = "the value is to be awaited"
    problem = problem or work.typed.value.problem(recovery.value)
    if problem is not None:
        raise AnswerPortError(
            f"fallback handled {shown(standing.id)} by {shown(recovery.value)}: {problem}. "
            "Let it give Recovery(True, value)."
        )
    return recovery
