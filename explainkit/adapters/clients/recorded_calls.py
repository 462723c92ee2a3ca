"""One call of a client as a link of the run: opened with what is sent, closed with what came."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, ParamSpec, TypeVar

from explainkit.adapters.clients.apis import Api, Said
from explainkit.adapters.clients.replies_seen import CallsSeen
from explainkit.adapters.clients.sent import Sent, sent_in
from explainkit.adapters.dialects import turns_of
from explainkit.adapters.replies import reply_of
from explainkit.adapters.turns import Turn
from explainkit.adapters.wording import inline
from explainkit.flow.models.client_data import as_data, listed, mapping
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.cells import current_cell
from explainkit.tracing.current import Frame
from explainkit.tracing.opening import close_raised

P = ParamSpec("P")
R = TypeVar("R")

_UNREAD: Final = "dropped"
_PLAIN: Final = ("role", "content", "name", "type")
_TEXT: Final = ("type", "text")


def quietly(run: ActiveRun, step: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R | None:
    """Take a step of recording; what goes wrong in it is counted and never reaches the caller."""
    try:
        return step(*args, **kwargs)
    except Exception as fault:  # noqa: BLE001 - the tracer's law
        run.fault(fault)
    return None


class RecordedCall:
    """A call while it goes on.

    Attributes:
        run: The run that records it.
        link: The link's id.
        frame: The run and the link, for what happens inside the call.
        streams: Whether the reply comes in pieces.
        steps: Whether the client works on the next piece now.
    """

    def __init__(self, frame: Frame, api: Api, body: Mapping[str, Any]) -> None:
        """Open the link of a call that is about to be made in `frame`."""
        self.run = run = frame.run
        self._recorder = run.recorder
        self._api = api
        self._joined = api.joined()
        self._over = False
        self.steps = False
        sent = sent_in(api, as_data(body))
        self.streams = sent.streams
        with run.recorder.lock:
            self._seen = CallsSeen.of(run)
            self.link = self._open(frame, sent)
            self._seen.opened(self.link)
            run.links[self.link] = []
        self.frame = Frame(run, self.link, frame.unlinked)

    def _open(self, frame: Frame, sent: Sent) -> int:
        recorder = self._recorder
        inputs = []
        for slot, value in sent.slots.items():
            if slot == "messages" and isinstance(value, list) and value:
                inputs.append(self._seen.slot(value, parent=frame.link))
            else:
                inputs.append({"slot": slot, "value": recorder.value(value, name=slot)})
        attrs: dict[str, Any] = {"api": self._api.name}
        if sent.parameters:
            attrs["parameters"] = sent.parameters
        if sent.streams:
            attrs["stream"] = True
        return recorder.append(
            "link_opened",
            parent=frame.link,
            type="model",
            name=inline(recorder, sent.model),
            inputs=inputs,
            unlinked=True if frame.unlinked else None,
            cell=current_cell(),
            attrs=attrs,
        )

    def close_raised(self, error: BaseException) -> None:
        """Close with what the client raised instead of a reply."""
        self._over = True
        close_raised(self.run, self.link, error)

    def close_reply(self, result: Any) -> None:
        """Close with a reply that came whole."""
        data = as_data(result)
        said = self._api.read(data)
        if said is None:
            self._close("answered", {"output": self._recorder.value(data)}, {})
        else:
            self._close_said("answered", said)

    def close_raw(self, response: Any) -> None:
        """Close with a response that the caller reads alone, if its body is there already."""
        try:
            data = json.loads(response.content)
        except Exception:  # noqa: BLE001 - not read yet, or no JSON; each client has own errors
            self.close_unread("the caller reads the raw response")
            return
        self.close_reply(data)

    def close_unread(self, reason: str) -> None:
        """Close without an output, and say why there is none."""
        with self._recorder.lock:
            closed = self._close("answered", {}, {})
            if closed is not None:
                self._recorder.append(
                    "lost",
                    what=_UNREAD,
                    reason=f"the reply was not recorded: {reason}",
                    target={"seq": closed, "slot": "output"},
                    parent=self.link,
                )

    def add(self, piece: Any) -> None:
        """Take the next piece of a streamed reply."""
        self._joined.add(as_data(piece))

    def close_streamed(self, status: str, error: BaseException | None = None) -> None:
        """Close with what the pieces join to; a second call does nothing."""
        if not self._over:
            self.run.on_end(self.link, None)
            said = self._joined.said()
            self._close_said(status, said, error)

    def close_broken(self, error: BaseException) -> None:
        """Close a stream that raised, with what came before."""
        # By type, because isinstance would ask the exception for its __class__.
        stopped = not issubclass(type(error), Exception)
        self.close_streamed("cancelled" if stopped else "error", error)

    def _close_said(self, status: str, said: Said, error: BaseException | None = None) -> None:
        fields: dict[str, Any] = {}
        facts = dict(said.facts)
        turns: list[Turn] = []
        with self._recorder.lock:
            if said.messages:
                output, turns, beside = _output(said)
                fields["output"] = self._recorder.value(output)
                if beside is not None:
                    facts["raw"] = self._recorder.value(beside)
            if error is not None:
                fields["error"] = self._recorder.value(error)
            closed = self._close(status, fields, facts)
            if closed is not None and turns:
                self._seen.said(turns, closed, many=len(said.messages) > 1)

    def _close(self, status: str, fields: dict[str, Any], facts: dict[str, Any]) -> int | None:
        """Write the closing record, unless the run ended first and closed the link."""
        self._over = True
        run, recorder = self.run, self._recorder
        with recorder.lock:
            if run.ended or self.link not in run.links:
                return None
            attrs = facts or None
            seq = recorder.append(
                "link_closed", link=self.link, status=status, **fields, attrs=attrs
            )
            del run.links[self.link]
            if "output" in fields:
                run.outputs[fields["output"].encode()] = seq
            return seq


def _output(said: Said) -> tuple[Any, list[Turn], Any]:
    """The output as an imported chat has it, its turns, and the message when that says more."""
    skipped: list[tuple[int, str]] = []
    whole: Any = said.messages if len(said.messages) > 1 else said.messages[0]
    turns = turns_of(said.messages, skipped)
    if said.choices > 1 or skipped or not turns:
        return whole, [], None
    reply = reply_of(turns)
    if not reply.has_output:
        return whole, turns, None
    return reply.output, turns, reply.beside if _says_more(reply.beside) else None


def _says_more(message: Any) -> bool:
    """Whether a message holds more than the texts that are its output."""
    if not isinstance(message, Mapping):
        return message is not None
    if any(value for key, value in message.items() if key not in _PLAIN):
        return True
    blocks = map(mapping, listed(message.get("content")))
    return any(value for block in blocks for key, value in block.items() if key not in _TEXT)
