"""JSON of other tools: any Unicode encoding, NaN, wide integers, and bombs of depth refused."""

import codecs
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from explainkit.errors import DamagedFileError, UnsafeFileError
from explainkit.safety.shapes import gate

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DEEPEST = 250
# Values nest at most 254 deep where they are stored.
# The fast parser turns integers beyond 64 bits into floats without a word.
_wide_integer: Callable[[str], bool] = gate(r"(?:^|[:\[,\s])-?[0-9]{19,}")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed JSON text.

    Attributes:
        value: The Python value.
        notes: What was tolerated, in words: NaN, duplicate keys, an encoding.
    """

    value: Any
    notes: tuple[str, ...] = ()


def parse_json(data: bytes, *, name: str = "the data") -> Any:
    """Return the value of a JSON text; as :func:`parse_noted` without the notes."""
    return parse_noted(data, name=name).value


def parse_noted(data: bytes, *, name: str = "the data") -> Parsed:
    """Return the value of a JSON text and what was tolerated in it.

    UTF-8, UTF-16 and UTF-32 are recognised with and without a byte order mark. ``NaN`` and
    ``Infinity`` are read as floats, of duplicate keys the last wins, lone surrogates are kept.

    Args:
        data: The text as bytes.
        name: Of the file, for messages.

    Raises:
        DamagedFileError: Not JSON; the message tells where.
        UnsafeFileError: Nested more than 250 levels deep, or a number too long to read.
    """
    text, notes = _text(data, name)
    value = _fast(text)
    if value is not _REFUSED:
        kept = _compact(value)
        if kept is None:
            raise _too_deep(name)
        notes += _duplicates(text, kept)
        return Parsed(value, tuple(notes))
    value, tolerated = _tolerant(text, name)
    if _is_deep(value):
        raise _too_deep(name)
    return Parsed(value, (*notes, *tolerated))


_REFUSED = object()


def _fast(text: str) -> Any:
    if _wide_integer(text):
        return _REFUSED
    try:
        return orjson.loads(text)
    except ValueError:
        return _REFUSED  # the tolerant parser reads it, or tells better what is wrong


def _compact(value: Any) -> bytes | None:
    try:
        return orjson.dumps(value)
    except TypeError:
        return None


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [item for node in level for item in _items(node)]
        if not level:
            return False
    return True


def _items(node: Any) -> Iterable[Any]:
    if type(node) is dict:
        return node.values()
    return node if type(node) is list else ()


def _instead_of(text: str) -> str:
    if text[:60].lstrip().lower().startswith("<!doctype html"):
        return (
            "It is a web page: open it in a browser, and name the run file that it was made from."
        )
    return "Name a file of JSON or JSON lines, or get it again from its source."


def _too_deep(name: str) -> UnsafeFileError:
    return UnsafeFileError(f"{name[:80]!r} is nested more than {_DEEPEST} deep: it is not read")


def _text(data: bytes, name: str) -> tuple[str, list[str]]:
    encoding = _encoding(data)
    for mark, marked in _BOMS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], marked
            break
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DamagedFileError(
            f"{name[:80]!r} is not {encoding} text: byte {error.start:,} is wrong. "
            "Save it as UTF-8."
        ) from error
    return text, [] if encoding == "utf-8" else [f"encoded as {encoding}"]


def _encoding(data: bytes) -> str:
    """Tell the encoding by the zeros among the first four bytes, as RFC 4627 does."""
    zeros = "".join("0" if byte == 0 else "x" for byte in data[:4])
    return _BY_ZEROS.get(zeros, "utf-8")


_BY_ZEROS = {"000x": "utf-32-be", "x000": "utf-32-le", "0x0x": "utf-16-be", "x0x0": "utf-16-le"}


def _duplicates(text: str, kept: bytes) -> list[str]:
    """Tell whether keys were dropped, by counting the quotes that delimit texts."""
    written = text.replace("\\\\", "").replace('\\"', "").count('"')
    dropped = written - kept.replace(b"\\\\", b"").replace(b'\\"', b"").count(b'"')
    return [_REPEATED] if dropped > 0 else []


_REPEATED = "duplicate keys: the last one counts"


def _tolerant(text: str, name: str) -> tuple[Any, list[str]]:
    found: set[str] = set()

    def constant(word: str) -> float:
        found.add(f"{word} is read as a float")
        return float(word.replace("Infinity", "inf"))

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            found.add(_REPEATED)
        return made

    try:
        value = json.loads(text, parse_constant=constant, object_pairs_hook=pairs)
    except RecursionError:
        raise _too_deep(name) from None
    except json.JSONDecodeError as error:
        raise DamagedFileError(
            f"{name[:80]!r} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}. "
            f"{_instead_of(text)}"
        ) from None
    except ValueError as error:
        raise UnsafeFileError(f"{name[:80]!r} holds a number that is too long ({error})") from None
    return value, sorted(found)
