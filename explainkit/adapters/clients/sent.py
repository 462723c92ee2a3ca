"""The parts of a request: what the model reads as slots, and small settings as parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from explainkit.adapters.clients.apis import Api

_SHORT: Final = 200
_OWN: Final = ("model", "stream", "stream_options")


@dataclass(frozen=True, slots=True)
class Sent:
    """A request.

    Attributes:
        model: Name of the model that is asked.
        slots: What the model reads, by slot: `system`, `messages`, `tools`, and every setting that
            is more than a number or a short text.
        parameters: The other settings.
        streams: Whether the reply is to come in pieces.
    """

    model: str
    slots: Mapping[str, Any]
    parameters: Mapping[str, Any]
    streams: bool


def sent_in(api: Api, body: Mapping[str, Any]) -> Sent:
    """Read the body of a request, as plain data."""
    named = [(slot, body[key]) for key, slot in api.slots.items() if body.get(key) is not None]
    slots, parameters = dict(named), {}
    for key, value in body.items():
        if key in api.slots or key in _OWN or value is None:
            continue
        if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= _SHORT):
            parameters[key] = value
        else:
            slots[key] = value
    model = body.get("model")
    name = model if isinstance(model, str) and model else api.name
    return Sent(name, slots, parameters, streams=body.get("stream") is True)
