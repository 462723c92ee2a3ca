"""How much of a text reached a model: what of a context its prompts really held."""

from bisect import bisect_right
from typing import TYPE_CHECKING

from explainkit.graph.stretches import Stretch, merged
from explainkit.graph.wired_parts import wired_into

if TYPE_CHECKING:
    from explainkit.graph.evidence import Evidence

Ranges = list[tuple[int, int]]
_LOOKED_AT = 4


class Landing:
    """Which stretches stand in the input of a model link."""

    def __init__(self, evidence: "Evidence", rows: frozenset[int] | None = None) -> None:
        """Look at the inputs of some model links, by row of ``links``; of all when not given."""
        self._evidence = evidence
        self._inputs: dict[int, list[int]] = {}
        self._holds: dict[int, bool] = {}
        self._landed: dict[Stretch, Ranges] = {}
        links, givers, contents = evidence.links, evidence.givers, evidence.contents
        aims: list[int] = []
        for row in range(len(links)):
            if links.type_of(row) != "model" or (rows is not None and row not in rows):
                continue
            for node in range(links.first[row], links.first[row] + links.inputs[row]):
                aims.append(node)
                value = givers.value(node)
                if value >= 0:
                    self._inputs.setdefault(contents.chain[value], []).append(node)
        self._aims = frozenset(aims)

    def __bool__(self) -> bool:
        return bool(self._inputs)

    @property
    def aims(self) -> frozenset[int]:
        """The places of those inputs."""
        return self._aims

    def is_read(self, node: int) -> bool:
        """Whether any of a place's characters reached a model."""
        return any(map(self.landed, self._evidence.carrying.leaves(node)))

    def landed(self, stretch: Stretch) -> Ranges:
        """The ranges of a leaf's stretch that stand in a later input of a model."""
        known = self._landed.get(stretch)
        if known is None:
            known = self._landed[stretch] = self._found(stretch)
        return known

    def _found(self, stretch: Stretch) -> Ranges:
        evidence = self._evidence
        value = evidence.givers.value(stretch.node)
        found: Ranges = []
        if value < 0:
            return found
        pieces = evidence.holding.atoms_of(value, stretch.path, stretch.start, stretch.end)
        for atom, low, start, end in pieces:
            ranges = self._of_atom(atom, low, low + end - start, stretch.node)
            found.extend((a + start - low, b + start - low) for a, b in ranges)
        found = merged(found)
        if found == [(stretch.start, stretch.end)]:
            return found
        # What a segment put there was read, though it is too short to be told from chance.
        return merged(found + wired_into(evidence, stretch, self._aims))

    def _of_atom(self, atom: int, low: int, high: int, node: int) -> Ranges:
        found: Ranges = []
        for chain in self._evidence.givers.chains(atom):
            nodes = self._inputs.get(chain)
            if not nodes:
                continue
            at = bisect_right(nodes, node)
            for each in _ends(nodes[at:]):
                for stand in self._evidence.givers.stands(each, atom, low, high):
                    found.append((stand.low, stand.low + stand.end - stand.start))
                if (low, high) in found:
                    return [(low, high)]
        if len(self._evidence.matches.atoms[atom].strip()) < _LOOKED_AT:
            return found
        found = merged(found + self._matched(atom, low, high))
        if found != [(low, high)] and self._is_line(atom):
            return [(low, high)]
        return found

    def _is_line(self, atom: int) -> bool:
        """Whether all of an atom is a line of an input: no chance, however alike its lines are."""
        return any(map(self._is_in, self._evidence.carrying.lines.holders(atom)))

    def _matched(self, atom: int, low: int, high: int) -> Ranges:
        """Stretches that later atoms share, when a model's input holds those."""
        rows = self._evidence.matches.rows
        found: Ranges = []
        for row in rows.out_of(atom):
            start, end = rows.source_start[row], rows.source_end[row]
            touches = rows.strong[row] and start < high and end > low
            if touches and self._is_in(rows.target[row]):
                found.append((max(start, low), min(end, high)))
        return found

    def _is_in(self, atom: int) -> bool:
        """Whether an atom stands in any of the inputs."""
        known = self._holds.get(atom)
        if known is None:
            known = self._holds[atom] = self._stands_in_any(atom)
        return known

    def _stands_in_any(self, atom: int) -> bool:
        givers, length = self._evidence.givers, len(self._evidence.matches.atoms[atom])
        for chain in givers.chains(atom):
            if chain not in self._inputs:
                continue
            if any(givers.stands(each, atom, 0, length) for each in _ends(self._inputs[chain])):
                return True
        return False


def _ends(nodes: list[int]) -> list[int]:
    return nodes if len(nodes) <= 2 * _LOOKED_AT else nodes[:_LOOKED_AT] + nodes[-_LOOKED_AT:]
