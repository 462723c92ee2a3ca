"""A conversation with an Agent in turns: each one is a run, and what was said before stands."""

import copy
from collections.abc import Callable, Iterator, Mapping
from operator import index
from os import PathLike
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from explainkit.errors import ResumeError, UnknownRecordError
from explainkit.flow.agents.agent_loops import Admission, admission_of, conducted
from explainkit.flow.agents.agent_parts import AgentParts
from explainkit.flow.agents.chat_turns import Reached, Replay, Turn
from explainkit.flow.agents.run_standings import Standing, Waiting
from explainkit.flow.agents.streamed_runs import Streamed
from explainkit.flow.checks import Signal
from explainkit.flow.driving.homes import status_of
from explainkit.flow.models import Chunk, Usage
from explainkit.flow.outcomes import Cancelled, Outcome, answer_of
from explainkit.openers import turn_presenter
from explainkit.safety import shorten
from explainkit.tracing.current import CURRENT, Frame, leave
from explainkit.tracing.own_runs import Again, own_run


class _Kept(BaseModel):
    """A chat as plain JSON."""

    model_config = ConfigDict(extra="forbid")

    kind: str = "chat"
    standing: Standing
    runs: list[str] = Field(default_factory=list)
    paused: Standing | None = None


def _whole(turn: Any) -> int:
    """The number of a turn.

    Raises:
        TypeError: It is none.
    """
    if isinstance(turn, slice):
        raise TypeError(
            f"chat[{turn.start}:{turn.stop}]: a chat gives one turn at a time. Use "
            "list(chat)[...] for several."
        )
    if isinstance(turn, bool) or not hasattr(type(turn), "__index__"):
        raise TypeError(
            f"chat[{shorten(repr(turn), 40)}]: a turn is named by a whole number, counted from 0, "
            "or from -1 backwards. Example: chat[0]."
        )
    return index(turn)


class Chat:
    """A conversation in turns; made by `agent.chat()`.

    Each turn is a run of its own, and `chat[k]` gives it: `run`, `question`, `answer`,
    `backtrack()`, `whatif()` with the history as it stood, and `fork()` to go on from there.
    A turn that does not end in an answer leaves the conversation as it was. While a turn waits for
    a person, the next `send` is what they answer.

    Example:
        >>> import asyncio
        >>> from explainkit.flow.agents import Agent
        >>> from explainkit.flow.models import ScriptedModel
        >>> chat = Agent(ScriptedModel(["Hello.", "Fine."])).chat()
        >>> async def talk():
        ...     return [await chat.send("Hi."), await chat.send("How are you?")]
        >>> asyncio.run(talk())
        ['Hello.', 'Fine.']
        >>> chat[1].answer, len(chat)
        ('Fine.', 2)
    """

    def __init__(self, parts: AgentParts, checkpoint: Mapping[str, Any] | None = None) -> None:
        """Begin, or go on from a checkpoint."""
        self._parts = parts
        kept = _Kept(standing=Standing(agent=parts.name))
        if checkpoint is not None:
            kept = _read(checkpoint, parts.name)
        self._reached = Reached(kept.standing, kept.paused)
        self._ids = list(kept.runs)
        self._turns: dict[int, Turn] = {}
        self._places: dict[int, Reached] = {}
        self._busy = False

    async def send(
        self, text: Any, *, signal: Signal | None = None, to: str | PathLike[str] | None = None
    ) -> Any:
        """Say something and wait for the answer.

        Args:
            text: What is said, as the input of an Agent.
            signal: Says that the turn is to stop.
            to: Folder for the file of the turn's run.

        Raises:
            RuntimeError: Another turn goes on.
            Exception: What the turn ended with instead of an answer.
        """
        return answer_of(await self.outcome(text, signal=signal, to=to))

    async def outcome(
        self, text: Any, *, signal: Signal | None = None, to: str | PathLike[str] | None = None
    ) -> Outcome[Any]:
        """As `send`, with how the turn ended as an object."""
        return await self._turn(text, signal, to, None)

    def stream(
        self, text: Any, *, signal: Signal | None = None, to: str | PathLike[str] | None = None
    ) -> Streamed:
        """As `send`, with what the model says as it comes."""

        async def begin(emit: Callable[[Chunk], None]) -> Outcome[Any]:
            return await self._turn(text, signal, to, emit)

        return Streamed(begin)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation, a copy."""
        return copy.deepcopy(self._reached.standing.messages)

    @property
    def waiting(self) -> Waiting | None:
        """What a person is asked; None when nothing waits."""
        paused = self._reached.paused
        return None if paused is None else paused.waiting

    @property
    def usage(self) -> Usage:
        """What all turns cost."""
        return self._reached.standing.spent.usage

    def checkpoint(self) -> dict[str, Any]:
        """The conversation as plain JSON; `agent.chat(checkpoint)` goes on from it."""
        reached = self._reached
        kept = _Kept(standing=reached.standing, runs=self._ids, paused=reached.paused)
        return kept.model_dump(mode="json")

    def __len__(self) -> int:
        """How many turns there were."""
        return len(self._ids)

    def __getitem__(self, turn: int) -> Any:
        """A turn, counted from 0, or from -1 backwards.

        Raises:
            IndexError: There was no such turn.
            TypeError: It is no whole number.
            UnknownRecordError: It was before the checkpoint that this chat goes on from.
        """
        there, turn = len(self._ids), _whole(turn)
        if not -there <= turn < there:
            turns = "is 1 turn" if there == 1 else f"are {there} turns"
            raise IndexError(f"chat[{turn}]: there {turns}. Count from 0, or from -1 backwards.")
        place = turn % there
        if place not in self._turns:
            raise UnknownRecordError(
                f"Turn {place} was run {self._ids[place]}, before this chat went on from a "
                "checkpoint. Open its file with ek.load(path), or find it with ek.runs(folder)."
            )
        return turn_presenter()(self._turns[place])

    def __iter__(self) -> Iterator[Any]:
        """The turns in order."""
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        waits = "" if self._reached.paused is None else ", waits for a person"
        goes_on = ", a turn goes on" if self._busy else ""
        turns = "1 turn" if len(self) == 1 else f"{len(self)} turns"
        return f'Chat("{shorten(self._parts.name, 60)}", {turns}{waits}{goes_on})'

    async def _turn(
        self,
        text: Any,
        signal: Signal | None,
        to: str | PathLike[str] | None,
        emit: Callable[[Chunk], None] | None,
    ) -> Outcome[Any]:
        if self._busy:
            raise RuntimeError(
                "A turn of this chat goes on. Wait for its end before the next one, or open another"
                " chat from chat.checkpoint()."
            )
        self._busy = True
        try:
            admission = await admission_of(self._parts, text, signal)
            return await self._conducted(admission, signal, to, emit)
        finally:
            self._busy = False

    async def _conducted(
        self,
        admission: Admission,
        signal: Signal | None,
        to: str | PathLike[str] | None,
        emit: Callable[[Chunk], None] | None,
    ) -> Outcome[Any]:
        before = self._reached
        standing, replay = before.begun(self._parts), Replay(self._parts, before)
        own = own_run(self._parts.name, **self._settings(admission, to, replay))
        place, record = len(self._ids), own.open()
        self._turns[place] = Turn(place, record, replay, self._forking(place))
        self._ids.append(own.active.id)
        outcome: Outcome[Any] = Cancelled()
        token = CURRENT.set(Frame(own.active))
        try:
            ended = await conducted(
                self._parts, admission, standing, signal=signal, emit=emit, slot="answer"
            )
            outcome = ended.outcome
        finally:
            leave(token)
            own.close(status_of(outcome), getattr(outcome, "error", None))
            self._reached = self._places[place] = before.after(outcome, standing)
        return outcome

    def _forking(self, place: int) -> Callable[[Any], "Chat"]:
        """What makes a chat that goes on from a turn, or from another run of it."""

        def fork(instead: Any = None) -> Chat:
            turn, reached = self._turns[place], self._places[place]
            if instead is not None and turn.replay is not None:
                reached = turn.replay.reached(instead.id)
            chat = Chat(self._parts)
            chat._reached = reached
            chat._ids = self._ids[: place + 1]
            chat._turns = {at: each for at, each in self._turns.items() if at <= place}
            chat._places = {at: each for at, each in self._places.items() if at < place}
            chat._places[place] = reached
            if instead is not None:
                chat._ids[place] = instead.id
                chat._turns[place] = Turn(place, instead, None, chat._forking(place))
            return chat

        return fork

    def _settings(
        self, admission: Admission, to: str | PathLike[str] | None, replay: Replay
    ) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "to": to,
            "question": admission.question,
            "again": Again(replay.outcome, (admission.given,)),
        }
        if self._ids:
            settings["resumes"] = self._ids[-1]
        return settings


def _read(checkpoint: Mapping[str, Any], agent: str) -> _Kept:
    try:
        kept = _Kept.model_validate(dict(checkpoint))
    except (ValidationError, TypeError, ValueError) as problem:
        raise ResumeError(
            f"{shorten(repr(checkpoint), 80)} is no checkpoint of a chat. Give what "
            "chat.checkpoint() gave."
        ) from problem
    if kept.kind != "chat" or kept.standing.agent != agent:
        raise ResumeError(
            f'The checkpoint is of a chat with the Agent "{shorten(kept.standing.agent, 80)}", '
            f'and this one is "{shorten(agent, 80)}". Use the Agent of the chat.'
        )
    return kept
