"""Maps a stretch through what was declared: segments, origins, and versions of an answer."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

from explainkit.graph.declared_into import DeclaredInto
from explainkit.graph.edges import WHOLE, Edge, Evidence
from explainkit.graph.places import INPUT
from explainkit.graph.rewording import says_the_same
from explainkit.graph.stretches import REST, Carry, Stretch
from explainkit.text.alignment import Piece, align, map_range

if TYPE_CHECKING:
    from explainkit.graph.carrying import Carrying

_VERSIONS_KEPT: Final = 8
_PLACES_KEPT: Final = 256
_LEAVES: Final = 400
"""Leaves of a container among which words are looked for."""
_WORDS: Final = 80
_SPELT: Final = 16
"""Code points by which two ways to write the same words may differ."""
Given = list[tuple[int, int, int, int]]


class Declared:
    """Declared edges at the level of characters."""

    def __init__(self, carrying: "Carrying") -> None:
        self._carrying = carrying
        self._aligned: dict[tuple[int, int], list[Piece]] = {}
        self._edges: dict[int, DeclaredInto] = {}

    def sources(self, target: Stretch, *, moved: bool = False) -> list[Carry]:
        """Carries along the declared edges into the stretch's place.

        Args:
            target: A stretch of a leaf.
            moved: Only where the characters themselves came along: not what was made from another
                value in other words. A segment of a template counts: it says which characters
                stand for the value, however they are formatted.
        """
        parts: list[Carry] = []
        others: list[Carry] = []
        for edge in self._into(target.node).touching(target):
            whole = edge.evidence.target_end == REST and not edge.evidence.target_path
            if edge.role == "overrides":
                others.extend(self._from_version(edge, target))
            elif whole:
                others.extend(self._from_whole(edge, target))
            elif edge.evidence.target_end == REST:
                others.extend(self._from_node(edge, target))
            else:
                parts.extend(self._from_segment(edge, target))
        exact = [carry for carry in (*parts, *others) if carry.source.end != REST]
        if not exact:
            exact = [leaf for carry in others for leaf in self._of_leaves(carry)]
        found = exact or [*parts, *others]
        if not moved:
            return found
        formatted = set(parts)
        return [each for each in found if each in formatted or self._is_moved(each)]

    def _is_moved(self, carry: Carry) -> bool:
        """Whether the words of the later place stand in the earlier one."""
        if REST in (carry.source.end, carry.target.end):
            digests = self._carrying.places.digest
            return digests[carry.source.node] == digests[carry.target.node]
        before, after = (self._carrying.text(each) for each in (carry.source, carry.target))
        return says_the_same(before, after)

    def _into(self, node: int) -> DeclaredInto:
        known = self._edges.get(node)
        if known is None:
            while len(self._edges) >= _PLACES_KEPT:
                self._edges.pop(next(iter(self._edges)))
            known = self._edges[node] = DeclaredInto(self._carrying.table.edges_into(node))
        return known

    def replaced(self, target: Stretch) -> list[tuple[int, int]]:
        """Parts of a later version's stretch that its override put in place of others."""
        for edge in self._into(target.node).others:
            if edge.role == "overrides":
                pieces = self.versions(edge.source, edge.target, target.path)
                if pieces is None:  # of another shape: nothing was kept
                    return [(target.start, target.end)]
                return [
                    (max(piece.after_start, target.start), min(piece.after_end, target.end))
                    for piece in pieces
                    if not piece.equal
                    and piece.after_start < target.end
                    and piece.after_end > target.start
                ]
        return []

    def is_replaced(self, edge: Edge) -> bool:
        """Whether the target of an edge between versions took the place of what the source says.

        Args:
            edge: An edge of the role ``overrides`` that says which stretch became which.
        """
        shown = edge.evidence
        pieces = self.versions(edge.source, edge.target, shown.target_path)
        if pieces is None:
            before = Stretch(edge.source, shown.source_path, shown.source_start, shown.source_end)
            after = Stretch(edge.target, shown.target_path, shown.target_start, shown.target_end)
            return not says_the_same(*map(self._carrying.text, (before, after)))
        at = bisect_right(pieces, shown.target_start, key=lambda piece: piece.after_start) - 1
        return at >= 0 and self._is_other(edge, pieces[at], shown.target_path)

    def _is_other(self, edge: Edge, piece: Piece, path: str) -> bool:
        """Whether a piece of a later version says something else than the one before."""
        if piece.equal:
            return False
        before = Stretch(edge.source, path, piece.before_start, piece.before_end)
        after = Stretch(edge.target, path, piece.after_start, piece.after_end)
        return not says_the_same(*map(self._carrying.text, (before, after)))

    def _is_mark(self, edge: Edge, piece: Piece, path: str) -> bool:
        """Whether all that two versions share there is a full stop, or the like."""
        kept = Stretch(edge.target, path, piece.after_start, piece.after_end)
        return piece.equal and not any(map(str.isalnum, self._carrying.text(kept)))

    def versions(self, before: int, after: int, path: str) -> list[Piece] | None:
        """How the text at a path of one version became that of the next.

        ``None`` when one of them has no such leaf.
        """
        if path == "" and (before, after) in self._aligned:
            return self._aligned[before, after]
        texts = [self._leaf(node, path) for node in (before, after)]
        if texts[0] is None or texts[1] is None:
            return None
        given = self._carrying.ranges.get(after)
        pieces = align(texts[0], texts[1]) if not given else _given(given, texts[0], texts[1])
        if path == "":
            while len(self._aligned) >= _VERSIONS_KEPT:
                self._aligned.pop(next(iter(self._aligned)))
            self._aligned[before, after] = pieces
        return pieces

    def _leaf(self, node: int, path: str) -> str | None:
        carrying = self._carrying
        value = carrying.givers.value(node)
        length = None if value < 0 else carrying.holding.leaf(value, path)
        return None if length is None else carrying.holding.text(value, path, 0, length)

    def _from_version(self, edge: Edge, target: Stretch) -> Iterable[Carry]:
        if edge.source in self._carrying.givers.receipts:
            return []  # a receipt says nothing of its own that an answer could have replaced
        pieces = self.versions(edge.source, edge.target, target.path)
        if pieces is None:
            whole = Stretch(edge.source, "", 0, REST)
            return [Carry(whole, target, edge.role, edge.grade, replaced=True)]
        if not pieces:
            return []
        # Piece by piece, so that unchanged words keep their exact place beside changed ones.
        found = []
        for piece in pieces:
            low, high = max(piece.after_start, target.start), min(piece.after_end, target.end)
            if low >= high or (len(pieces) > 1 and self._is_mark(edge, piece, target.path)):
                continue
            start, end = map_range(pieces, low, high, backward=True)
            source = Stretch(edge.source, target.path, start, end)
            part = target._replace(start=low, end=high)
            other = self._is_other(edge, piece, target.path)
            found.append(Carry(source, part, edge.role, edge.grade, replaced=other))
        return found

    def _from_segment(self, edge: Edge, target: Stretch) -> Iterable[Carry]:
        evidence = edge.evidence
        if target.path == evidence.target_path:
            low = max(target.start, evidence.target_start)
            high = min(target.end, evidence.target_end)
            if low >= high:
                return []
            source = self._part(edge.source, evidence, low, high)
            return [Carry(source, target._replace(start=low, end=high), edge.role, edge.grade)]
        if not target.path.startswith(f"{evidence.target_path}/"):
            return []
        item, _, rest = target.path[len(evidence.target_path) + 1 :].partition("/")
        if not item.isdigit() or not evidence.target_start <= int(item) < evidence.target_end:
            return []
        rest = f"/{rest}" if rest else ""
        source_path = self._item(edge.source, evidence, int(item), rest, target)
        if source_path == target.path:
            first = self._first_received(edge, target)
            if first is not None:
                return first
        source = target._replace(node=edge.source, path=source_path)
        return [Carry(source, target, edge.role, edge.grade)]

    def _from_node(self, edge: Edge, target: Stretch) -> Iterable[Carry]:
        """The same characters below the origin; where it holds others there, what it holds."""
        evidence = edge.evidence
        path = evidence.source_path + target.path[len(evidence.target_path) :]
        if self._leaf(edge.source, path) != self._leaf(target.node, target.path):
            return self._from_whole(edge, target)
        source = target._replace(node=edge.source, path=path)
        return [Carry(source, target, edge.role, edge.grade)]

    def _first_received(self, edge: Edge, target: Stretch) -> list[Carry] | None:
        """Sources of a message at the first link that read it, when the chat only repeats it.

        Each link of a chat names the messages of the link before as its own; going back link by
        link would make a hop of every turn.
        """
        carrying = self._carrying
        kinds = carrying.places.kind
        if kinds[edge.source] != INPUT or kinds[target.node] != INPUT:
            return None
        first = carrying.givers.first_received(target.node, int(target.path[1:].split("/", 1)[0]))
        if first is None or first >= target.node:
            return None
        moved = self.sources(target._replace(node=first))
        back = [carry._replace(target=carry.target._replace(node=target.node)) for carry in moved]
        return back or [Carry(target._replace(node=first), target, edge.role, edge.grade)]

    def _item(self, source: int, evidence: Evidence, item: int, rest: str, target: Stretch) -> str:
        """Path in the source of an item of a list: the item itself, or the same rank in a list."""
        index = evidence.source_start + item - evidence.target_start
        listed = f"{evidence.source_path}/{index}{rest}"
        alone = f"{evidence.source_path}{rest}"
        wanted = self._leaf(target.node, target.path)
        for path in (listed, alone):
            if self._leaf(source, path) == wanted:
                return path
        return listed if self._leaf(source, listed) is not None else alone

    def _part(self, source: int, evidence: Evidence, low: int, high: int) -> Stretch:
        """The origin's characters for a part of a segment; all of it when it was reformatted."""
        start, end = evidence.source_start, evidence.source_end
        if end == REST:
            value = self._carrying.givers.value(source)
            length = None if value < 0 else self._carrying.holding.leaf(value, evidence.source_path)
            if length is None:
                return Stretch(source, "", 0, REST)
            end = length
        if end - start == evidence.target_end - evidence.target_start:
            start, end = (
                start + low - evidence.target_start,
                start + high - evidence.target_start,
            )
        return Stretch(source, evidence.source_path, start, end)

    def _from_whole(self, edge: Edge, target: Stretch) -> Iterable[Carry]:
        carrying = self._carrying
        same = carrying.places.digest[edge.source] == carrying.places.digest[edge.target]
        if same and edge.evidence == WHOLE:
            return [Carry(target._replace(node=edge.source), target, edge.role, edge.grade)]
        # A wired origin needs no second proof, so words that chance might explain count too.
        exact = self._found_in(edge, target, loose=False) or self._found_in(
            edge, target, loose=True
        )
        if exact:
            return exact
        evidence = edge.evidence
        path, end = evidence.source_path, evidence.source_end
        if end == REST:
            value = carrying.givers.value(edge.source)
            length = None if value < 0 else carrying.holding.leaf(value, path)
            end = REST if length is None else length
        whole = Stretch(edge.source, path if end != REST else "", evidence.source_start, end)
        return [Carry(whole, target, edge.role, edge.grade)]

    def _of_leaves(self, carry: Carry) -> list[Carry]:
        """From the leaves of a declared container that say nothing but the words looked for.

        However short they are: that they come from the container needs no proof, only which of
        its leaves they are does.
        """
        target, node = carry.target, carry.source.node
        value = self._carrying.givers.value(node)
        length = target.end - target.start
        if value < 0 or carry.source.path or length > _WORDS:
            return []
        text = self._carrying.text(target)
        found: list[Carry] = []
        for path, size in islice(self._carrying.holding.leaves_of(value), _LEAVES):
            if path and 0 < size <= length + _SPELT:
                leaf = Stretch(node, path, 0, size)
                if says_the_same(self._carrying.text(leaf), text):
                    found.append(carry._replace(source=leaf, replaced=False))
        return found

    def _found_in(self, edge: Edge, target: Stretch, *, loose: bool) -> list[Carry]:
        """The target's own words in a declared origin, where they stand there."""
        carrying = self._carrying
        value = carrying.givers.value(target.node)
        found: list[Carry] = []
        if value < 0:
            return found
        pieces = carrying.holding.atoms_of(value, target.path, target.start, target.end)
        for atom, low, start, end in pieces:
            high = low + end - start
            ways = [(atom, low, high, start, end)]
            ways += [
                (each.atom, each.low, each.high, each.start + start - low, each.end + start - low)
                for each in carrying.matches.common(atom, low, high, loose=loose)
            ]
            for other, first, last, begin, stop in ways:
                stands = carrying.givers.stands(edge.source, other, first, last)
                whole = [each for each in stands if each.end - each.start == last - first]
                for stand in whole[:1]:
                    source = Stretch(edge.source, stand.path, stand.start, stand.end)
                    part = target._replace(start=begin, end=stop)
                    found.append(Carry(source, part, edge.role, edge.grade))
                if whole:
                    break
        return found


def _given(ranges: Given, before: str, after: str) -> list[Piece]:
    """The pieces that given ranges stand for; what is between them is unchanged."""
    pieces: list[Piece] = []
    at = new = 0
    for start, end, new_start, new_end in sorted(ranges):
        if start < at or new_start < new or end > len(before) or new_end > len(after):
            return align(before, after)
        if before[at:start] != after[new:new_start]:
            return align(before, after)
        if start > at:
            pieces.append(Piece(at, start, new, new_start, equal=True))
        pieces.append(Piece(start, end, new_start, new_end, equal=False))
        at, new = end, new_end
    if before[at:] != after[new:]:
        return align(before, after)
    if at < len(before):
        pieces.append(Piece(at, len(before), new, len(after), equal=True))
    return pieces
