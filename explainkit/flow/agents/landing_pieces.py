"""Lets pieces of context in, each with a record of why, and says which stayed outside."""

from inspect import isawaitable
from typing import Any

from explainkit.errors import AgentError
from explainkit.flow.agents.agent_parts import Work
from explainkit.flow.agents.callable_tools import Tool
from explainkit.flow.agents.chat_messages import ChatMessage, as_text, given_messages
from explainkit.flow.agents.context_pieces import AtStart, ByRule, OnRequest, OnToolReturn, Piece
from explainkit.flow.agents.described_tools import described
from explainkit.flow.agents.message_origins import Part
from explainkit.flow.agents.run_standings import Landed
from explainkit.flow.checks.asking import told_error
from explainkit.flow.models import ToolSpec
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.safety import shorten

_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


class Landings:
    """The pieces of one run.

    Args:
        work: The run.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._outside = {each.name: each for each in work.parts.pieces}
        self._late: list[tuple[Piece, Any, int]] = []
        self._asked = 0
        self._spec_places: dict[str, dict[str, Any]] = {}
        self._told_otherwise: dict[str, ToolSpec] = {}
        late = [tool.name for each in work.parts.pieces for tool in each.tools]
        self._tools = {n: each for n, each in work.parts.tools.items() if n not in late}

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools that are offered now."""
        return self._tools

    @property
    def specs(self) -> list[ToolSpec]:
        """What the model is told of tools, and of pieces that it can ask for."""
        told = self._told_otherwise
        return [told.get(each.name, each.spec) for each in self._tools.values()] + [
            ToolSpec(name=each.name, description=each.description, parameters=_NO_ARGUMENTS)
            for each in self._outside.values()
            if isinstance(each.trigger, OnRequest)
        ]

    def offer(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The specs as plain JSON, and the segments that say where they come from."""
        offered = [_told(spec) for spec in self.specs]
        segments = [
            {"start": index, "end": index + 1, "origin": self._spec_places[each["name"]]}
            for index, each in enumerate(offered)
            if each["name"] in self._spec_places
        ]
        return offered, segments

    def on_request(self, name: str) -> bool:
        """Whether this is the name of a piece that the model can ask for, or asked for before."""
        return any(
            each.name == name and isinstance(each.trigger, OnRequest)
            for each in self._work.parts.pieces
        )

    async def begin(self) -> None:
        """Let in the instructions, what was let in before, and what comes at the start."""
        work = self._work
        if work.parts.instructions:
            seq, text = work.ledger.context(
                "instructions",
                work.parts.instructions,
                type="instruction",
                slot="system",
                source=f"agent {work.parts.name}",
                why="always",
                trigger={"kind": "at start"},
            )
            work.talk.system.append(Part(text, seq))
            work.heard(text)
        for tool in list(self._tools.values()):
            fields = {"type": "tool description", "slot": "tools", "source": None}
            seq, described = work.ledger.context(
                f"tool {tool.name}",
                _told(tool.spec),
                why="always",
                trigger={"kind": "at start"},
                **fields,
            )
            self._describe(tool, described)
            if seq >= 0:
                self._spec_places[tool.name] = {"seq": seq, "slot": "value"}
        for landed in work.standing.landed:
            self._again(landed)
        for piece in list(self._outside.values()):
            if isinstance(piece.trigger, AtStart):
                await self._let_in(piece, "at the start", {"kind": "at start"})
        await self._restore()
        self._add_late()

    def _describe(self, tool: Tool, told: Any) -> None:
        """Offer a tool as it is described: a what-if may have changed that, or taken it away."""
        if not told:
            self._tools.pop(tool.name, None)
        elif told != _told(tool.spec):
            self._told_otherwise[tool.name] = described(told, tool.spec)

    async def _restore(self) -> None:
        """Let in what stayed outside of the run that is varied."""
        for piece in list(self._outside.values()):
            if not isinstance(piece.trigger, AtStart) and self._work.ledger.admits(piece.name):
                await self._let_in(piece, "a what-if restores it", {"kind": "what-if"})

    async def before_call(self) -> None:
        """Let in what a rule asks for, and add what waited for the results of tools."""
        for piece in list(self._outside.values()):
            trigger = piece.trigger
            if isinstance(trigger, ByRule) and await self._holds(piece, trigger):
                evidence = {"kind": "rule", "rule": trigger.name, "call": self._asked + 1}
                await self._let_in(piece, f'the rule "{trigger.name}" holds', evidence)
        self._asked += 1
        self._add_late()

    async def tool_returned(self, name: str, result: Any, closed: int) -> None:
        """Let in what follows a tool."""
        for piece in list(self._outside.values()):
            if isinstance(piece.trigger, OnToolReturn) and piece.trigger.tool == name:
                evidence = {"kind": "tool return", "tool": name, "record": closed}
                why = f'the tool "{name}" returned'
                await self._let_in(piece, why, evidence, result=result, closed=closed)

    async def requested(self, name: str, *, link: int) -> str:
        """Let in a piece that the model asked for; gives what the model is told."""
        piece = self._outside.get(name)
        if piece is None:
            return f'"{name}" is in your context already.'
        await self._let_in(piece, "the model asked for it", {"kind": "request", "link": link})
        return f'"{name}" is in your context now.'

    def end(self) -> None:
        """Say which pieces stayed outside, and why."""
        for piece in self._outside.values():
            self._leave_out(piece, self._why_outside(piece))
        self._outside = {}

    def _why_outside(self, piece: Piece) -> str:
        match piece.trigger:
            case ByRule(_, name) if self._asked:
                return f'the rule "{name}" held before none of {self._asked} calls of the model'
            case OnToolReturn(tool):
                return f'the tool "{tool}" did not return'
            case OnRequest() if self._asked:
                return "the model did not ask for it"
        return "the run ended before the model was called"

    def _leave_out(self, piece: Piece, why: str, how: str = "dropped") -> None:
        value = [_told(each.spec) for each in piece.tools] if piece.tools else piece.value
        fields = {"type": piece.kind, "slot": piece.slot, "source": piece.source}
        self._work.ledger.context(piece.name, value, why=why, admitted=False, how=how, **fields)

    async def _holds(self, piece: Piece, trigger: ByRule) -> bool:
        try:
            found = trigger.holds(self._work.situation())
            return bool(await found if isawaitable(found) else found)
        except Exception as error:
            self._failed(piece, f'the rule "{trigger.name}" raised {type(error).__name__}')
            raise _about(piece, f'the rule "{trigger.name}" raised', error) from error

    def _failed(self, piece: Piece, why: str) -> None:
        self._outside.pop(piece.name, None)
        self._leave_out(piece, why)

    def _again(self, landed: Landed) -> None:
        """A piece that was let in earlier in this conversation."""
        piece = self._outside.get(landed.name)
        if piece is None:
            return
        if piece.slot == "messages":
            if isinstance(piece.trigger, AtStart):
                why = "it stands in the conversation since an earlier turn"
                self._leave_out(piece, why, how="deduplicated")
            del self._outside[piece.name]
            return
        value = [_told(each.spec) for each in piece.tools] if piece.tools else landed.text
        self._admit(piece, value, "let in earlier", {"kind": "earlier"}, uses=())
        del self._outside[piece.name]

    async def _let_in(
        self,
        piece: Piece,
        why: str,
        trigger: dict[str, Any],
        *,
        result: Any = None,
        closed: int = -1,
    ) -> None:
        situation = self._work.situation()
        if closed >= 0:
            situation = self._work.situation(tool_result=result)
        try:
            content = await piece.content(situation)
        except Exception as error:
            self._failed(piece, f"its content could not be made: {type(error).__name__}")
            raise _about(piece, "its function raised", error) from error
        content = self._form(piece, content)
        made_from_result = closed >= 0 and piece.takes_situation
        uses = [{"seq": closed, "slot": "output"}] if made_from_result else []
        text = self._admit(piece, content, why, trigger, uses=uses)
        del self._outside[piece.name]
        self._work.standing.landed.append(Landed(name=piece.name, text=text))

    def _form(self, piece: Piece, content: Any) -> Any:
        if piece.tools:
            return [_told(each.spec) for each in piece.tools]
        try:
            return content if isinstance(content, str) else json_form(content)
        except NoJsonForm as problem:
            self._failed(piece, "its content has no JSON form")
            name = shorten(piece.name, 80)
            raise AgentError(f'The piece "{name}" has no JSON form: {problem}.') from problem

    def _admit(
        self, piece: Piece, content: Any, why: str, trigger: dict[str, Any], *, uses: Any
    ) -> str | None:
        work = self._work
        fields: dict[str, Any] = {"type": piece.kind, "slot": piece.slot, "source": piece.source}
        if uses:
            fields["uses"] = uses
        seq, content = work.ledger.context(piece.name, content, why=why, trigger=trigger, **fields)
        if piece.tools:
            told = {each.get("name"): each for each in content}
            self._tools |= {each.name: each for each in piece.tools}
            for index, each in enumerate(piece.tools):
                self._describe(each, told.get(each.name))
                place = {"seq": seq, "slot": "value", "start": index, "end": index + 1}
                if seq >= 0:
                    self._spec_places[each.name] = place
            return None
        work.heard(content)
        if piece.slot == "messages":
            self._late.append((piece, content, seq))
            return None
        text = as_text(content)
        work.talk.system.append(Part(text, seq, value=content))
        return text

    def _add_late(self) -> None:
        """Messages land behind the results of tools, which must follow their calls directly."""
        for _, content, seq in self._late:
            messages: list[ChatMessage] = given_messages(content)
            if messages and content in (messages, messages[0]):
                self._work.talk.add(messages, seq, "value", listed=isinstance(content, list))
            else:
                part = Part(as_text(content), seq, value=content)
                self._work.talk.say("user", part)
        self._late = []


def _about(piece: Piece, what: str, error: Exception) -> AgentError:
    name = shorten(piece.name, 80)
    return AgentError(f'The piece "{name}" could not be let in: {what} {told_error(error)}')


def _told(spec: ToolSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "description": spec.description,
        "parameters": dict(spec.parameters),
    }
