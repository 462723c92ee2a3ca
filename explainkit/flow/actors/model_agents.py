"""An Agent that a model drives in a machine: the menu is offered as tools, a call is a pick."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from explainkit.errors import AgentFault, RefusedError, ReplyError
from explainkit.flow.actors.protocols import Turn
from explainkit.flow.actors.turn_prompts import (
    as_prompt,
    listing,
    picked_before,
    reading,
    reminder,
    taken_up,
    tools_of,
)
from explainkit.flow.agents.admissions import Deny
from explainkit.flow.agents.agent_parts import AgentParts, Work
from explainkit.flow.agents.asking_models import ModelDesk, Said
from explainkit.flow.agents.calling_tools import CallDesk
from explainkit.flow.agents.chat_messages import Proposed
from explainkit.flow.agents.landing_pieces import Landings
from explainkit.flow.agents.message_origins import Part, Talk
from explainkit.flow.agents.policies import Halt
from explainkit.flow.agents.run_standings import Standing
from explainkit.flow.agents.situations import RunEnd
from explainkit.flow.agents.step_records import Ledger, Unrecorded
from explainkit.flow.checks import OperationContext
from explainkit.flow.models import ToolSpec
from explainkit.flow.outcomes import Refused
from explainkit.safety import shorten
from explainkit.safety.described import message_of
from explainkit.safety.redaction import Redactor
from explainkit.tracing.current import current_frame

MOST_REFUSED: Final = 5
"""Refused picks in a row that end a Turn."""
_SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class TurnParts:
    """What an Agent of a machine is made of.

    Attributes:
        parts: The same as an Agent without a machine; its name is that of the actor.
        max_picks: Picks of one Turn at most.
    """

    parts: AgentParts
    max_picks: int


class ModelAgent:
    """Asks a model for picks until its Turn is over. Made by `agent(model=...)`.

    Several tool calls in one reply are picked one after the other, and those behind the one that
    ends the Turn are not. What was read goes back as the tool's message: the value (a text as it
    is, else JSON), a blank line, and the line `receipt: {...}`; the receipt alone when there is no
    value.

    The Turn ends in `agent.fault` when the model replies twice in a row without a pick (after the
    first it is told what is allowed), when five picks in a row are refused (each goes back as
    `Refused: ...`) or denied, when the model raises, and after `max_picks` picks.

    The model is asked as an `Agent` asks it. A Turn that ends on a terminal verdict of the rules,
    the policy or the middleware faults, with the verdict's error as the cause; when nothing handles
    that fault, the machine ends on the verdict.

    Every model call is a link of kind `model` with the inputs `messages` and `tools`; the
    instructions and the prompt are contexts, recorded once for each Turn. On a resumed Turn what
    was picked and read is told to the model again without asking it; what was refused is not.

    Attributes:
        remembers: It goes on from `turn.history`, so a resumed Turn need not repeat its picks.
    """

    kind: Literal["agent"] = "agent"
    remembers = True

    def __init__(self, made_of: TurnParts) -> None:
        """Keep what each Turn needs."""
        self._made_of = made_of

    async def work(self, turn: Turn) -> None:
        """Take a Turn.

        Raises:
            AgentFault: It cannot go on; the error of a verdict that ended it is its cause.
        """
        await _Conversation(self._made_of, turn).hold()

    def __repr__(self) -> str:
        return f"agent(model={shorten(repr(self._made_of.parts.model), 80)})"


class _MenuLandings(Landings):
    """The pieces of a Turn, with the menu beside them."""

    def __init__(self, work: Work, turn: Turn) -> None:
        super().__init__(work)
        self._turn = turn

    @property
    def specs(self) -> list[ToolSpec]:
        """The events that are allowed now, and the pieces that can be asked for."""
        return [*tools_of(self._turn.menu, self._turn.allowed), *super().specs]


class _Conversation:
    """One Turn: what was said, and how often in a row something was wrong."""

    def __init__(self, made_of: TurnParts, turn: Turn) -> None:
        frame = current_frame()
        ledger = Unrecorded() if frame is None else Ledger(frame, slot=f"answer:{frame.link}")
        redactor = Redactor() if frame is None else frame.run.recorder.redactor
        standing = Standing(agent=turn.name)
        parts = replace(made_of.parts, name=turn.name)
        self._work = Work(parts, ledger, Talk(redactor), standing, OperationContext())
        self._landings = _MenuLandings(self._work, turn)
        self._model = ModelDesk(self._work, self._landings)
        self._calls = CallDesk(self._work, self._landings)
        self._turn = turn
        self._most = made_of.max_picks
        self._picks = len(turn.history)
        self._refused = 0
        self._reminded = False

    async def hold(self) -> None:
        try:
            await self._begin()
            await self._talk()
        except RunEnd as end:
            self._ended(end)
        finally:
            self._landings.end()

    async def _begin(self) -> None:
        work, turn = self._work, self._turn
        await self._landings.begin()
        prompt = as_prompt(turn.input)
        if prompt:
            source = f"agent {turn.name}"
            fields = {"type": "message", "slot": "messages", "source": source}
            seq, prompt = work.ledger.context("prompt", prompt, why="the Turn's input", **fields)
            work.talk.say("user", Part(str(prompt), seq))
        else:
            said = listing(turn.allowed) if prompt is None else prompt
            work.talk.say("user", Part(said))
        before = taken_up(turn.history, work.talk.messages)
        work.talk.add(before[len(work.talk.messages) :], -1, "", listed=False)

    async def _talk(self) -> None:
        if self._turn.standing is not None and await self._stand(*self._turn.standing):
            return
        while not self._turn.over:
            await self._landings.before_call()
            said = await self._reply()
            message = said.message | {"content": said.message["content"] or ""}
            self._work.talk.add([message], said.seq, "output", listed=False)
            if not said.calls:
                self._remind(message["content"])
                continue
            self._reminded = False
            for place, call in enumerate(said.calls):
                if await self._pick(call, said.calls[place + 1 :], uses=(message,)):
                    return  # the calls behind it belong to no Turn any more

    async def _stand(self, event: str, payload: Any) -> bool:
        """Wait again for the pick that stood open when the run was resumed."""
        message = picked_before(event, payload, self._work.talk.messages)
        self._work.talk.add([message], -1, "", listed=False)
        (call,) = message["tool_calls"]
        return await self._picked(Proposed(call["id"], call["name"], call["arguments"]), ())

    async def _reply(self) -> Said:
        try:
            said = await self._model.any_reply()
            for call in said.calls:
                if call.problem is not None:
                    raise ReplyError(
                        f'The model called "{shorten(call.name, 80)}" with arguments that are no '
                        f"JSON object: {shorten(repr(call.sent), 80)}. Give a mapping."
                    )
        except RunEnd:
            raise
        except Exception as error:
            told = shorten(message_of(error, limit=_SHOWN).text, _SHOWN)
            raise AgentFault(f"the model failed: {type(error).__name__}: {told}") from error
        return said

    def _remind(self, text: str) -> None:
        allowed = self._turn.allowed
        if self._reminded:
            raise AgentFault(
                "the model replied twice in a row without a pick; the last reply: "
                f"{shorten(repr(text), _SHOWN)}; allowed: {', '.join(allowed) or 'nothing'}"
            )
        self._work.talk.add([reminder(allowed)], -1, "", listed=False)
        self._reminded = True

    async def _pick(self, call: Proposed, rest: Sequence[Proposed], uses: Sequence[object]) -> bool:
        """Pick when it may be, and tell the model what came of it; True when the Turn is over."""
        if self._landings.on_request(call.name):
            await self._calls.handle((call,))
            return False
        decision = await self._calls.decision(call)
        if isinstance(decision, Halt):
            raise RunEnd(Refused(self._calls.halted(decision, call, rest)))
        if isinstance(decision, Deny):
            return self._was_refused(f"denied: {decision.reason}", None)
        return await self._picked(call, uses)

    async def _picked(self, call: Proposed, uses: Sequence[object]) -> bool:
        if self._picks >= self._most:
            raise AgentFault(f"the model picked {self._picks:,} times and its Turn is not over")
        try:
            read = await self._turn.pick(call.name, call.arguments, uses=uses)
        except RefusedError as error:
            if not self._turn.over:
                self._work.tell(call.id, Part(f"Refused: {error}"))
            return self._was_refused(str(error), error)
        self._picks += 1
        self._refused = 0
        self._work.standing.dispatched.append(call.to_json())
        self._work.tell(call.id, Part(reading(read)))
        return read.receipt.turn_complete

    def _was_refused(self, why: str, error: RefusedError | None) -> bool:
        if self._turn.over:
            return True
        self._refused += 1
        if self._refused == MOST_REFUSED:
            raise AgentFault(
                f"{MOST_REFUSED} picks in a row were refused; the last: {shorten(why, _SHOWN)}"
            ) from error
        return False

    def _ended(self, end: RunEnd) -> None:
        """A verdict ends the Turn: it stands on the Agent's link, and the fault carries it."""
        outcome = end.outcome
        assert isinstance(outcome, Refused)  # a Turn has no budget of calls, and asks nobody
        verdict = outcome.verdict
        self._work.ledger.refused(verdict, judge=self._turn.name)
        raise AgentFault(verdict.message()) from verdict.error()
