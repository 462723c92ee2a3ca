"""Which earlier place gave a stretch of an atom to a later one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from explainkit.graph.holding import PASSED, Holding, Stand
from explainkit.graph.links import Links
from explainkit.graph.nearest import Nearest
from explainkit.graph.places import ARGUMENT, INPUT, Places

_CHAINS: Final = 64
_NEAR: Final = 12
_FIRST: Final = 2
RECEIVED: Final = 2
"""Level of places that only received the text too."""


class Given(NamedTuple):
    """A place, how well it explains the later one, and where the stretch stands in it."""

    node: int
    level: int
    stands: tuple[Stand, ...]


class Givers:
    """Finds holders of atoms in time and scope.

    Attributes:
        values: Number of the stored value of each digest; -1 where it is not stored.
        receipts: Places of receipts, which nothing was carried to.
    """

    def __init__(self, places: Places, links: Links, nearest: Nearest, holding: Holding) -> None:
        self._places = places
        self._links = links
        self._nearest = nearest
        self._holding = holding
        contents = holding.contents
        self.receipts = nearest.receipts
        self.values = [contents.numbers.get(digest, -1) for digest in places.digests]
        self._chains: dict[int, list[int]] = {}
        self._cut: set[int] = set()
        """Atoms that may stand in more chains than are listed."""
        self._around: tuple[int, list[int]] = (-2, [])
        self._gave: dict[int, list[int]] = {}
        self._received: dict[int, list[int]] = {}
        for node in range(len(places)):
            value = self.value(node)
            if value >= 0:
                table = self._received if places.kind[node] in (INPUT, ARGUMENT) else self._gave
                table.setdefault(contents.chain[value], []).append(node)

    def value(self, node: int) -> int:
        """Number of the value that a place holds; -1 without a stored one."""
        digest = self._places.digest[node]
        return -1 if digest < 0 else self.values[digest]

    def nodes_by_value(self) -> dict[int, list[int]]:
        """For each stored value the places that hold it, ascending."""
        found: dict[int, list[int]] = {}
        for node in range(len(self._places)):
            value = self.value(node)
            if value >= 0:
                found.setdefault(value, []).append(node)
        return found

    def chains(self, atom: int) -> list[int]:
        """Chains in which an atom may stand: its owners' and those around them, nearest first."""
        known = self._chains.get(atom)
        if known is not None:
            return known
        contents = self._holding.contents
        found: dict[int, None] = {}
        for held in contents.owners[atom][-_CHAINS:]:
            found.setdefault(contents.chain[held.value])
        queue = list(found)
        cut = len(contents.owners[atom]) > _CHAINS
        for chain in queue:  # grows while it is read
            parents = contents.chains[chain].parents
            if parents and len(found) >= 2 * _CHAINS:
                cut = True
                break
            cut = cut or len(parents) > _CHAINS
            for parent in parents[-_CHAINS:]:
                if parent not in found:
                    found[parent] = None
                    queue.append(parent)
        if cut:
            self._cut.add(atom)
        self._chains[atom] = queue
        return queue

    def holders(self, atom: int, low: int, high: int, *, before: int) -> Iterator[Given]:
        """Every earlier place that gave a stretch, and the first that only received it."""
        for chain in self.chains(atom):
            for nodes, most in ((self._gave, None), (self._received, 1)):
                found = 0
                for node in nodes.get(chain, ()):
                    if node >= before or (most is not None and found >= most):
                        break
                    stands = self.stands(node, atom, low, high)
                    if stands:
                        found += 1
                        yield Given(node, 0, stands)

    def stands(self, node: int, atom: int, low: int, high: int) -> tuple[Stand, ...]:
        """Where a stretch of an atom stands in the value of a place."""
        value = self.value(node)
        return () if value < 0 else tuple(self._holding.stands(value, atom, low, high))

    def nearest(self, target: int, atom: int, low: int, high: int) -> Given | None:
        """The place that most likely gave a stretch of an atom to a later place.

        One in its parent chain before any other; among equals the latest.
        """
        chains = self.chains(atom)
        if not self._may_stand_before(target, atom, chains):
            return None
        best: Given | None = None
        for node in self._candidates(target, chains):
            level = self._nearest.level(target, node, whole=False)
            if level >= RECEIVED or (best is not None and level >= best.level):
                continue
            stands = self.stands(node, atom, low, high)
            if stands:
                best = Given(node, level, stands)
                if level == 0:
                    break
        if best is None and self._is_cut(target, atom, chains):
            self._holding.met.add(PASSED)
        return best

    def _may_stand_before(self, target: int, atom: int, chains: list[int]) -> bool:
        """Whether an earlier place may hold an atom; most text is new where it is met first."""
        if atom in self._cut:
            return True
        for chain in chains:
            gave, received = self._gave.get(chain), self._received.get(chain)
            if (gave and gave[0] < target) or (received and received[0] < target):
                return True
        return False

    def _is_cut(self, target: int, atom: int, chains: list[int]) -> bool:
        """Whether more earlier places may hold an atom than are looked at."""
        most = _NEAR + _FIRST
        cut = atom in self._cut or any(
            len(nodes) > most and nodes[most] < target
            for nodes in map(self._gave.get, chains)
            if nodes
        )
        return cut and self.may_precede(atom, target)

    def may_precede(self, atom: int, target: int) -> bool:
        """Whether the value that held an atom first may stand at a place before another."""
        contents = self._holding.contents
        chain = contents.chain[contents.owners[atom][0].value]
        first = [nodes[0] for table in (self._gave, self._received) if (nodes := table.get(chain))]
        return not first or min(first) < target

    def received(self, target: int, atom: int, low: int, high: int) -> Given | None:
        """The first place that received the stretch, when none is known that made it."""
        for chain in self.chains(atom):
            nodes = self._received.get(chain, [])
            for node in nodes[:_NEAR]:
                if self._nearest.level(target, node, whole=False) == RECEIVED:
                    stands = self.stands(node, atom, low, high)
                    if stands:
                        return Given(node, RECEIVED, stands)
            if len(nodes) > _NEAR and nodes[_NEAR] < target:
                self._holding.met.add(PASSED)
        return None

    def direct(self, target: int, value: int) -> int | None:
        """The nearest earlier place that holds a value, or a later member of its chain, uncut.

        Args:
            target: The place that holds it again.
            value: Number of the value.
        """
        contents = self._holding.contents
        chain, whole = contents.chain[value], contents.length[value]
        best, rank = None, RECEIVED + 1
        for nodes in (self._gave.get(chain, []), self._received.get(chain, [])):
            at = bisect_left(nodes, target)
            for node in reversed(nodes[max(0, at - _NEAR) : at]):
                level = self._nearest.level(target, node, whole=False)
                if level < rank and contents.room(self.value(node), value) >= whole:
                    best, rank = node, level
        return best

    def first_received(self, target: int, item: int) -> int | None:
        """The first place that received an item of the list that a place holds.

        Args:
            target: A place whose list extends earlier ones.
            item: Rank in the list.
        """
        contents = self._holding.contents
        value = self.value(target)
        if value < 0:
            return None
        chain, rank = contents.chains[contents.chain[value]], contents.rank[value]
        owner = bisect_right(chain.keeps, item, 0, rank + 1) - 1
        if owner < 0:
            return None
        nodes = self._received.get(contents.chain[value], [])
        at = bisect_left(nodes, owner, key=lambda node: contents.rank[self.value(node)])
        return nodes[at] if at < len(nodes) else None

    def is_only(self, atom: int, *, before: int) -> bool:
        """Whether exactly one earlier place gave the atom to anyone."""
        count = 0
        for chain in self.chains(atom):
            nodes = self._gave.get(chain, [])
            count += bisect_left(nodes, before)
            if count > 1:
                return False
        return count == 1

    def _candidates(self, target: int, chains: list[int]) -> list[int]:
        found: set[int] = set()
        for chain in chains:
            nodes = self._gave.get(chain)
            if nodes:
                at = bisect_left(nodes, target)
                found.update(nodes[max(0, at - _NEAR) : at], nodes[: min(_FIRST, at)])
        found.update(self._inputs_around(self._places.inside[target]))
        return [node for node in sorted(found, reverse=True) if node < target]

    def _inputs_around(self, inside: int) -> list[int]:
        """What a link and those around it received, and the run too when it is in none."""
        if self._around[0] != inside:
            links, found = self._links, list[int]()
            scopes = links.scopes(inside)
            for row in map(links.row, scopes):
                if row is not None:
                    found.extend(range(links.first[row], links.first[row] + links.inputs[row]))
            if len(scopes) == 1:
                found.extend(self._arguments)
            self._around = inside, found  # the next question is mostly of the same link
        return self._around[1]

    @cached_property
    def _arguments(self) -> list[int]:
        places = self._places
        first = range(min(len(places), _CHAINS))
        return [node for node in first if places.kind[node] == ARGUMENT]
