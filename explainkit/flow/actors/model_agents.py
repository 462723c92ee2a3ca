"""An Agent that a model drives: the menu is offered as tools, and a tool call is a pick."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias

from explainkit.errors import AgentFault, NoRunError, RefusedError
from explainkit.flow.actors.protocols import Turn
from explainkit.flow.actors.turn_prompts import (
    ChatMessage,
    answer_to,
    as_prompt,
    opening,
    picked_before,
    reading,
    reminder,
    reply_of,
    taken_up,
    tools_of,
)
from explainkit.flow.models import Model, ToolSpec
from explainkit.flow.models.embedded import as_completion
from explainkit.safety import shorten
from explainkit.safety.described import message_of
from explainkit.tracing import context, link

MOST_REFUSED: Final = 5
"""Refused picks in a row that end a Turn."""
_SHOWN: Final = 300

Ask: TypeAlias = Callable[[list[ChatMessage], list[dict[str, Any]]], Awaitable[ChatMessage]]


class ModelAgent:
    """Asks a model for picks until its Turn is over. Made by `agent(model=...)`.

    Attributes:
        remembers: It goes on from `turn.history`, so a resumed Turn need not repeat its picks.
    """

    kind: Literal["agent"] = "agent"
    remembers = True

    def __init__(self, model: Model, instructions: str, max_picks: int) -> None:
        """Keep what each Turn needs."""
        self.model = model
        self.instructions = instructions
        self.max_picks = max_picks

    async def work(self, turn: Turn) -> None:
        """Take a Turn.

        Raises:
            AgentFault: It cannot go on.
        """
        await _Conversation(self, turn).hold()

    def __repr__(self) -> str:
        return f"agent(model={shorten(repr(self.model), 80)})"


class _Conversation:
    """One Turn: what was said, and how often in a row something was wrong."""

    def __init__(self, agent: ModelAgent, turn: Turn) -> None:
        instructions = _offered("instructions", agent.instructions, "instruction", turn)
        prompt = _offered("prompt", as_prompt(turn.input), "message", turn)
        first = opening(instructions or "", prompt, turn.allowed)
        self._messages = taken_up(turn.history, first)
        self._turn = turn
        self._ask = _asking(agent.model, turn.name)
        self._most = agent.max_picks
        self._picks = len(turn.history)
        self._refused = 0
        self._reminded = False

    async def hold(self) -> None:
        if self._turn.standing is not None and await self._stand(*self._turn.standing):
            return
        while not self._turn.over:
            reply = await self._reply()
            self._messages.append(reply)
            calls = reply.get("tool_calls", ())
            if not calls:
                self._remind(reply)
                continue
            self._reminded = False
            for call in calls:
                if await self._pick(call, uses=(reply,)):
                    return  # the calls behind it belong to no Turn any more

    async def _stand(self, event: str, payload: Any) -> bool:
        """Wait again for the pick that stood open when the run was resumed."""
        message = picked_before(event, payload, self._messages)
        self._messages.append(message)
        return await self._pick(message["tool_calls"][0])

    async def _reply(self) -> ChatMessage:
        tools = tools_of(self._turn.menu, self._turn.allowed)
        try:
            return await self._ask(self._messages, tools)
        except Exception as error:
            told = shorten(message_of(error, limit=_SHOWN).text, _SHOWN)
            raise AgentFault(f"the model failed: {type(error).__name__}: {told}") from error

    def _remind(self, reply: ChatMessage) -> None:
        allowed = self._turn.allowed
        if self._reminded:
            raise AgentFault(
                "the model replied twice in a row without a pick; the last reply: "
                f"{shorten(repr(reply['content']), _SHOWN)}; allowed: "
                f"{', '.join(allowed) or 'nothing'}"
            )
        self._messages.append(reminder(allowed))
        self._reminded = True

    async def _pick(self, call: Mapping[str, Any], uses: Sequence[object] = ()) -> bool:
        """Pick, and tell the model what came of it; True when the Turn is over."""
        if self._picks >= self._most:
            raise AgentFault(f"the model picked {self._picks:,} times and its Turn is not over")
        try:
            read = await self._turn.pick(call["name"], call["arguments"], uses=uses)
        except RefusedError as error:
            return self._was_refused(call, error)
        self._picks += 1
        self._refused = 0
        self._messages.append(answer_to(call, reading(read)))
        return read.receipt.turn_complete

    def _was_refused(self, call: Mapping[str, Any], error: RefusedError) -> bool:
        if self._turn.over:
            return True
        self._refused += 1
        if self._refused == MOST_REFUSED:
            raise AgentFault(
                f"{MOST_REFUSED} picks in a row were refused; the last: "
                f"{shorten(str(error), _SHOWN)}"
            ) from error
        self._messages.append(answer_to(call, f"Refused: {error}"))
        return False


def _asking(model: Model, agent: str) -> Ask:
    """The model call as a link, whose output is the very message that later calls repeat."""

    @link(kind="model", name=f"{agent} model")
    async def ask(messages: list[ChatMessage], tools: list[dict[str, Any]]) -> ChatMessage:
        prompt = [dict(message) for message in messages]  # a model may change what it is given
        specs = tuple(ToolSpec(**tool) for tool in tools)
        completion = as_completion(await model.complete(prompt, tools=specs), prompt)
        return reply_of(completion, messages)

    return ask


def _offered(name: str, text: str | None, kind: str, turn: Turn) -> str | None:
    """Record a piece that the model will read; a replay may give another one."""
    if text:
        with suppress(NoRunError):  # nothing records
            return context(name, text, kind=kind, source=f"agent {turn.name}")
    return text
