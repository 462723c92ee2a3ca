"""Fields of a form from a JSON schema: a widget for what is simple, JSON text for the rest."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import ipywidgets

from explainkit.safety import shorten
from explainkit.view.plain_widgets import disarmed

LEFT_OUT = object()
"""What a field reads as when nothing was filled in, so that the default of the event applies."""
_WIDE = {"description_width": "initial"}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form.

    Attributes:
        name: Key of its value.
        widget: What is filled in.
        read: Its value; `LEFT_OUT` when it is empty. Raises a ValueError that says what is wrong.
        hint: What it means.
        is_whole: Whether its value is the payload itself.
    """

    name: str
    widget: "ipywidgets.DOMWidget"
    read: Callable[[], Any]
    hint: str = ""
    is_whole: bool = False


def fields_of(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    """The fields of an object schema; one for the whole when its keys are not known."""
    definitions = schema.get("$defs", {})
    whole, _ = _resolved(schema, definitions)
    properties = whole.get("properties")
    if properties:
        return tuple(
            _field(name, *_resolved(each, definitions)) for name, each in properties.items()
        )
    takes_nothing = properties == {} and whole.get("additionalProperties") is False
    return () if takes_nothing else (replace(_json("payload", {}), is_whole=True),)


def payload_of(fields: tuple[Field, ...]) -> Any:
    """What was filled in.

    Raises:
        ValueError: A field cannot be read; the message names it.
    """
    payload: dict[str, Any] = {}
    for field in fields:
        try:
            value = field.read()
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{field.name}: {shorten(str(error), 200)}") from error
        if value is not LEFT_OUT:
            if field.is_whole:
                return value
            payload[field.name] = value
    return payload


def _resolved(schema: Any, definitions: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """A schema with its reference followed, and whether null may stand for it."""
    found, optional = dict(schema) if isinstance(schema, Mapping) else {}, False
    prefix = "#/$defs/"
    for _ in range(8):  # references to references; more are left as JSON text
        others = [each for each in found.get("anyOf", ()) if each != {"type": "null"}]
        reference = found.get("$ref")
        if isinstance(reference, str) and reference.startswith(prefix):
            del found["$ref"]
            found = {**definitions.get(reference[len(prefix) :], {}), **found}
        elif len(others) == 1 and len(found["anyOf"]) == 2:
            del found["anyOf"]
            found, optional = {**others[0], **found}, True
        else:
            break
    return found, optional


def _field(name: str, schema: dict[str, Any], optional: bool) -> Field:
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if choices:
        return _choice(name, schema, choices, optional)
    kind = schema.get("type")
    if kind == "boolean" and not optional:
        return _checkbox(name, schema)
    if kind == "string":
        return _text(name, schema)
    if kind in ("integer", "number"):
        return _number(name, schema, whole=kind == "integer")
    return _json(name, schema)


def _choice(name: str, schema: dict[str, Any], choices: list[Any], optional: bool) -> Field:
    # Numbers stand for the choices: two of them may be equal to Python, like 1 and true.
    options: list[tuple[str, int | None]] = [
        (disarmed(each if isinstance(each, str) else json.dumps(each)), number)
        for number, each in enumerate(choices)
    ]
    default = schema.get("default")
    chosen = next((i for i, each in enumerate(choices) if _is_same(each, default)), None)
    if "const" in schema and not optional:
        chosen = 0
    if chosen is None or optional:
        options = [("(nothing chosen)", None), *options]
    widget = ipywidgets.Dropdown(
        options=options, value=chosen, description=disarmed(name), style=_WIDE
    )

    def read() -> Any:
        if widget.value is not None:
            return choices[widget.value]
        return LEFT_OUT if default is None else None

    return Field(name, widget, read, schema.get("description", ""))


def _is_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _checkbox(name: str, schema: dict[str, Any]) -> Field:
    widget = ipywidgets.Checkbox(
        value=schema.get("default") is True, description=disarmed(name), indent=False
    )
    return Field(name, widget, lambda: widget.value, schema.get("description", ""))


def _text(name: str, schema: dict[str, Any]) -> Field:
    default = schema.get("default")
    widget = ipywidgets.Text(
        value=default if isinstance(default, str) else "",
        description=disarmed(name),
        style=_WIDE,
    )

    def read() -> Any:
        # Without a default, an empty field is one that nobody filled in.
        return widget.value if widget.value or default else LEFT_OUT

    return Field(name, widget, read, schema.get("description", ""))


def _number(name: str, schema: dict[str, Any], *, whole: bool) -> Field:
    # A text, because a number field cannot be empty and would send 0 for what nobody filled in.
    default = schema.get("default")
    widget = ipywidgets.Text(
        value="" if default is None else json.dumps(default),
        placeholder="a whole number" if whole else "a number",
        description=disarmed(name),
        style=_WIDE,
    )

    def read() -> Any:
        text = widget.value.strip()
        if not text:
            return LEFT_OUT
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise ValueError(f"{shorten(repr(text), 80)} is not {widget.placeholder}.")
        return value

    return Field(name, widget, read, schema.get("description", ""))


def _json(name: str, schema: dict[str, Any]) -> Field:
    default = schema.get("default")
    widget = ipywidgets.Textarea(
        value="" if default is None else json.dumps(default, ensure_ascii=False, indent=1),
        placeholder="JSON",
        description=disarmed(name),
        style=_WIDE,
    )

    def read() -> Any:
        if not widget.value.strip():
            return LEFT_OUT
        return json.loads(widget.value, parse_constant=_no_constant)

    return Field(name, widget, read, schema.get("description", ""))


def _no_constant(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON.")
