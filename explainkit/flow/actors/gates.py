"""The actor that waits for somebody outside: a person, a callback, another program."""

import json
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import PydanticUserError
from pydantic.errors import PydanticInvalidForJsonSchema

from explainkit.errors import ChartError
from explainkit.flow.statecharts.event_definitions import EventDefinition
from explainkit.safety import shorten


class OpenGate(Protocol):
    """A Gate of a running machine, as one sees it who can answer."""

    @property
    def name(self) -> str:
        """Key of the Gate in the machine."""
        ...

    @property
    def accepts(self) -> tuple[EventDefinition, ...]:
        """Events that can be sent."""
        ...

    @property
    def meta(self) -> Mapping[str, Any]:
        """What the chart tells those who answer: a title, a question."""
        ...

    @property
    def over(self) -> bool:
        """Whether the machine no longer waits here; then everything is refused."""
        ...

    def send(self, event: str, payload: Any = None) -> None:
        """Send an event.

        Raises:
            RefusedError: The event is not accepted now.
            PayloadError: What comes with it does not fit its schema.
        """
        ...


@dataclass(frozen=True, slots=True)
class Gate:
    """An actor that waits for an event from outside; see `gate`.

    Attributes:
        accepts: Events that can be sent to it.
        meta: What those who answer are told, plain JSON data.
        kind: Always `gate`.
    """

    accepts: tuple[EventDefinition, ...]
    meta: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["gate"] = field(default="gate", init=False, repr=False)

    def describe(self) -> dict[str, Any]:
        """What it accepts, as plain JSON data for those who answer.

        Returns:
            `accepts`, a list of `{name, description, schema}`, and `meta`.
        """
        accepts = [
            {"name": event.name, "description": event.description, "schema": event.schema}
            for event in self.accepts
        ]
        told: dict[str, Any] = _copied({"accepts": accepts, "meta": dict(self.meta)})
        return told


def gate(*events: EventDefinition, meta: Mapping[str, Any] | None = None) -> Gate:
    """An actor that waits for a person, a callback or another program.

    Args:
        events: Definitions of what can be sent to it; their audience is `external` or `any`.
        meta: What those who answer are told, plain JSON data; a notebook's form shows `title` and
            `question` first.

    Raises:
        ChartError: There is no event, one is given twice, is for Agents only or has no JSON
            schema; or `meta` is no plain JSON data.

    Example:
        >>> from explainkit.flow.statecharts.event_definitions import define_event
        >>> approve = define_event("approve", "The change may be merged.", audience="external")
        >>> review = gate(approve, meta={"question": "Merge it?"})
        >>> [event["name"] for event in review.describe()["accepts"]]
        ['approve']
    """
    if not events:
        raise ChartError("gate(): nobody could answer. Pass at least one define_event(...).")
    names: set[str] = set()
    for event in events:
        _check_event(event)
        if event.name in names:
            raise ChartError(f'gate(): the event "{event.name}" is given twice. Pass it once.')
        names.add(event.name)
    return Gate(tuple(events), _checked_meta({} if meta is None else meta))


def _check_event(event: Any) -> None:
    if not isinstance(event, EventDefinition):
        raise ChartError(
            f"gate(): {shorten(repr(event), 80)} is no event definition. Use define_event(...)."
        )
    if event.audience == "agent":
        raise ChartError(
            f'gate(): "{event.name}" is for Agents only. '
            'Define it with audience="external" or "any".'
        )
    try:
        _copied(event.schema)
    except (PydanticInvalidForJsonSchema, PydanticUserError, TypeError, ValueError) as error:
        raise ChartError(
            f'gate(): the input of "{event.name}" has no JSON schema: '
            f"{shorten(str(error).partition(chr(10))[0], 160)}. Use a pydantic model."
        ) from error


def _checked_meta(meta: Any) -> Mapping[str, Any]:
    if isinstance(meta, Mapping):
        try:
            copied: Mapping[str, Any] = _copied(dict(meta))
            if copied == meta:
                return copied
        except (TypeError, ValueError, RecursionError):
            pass
    raise ChartError(
        f"gate(): meta={shorten(reprlib.repr(meta), 120)} is no plain JSON data: a mapping "
        "with text keys of texts, finite numbers, lists and mappings."
    )


def _copied(data: Any) -> Any:
    return json.loads(json.dumps(data, allow_nan=False))
