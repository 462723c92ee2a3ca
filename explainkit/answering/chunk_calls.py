"""One of several calls of a port: asked for first, a link of its own, alone in its failure."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explainkit.answering.definitions import is_runner
from explainkit.answering.entries import listed, same_in_every_run, shown
from explainkit.answering.flow_records import result_form
from explainkit.answering.missing_values import BUDGET, GUARD_FAILED
from explainkit.answering.port_calls import (
    PausedPortError,
    StrayCancellationError,
    is_awaited,
    is_cancelled,
)
from explainkit.answering.ports import CanInvoke
from explainkit.answering.recorded_calls import ledger_here
from explainkit.answering.told_errors import told_raised
from explainkit.errors import AnswerPortError, PausedError
from explainkit.flow.agents.step_records import Given, Ledger
from explainkit.flow.checks import UNSET, CheckResult, Issue, OperationContext
from explainkit.flow.compositions.children import as_child, asked
from explainkit.flow.compositions.worker_threads import called
from explainkit.flow.outcomes import answer_of
from explainkit.tracing.current import CURRENT, leave


@dataclass(frozen=True, slots=True)
class Chunk:
    """The items of one call.

    Attributes:
        name: Which call of how many.
        ids: Ids of the items.
        arguments: The keywords of the port but `context`.
    """

    name: str
    ids: tuple[str, ...]
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a call ended.

    Attributes:
        found: What it gave.
        error: What it raised.
        refused: Why the guard did not allow it; None when it did.
    """

    found: Mapping[Any, Any] = field(default_factory=dict)
    error: Exception | None = None
    refused: Issue | None = None


@dataclass(frozen=True, slots=True)
class ChunkCalls:
    """Makes several calls of a port.

    Attributes:
        port: The port.
        can_invoke: The guard.
        context: For both.
        reviewing: Whether it is a review, which must be of exactly its items.
        kind: The type of the links.
    """

    port: Any
    can_invoke: CanInvoke
    context: OperationContext
    reviewing: bool
    kind: str = "chunk"

    async def ask(self, chunk: Chunk) -> Ended:
        """Make a call, unless the guard says no.

        Raises:
            AnswerPortError: The guard gave no bool.
            asyncio.CancelledError: It is to stop.
        """
        # Nothing is awaited between the guard and the call, so no other call comes between.
        ledger = ledger_here()
        refused = self._refused(chunk, ledger)
        if refused is not None:
            return Ended(refused=refused)
        runs = None if is_runner(self.port) else self.port
        opened = ledger.open(self.kind, chunk.name, [Given("ids", list(chunk.ids))], runs=runs)
        token = CURRENT.set(ledger.inside(opened.seq))
        try:
            found = self._read(await self._called(chunk), chunk)
        except Exception as error:  # noqa: BLE001 - it ends its own items only
            ledger.close(opened.seq, "error", error=error)
            return Ended(error=error)
        except BaseException as stop:
            ledger.close(opened.seq, "cancelled", error=stop)
            raise
        finally:
            leave(token)
        ledger.close(opened.seq, "answered", output=_form(found))
        return Ended(found)

    def _refused(self, chunk: Chunk, ledger: Ledger) -> Issue | None:
        """Why it is not made; then a link says so, as one that is made is a link itself."""
        try:
            said: Any = self.can_invoke(self.context)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - it lets nothing by
            self._say_refused(ledger, chunk, error)
            told = f"can_invoke raised {told_raised(error)} before call {chunk.name}"
            return Issue(GUARD_FAILED, told)
        if type(said) is not bool:
            what = "a coroutine" if is_awaited(said) else shown(said)
            raise AnswerPortError(
                f"can_invoke gave {what} before call {chunk.name}. "
                "Let it be a plain def that returns True or False."
            )
        if said:
            return None
        self._say_refused(ledger, chunk, None)
        return Issue(BUDGET, f"can_invoke does not allow call {chunk.name}")

    def _say_refused(self, ledger: Ledger, chunk: Chunk, error: BaseException | None) -> None:
        attrs = {"before": f"call {chunk.name}"}
        opened = ledger.open("guard", "can_invoke", [], runs=self.can_invoke, attrs=attrs)
        status, output = ("answered", False) if error is None else ("error", UNSET)
        ledger.close(opened.seq, status, output=output, error=error, refused_for=list(chunk.ids))

    async def _called(self, chunk: Chunk) -> Any:
        arguments = dict(chunk.arguments)
        try:
            if not is_runner(self.port):
                return await called(self.port, **arguments, context=self.context)
            step = f"call {chunk.name}"
            ended = await asked(as_child(self.port, place=step), arguments, step=step)
            return answer_of(ended.outcome)
        except PausedError as pause:
            raise PausedPortError(f"call {chunk.name}") from pause
        except asyncio.CancelledError:
            if is_cancelled(self.context):
                raise
            raise StrayCancellationError("it was cancelled by itself") from None

    def _read(self, found: Any, chunk: Chunk) -> Mapping[Any, Any]:
        if not isinstance(found, Mapping):
            raise AnswerPortError(f"it gave {shown(found)}. Let it give a mapping from item ids.")
        if self.reviewing and set(found) != set(chunk.ids):
            raise AnswerPortError(
                f"it reviewed {listed(found) or 'nothing'} and not exactly {listed(chunk.ids)}."
            )
        return dict(found)


def _form(found: Mapping[Any, Any]) -> dict[Any, Any]:
    return {name: _plain(each) for name, each in found.items()}


def _plain(given: Any) -> Any:
    """A result as it is recorded; whatever cannot be read as one stays as it is."""
    try:
        return result_form(same_in_every_run(given)) if isinstance(given, CheckResult) else given
    except Exception:  # noqa: BLE001 - it is for the reader of the reply to refuse it
        return given
