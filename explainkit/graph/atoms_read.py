"""Which atoms a link read: a history that grows turn by turn is gone through only once."""

from collections.abc import Iterable, Iterator
from typing import Final

from explainkit.graph.contents import LIST
from explainkit.graph.holding import PASSED, Holding

_MOST: Final = 2000


class AtomsRead:
    """Lists the atoms of values, of a longer list only what it adds to the one asked for before."""

    def __init__(self, holding: Holding) -> None:
        self._holding = holding
        self._lists: dict[int, tuple[int, dict[int, None]]] = {}

    def of(self, values: Iterable[int]) -> list[int]:
        """The first distinct atoms of some values, in order.

        Args:
            values: Numbers of the values; those below zero are left out.
        """
        atoms: dict[int, None] = {}
        for value in values:
            if value >= 0 and len(atoms) < _MOST:
                atoms.update(self._of_value(value))
        if len(atoms) >= _MOST:
            self._holding.met.add(PASSED)
        return list(atoms)[:_MOST]

    def _of_value(self, value: int) -> dict[int, None]:
        contents = self._holding.contents
        if contents.shape[value] != LIST:
            atoms: dict[int, None] = {}
            self._add(atoms, value, self._holding.leaves_of(value))
            return atoms
        chain, rank = contents.chain[value], contents.rank[value]
        at, atoms = self._lists.get(chain, (-1, {}))
        if not 0 <= at <= rank or not self._only_grew(chain, at, rank):
            at, atoms = rank, {}
            self._add(atoms, value, self._holding.leaves_of(value))
        for member in contents.chains[chain].members[at + 1 : rank + 1]:
            self._add(atoms, member, self._added(member))
        self._lists[chain] = rank, atoms
        return atoms

    def _only_grew(self, chain: int, low: int, high: int) -> bool:
        """Whether each list after one of a chain keeps all of the one before it."""
        contents = self._holding.contents
        members, keeps = contents.chains[chain].members, contents.chains[chain].keeps
        return all(
            contents.shape[members[at]] == LIST and keeps[at] == contents.length[members[at - 1]]
            for at in range(low + 1, high + 1)
        )

    def _added(self, member: int) -> Iterator[tuple[str, int]]:
        """The leaves of the items that a list adds to the one before it."""
        contents = self._holding.contents
        keep = contents.chains[contents.chain[member]].keeps[contents.rank[member]]
        for piece in contents.pieces[member][: max(contents.length[member] - keep, 0)]:
            if piece.atom:
                yield piece.path, piece.end
                continue
            for path, length in self._holding.leaves_of(piece.ref):
                yield piece.path + path, length

    def _add(self, atoms: dict[int, None], value: int, leaves: Iterable[tuple[str, int]]) -> None:
        for path, length in leaves:
            if len(atoms) >= _MOST:
                return
            for atom, _, _, _ in self._holding.atoms_of(value, path, 0, length):
                atoms.setdefault(atom)
