"""Gets one reply of a model: rules before and after, middleware in between, everything recorded."""

import copy
from dataclasses import dataclass, replace
from typing import Any

from explainkit.errors import AgentStuckError
from explainkit.flow.agents.admissions import Denied, denial_of
from explainkit.flow.agents.agent_parts import Work
from explainkit.flow.agents.chat_messages import (
    ChatMessage,
    Proposed,
    reply_of,
    with_what_was_sent,
)
from explainkit.flow.agents.described_tools import redescribed
from explainkit.flow.agents.foreign_words import own_name
from explainkit.flow.agents.landing_pieces import Landings
from explainkit.flow.agents.message_origins import Part
from explainkit.flow.agents.reliability import (
    Action,
    Attempt,
    FailFast,
    FallBack,
    Retry,
    Rulebook,
    failed_fast,
)
from explainkit.flow.agents.situations import RunEnd
from explainkit.flow.agents.sound_replies import sound
from explainkit.flow.agents.step_records import Given, Opened
from explainkit.flow.checks import UNSET
from explainkit.flow.models import Chunk, Completion, Model, StreamingModel, ToolSpec
from explainkit.flow.models.calling import function_of
from explainkit.flow.models.embedded import as_completion
from explainkit.flow.models.protocols import PassedOver
from explainkit.flow.outcomes import Exhausted, Failed, Outcome, Refused
from explainkit.flow.verdicts import first_standing
from explainkit.safety import shorten
from explainkit.tracing.current import CURRENT, leave

REMINDER = "You gave neither an answer nor a tool call. Answer, or call a tool."


@dataclass(frozen=True, slots=True)
class Said:
    """A reply that stands.

    Attributes:
        message: The reply as a message.
        calls: The calls in it.
        seq: The record that holds it; below 0 for a value that a rule fell back to.
        value: That value.
    """

    message: ChatMessage
    calls: tuple[Proposed, ...] = ()
    seq: int = -1
    value: Any = UNSET


@dataclass(frozen=True, slots=True)
class _Result:
    message: ChatMessage
    calls: tuple[Proposed, ...] = ()
    closed: int = -1
    completion: Completion | None = None
    error: Exception | None = None
    denied: Denied | None = None


class ModelDesk:
    """Asks models on behalf of one run.

    Args:
        work: The run.
        landings: Its pieces.
    """

    def __init__(self, work: Work, landings: Landings) -> None:
        self._work = work
        self._landings = landings
        self._model = work.parts.model
        self._rules = Rulebook(work.parts.rules, work.ledger)
        self._nothing = False
        self._offered: tuple[int, list[dict[str, Any]]] | None = None

    async def reply(self) -> Said:
        """Get a reply that says something.

        Raises:
            RunEnd: The run ends on a verdict, or its budget is used up.
            AgentStuckError: The model said nothing, twice in a row.
            Exception: What the model raised, when no rule has an answer to it.
        """
        said = await self.any_reply()
        if said.calls or said.value is not UNSET or said.message["content"] is not None:
            self._nothing = False
            return said
        if self._nothing:
            raise AgentStuckError(
                f'The model of the Agent "{self._work.parts.name}" gave neither a text nor a tool '
                "call, twice in a row. Look at its prompt, or add a rule that asks another model."
            )
        self._nothing = True
        self._work.talk.say("user", Part(REMINDER))
        return await self.reply()

    async def any_reply(self) -> Said:
        """Get a reply, also one that says nothing; its `content` is then None.

        Raises:
            RunEnd: The run ends on a verdict, or its budget is used up.
            Exception: What the model raised, when no rule has an answer to it.
        """
        self._rules.new_reply()
        model, number = self._model, 0
        while True:
            number += 1
            attempt = self._attempt(model, number)
            action = self._rules.decide(attempt)
            if isinstance(action, FailFast):
                raise RunEnd(Refused(failed_fast(action, attempt)))
            if isinstance(action, FallBack):
                if action.model is None:
                    return _fallen_back(action)
                model = self._model = action.model
            if self._work.out_of_calls:
                raise RunEnd(Exhausted(self._work.last_text, _used_up(self._work)))
            result = await self._call(model)
            attempt = replace(
                attempt,
                phase="post-decide",
                provider=_name(model),
                calls=self._work.standing.calls,
                error=result.error,
                completion=result.completion,
            )
            if result.denied is not None:
                raise RunEnd(self._denied(result.denied, attempt))
            action = self._rules.decide(attempt)
            again = self._again(action, attempt)
            if again is not None:
                model = again
                continue
            if isinstance(action, FallBack):
                return _fallen_back(action)
            if result.error is not None:
                raise result.error
            return Said(result.message, result.calls, result.closed)

    def _attempt(self, model: Model, number: int) -> Attempt:
        messages: tuple[ChatMessage, ...] = ()
        if self._work.parts.rules:  # nobody else looks at them
            messages = tuple(copy.deepcopy(self._work.talk.prompt()[0]))
        calls = self._work.standing.calls
        return Attempt("pre-check", number, _name(model), calls, messages)

    def _again(self, action: Action | None, attempt: Attempt) -> Model | None:
        """The model to ask again; None when the reply, or the error, stands."""
        if isinstance(action, FailFast):
            raise RunEnd(Refused(failed_fast(action, attempt)))
        if isinstance(action, Retry):
            return action.model or self._model
        if isinstance(action, FallBack) and action.model is not None:
            self._model = action.model
            return action.model
        return None

    def _denied(self, denied: Denied, attempt: Attempt) -> Outcome[Any]:
        """A denied reply ends the run; only a rule that fails fast stands above it."""
        ends: list[Outcome[Any]] = [Refused(denied.verdict)]
        try:
            action = self._rules.decide(attempt)
        except Exception as error:  # noqa: BLE001 - the verdict stands above it
            ends.append(Failed(error))
        else:
            if isinstance(action, FailFast):
                ends.append(Refused(failed_fast(action, attempt)))
        return first_standing(ends)

    async def _call(self, model: Model) -> _Result:
        work = self._work
        messages, segments, whole = work.talk.prompt()
        specs = self._landings.specs
        tools, known = self._landings.offer()
        more: dict[str, Any] = {"segments": known} if known else {}
        if self._offered is not None and self._offered[1] == tools:
            more = {"from": [{"seq": self._offered[0], "slot": "tools"}]}
        inputs = [
            Given("messages", messages, {"segments": segments} if segments else {}),
            Given("tools", tools, more),
        ]
        name, exact = f"{work.parts.name} model", bool(getattr(model, "deterministic", False))
        opened = work.ledger.open(
            "model", name, inputs, point=True, deterministic=exact, runs=function_of(model)
        )
        messages = opened.changed.get("messages", messages)
        if "tools" in opened.changed:
            specs = redescribed(opened.changed["tools"], specs)
        work.talk.sent(opened.seq)
        self._offered = None if opened.seq < 0 else (opened.seq, tools)
        if not whole:
            reason = "a secret stands across the border of two pieces; their origins are not kept"
            work.ledger.lost(reason, link=opened.seq, slot="messages", what="redacted")
        work.standing.calls += 1
        token = CURRENT.set(work.ledger.inside(opened.seq))
        try:
            completion = sound(await self._completion(model, messages, specs, opened.supplied))
            message, calls = reply_of(completion, messages)
        except Exception as error:  # noqa: BLE001 - rules decide what becomes of it
            work.ledger.close(opened.seq, "error", error=error, model=_name(model))
            return _Result({}, error=error)
        except BaseException as stop:
            work.ledger.close(opened.seq, "cancelled", error=stop, model=_name(model))
            raise
        finally:
            leave(token)
        result = _Result(message, calls, completion=completion)
        return await self._closed(model, opened, completion, result)

    async def _closed(
        self, model: Model, opened: Opened, completion: Completion, result: _Result
    ) -> _Result:
        """Close the link with the reply, once it was admitted."""
        work, message, calls = self._work, result.message, result.calls
        link = opened.seq
        usage = completion.usage
        work.standing.spent.add(usage)
        attrs: dict[str, Any] = {
            "model": _name(model),
            "usage": {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens},
            **opened.attrs,
        }
        try:
            whole = with_what_was_sent(message, calls)
            denied = await denial_of(work.parts.middleware, whole, "output")
        except BaseException:  # a cancellation, an interrupt or an exit
            work.ledger.close(link, "cancelled", **attrs)
            raise
        if denied is not None:
            work.ledger.close(link, "verdict", **attrs)
            work.ledger.lost(denied.loss, link=link, slot="output")
            return _Result({}, completion=completion, denied=denied)
        closed = work.ledger.close(link, "answered", output=message, **attrs)
        for index, call in enumerate(calls):
            work.call_places[call.id] = (closed, "output", f"/tool_calls/{index}")
        if completion.text is not None:
            work.last_text = completion.text
        if completion.text is None and not calls:
            message = message | {"content": None}
        return replace(result, message=message, closed=closed)

    async def _completion(
        self, model: Model, messages: list[ChatMessage], specs: list[ToolSpec], supplied: Any
    ) -> Completion:
        if supplied is not UNSET:
            if isinstance(model, PassedOver):
                model.pass_over()
            return _read(supplied)
        prompt = copy.deepcopy(messages)  # a model may change what it is given
        emit = self._work.emit
        if emit is None or not isinstance(model, StreamingModel):
            completion = sound(as_completion(await model.complete(prompt, tools=specs), prompt))
            if emit is not None and not self._work.parts.holds_back:
                emit(Chunk(text=completion.text or "", tool_calls=completion.tool_calls))
            return completion
        chunks = []
        async for chunk in model.stream(prompt, tools=specs):
            chunks.append(chunk)
            if not self._work.parts.holds_back:
                emit(replace(chunk, usage=None))
        return _joined(chunks)


def _joined(chunks: list[Chunk]) -> Completion:
    """The whole of a stream; one without any character and any call said nothing."""
    text = "".join(chunk.text for chunk in chunks)
    calls = tuple(call for chunk in chunks for call in chunk.tool_calls)
    usage = next((chunk.usage for chunk in reversed(chunks) if chunk.usage is not None), None)
    found = Completion(text=text or None, tool_calls=calls)
    return found if usage is None else replace(found, usage=usage)


def _read(supplied: Any) -> Completion:
    """A recorded reply as a completion again."""
    from explainkit.flow.models import as_messages

    if isinstance(supplied, str):
        return Completion(text=supplied)
    message = as_messages([supplied])[0]
    text = None if message.tool_calls and not message.content else message.content
    return Completion(text=text, tool_calls=message.tool_calls)


def _used_up(work: Work) -> str:
    most = work.parts.max_calls
    calls = "the 1 call" if most == 1 else f"the {most} calls"
    return (
        f'The Agent "{shorten(work.parts.name, 80)}" made {calls} of models that max_calls={most} '
        "lets it make, and has no answer; .last is the last text. Raise max_calls, or look at what "
        "it called."
    )


def _fallen_back(action: FallBack) -> Said:
    return Said({"role": "assistant", "content": ""}, value=action.value)


def _name(model: Model) -> str:
    return own_name(model, "name")
