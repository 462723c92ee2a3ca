"""Tags of objects with fields: enums, dataclasses, named tuples, pydantic models, exceptions."""

from types import MemberDescriptorType
from typing import Any

from pydantic import BaseModel

from explainkit.safety.described import ancestry, message_of, type_name
from explainkit.safety.own_frames import frames_of
from explainkit.safety.surrogates import without_surrogates
from explainkit.safety.walking import Child, Grown, Walk

_CHAIN = 4
"""Exceptions of one chain of causes that are kept."""


def enum_member(walk: Walk, value: Any) -> Grown:
    """Encode an enum member by type, name and value."""
    walk.retyped(value)
    own = object.__getattribute__(value, "__dict__")
    name = own.get("_name_")
    body: dict[str, Any] = {
        "type": type_name(type(value)),
        "name": without_surrogates(name) if type(name) is str else None,
        "value": None,
    }
    return Grown({"$enum": body}, [Child(own.get("_value_"), body, "value", None)], 2)


def dataclass_instance(walk: Walk, value: Any) -> Grown:
    """Encode a dataclass by its fields, without running properties or descriptors of its class."""
    names = [name for name in _static(type(value), "__dataclass_fields__") if type(name) is str]
    stored = _stored(value, names)
    return _fielded(walk, value, "$dataclass", stored)


def named_tuple(walk: Walk, value: tuple[Any, ...]) -> Grown:
    """Encode a named tuple by its field names and items."""
    names = _static(type(value), "_fields")
    stored = dict(zip(names, tuple.__iter__(value), strict=True))
    return _fielded(walk, value, "$namedtuple", stored)


def model_instance(walk: Walk, value: BaseModel) -> Grown:
    """Encode a pydantic model by what it stores: fields and extra fields, no computed ones."""
    stored = dict(object.__getattribute__(value, "__dict__"))
    extra = object.__getattribute__(value, "__pydantic_extra__")
    if type(extra) is dict:
        stored.update(extra)
    return _fielded(walk, value, "$model", stored)


def _fielded(walk: Walk, value: Any, tag: str, stored: dict[str, Any]) -> Grown:
    walk.retyped(value)
    # As a dict, so that a field named like a tag is escaped as a key would be.
    body: dict[str, Any] = {"type": type_name(type(value)), "fields": None}
    return Grown({tag: body}, [Child(stored, body, "fields", None)], 2)


def _static(kind: type, name: str) -> Any:
    for base in ancestry(kind):
        found = type.__dict__["__dict__"].__get__(base)
        if name in found:
            return found[name]
    return None


def _stored(value: Any, names: list[str]) -> dict[str, Any]:
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    stored: dict[str, Any] = {}
    for name in names:
        if name in own:
            stored[name] = own[name]
            continue
        slot = _static(type(value), name)
        if type(slot) is MemberDescriptorType:
            try:
                stored[name] = slot.__get__(value)
            except AttributeError:
                continue
    return stored


def exception(walk: Walk, value: BaseException) -> Any:
    """Encode an exception: type, message, the frames it passed through, and what caused it.

    The frames of the user's own code come first, so that no cut of the text takes them away.
    """
    walk.retyped(value)
    body = _one_exception(walk, value)
    last = body
    seen = {id(value)}
    cause = _cause(value)
    while cause is not None and len(seen) < _CHAIN and id(cause) not in seen:
        seen.add(id(cause))
        last["cause"] = _one_exception(walk, cause)
        last, cause = last["cause"], _cause(cause)
    return {"$exception": body}


def _cause(error: BaseException) -> BaseException | None:
    if error.__cause__ is not None or error.__suppress_context__:
        return error.__cause__
    return error.__context__


def _one_exception(walk: Walk, error: BaseException) -> dict[str, Any]:
    words = message_of(error, limit=max(walk.limits.repr_length, 1) * 10)
    body: dict[str, Any] = {
        "type": type_name(type(error)),
        "message": without_surrogates(words.text),
    }
    if words.length > len(words.text):
        walk.lose("truncated", len(words.text), words.length, "message")
        body["of"] = words.length
    own, frames = frames_of(error.__traceback__, walk.limits.frames)
    if own:
        body["at"] = own
    if frames:
        body["trace"] = frames
    return body
