"""One run of an Agent from what it is given to how it ends, as one link of the record."""

import asyncio
import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explainkit.errors import PromptError
from explainkit.flow.agents.admissions import Denied, denial_of
from explainkit.flow.agents.agent_parts import AgentParts, Work
from explainkit.flow.agents.asking_models import ModelDesk
from explainkit.flow.agents.calling_tools import CallDesk, proposed
from explainkit.flow.agents.chat_messages import ChatMessage, calls_in, given_messages
from explainkit.flow.agents.finishing_answers import Finish
from explainkit.flow.agents.landing_pieces import Landings
from explainkit.flow.agents.message_origins import Part, Talk
from explainkit.flow.agents.run_standings import Standing
from explainkit.flow.agents.situations import RunEnd
from explainkit.flow.agents.step_records import Ledger
from explainkit.flow.checks import UNSET, OperationContext, Signal
from explainkit.flow.clocks import SystemClock
from explainkit.flow.models import Chunk
from explainkit.flow.outcomes import Failed, Outcome, Paused, Refused
from explainkit.flow.picks.json_forms import NoJsonForm
from explainkit.flow.runner_links import linked
from explainkit.safety import shorten
from explainkit.tracing.current import CURRENT, Frame

Emit = Callable[[Chunk], None]


@dataclass(frozen=True, slots=True)
class Admission:
    """What an Agent is given, once everybody who may deny it was asked.

    Attributes:
        given: What it is given; `UNSET` when it may not be recorded.
        messages: The same as messages.
        denied: Who denied it.
        problem: Why it cannot be read.
    """

    given: Any
    messages: Sequence[ChatMessage] = ()
    denied: Denied | None = None
    problem: Exception | None = None

    @property
    def question(self) -> str | None:
        """The last thing that the user said."""
        said = [each["content"] for each in self.messages if each["role"] == "user"]
        return said[-1] if said else None


@dataclass(slots=True)
class Ended:
    """How a run of an Agent ended, and where it stood then."""

    outcome: Outcome[Any]
    standing: Standing
    attrs: dict[str, Any] = field(default_factory=dict)


async def admission_of(parts: AgentParts, given: Any, signal: Signal | None) -> Admission:
    """Ask the middleware about what an Agent is given; nothing of it is recorded before."""
    try:
        messages = given_messages(given)
    except NoJsonForm as problem:
        told = f'The Agent "{parts.name}" cannot read its input: {problem}. Give a text or JSON.'
        return Admission(given, problem=PromptError(told))
    if not parts.middleware:
        return Admission(given, messages)
    asking = asyncio.ensure_future(_denial(parts, messages))
    stop = asyncio.ensure_future(signal.wait()) if signal is not None else None
    try:
        waiting = {asking} if stop is None else {asking, stop}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            return Admission(UNSET)  # the signal ends the run before anything begins
        denied = asking.result()
    finally:
        for task in (asking, stop):
            if task is not None:
                task.cancel()
    return Admission(given, messages) if denied is None else Admission(UNSET, denied=denied)


async def _denial(parts: AgentParts, messages: Sequence[ChatMessage]) -> Denied | None:
    for message in messages:
        denied = await denial_of(parts.middleware, message, "input")
        if denied is not None:
            return denied
    return None


async def conducted(
    parts: AgentParts,
    admission: Admission,
    standing: Standing,
    *,
    signal: Signal | None = None,
    emit: Emit | None = None,
    slot: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Ended:
    """Run an Agent as one link of the run that is open, or of one of its own.

    Args:
        parts: What the Agent is made of.
        admission: What it is given.
        standing: Where it goes on from; it is changed.
        signal: Says that the run is to stop.
        emit: Takes chunks.
        slot: The answer slot; `answer` in a run of its own, else `answer:<link>`.
        settings: Settings of a run of its own.
    """
    open_frame = CURRENT.get()
    own = open_frame is None or open_frame.run.ended
    attrs: dict[str, Any] = {}

    async def work(frame: Frame) -> Outcome[Any]:
        place = slot or ("answer" if own else f"answer:{frame.link}")
        ledger = Ledger(frame, slot=place)
        operation = OperationContext(app=parts.app, signal=signal or Signal())
        talk = Talk(frame.run.recorder.redactor)
        run = Work(parts, ledger, talk, standing, operation, emit)
        try:
            return await _Loop(run, admission).ended()
        finally:
            spent = standing.spent
            attrs["calls"] = standing.calls
            attrs["usage"] = {
                "input_tokens": spent.input_tokens,
                "output_tokens": spent.output_tokens,
            }
            standing.run, standing.messages = frame.run.id, talk.messages

    more: dict[str, Any] = dict(settings or {})
    if not isinstance(parts.clock, SystemClock):
        more.setdefault("clock", parts.clock.now)
    outcome = await linked(
        work,
        kind="agent",
        label=parts.name,
        input=admission.given,
        signal=signal,
        attrs=attrs,
        reads=parts.asks,
        **more,
    )
    return Ended(outcome, standing, attrs)


class _Loop:
    """The model is asked, its calls are made, until there is an answer or another end."""

    def __init__(self, work: Work, admission: Admission) -> None:
        self._work = work
        self._admission = admission
        self._landings = Landings(work)
        self._model = ModelDesk(work, self._landings)
        self._calls = CallDesk(work, self._landings)
        self._finish = Finish(work)

    async def ended(self) -> Outcome[Any]:
        try:
            outcome = await self._outcome()
        except RunEnd as end:
            outcome = end.outcome
        except Exception as error:  # noqa: BLE001 - an outcome holds what was raised
            outcome = Failed(error)
        finally:
            self._landings.end()
        return self._finish.without_answer(outcome)

    async def _outcome(self) -> Outcome[Any]:
        work, admission = self._work, self._admission
        if admission.denied is not None:
            link = work.ledger.parent
            work.ledger.lost(admission.denied.loss, link=-1 if link is None else link, slot="input")
            return Refused(admission.denied.verdict)
        if admission.problem is not None:
            return Failed(admission.problem)
        waiting = work.standing.waiting
        self._remember()
        await self._landings.begin()
        if waiting is not None:
            if admission.given is None:
                return Paused(work.checkpoint())
            work.standing.waiting = None
            rest = [proposed(each) for each in work.standing.rest]
            work.standing.rest = []
            await self._calls.go_on(waiting, rest, admission.given)
        else:
            self._hear()
        return await self._talk()

    async def _talk(self) -> Outcome[Any]:
        while True:
            await self._landings.before_call()
            said = await self._model.reply()
            if said.value is UNSET:
                self._work.talk.add([said.message], said.seq, "output", listed=False)
            if said.calls:
                await self._calls.handle(said.calls)
                continue
            outcome = await self._finish.consider(said)
            if outcome is not None:
                return outcome

    def _remember(self) -> None:
        """The conversation so far stands in this run's record as one context."""
        work = self._work
        messages: list[ChatMessage] = copy.deepcopy(work.standing.messages)
        if not messages:
            return
        seq, messages = work.ledger.context(
            "conversation",
            messages,
            type="message",
            slot="messages",
            source=f"run {work.standing.run}",
            why="the conversation so far",
            trigger={"kind": "earlier"},
        )
        work.talk.add(messages, seq, "value", listed=True)
        for place, message in enumerate(messages):
            for index, call in enumerate(calls_in(message)):
                work.call_places[str(call.get("id"))] = (
                    seq,
                    "value",
                    f"/{place}/tool_calls/{index}",
                )

    def _hear(self) -> None:
        """What the Agent is given becomes the next messages."""
        work, given = self._work, self._admission.given
        messages = self._admission.messages
        link = -1 if work.ledger.parent is None else work.ledger.parent
        for message in messages:
            work.heard(message["content"])
        if messages and given in (list(messages), messages[0]):
            work.talk.add(messages, link, "input", listed=isinstance(given, list))
        elif messages:
            text = messages[0]["content"]
            work.talk.say("user", Part(text, link, "input", value=given))


def shown(parts: AgentParts) -> str:
    """An Agent in a few words."""
    tools = ", ".join(parts.tools)
    held = f", tools: {shorten(tools, 60)}" if tools else ""
    return f'Agent("{parts.name}", {shorten(repr(parts.model), 60)}{held})'
