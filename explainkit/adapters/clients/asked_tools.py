"""A tool that a recorded reply asked for, as a link: opened by the call, closed by its result."""

from typing import Any, NamedTuple

from explainkit.adapters.arguments import Argument, arguments_of
from explainkit.adapters.dialects.pointer import at
from explainkit.adapters.transcript import Origin
from explainkit.adapters.turns import Call, Result
from explainkit.adapters.wording import inline
from explainkit.tracing.active import ActiveRun


class Asked(NamedTuple):
    """A call that a recorded reply holds.

    Attributes:
        call: The call.
        raw: The message that holds it.
        origin: Occurrence of that message.
        path: JSON Pointer from the reply's output to the message.
        digest: Of the message.
    """

    call: Call
    raw: Any
    origin: Origin
    path: str
    digest: str

    @property
    def key(self) -> tuple[int, str]:
        """Where the call stands in the record."""
        return self.origin["seq"], self.path + self.call.path


def write_tool_link(
    run: ActiveRun, asked: Asked, result: Result, digest: str, *, parent: int | None
) -> Origin:
    """Write the link of a call whose result was sent back; when it ran is not known.

    Args:
        run: The run.
        asked: The call.
        result: Its result.
        digest: Of the result's value.
        parent: The link that the result was sent in.

    Returns:
        Occurrence of the result.
    """
    recorder = run.recorder
    arguments, _ = arguments_of(asked.call)
    opened = recorder.append(
        "link_opened",
        parent=parent,
        type="tool",
        name=inline(recorder, asked.call.name),
        inputs=[_input(run, asked, argument) for argument in arguments],
        attrs={"call": inline(recorder, asked.call.id or "")},
    )
    slot = "error" if result.failed else "output"
    status = "error" if result.failed else "answered"
    fields: dict[str, Any] = {slot: digest}
    closed = recorder.append("link_closed", link=opened, status=status, **fields)
    if not result.failed:
        run.outputs[digest.encode()] = closed
    return {"seq": closed, "slot": slot}


def _input(run: ActiveRun, asked: Asked, argument: Argument) -> dict[str, Any]:
    recorder = run.recorder
    path = asked.path + argument.path
    source: Origin = {"seq": asked.origin["seq"], "slot": "output", "path": path}
    written = at(asked.raw, argument.path)
    # Offsets are of what is stored, and redaction may have shifted them.
    kept = isinstance(written, str) and recorder.redactor.text(written) == written
    if argument.start is not None and kept:
        source |= {"start": argument.start, "end": argument.end}
    value = recorder.value(argument.value, name=argument.slot)
    return {"slot": inline(recorder, argument.slot), "value": value, "from": [source]}
