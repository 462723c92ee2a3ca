"""Where a stretch of characters came from: declared first, then equal values, then equal words."""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from explainkit.graph.atoms_read import AtomsRead
from explainkit.graph.declared import Declared
from explainkit.graph.edges import EdgeTable
from explainkit.graph.givers import RECEIVED, Given, Givers
from explainkit.graph.holding import PASSED, Holding
from explainkit.graph.links import Links
from explainkit.graph.matches import Common, Matches
from explainkit.graph.places import INPUT, OUTPUT, Places
from explainkit.graph.selected_words import SelectedWords
from explainkit.graph.small_values import SHORTEST
from explainkit.graph.stretches import (
    REST,
    Carry,
    Remaining,
    Stretch,
    joined,
    merged,
    without,
    without_all,
)
from explainkit.graph.whole_lines import WholeLines
from explainkit.graph.written import WrittenValues

_KEPT: Final = 20_000
Ranges = list[tuple[int, int]]
_Asked = tuple[Stretch, str | None, bool, bool]


class Carrying:
    """Maps stretches of characters back to earlier places."""

    def __init__(
        self, places: Places, links: Links, table: EdgeTable, givers: Givers, holding: Holding,
        matches: Matches, ranges: dict[int, list[tuple[int, int, int, int]]], *,
        written: WrittenValues,
    ) -> None:  # fmt: skip
        self.places = places
        self.links = links
        self.table = table
        self.givers = givers
        self.holding = holding
        self.matches = matches
        self.ranges = ranges
        self.written = written
        self._read = AtomsRead(holding)
        self._selected = SelectedWords(self)
        self.lines = WholeLines(matches.atoms)
        self._known: dict[_Asked, tuple[list[Carry], frozenset[str]]] = {}

    @cached_property
    def declared(self) -> Declared:
        """Mapping through what was declared."""
        return Declared(self)

    def text(self, stretch: Stretch) -> str:
        """The characters of a stretch; for a whole node its leaves, a line each."""
        value = self.givers.value(stretch.node)
        if value < 0:
            return ""
        if stretch.end != REST:
            return self.holding.text(value, stretch.path, stretch.start, stretch.end)
        return "\n".join(
            self.holding.text(value, path, 0, length)
            for path, length in self.holding.leaves_of(value)
            if f"{path}/".startswith(f"{stretch.path}/")
        )

    def head(self, node: int, most: int) -> str:
        """The first characters of what a place holds, without reading the rest."""
        value, found, length = self.givers.value(node), [], -1
        if value < 0:
            return ""
        for path, size in self.holding.leaves_of(value):
            found.append(self.holding.text(value, path, 0, min(size, most)))
            length += 1 + len(found[-1])
            if length >= most:
                break
        return "\n".join(found)[:most]

    def leaves(self, node: int) -> list[Stretch]:
        """Every leaf of the value that a place holds."""
        value = self.givers.value(node)
        if value < 0:
            return []
        return [
            Stretch(node, path, 0, length)
            for path, length in self.holding.leaves_of(value)
            if length
        ]

    def sources(
        self,
        target: Stretch,
        *,
        wanted: str | None = None,
        loose: bool = False,
        moved: bool = False,
    ) -> list[Carry]:
        """Where a stretch came from, at grades declared and value.

        Args:
            target: A stretch of one leaf.
            wanted: The words that a person selected, when the stretch is those words: then every
                place in what a link received counts, however short they are.
            loose: Also matches that chance might explain.
            moved: Only where the characters themselves came along, not what they were made from.

        Returns:
            Carries in order of the target's characters; none where nothing is known.
        """
        key = (target, wanted, loose, moved)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            around, self.holding.met = self.holding.met, set()
            found = self._sources(target, wanted, loose, moved)
            known = self._known[key] = found, frozenset(self.holding.met)
            self.holding.met = around
        self.holding.met |= known[1]
        return known[0]

    def bounds(self, target: Stretch, *, wanted: str | None = None) -> frozenset[str]:
        """The bounds that a search for sources met, such as ``PASSED`` of `holding`.

        Args:
            target: As `sources` takes it.
            wanted: As `sources` takes it.
        """
        self.sources(target, wanted=wanted)
        return self._known[target, wanted, False, False][1]

    def _sources(
        self, target: Stretch, wanted: str | None, loose: bool, moved: bool
    ) -> list[Carry]:
        found = self.declared.sources(target, moved=moved)
        todo: Ranges = without_all(
            [(target.start, target.end)],
            [(carry.target.start, carry.target.end) for carry in found],
        )
        wired = [each for each in found if each.role != "overrides" and each.source.end != REST]
        changed = without_all(
            self.declared.replaced(target),
            [(carry.target.start, carry.target.end) for carry in wired],
        )
        todo = merged(todo + changed)
        if not todo or self._is_assembled(target.node):
            return joined(found)
        equal = self._equal(target)
        if equal is not None and not found:
            return [equal]
        whole = wanted is not None and todo == [(target.start, target.end)]
        asked = whole and self._is_model_output(target.node)
        if asked and (read := self._selected.read(target, wanted or "")):
            return joined(found + read)
        for start, end in todo:
            found.extend(self._by_words(target._replace(start=start, end=end), loose, wanted))
        if asked:
            found.extend(self._selected.read_rest(target, wanted or "", found))
        if whole and all(carry.replaced for carry in found):
            found = found + self._selected.nearest(target, wanted or "")
        return joined(found)

    def _is_assembled(self, node: int) -> bool:
        """Words of a template that no segment covers are the author's own."""
        return self.type_of_output(node) == "assemble"

    def _is_model_output(self, node: int) -> bool:
        """A model can have any word from what it read; a tool may know the word by itself."""
        return self.type_of_output(node) == "model"

    def type_of_output(self, node: int) -> str | None:
        """The type of the link that a place is the output of, if it is one."""
        if self.places.kind[node] != OUTPUT:
            return None
        row = self.links.row(self.places.inside[node])
        return None if row is None else self.links.type_of(row)

    def _equal(self, target: Stretch) -> Carry | None:
        """The edge of equal digests, when the place has one."""
        for edge in self.table.edges_into(target.node):
            if edge.role == "carries" and edge.grade == "value":
                kind = self.places.kind[edge.source]
                if kind == INPUT and self.places.kind[target.node] == INPUT:
                    continue  # another link received it as well: look for who gave it
                source = target._replace(node=edge.source)
                return Carry(source, target, "carries", "value")
        return None

    def role(self, node: int) -> str:
        """The role of an edge of equal characters into a place."""
        return "produced" if self.places.kind[node] == OUTPUT else "carries"

    def _by_words(self, target: Stretch, loose: bool, wanted: str | None) -> list[Carry]:
        value = self.givers.value(target.node)
        if value < 0:
            return []
        found: list[Carry] = []
        for atom, low, start, end in self.holding.atoms_of(
            value, target.path, target.start, target.end
        ):
            piece = target._replace(start=start, end=end)
            if wanted is None and self._is_small(atom, low, end - start, target.node):
                self._as_json(piece, atom, low, [(low, low + end - start)], found)
                continue
            found.extend(self._of_atom(piece, atom, low, loose))
        return found

    def _is_small(self, atom: int, low: int, length: int, before: int) -> bool:
        text = self.matches.atoms[atom][low : low + length]
        if len(text.strip()) >= SHORTEST:
            return False
        whole = length == len(self.matches.atoms[atom])
        return not (whole and text.strip() and self.givers.is_only(atom, before=before))

    def of_atom(self, target: Stretch, atom: int, low: int, *, loose: bool) -> list[Carry]:
        """Sources of a stretch that is a stretch of one atom, beginning at ``low`` in it."""
        if self._is_small(atom, low, target.end - target.start, target.node):
            found: list[Carry] = []
            self._as_json(target, atom, low, [(low, low + target.end - target.start)], found)
            return found
        return self._of_atom(target, atom, low, loose)

    def _of_atom(self, target: Stretch, atom: int, low: int, loose: bool) -> list[Carry]:
        shift = target.start - low
        high = low + target.end - target.start
        found: list[Carry] = []
        todo: Ranges = [(low, high)]
        exact = self.givers.nearest(target.node, atom, low, high)
        if exact is not None:
            todo = self._take(exact, target, shift, todo, found)
        todo = self._as_json(target, atom, low, todo, found)
        later: list[Common] = []
        taken: Ranges = []  # none in another: sorted by start, the ends rise too
        every = self.places.kind[target.node] in (INPUT, OUTPUT)
        left = Remaining.of(todo)
        for start, end in todo:
            for common in self.matches.common(atom, start, end, loose=loose):
                if not every and not left.touches(common.start, common.end):
                    continue  # an answer comes from the nearest place, not from each that holds it
                ends = common.start, common.end
                near = bisect_right(taken, (common.start, sys.maxsize)) - 1
                if near >= 0 and taken[near][1] >= common.end and taken[near] != ends:
                    continue  # part of a longer run that is already explained
                given = self.givers.nearest(target.node, common.atom, common.low, common.high)
                if given is None:
                    later.append(common)
                else:
                    found.extend(self._carries(given, common, target, atom, shift))
                    left.take(*ends)
                    if near < 0 or taken[near] != ends:
                        taken.insert(near + 1, ends)
        todo = list(left)
        if todo and not self._is_model_output(target.node):
            todo = self._whole_lines(target, atom, shift, todo, found)
        if later and todo:
            todo = self._read_otherwise(target, atom, shift, todo, found)
        if todo and self.matches.table.left_out:
            self.holding.met.add(PASSED)
        for start, end in todo:
            self._only_received(target, atom, shift, (start, end), later, found)
        return found

    def _take(
        self, given: Given, target: Stretch, shift: int, todo: Ranges, found: list[Carry]
    ) -> Ranges:
        every = self.places.kind[target.node] == OUTPUT
        for stand in self.holding.followed(given.stands) if every else given.stands[:1]:
            start = stand.low
            end = start + stand.end - stand.start
            found.append(
                Carry(
                    Stretch(given.node, stand.path, stand.start, stand.end),
                    target._replace(start=start + shift, end=end + shift),
                    self.role(target.node),
                    "value",
                )
            )
            todo = without(todo, start, end)
        return todo

    def _as_json(
        self, target: Stretch, atom: int, low: int, todo: Ranges, found: list[Carry]
    ) -> Ranges:
        """Leaves of earlier containers that the atom says as JSON, which is then explained."""
        shift, role = target.start - low, self.role(target.node)
        taken: Ranges = []
        for start, end in todo:
            for written in self.written.given(target.node, atom, start, end):
                taken.append((written.container.start, written.container.end))
                for leaf in self.written.leaves(written, start, end):
                    at = target._replace(start=leaf.start + shift, end=leaf.end + shift)
                    found.append(Carry(leaf.source, at, role, "value"))
        return without_all(todo, taken) if taken else todo

    def frames(self, target: Stretch) -> Iterator[Carry]:
        """Names, brackets and marks of JSON that says an earlier container, leaves included.

        Args:
            target: A stretch of one leaf.

        Returns:
            Carries from the container: an empty stretch at its path.
        """
        value = self.givers.value(target.node)
        if value < 0:
            return
        for atom, low, start, end in self.holding.atoms_of(
            value, target.path, target.start, target.end
        ):
            shift = start - low
            for each in self.written.given(target.node, atom, low, low + end - start):
                first, last = each.container.start + shift, each.container.end + shift
                at = target._replace(start=max(first, start), end=min(last, end))
                yield Carry(each.source, at, self.role(target.node), "value")

    def _carries(
        self, given: Given, common: Common, target: Stretch, atom: int, shift: int
    ) -> Iterable[Carry]:
        every = self.places.kind[target.node] == OUTPUT
        for stand in self.holding.followed(given.stands) if every else given.stands:
            high = stand.low + stand.end - stand.start
            part = self.matches.part(common, atom, stand.low, high)
            if part is None:
                continue
            start = stand.start + part.low - stand.low
            yield Carry(
                Stretch(given.node, stand.path, start, start + part.high - part.low),
                target._replace(start=part.start + shift, end=part.end + shift),
                self.role(target.node),
                "value",
                common.strong,
                common.bits,
            )
            if not every:
                return

    def _whole_lines(
        self, target: Stretch, atom: int, shift: int, todo: Ranges, found: list[Carry]
    ) -> Ranges:
        """Lines of a joined text that earlier values are; a model writes its lines by itself."""
        taken: Ranges = []
        for start, end in todo:
            for line in self.lines.touching(atom, start, end):
                given = self.givers.nearest(target.node, line.atom, line.low, line.high)
                if given is not None:
                    found.extend(self._carries(given, line, target, atom, shift))
                    taken.append((line.start, line.end))
        return without_all(todo, taken) if taken else todo

    def _read_otherwise(
        self, target: Stretch, atom: int, shift: int, todo: Ranges, found: list[Carry]
    ) -> Ranges:
        """Words of earlier text that this link could not see may stand in its own inputs too."""
        if self.places.kind[target.node] != OUTPUT:
            return todo
        # What is left between two explained stretches is often a word or two that chance explains.
        ranges = [(start, end) for start, end in todo if end - start >= SHORTEST]
        atoms = self._read.of(map(self.givers.value, self.inputs(target.node))) if ranges else []
        if not atoms:
            return todo
        for runs in self.matches.between(atom, ranges, atoms):
            for common in runs:
                given = self.givers.nearest(target.node, common.atom, common.low, common.high)
                if given is not None:
                    found.extend(self._carries(given, common, target, atom, shift))
                    todo = without(todo, common.start, common.end)
        return todo

    def _only_received(
        self, target: Stretch, atom: int, shift: int, left: tuple[int, int],
        later: list[Common], found: list[Carry],
    ) -> None:  # fmt: skip
        """Nobody is known to have made the words; another link received them before."""
        todo: Ranges = [left]
        given = self.givers.received(target.node, atom, *left)
        if given is not None:
            todo = self._take(given, target, shift, todo, found)
        for common in later:
            if any(low < common.end and common.start < high for low, high in todo):
                given = self.givers.received(target.node, common.atom, common.low, common.high)
                if given is not None and given.level == RECEIVED:
                    found.extend(self._carries(given, common, target, atom, shift))
                    todo = without(todo, common.start, common.end)

    def inputs(self, output: int) -> range:
        """The input places of the link that put something out."""
        row = self.links.row(self.places.inside[output])
        if row is None:
            return range(0)
        first = self.links.first[row]
        return range(first, first + self.links.inputs[row])
