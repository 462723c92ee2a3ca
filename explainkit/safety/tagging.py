"""Choose the tag of each object, by its real type and never by what it claims to be."""

import enum
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from explainkit.safety import containers, scalars
from explainkit.safety.described import ancestry
from explainkit.safety.limits import Limits
from explainkit.safety.objects import (
    dataclass_instance,
    enum_member,
    exception,
    model_instance,
    named_tuple,
)
from explainkit.safety.tables import table_handler
from explainkit.safety.walking import Walk, walk

_EXACT: dict[type, Callable[[Walk, Any], Any]] = {**scalars.SCALARS, **containers.CONTAINERS}
_BASES: dict[type, Callable[[Walk, Any], Any]] = {
    **_EXACT,
    **scalars.LOOSE,
    **containers.LOOSE,
}


def tagged(value: Any, *, limits: Limits) -> tuple[Any, Walk]:
    """Return the tagged JSON tree of any object, and the walk that tells what was lost."""
    return walk(value, _grow, limits=limits)


def _grow(state: Walk, value: Any) -> Any:
    """Return the node of one object, or the node with the children that are to fill it."""
    kind = type(value)
    if kind is bool or value is None:
        return value
    listed, uncounted = len(state.losses), state.uncounted
    try:
        handler = _EXACT.get(kind)
        if handler is not None:
            return handler(state, value)
        return _foreign(state, value, kind)
    except Exception:  # whatever a hostile class raises, its type and repr remain
        del state.losses[listed:]
        state.uncounted = uncounted
        return state.described(value)


def _foreign(state: Walk, value: Any, kind: type) -> Any:
    special = table_handler(kind)
    if special is not None:
        return special(state, value)
    mro = ancestry(kind)
    if enum.Enum in mro:
        return enum_member(state, value)
    if BaseModel in mro:
        return model_instance(state, value)
    if BaseException in mro:
        return exception(state, value)
    if any("__dataclass_fields__" in base.__dict__ for base in mro[:-1]):
        return dataclass_instance(state, value)
    if tuple in mro and any("_fields" in base.__dict__ for base in mro[:-1]):
        return named_tuple(state, value)
    for base in mro:
        if base in _BASES:
            if kind.__name__ == "NaTType":
                break
            state.retyped(value)
            return _BASES[base](state, value)
    return state.described(value)
