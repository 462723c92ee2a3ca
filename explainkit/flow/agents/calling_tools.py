"""Makes the calls that a model proposed: checked, allowed, run, and told back, each on record."""

import copy
from collections.abc import Sequence
from typing import Any, Final

from explainkit.errors import AgentStuckError, ToolCallError
from explainkit.flow.agents.admissions import Deny
from explainkit.flow.agents.agent_parts import Work
from explainkit.flow.agents.callable_tools import Tool
from explainkit.flow.agents.chat_messages import ChatMessage, Proposed, as_text
from explainkit.flow.agents.foreign_words import words_of
from explainkit.flow.agents.landing_pieces import Landings
from explainkit.flow.agents.message_origins import Part
from explainkit.flow.agents.policies import Decision, Halt, decision_on, id_of
from explainkit.flow.agents.run_standings import Waiting
from explainkit.flow.agents.running_tools import called
from explainkit.flow.agents.situations import RunEnd
from explainkit.flow.agents.step_records import Given, Opened
from explainkit.flow.checks import UNSET
from explainkit.flow.outcomes import Paused, Refused
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.flow.verdicts import ConsentPending, PolicyHalt
from explainkit.safety import shorten
from explainkit.safety.described import message_of
from explainkit.safety.pointers import token as pointer_token
from explainkit.tracing.current import CURRENT, leave

MOST_USELESS: Final = 5
"""Calls in a row that lead nowhere, after which a run fails."""
_SHOWN: Final = 2000
_NOT_MADE = "Not made: the run ended before it."


class CallDesk:
    """Makes the tool calls of one run.

    Args:
        work: The run.
        landings: Its pieces.
    """

    def __init__(self, work: Work, landings: Landings) -> None:
        self._work = work
        self._landings = landings
        self._useless = 0
        self._last: tuple[str, str, str] | None = None

    async def handle(self, calls: Sequence[Proposed]) -> None:
        """Make calls one after the other.

        Raises:
            RunEnd: The policy halts the run, or a call waits for a person.
            AgentStuckError: Too many calls in a row led nowhere.
        """
        for place, call in enumerate(calls):
            await self._one(call, calls[place + 1 :])

    async def go_on(self, waiting: Waiting, rest: Sequence[Proposed], answer: Any) -> None:
        """Go on after a person answered.

        Args:
            waiting: The call that waited.
            rest: Calls behind it.
            answer: What they said.
        """
        call = proposed(waiting.call)
        tool = self._landings.tools[call.name]
        if waiting.kind == "answer":
            self._answered(call, answer)
        elif answer is True or (isinstance(answer, str) and answer.strip().casefold() == "yes"):
            await self._make(call, tool)
        else:
            self._tell(call, Part(f"Consent was not given: {as_text(answer)}"))
        await self.handle(rest)

    async def _one(self, call: Proposed, rest: Sequence[Proposed]) -> None:
        try:
            tool = self._known(call)
        except ToolCallError as error:
            self._refused(call, error)
            return
        decision = await self.decision(call)
        if isinstance(decision, Halt):
            raise RunEnd(Refused(self.halted(decision, call, rest)))
        if isinstance(decision, Deny):
            return
        if tool is None:
            await self._request(call)
        elif tool.call is None or tool.consent is not None:
            self._wait(call, tool, rest)
        else:
            await self._make(call, tool)

    def _known(self, call: Proposed) -> Tool | None:
        """The tool of a call whose arguments fit; None for a piece that is asked for."""
        name = shorten(call.name, 80)
        if call.problem is not None:
            raise ToolCallError(f'The call of "{name}" cannot be read: {call.problem}.')
        if self._landings.on_request(call.name):
            if call.arguments:
                raise ToolCallError(f'"{name}" takes no arguments.')
            return None
        tool = self._landings.tools.get(call.name)
        if tool is None:
            offered = ", ".join(each.name for each in self._landings.specs) or "none"
            raise ToolCallError(f'There is no tool "{name}". The tools are: {offered}.')
        tool.read(call.arguments)
        return tool

    def _refused(self, call: Proposed, error: ToolCallError) -> None:
        link = self._open(call)
        closed = self._work.ledger.close(link, "error", error=error, call=call.id)
        self._tell(call, _error_part(error, closed), useless=True)

    async def decision(self, call: Proposed) -> Decision | None:
        """What the policy says of a call; the model is told of a denial."""
        policy = self._work.parts.policy
        if policy is None:
            return None
        ledger = self._work.ledger
        given = Given("call", call.to_json(), {"from": [self._place(call)]})
        link = ledger.open("policy", id_of(policy), [given], runs=policy).seq
        token = CURRENT.set(ledger.inside(link))
        try:
            decision = await decision_on(policy, call, self._work.situation())
        except Exception as error:
            ledger.close(link, "error", error=error)
            raise
        except BaseException:
            ledger.close(link, "cancelled")
            raise
        finally:
            leave(token)
        said: dict[str, Any] = {"decision": type(decision).__name__.lower()}
        if isinstance(decision, Deny | Halt):
            said["reason"] = words_of(decision.reason)
        closed = ledger.close(link, "answered", output=said)
        if isinstance(decision, Deny):
            text = f"Denied: {said['reason']}"
            self._tell(call, Part(text, closed, "output", value=said))
        return decision

    def halted(self, halted: Halt, call: Proposed, rest: Sequence[Proposed]) -> PolicyHalt:
        """The verdict of a run that ends before a call."""
        work = self._work
        history: list[ChatMessage] = work.talk.prompt()[0]
        reason = words_of(halted.reason)
        tell = None if halted.tell_model is None else words_of(halted.tell_model)
        told = tell or f"Halted: {reason}"
        history.append({"role": "tool", "content": told, "tool_call_id": call.id})
        history += [
            {"role": "tool", "content": _NOT_MADE, "tool_call_id": each.id} for each in rest
        ]
        return PolicyHalt(
            reason=reason,
            tell_model=tell,
            sequence=(*work.standing.dispatched, call.to_json()),
            iteration=max(work.standing.calls, 1),
            history=tuple(copy.deepcopy(history)),
            checker=id_of(work.parts.policy),
        )

    def _wait(self, call: Proposed, tool: Tool, rest: Sequence[Proposed]) -> None:
        """A person is to answer, or to consent, before the run goes on."""
        work = self._work
        asks = tool.call is None
        if not work.parts.can_ask:
            if asks:
                self._refused(call, ToolCallError("Nobody can be asked here."))
                return
            waits = f'The call of "{tool.name}"'
            raise RunEnd(Refused(ConsentPending(waiting=waits, whom=tool.consent)))
        if asks:
            question = str(call.arguments["question"])
        else:
            arguments = shorten(as_text(call.arguments), 500)
            question = f'May "{tool.name}" be called with {arguments}?'
        kind = "answer" if asks else "consent"
        work.ledger.close(self._open(call), "paused", call=call.id)
        work.standing.waiting = Waiting.model_validate(
            {"kind": kind, "call": call.to_json(), "question": question, "whom": tool.consent}
        )
        work.standing.rest = [{**each.to_json(), "problem": each.problem} for each in rest]
        raise RunEnd(Paused(work.checkpoint()))

    def _answered(self, call: Proposed, answer: Any) -> None:
        """What a person said is the result of the call that asked them."""
        ledger = self._work.ledger
        given = []
        if ledger.parent is not None:
            place = {"seq": ledger.parent, "slot": "input"}
            given = [Given("answer", answer, {"from": [place]})]
        link = self._open(call, given, uses=["answer"] if given else [])
        closed = ledger.close(link, "answered", output=answer, call=call.id)
        self._work.standing.dispatched.append(call.to_json())
        self._work.heard(json_form(answer))
        self._tell(call, Part(as_text(answer), closed, "output", value=answer))

    async def _request(self, call: Proposed) -> None:
        link = self._open(call)
        self._work.standing.dispatched.append(call.to_json())
        try:
            text = await self._landings.requested(call.name, link=link)
        except Exception as error:
            self._work.ledger.close(link, "error", error=error, call=call.id)
            raise
        except BaseException:
            self._work.ledger.close(link, "cancelled", call=call.id)
            raise
        closed = self._work.ledger.close(link, "answered", output=text, call=call.id)
        self._tell(call, Part(text, closed, "output"))

    async def _make(self, call: Proposed, tool: Tool) -> None:
        """Run a tool; what goes wrong in it is told to the model."""
        work = self._work
        assert tool.call is not None
        arguments = tool.read(call.arguments)
        if tool.context_parameter is not None:
            arguments[tool.context_parameter] = work.operation
        kind = "effect" if tool.effect else "tool"
        opened = self._open_link(
            call, kind=kind, point=True, runs=tool.call, deterministic=tool.deterministic
        )
        link = opened.seq
        if opened.changed:
            arguments |= tool.read({**call.arguments, **opened.changed})
        work.standing.dispatched.append(call.to_json())
        token = CURRENT.set(work.ledger.inside(link))
        output: Any = UNSET
        try:
            output = opened.supplied
            if output is UNSET:
                output = await called(
                    tool.call, arguments, seconds=tool.timeout, clock=work.parts.clock
                )
            form = _told(tool, output)
        except Exception as error:  # noqa: BLE001 - the model is told
            closed = work.ledger.close(link, "error", output=output, error=error, call=call.id)
            self._tell(call, _error_part(error, closed))
            return
        except BaseException as stop:
            work.ledger.close(link, "cancelled", error=stop, call=call.id)
            raise
        finally:
            leave(token)
        closed = work.ledger.close(link, "answered", output=output, call=call.id, **opened.attrs)
        work.heard(form)
        self._tell(call, Part(as_text(form), closed, "output", value=form))
        await self._landings.tool_returned(tool.name, form, closed)

    def _open(self, call: Proposed, more: Sequence[Given] = (), **fields: Any) -> int:
        return self._open_link(call, more, **fields).seq

    def _open_link(
        self, call: Proposed, more: Sequence[Given] = (), *, kind: str = "tool", **fields: Any
    ) -> Opened:
        place = self._place(call)
        inputs = [
            Given(name, value, {"from": [_below(place, name)]})
            for name, value in call.arguments.items()
        ]
        if call.sent is not UNSET:
            inputs.append(Given("arguments", call.sent))
        kept = {key: value for key, value in fields.items() if value}
        return self._work.ledger.open(kind, call.name, [*inputs, *more], **kept)

    def _place(self, call: Proposed) -> dict[str, Any]:
        seq, slot, path = self._work.call_places[call.id]
        return {"seq": seq, "slot": slot, "path": path}

    def _tell(self, call: Proposed, part: Part, *, useless: bool = False) -> None:
        """Give the model a result; one that repeats the call before it leads nowhere."""
        same = (call.name, as_text(call.arguments), part.text)
        self._useless = self._useless + 1 if useless or same == self._last else 0
        self._last = same
        self._work.tell(call.id, part)
        if self._useless >= MOST_USELESS:
            raise AgentStuckError(
                f'The model of the Agent "{self._work.parts.name}" made {MOST_USELESS} calls in a '
                f'row that lead nowhere; the last one of "{shorten(call.name, 80)}" gave: '
                f"{shorten(part.text, 300)}"
            )


def proposed(data: Any) -> Proposed:
    """A call read back from a checkpoint."""
    return Proposed(
        str(data["id"]), str(data["name"]), dict(data["arguments"]), data.get("problem")
    )


def _below(place: dict[str, Any], name: str) -> dict[str, Any]:
    return {**place, "path": f"{place['path']}/arguments/{pointer_token(name)}"}


def _told(tool: Tool, output: Any) -> Any:
    """The JSON form of what a tool gave, its own copy."""
    try:
        form = copy.deepcopy(json_form(output))
        as_text(form)  # it is told to the model
    except NoJsonForm as problem:
        raise ToolCallError(
            f'The tool "{tool.name}" gave something without JSON form: {problem}. '
            "Give texts, numbers, lists, mappings, dataclasses or pydantic models."
        ) from None
    return form


def _error_part(error: Exception, closed: int) -> Part:
    told = shorten(message_of(error, limit=_SHOWN).text, _SHOWN)
    kind = "" if issubclass(type(error), ToolCallError) else f"{type(error).__name__}: "
    return Part(f"Error: {kind}{told}", closed, "error", value=error)
