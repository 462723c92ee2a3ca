"""Tags back to Python objects, without trusting the bytes."""

import base64
import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import orjson

from explainkit.errors import DamagedValueError
from explainkit.safety.surrogates import unpacked

_CALLED = {"$frame": "DataFrame", "$series": "Series", "$array": "array"}


@dataclass(frozen=True, slots=True, repr=False)
class Opaque:
    """Stands for an object that cannot be rebuilt.

    Attributes:
        type: Name of the Python type, or the tag for samples and cuts.
        fields: What was kept of it, by name.
        repr: Its bounded repr or message, when that is what was kept.
    """

    type: str
    fields: dict[str, Any] = field(default_factory=dict)
    repr: str = ""

    def __repr__(self) -> str:
        """What a person knows it by: how the object wrote itself, else its type."""
        if self.repr and self.fields.get("repr") == self.repr:
            return self.repr
        return f"<{self.called}>"

    @property
    def called(self) -> str:
        """Its type in short.

        Example:
            >>> Opaque("shop.orders.Order").called, Opaque("$frame").called
            ('Order', 'DataFrame')
        """
        if self.is_cut and self.type == "$cut":
            return str(self.fields["kind"])
        return _CALLED.get(self.type) or self.type.removeprefix("$").rpartition(".")[2]

    @property
    def is_cut(self) -> bool:
        """Whether it is a text, list or other plain value, of which only a part was kept."""
        return self.fields.keys() >= {"kind", "kept", "of"}

    __hash__ = None  # type: ignore[assignment]  # fields are a dict


def decode(data: bytes) -> Any:
    """Return the Python object that canonical bytes stand for.

    Dataclasses, models, exceptions, arrays and whatever else cannot be rebuilt come back as
    :class:`Opaque`.

    Args:
        data: Canonical bytes.

    Raises:
        DamagedValueError: The bytes are not JSON, or hold a tag with a body that no encoder writes.

    Example:
        >>> decode(b'{"$tuple":[1,2]}')
        (1, 2)
    """
    try:
        node = orjson.loads(data)
    except ValueError as error:
        raise DamagedValueError(f"not JSON: {bytes(data[:60])!r} ({error})") from error
    return untagged(node) if b'"$' in data else node


def untagged(tree: Any) -> Any:
    """Return the Python object of a freshly parsed tagged tree, which is used up.

    Raises:
        DamagedValueError: A tag has a body that no encoder writes.
    """
    top = [tree]
    slots: list[tuple[Any, Any]] = [(top, 0)]
    for holder, key in slots:  # grows while it is read: parents always stand before children
        node = holder[key]
        if type(node) is dict:
            slots.extend((node, name) for name, item in node.items() if type(item) in _NESTED)
        elif type(node) is list:
            slots.extend((node, index) for index, item in enumerate(node) if type(item) in _NESTED)
    for holder, key in reversed(slots):
        node = holder[key]
        if type(node) is dict and any(name[:1] == "$" for name in node):
            holder[key] = _object(node)
    return top[0]


_NESTED = frozenset({dict, list})


def _object(node: dict[str, Any]) -> Any:
    if len(node) != 1:
        raise DamagedValueError(f"a tag has company: {sorted(node)[:4]}")
    [(tag, body)] = node.items()
    build = _BUILD.get(tag)
    if build is None:
        return _stand_in(tag, body)
    try:
        return build(body)
    except (ValueError, TypeError, ArithmeticError, AttributeError) as error:
        raise DamagedValueError(f"the body of {tag} is not what it should be ({error})") from error


def _stand_in(tag: str, body: Any) -> Opaque:
    if type(body) is not dict:
        return Opaque(tag, {"value": body})
    name = body.get("type")
    inner = body.get("fields")
    words = body.get("repr", body.get("message", ""))
    fields = inner if type(inner) is dict else {key: body[key] for key in body if key != "type"}
    return Opaque(name if type(name) is str else tag, fields, words if type(words) is str else "")


def _need(body: Any, kind: type) -> Any:
    if type(body) is not kind:
        raise ValueError(f"expected {kind.__name__}, found {type(body).__name__}")
    return body


def _pairs(body: Any) -> dict[Any, Any]:
    return dict(_need(pair, list) for pair in _need(body, list))


def _named(body: Any) -> dict[str, Any]:
    return {_need(key, str): item for key, item in _pairs(body).items()}


def _integer(body: Any) -> int:
    text = _need(body, str)
    return int(text, 16) if "x" in text else int(text)


def _real(body: Any) -> float:
    if body not in {"nan", "inf", "-inf"}:
        raise ValueError(f"unknown number {body!r}"[:60])
    return float(body)


def _complex(body: Any) -> complex:
    real, imaginary = _need(body, list)
    return complex(float(_need(real, str)), float(_need(imaginary, str)))


def _duration(body: Any) -> dt.timedelta:
    days, seconds, microseconds = (_need(part, int) for part in _need(body, list))
    return dt.timedelta(days, seconds, microseconds)


_BUILD: dict[str, Callable[[Any], Any]] = {
    "$float": _real,
    "$int": _integer,
    "$text": lambda body: unpacked(_need(body, str)),
    "$bytes": lambda body: base64.b64decode(_need(body, str), validate=True),
    "$tuple": lambda body: tuple(_need(body, list)),
    "$set": lambda body: set(_need(body, list)),
    "$frozenset": lambda body: frozenset(_need(body, list)),
    "$pairs": _pairs,
    "$dict": _named,
    "$date": lambda body: dt.date.fromisoformat(_need(body, str)),
    "$datetime": lambda body: dt.datetime.fromisoformat(_need(body, str)),
    "$time": lambda body: dt.time.fromisoformat(_need(body, str)),
    "$timedelta": _duration,
    "$decimal": lambda body: Decimal(_need(body, str)),
    "$uuid": lambda body: uuid.UUID(_need(body, str)),
    "$complex": _complex,
}
