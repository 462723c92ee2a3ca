"""An answer that is an object as a judge can use it: its recorded fields, or the table it was.

What a run answered is known from its records alone, also of a re-run, so that a judge is given the
same form of both. Classes are not called for a record: an object comes back by its fields.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from explainkit.errors import RerunError
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque

_SERIES: Final = frozenset(("name", "dtype", "size", "sha256", "sample"))
_SHOWN: Final = 8
"""Columns and items of a table or an array that are written out."""


class RecordedObject:
    """An object of an answer as it was recorded: its fields, as attributes and as items.

    Args:
        kind: Name of its class.
        fields: What was recorded of it.

    Attributes:
        recorded_kind: Name of its class, without that of the module.

    Example:
        >>> refund = RecordedObject("app.Refund", {"amount": 20.0, "why": "late"})
        >>> refund.amount, refund["why"], refund
        (20.0, 'late', Refund(amount=20.0, why='late'))
    """

    __slots__ = ("__dict__", "recorded_kind")
    __hash__ = None  # type: ignore[assignment]  # fields may be lists

    def __init__(self, kind: str, fields: Mapping[str, Any]) -> None:
        self.recorded_kind = kind.rpartition(".")[2]
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        """Say what there is where there is no such field."""
        raise AttributeError(self._lacks(name))

    def __getitem__(self, name: str) -> Any:
        """A field."""
        try:
            return self.__dict__[name]
        except (KeyError, TypeError):
            raise KeyError(self._lacks(name)) from None

    def __contains__(self, name: object) -> bool:
        return name in self.__dict__

    def __eq__(self, other: object) -> bool:
        if type(other) is not RecordedObject:
            return NotImplemented
        return (self.recorded_kind, vars(self)) == (other.recorded_kind, vars(other))

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={each!r}" for name, each in vars(self).items())
        return f"{self.recorded_kind}({told})"

    def _lacks(self, name: object) -> str:
        known = shorten(", ".join(vars(self)) or "none", 200)
        kind = shorten(self.recorded_kind, 60)
        return (
            f"the recorded {kind} has no field {name!r:.60}, and methods are not recorded. "
            f"Its fields are: {known}"
        )


class Described:
    """A part of an answer of which only a description is on record.

    Args:
        words: What a person reads of it.
        why: What is said when it is asked for anything.
        in_part: Whether the description is of a part, so that two may look the same.
    """

    __slots__ = ("in_part", "why", "words")
    __hash__ = None  # type: ignore[assignment]  # what it would be equal to is not known

    def __init__(self, words: str, why: str, *, in_part: bool = False) -> None:
        self.words = words
        self.why = why
        self.in_part = in_part

    def __getattr__(self, name: str) -> Any:
        """Refuse, as nothing of it is known."""
        raise RerunError(self.why)

    def __getitem__(self, name: object) -> Any:
        """Refuse, as nothing of it is known."""
        raise RerunError(self.why)

    def __contains__(self, words: object) -> bool:
        return isinstance(words, str) and words in self.words

    def __eq__(self, other: object) -> bool:
        return type(other) is Described and self.words == other.words

    def __repr__(self) -> str:
        return self.words


def form_of(value: Any) -> Any:
    """A recorded value as a judge is given it, objects in it included.

    Args:
        value: As it comes out of a record.

    Example:
        >>> form_of([Opaque("app.Refund", {"amount": 20.0})])[0].amount
        20.0
    """
    if isinstance(value, Opaque):
        return _object(value)
    if isinstance(value, dict):
        return {key: form_of(each) for key, each in value.items()}
    if isinstance(value, list):
        return [form_of(each) for each in value]
    return tuple(map(form_of, value)) if isinstance(value, tuple) else value


def is_table(part: Opaque) -> bool:
    """Whether an object is an array, a column or a table.

    Args:
        part: An object as it was recorded.
    """
    return part.type in ("$frame", "$array") or _is_series(part)


def is_whole(table: Opaque) -> bool:
    """Whether all cells of an array, a column or a table are on record.

    Args:
        table: One as it was recorded.
    """
    return _makers(table)[1]


def words_of(value: Any) -> str:
    """A recorded value that is no text, as a person reads it.

    Args:
        value: As it comes out of a record.

    Example:
        >>> words_of(Opaque("app.Refund", {"amount": 20.0}))
        'Refund(amount=20.0)'
    """
    try:
        return repr(_told(value))
    except ValueError:
        return "a number with more digits than Python writes"


def _object(part: Opaque) -> Any:
    fields = part.fields
    if part.type == "$scalar":
        return form_of(fields.get("value"))
    if is_table(part):
        return _table(part)
    if not part.repr and not part.type.startswith("$"):
        return RecordedObject(part.type, {name: form_of(each) for name, each in fields.items()})
    words = part.repr or shorten(repr(fields), 200)
    return Described(
        words,
        f"of a part of the answer only {shorten(words, 120)!r} is on record. Let the run answer "
        "with plain data, a dataclass or a pydantic model, or write the judge on that text: "
        "repr(...) of it",
    )


def _told(value: Any) -> Any:
    """As `form_of`, with tables as words."""
    if isinstance(value, Opaque):
        if is_table(value):
            return _Words(_table_words(value))
        if value.repr or value.type.startswith("$"):
            return form_of(value)
        return RecordedObject(
            value.type, {name: _told(each) for name, each in value.fields.items()}
        )
    if isinstance(value, dict):
        return {key: _told(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_told(each) for each in value]
    return tuple(map(_told, value)) if isinstance(value, tuple) else value


class _Words(str):
    """Words that stand for themselves also among values that are written out."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _is_series(part: Opaque) -> bool:
    return part.fields.keys() == _SERIES and part.type.startswith("pandas.")


def _table(part: Opaque) -> Any:
    build, whole = _makers(part)
    if whole:
        try:
            return build(part.fields)
        except Exception:  # noqa: BLE001 - a kind of items, or a library, that is not here
            why = "cannot be made again here from its record"
    else:
        why = "is on record in part only"
    words = _table_words(part)
    return Described(
        words,
        f"the answer holds what {why} ({shorten(words, 160)}), so a judge would see something "
        "else. Let the run answer with the number, the row or the text that counts, or leave "
        "judge= out: answers are compared whole, by their digest",
        in_part=True,
    )


def _makers(part: Opaque) -> tuple[Callable[[Mapping[str, Any]], Any], bool]:
    """How a table is made again, and whether all of it is on record."""
    fields = part.fields
    if part.type == "$frame":
        rows, columns = fields["shape"]
        whole = len(fields["rows"]) == rows and len(fields["columns"]) == columns
        return _frame, whole
    if part.type == "$array":
        return _array, len(fields["sample"]) == math.prod(fields["shape"])
    return _series, len(fields["sample"]) == fields["size"]


def _frame(fields: Mapping[str, Any]) -> Any:
    import pandas as pd

    cells = [[form_of(cell) for cell in row] for row in fields["rows"]]
    columns = {
        at: pd.Series([row[at] for row in cells], dtype=dtype)
        for at, dtype in enumerate(fields["dtypes"])
    }
    frame = pd.DataFrame(columns, index=range(len(cells)))
    frame.columns = pd.Index(fields["columns"])
    return frame


def _array(fields: Mapping[str, Any]) -> Any:
    import numpy as np

    items = [form_of(each) for each in fields["sample"]]
    return np.array(items, dtype=fields["dtype"]).reshape(fields["shape"])


def _series(fields: Mapping[str, Any]) -> Any:
    import pandas as pd

    items = [form_of(each) for each in fields["sample"]]
    name = None if fields["name"] == "None" else fields["name"]
    return pd.Series(items, dtype=fields["dtype"], name=name)


def _table_words(part: Opaque) -> str:
    fields = part.fields
    if part.type == "$frame":
        rows, columns = fields["shape"]
        names = fields["columns"]
        told = ", ".join(
            f"{name}={_some([row[at] for row in fields['rows']], rows)}"
            for at, name in enumerate(names[:_SHOWN])
        )
        more = "" if columns <= _SHOWN else ", …"
        return f"DataFrame of {rows:,} x {columns:,}: {told}{more}"
    if part.type == "$array":
        size = math.prod(fields["shape"])
        shape = " x ".join(f"{each:,}" for each in fields["shape"])
        return f"array of {shape}: {_some(fields['sample'], size)}"
    size = fields["size"]
    return f"{part.type.rpartition('.')[2]} of {size:,}: {_some(fields['sample'], size)}"


def _some(items: list[Any], of: int) -> str:
    told = ", ".join(repr(_told(each)) for each in items[:_SHOWN])
    return f"[{told}{', …' if of > _SHOWN else ''}]"
