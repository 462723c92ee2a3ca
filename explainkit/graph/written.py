"""Finds the earlier container that a JSON text says again, so that its short leaves keep a source.

A dict that a tool gave and ``json.dumps`` wrote into a message is the same content: equality of the
whole says where each leaf came from, however short the leaf is.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from explainkit.graph.givers import Givers
from explainkit.graph.holding import PASSED, Holding
from explainkit.graph.json_reading import JsonText, WrittenContainer, WrittenLeaf, json_texts
from explainkit.graph.nearest import LOOKED_AT, Nearest
from explainkit.graph.small_values import SHORTEST
from explainkit.graph.stretches import Stretch
from explainkit.graph.value_keys import ValueKeys

_MOST_PLACES: Final = 2048
_HELD: Final = 64
_DEPTH: Final = 4
_KEPT: Final = 4096
_SPELT: Final = 256
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
Hit = tuple[int, int, int]
"""Number of an atom, first code point, one past the last."""


class Written(NamedTuple):
    """A container of a JSON text, and where it was given.

    Attributes:
        text: The JSON text.
        container: What of it the earlier place holds.
        source: The earlier place and the path of the container there; none of its characters.
    """

    text: JsonText
    container: WrittenContainer
    source: Stretch


class WrittenLeaves(NamedTuple):
    """Stretches of an atom and of an earlier place that say the same.

    Attributes:
        start: First code point in the atom.
        end: One past the last.
        source: The earlier stretch; equally long when both agree one to one.
    """

    start: int
    end: int
    source: Stretch


class WrittenValues:
    """Answers which earlier place gave the JSON that stands in an atom."""

    def __init__(
        self, givers: Givers, nearest: Nearest, holding: Holding,
        rows: Callable[[], Iterator[dict[str, Any]]],
    ) -> None:  # fmt: skip
        self._givers = givers
        self._nearest = nearest
        self._holding = holding
        self._keys = ValueKeys(holding.contents, rows)
        self._texts: dict[int, tuple[JsonText, ...]] = {}
        self._places: dict[bytes, list[tuple[int, str]]] = {}
        self._known: dict[tuple[int, int], tuple[Written, ...]] = {}
        self._cut: set[tuple[int, int]] = set()
        """Places and atoms of which a container stands in more places than are looked at."""
        self._passed = False
        self._spelt: dict[str, list[Hit]] = {}

    def texts(self, atom: int) -> tuple[JsonText, ...]:
        """The JSON texts in an atom, which is read once."""
        found = self._texts.get(atom)
        if found is None:
            found = self._texts[atom] = json_texts(self._holding.contents.atoms[atom])
        return found

    def given(self, node: int, atom: int, low: int, high: int) -> tuple[Written, ...]:
        """What an earlier place gave of the JSON in ``[low, high)`` of an atom of a later place.

        Args:
            node: The later place.
            atom: Number of the atom.
            low: First code point of the atom that is asked for.
            high: One past the last.

        Returns:
            Containers in order of the atom, none in another.
        """
        if low >= high or not self.texts(atom):
            return ()
        known = self._known.get((node, atom))
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._passed = False
            found = [each for text in self.texts(atom) for each in self._of_text(node, text)]
            known = self._known[node, atom] = tuple(found)
            if self._passed:
                self._cut.add((node, atom))
        if (node, atom) in self._cut:
            self._holding.met.add(PASSED)
        first = bisect_right(known, low, key=lambda each: each.container.end)
        last = bisect_left(known, high, first, key=lambda each: each.container.start)
        return known[first:last]

    def leaves(self, written: Written, low: int, high: int) -> Iterator[WrittenLeaves]:
        """The leaves of a container that stand in ``[low, high)`` of the atom.

        A leaf that both sides spell alike is cut there; any other is given whole.
        """
        leaves, numbers = written.text.leaves, written.container.leaves
        first = bisect_right(leaves, low, numbers.start, numbers.stop, key=lambda leaf: leaf.end)
        last = bisect_left(leaves, high, first, numbers.stop, key=lambda leaf: leaf.start)
        value = self._givers.value(written.source.node)
        for leaf in leaves[first:last]:
            below = leaf.path[len(written.container.path) :]
            path = written.source.path + below
            length = self._holding.leaf(value, path)
            if not length:
                continue
            text = self._holding.text(value, path, 0, length)
            if not _says(leaf, text):
                continue  # only a damaged file gives equal keys to what differs
            start, end = max(low, leaf.start), min(high, leaf.end)
            if leaf.end - leaf.start == length:
                at = start - leaf.start
                source = Stretch(written.source.node, path, at, at + end - start)
                yield WrittenLeaves(start, end, source)
            else:
                source = Stretch(written.source.node, path, 0, length)
                yield WrittenLeaves(leaf.start, leaf.end, source)

    def spelt(self, words: str, found: list[Hit]) -> list[Hit]:
        """Where words stand, the leaves of JSON included in which a search does not find them.

        A number between JSON's marks may read as a time or a ratio. A text with escapes has other
        characters than the words: the whole leaf that holds them is meant.

        Args:
            words: The words.
            found: Where a search finds them.
        """
        said = words.casefold().strip()
        known = self._spelt.get(said)
        if known is None:
            if len(self._spelt) >= _SPELT:
                self._spelt.clear()
            more = self._escaped(said, found) if said else []
            if _NUMBER.fullmatch(said):
                more += self._numbers(said)
            known = self._spelt[said] = list(dict.fromkeys([*found, *more]))
        return known

    def _escaped(self, said: str, found: list[Hit]) -> list[Hit]:
        hits: list[Hit] = []
        seen = sorted(found)
        for text, hit in self._escapes:
            if said in text:
                inside = bisect_left(seen, hit)
                if inside == len(seen) or seen[inside] >= (hit[0], hit[2], 0):
                    hits.append(hit)
        return hits

    def _numbers(self, said: str) -> list[Hit]:
        return [
            (atom, leaf.start, leaf.end)
            for atom, text in self._holding_json
            if said in text
            for each in self.texts(atom)
            for leaf in each.leaves
            if not isinstance(leaf.value, str) and text[leaf.start : leaf.end] == said
        ]

    @cached_property
    def _holding_json(self) -> list[tuple[int, str]]:
        """The atoms in which JSON stands, with their texts."""
        atoms = enumerate(self._holding.contents.atoms)
        return [(atom, text) for atom, text in atoms if self.texts(atom)]

    @cached_property
    def _escapes(self) -> list[tuple[str, Hit]]:
        """Leaves that are spelt with escapes: what they say, folded, and where."""
        return [
            (leaf.value.casefold(), (atom, leaf.start, leaf.end))
            for atom, text in self._holding_json
            if "\\" in text
            for each in self.texts(atom)
            for leaf in each.leaves
            if isinstance(leaf.value, str) and len(leaf.value) != leaf.end - leaf.start
        ]

    def _of_text(self, node: int, text: JsonText) -> Iterator[Written]:
        number = 0
        while number < len(text.containers):
            container = text.containers[number]
            source = self._source(node, text, container)
            if source is None:
                number += 1
                continue
            yield Written(text, container, source)
            number = container.after

    def _source(self, node: int, text: JsonText, container: WrittenContainer) -> Stretch | None:
        if container.end - container.start < SHORTEST or not container.leaves:
            return None
        places = self._standing(container.key)
        places = places[: bisect_left(places, (node, ""))]
        if not self._is_telling(text, container):
            places = [place for place in places if not place[1]]
        if not places:
            return None
        nodes = [place[0] for place in places[-LOOKED_AT:]]
        best = self._nearest.choose(node, nodes, whole=False)
        if best is None:
            self._passed = self._passed or len(places) > LOOKED_AT
            return None
        path = places[bisect_left(places, (best, ""))][1]
        return Stretch(best, path, 0, 0)

    def _is_telling(self, text: JsonText, container: WrittenContainer) -> bool:
        """A part of a value that holds next to nothing may be equal by chance."""
        leaves = text.leaves[container.leaves.start : container.leaves.stop]
        return sum(leaf.end - leaf.start for leaf in leaves[:SHORTEST]) >= SHORTEST

    def _standing(self, key: bytes) -> list[tuple[int, str]]:
        """Places and paths at which a container with a key stands, ascending."""
        found = self._places.get(key)
        if found is None:
            standing: dict[tuple[int, str], None] = {}
            for value, path in self._keys.table.get(key, ())[:_MOST_PLACES]:
                self._climb(value, path, standing, 0)
            found = self._places[key] = sorted(standing)
        return found

    def _climb(self, value: int, path: str, found: dict[tuple[int, str], None], depth: int) -> None:
        for node in self._nodes.get(value, ()):
            found[node, path] = None
        if depth >= _DEPTH:
            return
        contents = self._holding.contents
        own = contents.chain[value]
        for parent in contents.chains[own].parents[:_HELD]:
            for held in contents.chains[parent].children[own][:_HELD]:
                if len(found) >= _MOST_PLACES:
                    return
                if held.piece.ref == value and held.piece.start < 0:
                    self._climb(held.value, held.piece.path + path, found, depth + 1)

    @cached_property
    def _nodes(self) -> dict[int, list[int]]:
        return self._givers.nodes_by_value()


def _says(leaf: WrittenLeaf, text: str) -> bool:
    if isinstance(leaf.value, str):
        return leaf.value == text
    try:
        return float(text) == float(leaf.value)
    except (ValueError, OverflowError):
        return False
