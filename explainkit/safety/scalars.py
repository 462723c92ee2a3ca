"""Tags of single values that JSON lacks: NaN, wide integers, bytes, dates, decimals."""

import base64
import datetime as dt
import math
import uuid
from collections.abc import Callable
from decimal import Decimal
from hashlib import sha256
from typing import Any

from explainkit.safety.surrogates import has_surrogates, packed
from explainkit.safety.walking import Walk

_LOW, _HIGH = -(1 << 63), (1 << 64) - 1
# Python refuses to print longer integers in base 10 by default.
_DIGIT_BITS = 13_000


def text(_walk: Walk, value: str) -> Any:
    """Tag a text only when UTF-8 cannot hold it."""
    plain = str.__str__(value)
    return {"$text": packed(plain)} if has_surrogates(plain) else plain


def integer(walk: Walk, value: int) -> Any:
    """Tag an integer outside 64 bits."""
    number = int.__index__(value)
    if _LOW <= number <= _HIGH:
        return number
    if number.bit_length() > _DIGIT_BITS:
        return {"$int": hex(number)}
    return {"$int": str(number)}


def real(_walk: Walk, value: float) -> Any:
    """Tag NaN and the infinities."""
    number = float.__float__(value)
    if math.isfinite(number):
        return number
    return {"$float": "nan" if number != number else "inf" if number > 0 else "-inf"}


def binary(walk: Walk, value: bytes | bytearray | memoryview) -> Any:
    """Tag bytes; more than the limit are cut, with the digest of the whole."""
    view = memoryview(value)
    limit = walk.limits.binary
    if view.nbytes <= limit:
        return {"$bytes": base64.b64encode(view.tobytes()).decode()}
    data = view.tobytes()
    walk.lose("truncated", limit, len(data), "bytes")
    body = {"kind": "bytes", "kept": limit, "of": len(data), "sha256": sha256(data).hexdigest()}
    return {"$cut": {**body, "value": {"$bytes": base64.b64encode(data[:limit]).decode()}}}


def date(_walk: Walk, value: dt.date) -> Any:
    """Tag a date by ISO 8601."""
    return {"$date": dt.date.isoformat(value)}


def moment(walk: Walk, value: dt.datetime) -> Any:
    """Tag a date and time by ISO 8601; of a time zone only its offset is kept."""
    _zone(walk, value)
    return {"$datetime": dt.datetime.isoformat(value)}


def clock(walk: Walk, value: dt.time) -> Any:
    """Tag a time of day by ISO 8601; of a time zone only its offset is kept."""
    _zone(walk, value)
    return {"$time": dt.time.isoformat(value)}


def _zone(walk: Walk, value: dt.datetime | dt.time) -> None:
    zone = value.tzinfo
    if zone is not None and type(zone) is not dt.timezone:
        walk.lose("unencodable", 1, 1, "time zone; its offset is kept")
    elif value.fold:
        walk.lose("unencodable", 1, 1, "fold")


def duration(_walk: Walk, value: dt.timedelta) -> Any:
    """Tag a duration as days, seconds and microseconds."""
    return {"$timedelta": [value.days, value.seconds, value.microseconds]}


def decimal(_walk: Walk, value: Decimal) -> Any:
    """Tag a decimal by its digits."""
    return {"$decimal": Decimal.__str__(value)}


def identifier(_walk: Walk, value: uuid.UUID) -> Any:
    """Tag a UUID."""
    return {"$uuid": uuid.UUID.__str__(value)}


def complex_number(_walk: Walk, value: complex) -> Any:
    """Tag a complex number as two reprs, because either part may be NaN."""
    return {"$complex": [float.__repr__(value.real), float.__repr__(value.imag)]}


SCALARS: dict[type, Callable[[Walk, Any], Any]] = {
    str: text,
    int: integer,
    float: real,
    bytes: binary,
    dt.date: date,
    dt.datetime: moment,
    dt.time: clock,
    dt.timedelta: duration,
    Decimal: decimal,
    uuid.UUID: identifier,
    complex: complex_number,
}

LOOSE: dict[type, Callable[[Walk, Any], Any]] = {bytearray: binary, memoryview: binary}
"""Kept as bytes, so their own type is lost."""
