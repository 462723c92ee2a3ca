"""The one rule of what goes to an Agent: strict JSON, or nothing."""

import datetime as dt
import enum
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from explainkit.safety.described import type_name

_DEEPEST = 100


class NoJsonForm(Exception):  # noqa: N818 - never raised out of this package
    """A value has no JSON form; the message says what stands in the way and where."""


def json_form(value: Any) -> Any:
    """A value as JSON data: null, booleans, numbers, texts, lists, objects with text keys.

    Pydantic models, dataclasses, enums, dates, times and numpy scalars have a form; tuples are
    lists. NaN, infinities, other keys, bytes, sets and everything else have none (ours).

    Raises:
        NoJsonForm: It has none.

    Example:
        >>> json_form({"when": dt.date(2026, 3, 4), "sizes": (1, 2)})
        {'when': '2026-03-04', 'sizes': [1, 2]}
    """
    try:
        return _form(value, "", _DEEPEST)
    except NoJsonForm:
        raise
    except Exception as error:  # a value's own code ran, and its faults are not the machine's
        kind = type_name(type(value))
        raise NoJsonForm(f"the value is a {kind} that cannot be read through") from error


def _form(value: Any, path: str, room: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return _form(value.value, path, room)
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, int):
        return int.__int__(value)  # what it is, whatever its class makes of it
    if isinstance(value, float):
        return _number(value, path)
    if room == 0:
        raise NoJsonForm(f"{_place(path)} is nested deeper than {_DEEPEST}, or holds itself")
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, BaseModel):
        return _form(_dumped(value, path), path, room - 1)
    if is_dataclass(value) and not isinstance(value, type):
        named = {each.name: getattr(value, each.name) for each in fields(value)}
        return _form(named, path, room)
    if isinstance(value, Mapping):
        return {_key(k, path): _form(v, f"{path}/{k}", room - 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_form(item, f"{path}/{n}", room - 1) for n, item in enumerate(value)]
    return _scalar(value, path, room)


def _scalar(value: Any, path: str, room: int) -> Any:
    """A numpy scalar as the Python value it stands for, told without importing numpy."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        plain = value.item()
        if type(plain) in (bool, int, float, str):
            return _form(plain, path, room)
    raise NoJsonForm(f"{_place(path)} is a {type_name(type(value))}, which has no JSON form")


def _dumped(value: BaseModel, path: str) -> Any:
    try:
        return value.model_dump(mode="json")
    except Exception as error:
        raise NoJsonForm(f"{_place(path)} is a model that cannot be dumped") from error


def _text(value: str, path: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NoJsonForm(f"{_place(path)} holds a lone surrogate") from error
    return str.__str__(value)


def _number(value: float, path: str) -> float:
    plain = float.__float__(value)
    if not math.isfinite(plain):
        raise NoJsonForm(f"{_place(path)} is {plain}, which JSON lacks")
    return plain


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise NoJsonForm(f"{_place(path)} has a key that is no text")
    return _text(key.value if isinstance(key, enum.Enum) else key, path)


def _place(path: str) -> str:
    return f"what stands at {path[:80]}" if path else "the value"
