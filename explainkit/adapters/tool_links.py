"""Tool calls as links: opened by the model's reply, closed by the result that answers them."""

from collections.abc import Sequence
from typing import Any

from explainkit.adapters.arguments import Argument, arguments_of
from explainkit.adapters.calls import Pairing, Place
from explainkit.adapters.dialects.pointer import at
from explainkit.adapters.moments import moment
from explainkit.adapters.script import Emitted
from explainkit.adapters.transcript import Transcript
from explainkit.adapters.turns import Call, Result, Turn
from explainkit.adapters.wording import inline
from explainkit.tracing.recorder import Recorder


class ToolLinks:
    """The tool links of one run."""

    def __init__(
        self,
        recorder: Recorder,
        turns: Sequence[Turn],
        pairing: Pairing,
        transcript: Transcript,
        done: Emitted,
    ) -> None:
        """Tie calls and results as ``pairing`` says; write through ``recorder``."""
        self._recorder = recorder
        self._turns = turns
        self._pairing = pairing
        self._transcript = transcript
        self._done = done
        self._open: dict[Place, tuple[int, str]] = {}

    def open(self, place: int, turn: Turn, closed: int, *, prefix: str) -> None:
        """Open a link for every call of a turn.

        Args:
            place: Position of the turn in the list of turns.
            turn: The turn.
            closed: ``seq`` of the record whose ``output`` holds the turn.
            prefix: JSON Pointer from that output to the turn's message.
        """
        for index, part in enumerate(turn.parts):
            if isinstance(part, Call):
                self._call((place, index), turn, part, {"seq": closed, "slot": "output"}, prefix)

    def _call(
        self, place: Place, turn: Turn, call: Call, origin: dict[str, Any], prefix: str
    ) -> None:
        arguments, problem = arguments_of(call)
        if problem is not None:
            self._done.notes.append(f"message {turn.index}: {problem}")
        answer = self._pairing.result_of.get(place)
        index = turn.index if answer is None else self._turns[answer[0]].index
        name = inline(self._recorder, call.name)
        attrs: dict[str, Any] = {"called_at": turn.index}
        if call.id is not None:
            attrs["call"] = inline(self._recorder, call.id)
        seq = self._recorder.append(
            "link_opened",
            at=moment(turn.raw),
            type="tool",
            name=name,
            inputs=[self._slot(argument, turn, origin, prefix) for argument in arguments],
            source_index=index,
            attrs=attrs,
        )
        self._open[place] = (seq, name)
        if answer is not None:
            self._done.links.setdefault(index, seq)

    def _slot(
        self, argument: Argument, turn: Turn, origin: dict[str, Any], prefix: str
    ) -> dict[str, Any]:
        source = {**origin, "path": prefix + argument.path}
        written = at(turn.raw, argument.path)
        # Offsets are of what is stored, and redaction may have shifted them.
        kept = isinstance(written, str) and self._transcript.stored(written) == written
        if argument.start is not None and kept:
            source.update(start=argument.start, end=argument.end)
        value = self._recorder.value(argument.value, name=argument.slot)
        slot = inline(self._recorder, argument.slot)
        return {"slot": slot, "value": value, "from": [source]}

    def close(self, place: Place, turn: Turn, result: Result, position: int | None) -> None:
        """Close the link that a result answers; a result without a call is an event.

        Args:
            place: Place of the result among the turns.
            turn: The turn that holds it.
            result: The result.
            position: Position of the turn's message in the transcript; ``None`` when the model's
                reply holds the result, which then is the origin of the message.
        """
        value = None if result.value is None else self._recorder.value(result.value)
        call = self._pairing.call_of.get(place)
        opened = self._open.pop(call, None) if call is not None else None
        if opened is None:
            self._done.dangling.append(turn.index)
            seq = self._recorder.append(
                "event",
                at=moment(turn.raw),
                name="tool result",
                sender=inline(self._recorder, result.name or turn.actor or turn.said_role),
                value=value,
                source_index=turn.index,
            )
            slot = "value"
        else:
            slot = "error" if result.failed else "output"
            fields = {} if value is None else {slot: value}
            seq = self._recorder.append(
                "link_closed",
                at=moment(turn.raw),
                link=opened[0],
                status="error" if result.failed else "answered",
                attrs={},
                **fields,
            )
        if value is not None and position is not None:
            self._transcript.part(position, result, {"seq": seq, "slot": slot})

    def abandon(self) -> None:
        """Close every link that no result answered, and say so."""
        for seq, name in self._open.values():
            self._recorder.append("link_closed", link=seq, status="abandoned")
            self._recorder.append(
                "lost",
                what="dropped",
                reason=f"the source holds no result of the call of {name}",
                target={"seq": seq, "slot": "output"},
                parent=seq,
            )
        self._open.clear()
