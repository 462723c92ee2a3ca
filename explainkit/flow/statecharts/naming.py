"""Names for the guards and actions of one machine, so that a chart can be written down as data."""

from typing import Any

from explainkit.flow.statecharts.chains import Answer
from explainkit.flow.statecharts.definitions import Use


class Names:
    """Implementations by name; two functions of one name are told apart by a number."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def name(self, use: Use) -> str:
        """Register an implementation and return the name it goes by."""
        name, count = use.name, 1
        while not use.fixed and name in self.known and not _same(self.known[name], use.run):
            count += 1
            name = f"{use.name}-{count}"
        self.known[name] = use.run
        return name


def _same(one: Any, other: Any) -> bool:
    """Whether two implementations are one; two answers of one function are."""
    if isinstance(one, Answer) and isinstance(other, Answer):
        return one.fn is other.fn
    return one is other
