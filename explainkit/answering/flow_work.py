"""What every step of a running answer flow needs, and the guard that is asked before calls."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from explainkit.answering.declared_types import TypedParts
from explainkit.answering.definitions import AnswerFlowDefinition
from explainkit.answering.entries import shown
from explainkit.answering.flow_records import FlowRecords
from explainkit.answering.item_standings import Standing
from explainkit.answering.missing_values import BUDGET, GUARD_FAILED
from explainkit.answering.port_calls import PortCall, is_awaited, is_cancelled
from explainkit.answering.told_errors import told_raised
from explainkit.errors import AnswerPortError
from explainkit.flow.checks import Issue, OperationContext
from explainkit.flow.compositions.worker_threads import called
from explainkit.tracing.current import CURRENT, leave


@dataclass(frozen=True, slots=True)
class Work:
    """A batch that is answered.

    Attributes:
        definition: The limits and the ports.
        label: The flow's word in paths.
        context: For the ports.
        records: Writes below the flow's link, or below that of a round.
        typed: The types that the definition says.
        standings: The items, in order.
    """

    definition: AnswerFlowDefinition[Any, Any, Any]
    label: str
    context: OperationContext
    records: FlowRecords
    typed: TypedParts
    standings: Sequence[Standing]

    def below(self, link: int) -> "Work":
        """The same below a link."""
        return replace(self, records=self.records.below(link))

    def port(self, name: str) -> PortCall:
        """A port that may await."""
        return PortCall(name, getattr(self.definition, name), f"{self.label}.{name}")

    async def refused(self, stage: str, standings: Sequence[Standing]) -> Issue | None:
        """Why a call may not be made, as `can_invoke` says; None when it may.

        Args:
            stage: What is to be called.
            standings: The items that it is called for.

        Raises:
            AnswerPortError: It said neither True nor False.
        """
        self.context.signal.raise_if_cancelled()
        guard = self.definition.can_invoke
        with self.records.linked("guard", "can_invoke", port=guard, before=stage) as link:
            token = CURRENT.set(link.frame)
            try:
                # In a list, because what a coroutine function gives is not to be awaited.
                found = (await called(lambda: [guard(self.context)]))[0]
            except (Exception, asyncio.CancelledError) as error:  # one that breaks lets nothing by
                if isinstance(error, asyncio.CancelledError) and is_cancelled(self.context):
                    raise
                link.status, link.error = "error", error
                link.attrs["refused_for"] = [each.id for each in standings]
                told = f"can_invoke raised {told_raised(error)}, so {stage} is not called"
                return Issue(GUARD_FAILED, told)
            finally:
                leave(token)
            if type(found) is not bool:
                what = "a coroutine" if is_awaited(found) else shown(found)
                raise AnswerPortError(
                    f"can_invoke gave {what} before {stage} of {listed(standings)}. "
                    "Let it be a plain def that returns True or False."
                )
            link.output = found
            if not found:
                link.attrs["refused_for"] = [each.id for each in standings]
        return None if found else Issue(BUDGET, f"can_invoke does not allow {stage}")


def listed(standings: Sequence[Standing]) -> str:
    """Items in a message."""
    more = len(standings) - 4
    told = ", ".join(shown(each.id) for each in standings[:4])
    return told + (f" and {more:,} more" if more > 0 else "")
