"""Knows which notebook cell defined a function, and which cell has defined it anew since."""

from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import orjson

from explainkit.tracing.cells import PROVIDER, current_cell


class Definition:
    """A function as one cell defined it.

    Attributes:
        code: Hash of its code.
        cell: The cell.
        redefined: The cell that has defined the function anew since, with `same` where the code
            is the same; None while it is the latest.
        tail: Both as fields of a record line, ready to be written.
    """

    __slots__ = ("__weakref__", "cell", "code", "redefined", "tail")

    def __init__(self, code: str | None, cell: dict[str, object]) -> None:
        self.code = code
        self.cell = cell
        self._say(None)

    @property
    def fields(self) -> dict[str, Any]:
        """Fields of the records of what runs this function."""
        later = {} if self.redefined is None else {"redefined": self.redefined}
        return {"defined": self.cell, **later}

    def replace(self, later: "Definition") -> None:
        """Another cell, or the same one when it ran again, has defined the function anew."""
        if later.cell.get("count") != self.cell.get("count"):
            self._say({**later.cell, "same": later.code == self.code})

    def _say(self, redefined: dict[str, object] | None) -> None:
        self.redefined = redefined
        self.tail = b"," + orjson.dumps(self.fields)[1:-1]


_LIVING: dict[str, "WeakSet[Definition]"] = {}
"""Definitions that something in the process still holds, by the name of the function."""


def definition_of(fn: Callable[..., Any], code: str | None) -> Definition | None:
    """Say that the cell that runs now has defined a function.

    Args:
        fn: The function.
        code: Hash of its code.

    Returns:
        None outside of a notebook, and for a function of a module or of another function, whose
        name says nothing about which of them is the latest.
    """
    cell = current_cell() if PROVIDER else None
    name = getattr(fn, "__qualname__", "")
    if cell is None or getattr(fn, "__module__", "") != "__main__" or "<" in name or not name:
        return None
    definition = Definition(code, cell)
    living = _LIVING.setdefault(name, WeakSet())
    for earlier in list(living):
        earlier.replace(definition)
    living.add(definition)
    return definition
