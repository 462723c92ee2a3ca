"""Turns to records: one place decides what becomes a context, an event or a link."""

from collections.abc import Sequence
from typing import Any

from explainkit.adapters.calls import pair
from explainkit.adapters.dialects.chat import ROLES
from explainkit.adapters.moments import moment
from explainkit.adapters.replies import Reply, reply_of
from explainkit.adapters.script import Emitted, Said, Script
from explainkit.adapters.surroundings import Surroundings
from explainkit.adapters.tool_links import ToolLinks
from explainkit.adapters.transcript import Transcript
from explainkit.adapters.turns import Result, Text, Turn
from explainkit.adapters.wording import inline
from explainkit.tracing.recorder import Recorder


def emit(recorder: Recorder, script: Script) -> Emitted:
    """Write the records of a script up to, and without, answer, verdicts and end.

    Args:
        recorder: Takes the records; it should have no clock.
        script: The run.

    Returns:
        Where everything landed.
    """
    return _Emitter(recorder, script).run()


class _Emitter:
    def __init__(self, recorder: Recorder, script: Script) -> None:
        self.recorder = recorder
        self.script = script
        self.done = Emitted()
        self.transcript = Transcript(recorder)
        self.around = Surroundings(recorder, script)
        pairing = pair(script.turns)
        self.done.reused = pairing.reused
        self.tools = ToolLinks(recorder, script.turns, pairing, self.transcript, self.done)

    def run(self) -> Emitted:
        """Emit everything in order."""
        self.around.start()
        turns = self.script.turns
        at = 0
        while at < len(turns):
            until = at + 1
            while until < len(turns) and turns[until].joins:
                until += 1
            self._group(at, turns[at:until])
            at = until
        self.tools.abandon()
        return self.done

    def _group(self, first: int, turns: Sequence[Turn]) -> None:
        for turn in turns:
            self.done.redacted += any(self._changed(part) for part in turn.parts)
            self.done.missing += not turn.parts and _empty(turn.raw)
        turn = turns[0]
        if turn.role == "model":
            self._model(first, turns)
        elif turn.role == "tool" and not turn.results:
            self._terminal(turn)
        else:
            position = self.transcript.add(turn.raw)
            if turn.role == "system":
                self._system(position, turn)
            elif turn.results:
                self._results(first, position, turn)
            else:
                self._event(position, turn)

    def _inline(self, text: str) -> str:
        return inline(self.recorder, text)

    def _changed(self, part: object) -> bool:
        return isinstance(part, Text) and self.transcript.stored(part.text) != part.text

    def _model(self, first: int, turns: Sequence[Turn]) -> None:
        reply = reply_of(turns)
        opened, closed = self._link("model", turns[0], reply)
        base = len(self.transcript)
        for turn in turns:
            self.transcript.add(turn.raw)
            self.done.links[turn.index] = opened
        if reply.has_output:
            self._said(base, turns, reply, {"seq": closed, "slot": "output"})
        for place, turn in enumerate(turns):
            self.tools.open(first + place, turn, closed, prefix=reply.prefix(place))
        for place, turn in enumerate(turns):
            self._results(first + place, None, turn)

    def _said(self, base: int, turns: Sequence[Turn], reply: Reply, origin: dict[str, Any]) -> None:
        """Note that the messages from ``base`` on are what the model put out at ``origin``."""
        if reply.is_text:
            offset = 0
            for place, part in reply.texts:
                self.transcript.part(base + place, part, origin, offset=offset)
                offset += len(self.transcript.stored(part.text))
            self.done.said[turns[-1].index] = Said(reply.output, origin)
            return
        whole = origin if len(turns) == 1 else {**origin, "start": 0, "end": len(turns)}
        self.transcript.whole(base, base + len(turns), whole)
        for place, part in reply.texts:
            path = reply.path(place, part.path)
            self.done.said[turns[place].index] = Said(part.text, {**origin, "path": path})

    def _terminal(self, turn: Turn) -> None:
        reply = reply_of([turn])
        opened, closed = self._link("tool", turn, reply)
        self.done.links[turn.index] = opened
        origin = {"seq": closed, "slot": "output"}
        position = self.transcript.add(turn.raw)
        for _, part in reply.texts:
            self.transcript.part(position, part, origin)
        if reply.is_text:
            self.done.said[turn.index] = Said(reply.output, origin)

    def _link(self, kind: str, turn: Turn, reply: Reply) -> tuple[int, int]:
        inputs = self.around.inputs(turn.actor)
        messages = self.transcript.read()
        if messages is not None:
            inputs.append(messages)
        elif self.script.ask_first and self.around.question is not None:
            origin = {"seq": self.around.started, "slot": "question"}
            inputs.append({"slot": "question", "value": self.around.question, "from": [origin]})
        when = moment(turn.raw)
        said = turn.said_role if turn.said_role.lower() in ROLES else "model"
        name = self._inline(turn.actor or self.around.model or said)
        role = self._inline(turn.said_role)
        opened = self.recorder.append(
            "link_opened",
            at=when,
            type=kind,
            name=name,
            inputs=inputs,
            actor=self._inline(turn.actor) if turn.actor else None,
            source_index=turn.index,
            attrs={} if role == name else {"role": role},
        )
        self.transcript.opened(opened)
        output = self.recorder.value(reply.output) if reply.has_output else None
        facts = {
            key: self._inline(fact) if isinstance(fact, str) else fact
            for key, fact in reply.facts.items()
        }
        if reply.beside is not None:
            facts["raw"] = self.recorder.value(reply.beside)
        closed = self.recorder.append(
            "link_closed", at=when, link=opened, status="answered", output=output, attrs=facts
        )
        return opened, closed

    def _system(self, position: int, turn: Turn) -> None:
        name = self._inline(turn.actor or turn.said_role)
        if not turn.texts:
            self._context(position, turn, None, name)
        for part in turn.texts:
            self._context(position, turn, part, name)

    def _context(self, position: int, turn: Turn, part: Text | None, name: str) -> None:
        seq = self.recorder.append(
            "context",
            at=moment(turn.raw),
            name=name,
            type="instruction",
            slot="messages",
            value=self.recorder.value(turn.raw if part is None else part.text),
            source_index=turn.index,
        )
        origin = {"seq": seq, "slot": "value"}
        if part is None:
            self.transcript.whole(position, position + 1, origin)
        else:
            self.transcript.part(position, part, origin)

    def _event(self, position: int, turn: Turn) -> None:
        text = turn.parts[0] if len(turn.parts) == 1 else None
        if isinstance(text, Text):
            seq = self._arrived(turn, text.text)
            self.transcript.part(position, text, {"seq": seq, "slot": "value"})
        else:
            seq = self._arrived(turn, turn.raw)
            self.transcript.whole(position, position + 1, {"seq": seq, "slot": "value"})

    def _arrived(self, turn: Turn, value: Any) -> int:
        return self.recorder.append(
            "event",
            at=moment(turn.raw),
            name="message",
            sender=self._inline(turn.actor or turn.said_role) or None,
            value=self.recorder.value(value),
            source_index=turn.index,
        )

    def _results(self, place: int, position: int | None, turn: Turn) -> None:
        """Results close their calls; without a position they stand inside the model's own reply."""
        for index, part in enumerate(turn.parts):
            if isinstance(part, Result):
                self.tools.close((place, index), turn, part, position)
            elif position is not None and isinstance(part, Text):
                seq = self._arrived(turn, part.text)
                self.transcript.part(position, part, {"seq": seq, "slot": "value"})


def _empty(raw: Any) -> bool:
    return not isinstance(raw, dict) or raw.get("content") is None
