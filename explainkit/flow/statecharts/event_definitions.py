"""Events by definition: a name, what it means, what comes with it, and who may send it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from re import fullmatch
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from explainkit.errors import ChartError, PayloadError
from explainkit.safety import shorten

Sender: TypeAlias = Literal["agent", "external", "any"]
_NAME = r"[A-Za-z0-9_-]+"


@dataclass(frozen=True)
class EventDefinition:
    """An event that a machine with Agents handles.

    Attributes:
        name: Letters, digits, `_` and `-`.
        description: What it means, in the words that an Agent reads.
        input: Type of what comes with it, anything that pydantic validates; None for nothing.
        audience: Who may send it: an `agent`, something `external`, or `any`.
    """

    name: str
    description: str = ""
    input: Any = None
    audience: Sender = "any"

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.input)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of what comes with it, an object schema."""
        if self.input is None:
            return {"type": "object", "properties": {}, "additionalProperties": False}
        return self._adapter.json_schema()

    def parsed(self, payload: Any) -> Any:
        """A payload as plain JSON data, with defaults applied.

        Raises:
            PayloadError: It does not fit the schema.
        """
        if self.input is None:
            if payload:
                raise PayloadError(
                    f'"{self.name}" takes nothing, but came with {shorten(repr(payload), 120)}; '
                    "send it without arguments"
                )
            return {}
        try:
            value = self._adapter.validate_python({} if payload is None else payload)
            return self._adapter.dump_python(value, mode="json", by_alias=True)
        except ValidationError as error:
            raise PayloadError(f'"{self.name}" does not fit: {_told(error)}') from error


def define_event(
    name: str,
    description: str = "",
    *,
    input: Any = None,  # noqa: A002 - the word of the machine's other inputs
    audience: Sender = "any",
) -> EventDefinition:
    """Define an event that Agents, Gates or callers can send.

    Args:
        name: Letters, digits, `_` and `-`; it is the name of the Agent's tool.
        description: What it means, in the words that an Agent reads.
        input: A pydantic model, or any type that pydantic validates to a JSON object; nothing
            comes with the event when not given.
        audience: Who may send it: `agent`, `external` (a Gate, a caller), or `any`.

    Raises:
        ChartError: The name or the audience cannot be used.

    Example:
        >>> define_event("finished", "Say that the tests pass.").schema["properties"]
        {}
    """
    if not fullmatch(_NAME, str(name)):
        raise ChartError(
            f"define_event({shorten(repr(name), 80)}): a name is made of letters, digits, _ and -; "
            "names with dots are the machine's own."
        )
    if audience not in ("agent", "external", "any"):
        raise ChartError(
            f'define_event("{name}"): audience is agent, external or any, not '
            f"{shorten(repr(audience), 40)}."
        )
    return EventDefinition(name, description, input, audience)


def declared_events(machine: str, events: Sequence[EventDefinition]) -> Mapping[str, Any]:
    """Definitions by name.

    Raises:
        ChartError: Two have one name, one is no definition, or what comes with one is no object.
    """
    declared: dict[str, EventDefinition] = {}
    for event in events:
        if not isinstance(event, EventDefinition):
            raise ChartError(
                f'Machine "{shorten(machine, 80)}": {shorten(repr(event), 80)} is no event '
                "definition. Use define_event(...)."
            )
        if event.name in declared:
            raise ChartError(
                f'Machine "{shorten(machine, 80)}": the event "{event.name}" is defined twice.'
            )
        problem = _schema_problem(event)
        if problem is not None:
            raise ChartError(
                f'Machine "{shorten(machine, 80)}": the input of the event "{event.name}" '
                f"{problem}. Use a pydantic model, or another type of a JSON object."
            )
        declared[event.name] = event
    return declared


def _schema_problem(event: EventDefinition) -> str | None:
    try:
        kind = event.schema.get("type", "object")
    except Exception as error:  # noqa: BLE001 - pydantic raises what it comes upon in no type
        return f"has no JSON Schema: {type(error).__name__}: {shorten(str(error), 200)}"
    return None if kind == "object" else f"is a JSON {shorten(str(kind), 40)}, not an object"


def _told(error: ValidationError) -> str:
    shown = [
        f"{'.'.join(map(str, each['loc'])) or 'the whole'}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    ]
    return shorten("; ".join(shown), 400)
