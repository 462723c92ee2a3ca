"""The tree of a chart with numbers and ids, because targets are looked up in a whole tree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from explainkit.errors import ChartError
from explainkit.flow.statecharts.definitions import Definition
from explainkit.flow.statecharts.vocabulary import Kind
from explainkit.safety import shorten

DEEPEST = 100
_NOT_IN_KEYS = frozenset(".#")
_SHOWN = 300


@dataclass(slots=True)
class Spot:
    """One state in the tree."""

    number: int
    parent: int
    key: str
    id: str
    kind: Kind
    definition: Definition
    children: dict[str, int] = field(default_factory=dict)
    end: int = 0


class Outline:
    """The states of a chart in document order.

    Args:
        machine: The machine's id.
        root: What its author wrote.

    Raises:
        ChartError: A key or an id cannot be used, or the tree is too deep.
    """

    def __init__(self, machine: str, root: Definition) -> None:
        self.machine = machine
        self.spots: list[Spot] = []
        self.ids: dict[str, int] = {}
        self._check_key(machine, "the machine's id", machine)
        self._add(machine, machine, root, parent=-1, depth=0)

    def fail(self, state: str, problem: str) -> NoReturn:
        """Raise the error that names machine, state and problem."""
        raise ChartError(f'Machine "{shorten(self.machine, 80)}", state "{state}": {problem}')

    def descends(self, number: int, ancestor: int) -> bool:
        """Whether a state is strictly below another."""
        return ancestor < number < self.spots[ancestor].end

    def above(self, number: int) -> Iterator[int]:
        """The states above one, innermost first."""
        number = self.spots[number].parent
        while number >= 0:
            yield number
            number = self.spots[number].parent

    def find(self, target: str, spot: Spot, place: str) -> int:
        """Look a target up from the state where it is written."""
        if target.startswith("#"):
            first, *keys = target[1:].split(".")
            start = self.ids.get(first)
            if start is None:
                self._unknown(target, spot, place, "ids", self.ids)
        elif target.startswith("."):
            start, keys = spot.number, target[1:].split(".")
        elif spot.parent < 0:
            children = ", ".join(f".{key}" for key in spot.children) or "none"
            self.fail(
                spot.id,
                f'{place} targets "{shorten(target, 80)}", but the machine itself has no siblings. '
                f"Write a child with a dot: {shorten(children, _SHOWN)}.",
            )
        else:
            start, keys = spot.parent, target.split(".")
        for key in keys:
            below = self.spots[start].children
            if key not in below:
                self._unknown(target, spot, place, f'states of "{self.spots[start].id}"', below)
            start = below[key]
        return start

    def _add(self, id: str, path: str, definition: Definition, *, parent: int, depth: int) -> int:  # noqa: A002
        number = len(self.spots)
        key = path.rpartition(".")[2]
        if depth > DEEPEST:
            self.fail(id[:80], f"states are nested deeper than {DEEPEST}. Split the machine.")
        if id in self.ids:
            self.fail(id, f'the id "{id}" is used twice: every id names one state.')
        self.ids[id] = number
        kind = definition.kind or ("compound" if definition.states else "atomic")
        spot = Spot(number, parent, key, id, kind, definition)
        self.spots.append(spot)
        states: Mapping[str, object] = definition.states
        for child, below in states.items():
            self._check_key(child, "a state's key", id)
            if not isinstance(below, Definition):
                self.fail(id, f'"{child}" is no state: {shorten(repr(below), 80)}. Use state(...).')
            below_path = f"{path}.{child}"
            if below.id is not None:
                self._check_key(below.id, "an id", id)
            spot.children[child] = self._add(
                below.id or below_path, below_path, below, parent=number, depth=depth + 1
            )
        spot.end = len(self.spots)
        return number

    def _check_key(self, key: object, what: str, state: str) -> None:
        if not isinstance(key, str) or not key.strip() or _NOT_IN_KEYS & set(key):
            self.fail(
                str(state)[:80],
                f"{what} cannot be {shorten(repr(key), 80)}: a text without a dot or #.",
            )

    def _unknown(
        self, target: str, spot: Spot, place: str, what: str, known: dict[str, int]
    ) -> NoReturn:
        listed = ", ".join(known) or "none"
        self.fail(
            spot.id,
            f'{place} targets "{shorten(target, 80)}", which is unknown. '
            f"Declared {what}: {shorten(listed, _SHOWN)}.",
        )
