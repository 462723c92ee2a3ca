"""Where in a value another value's characters stand, found through chains and never by search."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from explainkit.graph.contents import LIST, TEXT, Chain, Contents, Held, Piece

REPEATS: Final = 8
"""Places of the same piece in one value that are followed."""
PASSED: Final = "passed"
"""A search found nothing, and did not look at all that may hold the characters."""
REPEATED: Final = "repeated"
"""Characters stand more often in one value than is followed."""
_OWNERS: Final = 48
_DEPTH: Final = 8
_MOST_AROUND: Final = 64
_FEW: Final = 4


class Stand(NamedTuple):
    """A stretch of a leaf of a value that is the stretch ``[low, ...)`` of what was asked for."""

    path: str
    start: int
    end: int
    low: int


class Holding:
    """Answers where atoms stand in values, and what a stretch of a value is made of.

    Attributes:
        met: The bounds that searches met since this was last emptied, such as ``PASSED``.
    """

    def __init__(self, contents: Contents) -> None:
        self.contents = contents
        self.met: set[str] = set()
        self._by_chain: dict[int, dict[int, list[Held]]] = {}
        """The owners of an atom that has many, by their chains."""
        self._around: dict[int, frozenset[int] | None] = {}
        self._paths: dict[int, tuple[dict[str, tuple[Piece, ...]], list[int]]] = {}

    def around(self, chain: int) -> frozenset[int] | None:
        """The chains in which a chain may stand, itself included; ``None`` when they are many."""
        if chain not in self._around:
            found = {chain: None}
            queue = [chain]
            for each in queue:  # grows while it is read
                for parent in self.contents.chains[each].parents:
                    if parent not in found:
                        found[parent] = None
                        queue.append(parent)
                if len(found) > _MOST_AROUND:
                    break
            self._around[chain] = frozenset(found) if len(found) <= _MOST_AROUND else None
        return self._around[chain]

    def stands(self, value: int, atom: int, low: int, high: int) -> list[Stand]:
        """Where the code points ``[low, high)`` of an atom stand in a value.

        Args:
            value: Number of the value.
            atom: Number of the atom.
            low: First code point.
            high: One past the last.

        Returns:
            Stretches with the code point of the atom that each begins with; at most one more than
            ``REPEATS``, which tells that there are more.
        """
        owners = self.contents.owners[atom]
        found = self._standing(owners[-_OWNERS:], value, low, high)
        if not found and len(owners) > _OWNERS:
            near = self._near(atom, self.contents.chain[value])
            found = self._standing(near[-_OWNERS:], value, low, high)
            if not found and (len(near) > _OWNERS or self._is_deep(value)):
                self.met.add(PASSED)
        return found[: REPEATS + 1]

    def _is_deep(self, value: int) -> bool:
        """Whether something may stand in a value at more than one remove."""
        chains = self.contents.chains
        inside = chains[self.contents.chain[value]].children
        return any(chains[chain].children for chain in inside)

    def _near(self, atom: int, wanted: int) -> list[Held]:
        """Of many owners of an atom those in a chain, or in what stands in it, latest last."""
        contents = self.contents
        table = self._by_chain.get(atom)
        if table is None:
            table = self._by_chain[atom] = {}
            for held in contents.owners[atom]:
                table.setdefault(contents.chain[held.value], []).append(held)
        inside = contents.chains[wanted].children
        fewer, more = (inside, table) if len(inside) < len(table) else (table, inside)
        chains = sorted(chain for chain in fewer if chain in more and chain != wanted)
        return [held for chain in (*chains, wanted) for held in table.get(chain, ())]

    def _standing(self, owners: list[Held], value: int, low: int, high: int) -> list[Stand]:
        """Where the code points ``[low, high)`` of an atom stand in a value, through owners."""
        found: list[Stand] = []
        wanted = self.contents.chain[value]
        for held in owners:
            around = self.around(self.contents.chain[held.value])
            if around is not None and wanted not in around:
                continue
            piece = held.piece
            first = max(low, piece.low)
            last = min(high, piece.low + piece.end - piece.start)
            if first >= last:
                continue
            start = piece.start + first - piece.low
            stand = Stand(piece.path, start, start + last - first, first)
            for each in self._raised(held.value, stand, value, 0):
                if each not in found:
                    found.append(each)
            if len(found) > REPEATS:
                break
        return found

    def followed(self, stands: Sequence[Stand]) -> Sequence[Stand]:
        """Of the places in one value those that are followed, where every place counts."""
        if len(stands) > REPEATS:
            self.met.add(REPEATED)
        return stands[:REPEATS]

    def _raised(self, owner: int, stand: Stand, value: int, depth: int) -> Iterator[Stand]:
        """Where a stretch of ``owner`` stands in ``value``."""
        contents = self.contents
        if contents.chain[owner] == contents.chain[value]:
            yield from self._kept(owner, stand, value)
        if depth > _DEPTH:
            return
        mine = contents.chains[contents.chain[value]].children
        direct = mine.get(contents.chain[owner])
        if direct is not None:
            yield from self._through(direct, owner, stand, value, depth)
            return
        middle = [chain for chain in self._parents(owner) if chain in mine]
        if not middle and len(mine) <= _FEW:
            middle = [chain for chain in mine if chain != contents.chain[value]]
        for chain in middle[:_FEW]:
            yield from self._through(mine[chain], owner, stand, value, depth)
        if not middle:
            yield from self._upwards(owner, stand, value, depth)

    def _parents(self, owner: int) -> list[int]:
        parents = self.contents.chains[self.contents.chain[owner]].parents
        return parents if len(parents) <= _OWNERS else parents[:_FEW] + parents[-_OWNERS:]

    def _upwards(self, owner: int, stand: Stand, value: int, depth: int) -> Iterator[Stand]:
        contents = self.contents
        own = contents.chain[owner]
        for chain in contents.chains[own].parents[:_FEW]:
            for held in contents.chains[chain].children[own][:_FEW]:
                for inner in self._raised(owner, stand, held.piece.ref, _DEPTH + 1):
                    outer = _outwards(held.piece, inner)
                    if outer is not None:
                        yield from self._raised(held.value, outer, value, depth + 1)

    def _through(
        self, pieces: list[Held], owner: int, stand: Stand, value: int, depth: int
    ) -> Iterator[Stand]:
        """Through the pieces of a value's chain that hold a value which may hold the owner."""
        tried = 0
        for held in reversed(pieces):
            if self.contents.room(value, held.value) < 0:
                continue
            tried += 1
            if tried > 2 * REPEATS:
                return
            for inner in self._raised(owner, stand, held.piece.ref, depth + 1):
                outer = _outwards(held.piece, inner)
                if outer is not None:
                    yield from self._kept(held.value, outer, value)

    def _kept(self, member: int, stand: Stand, value: int) -> Iterator[Stand]:
        """What of a stretch of a member is still in a later member of its chain."""
        contents = self.contents
        room = contents.room(value, member)
        if contents.shape[member] == TEXT:
            end = min(stand.end, room)
            if stand.start < end:
                yield stand._replace(end=end)
        elif contents.shape[member] == LIST:
            if room >= 0 and _item(stand.path) < room:
                yield stand
        elif room >= 0:
            yield stand

    def atoms_of(
        self, value: int, path: str, start: int, end: int
    ) -> list[tuple[int, int, int, int]]:
        """The atoms that a stretch of a leaf is made of.

        Returns:
            ``(atom, low, start, end)`` in order: the code points ``[start, end)`` of the leaf are
            those of the atom from ``low`` on.
        """
        alone = self._only_atom(value)
        if alone is not None and alone.path == path:
            low, high = max(start, alone.start), min(end, alone.end)
            return [(alone.ref, alone.low + low - alone.start, low, high)] if low < high else []
        found: list[tuple[int, int, int, int]] = []
        wanted = [(value, path, start, end, 0)]
        while wanted:
            number, at, first, last, shift = wanted.pop()
            for piece in self._pieces_at(number, at, first, last):
                if piece.start < 0:
                    wanted.append((piece.ref, at[len(piece.path) :], first, last, shift))
                    continue
                low, high = max(first, piece.start), min(last, piece.end)
                inner = piece.low + low - piece.start
                if low >= high:
                    continue
                if piece.atom:
                    found.append((piece.ref, inner, low + shift, high + shift))
                else:
                    wanted.append((piece.ref, at, inner, inner + high - low, shift + low - inner))
        found.sort(key=lambda each: each[2])
        return found

    def _only_atom(self, value: int) -> Piece | None:
        """The one atom that a value is, as most values are that took over nothing."""
        contents = self.contents
        pieces = contents.pieces[value]
        if len(pieces) != 1 or not pieces[0].atom or contents.rank[value]:
            return None
        return None if contents.chains[contents.chain[value]].keeps[0] else pieces[0]

    def leaves_of(self, value: int) -> Iterator[tuple[str, int]]:
        """Path and length in code points of every leaf of a value, in order."""
        contents = self.contents
        stack: list[tuple[int, str]] = [(value, "")]
        while stack:
            number, path = stack.pop()
            if contents.shape[number] == TEXT:
                yield path, contents.length[number]
                continue
            below: list[tuple[int, str]] = []
            for piece in self.whole_pieces(number):
                if piece.atom:
                    yield path + piece.path, piece.end
                else:
                    below.append((piece.ref, path + piece.path))
            stack.extend(reversed(below))

    def whole_pieces(self, value: int) -> list[Piece]:
        """All pieces of a list or container, those of the lists that it extends included."""
        contents = self.contents
        if contents.shape[value] != LIST:
            return list(contents.pieces[value])
        parts: list[tuple[Piece, ...]] = []
        room = contents.length[value]
        at: int | None = value
        while at is not None and room > 0:
            chain, rank = contents.chains[contents.chain[at]], contents.rank[at]
            while rank >= 0:
                keep = chain.keeps[rank]
                parts.append(self._first_items(chain.members[rank], keep, room))
                room = min(room, keep)
                rank -= 1
            stem = contents.stem_of(chain.members[0]) if room else None
            at = None if stem is None else stem.ref
        return [piece for part in reversed(parts) for piece in part]

    def _first_items(self, member: int, keep: int, room: int) -> tuple[Piece, ...]:
        """The pieces of the items ``[keep, room)`` that a member of a list's chain added."""
        pieces = self.contents.pieces[member]
        if self.contents.shape[member] == LIST:
            return pieces[: max(room - keep, 0)]
        return tuple(piece for piece in pieces if _item(piece.path) < room)

    def leaf(self, value: int, path: str) -> int | None:
        """Length in code points of the leaf at a path; ``None`` when there is no leaf."""
        contents = self.contents
        at: int | None = value
        while at is not None:
            if contents.shape[at] == TEXT:
                return None if path else contents.length[at]
            piece = next(self._pieces_at(at, path, 0, 1), None)
            if piece is None or piece.start >= 0:
                return None if piece is None else piece.end
            at, path = piece.ref, path[len(piece.path) :]
        return None

    def text(self, value: int, path: str, start: int, end: int) -> str:
        """A stretch of a leaf, rebuilt from its atoms without building the rest."""
        atoms = self.contents.atoms
        return "".join(
            atoms[atom][low : low + last - first]
            for atom, low, first, last in self.atoms_of(value, path, start, end)
        )

    def _pieces_at(self, value: int, path: str, start: int, end: int) -> Iterator[Piece]:
        """The pieces of a value, and of the members before it, that a stretch touches."""
        contents = self.contents
        shape = contents.shape[value]
        chain = contents.chains[contents.chain[value]]
        rank = contents.rank[value]
        if shape == LIST and path:
            item = path[1:].split("/", 1)[0]
            if not item.isdigit() or int(item) >= contents.length[value]:
                return
            index = int(item)
            rank = max(bisect_right(chain.keeps, index, 0, rank + 1) - 1, 0)
            if rank == 0 and index < chain.keeps[0]:
                stem = contents.stem_of(chain.members[0])
                if stem is not None:
                    yield from self._pieces_at(stem.ref, path, start, end)
                return
            member = chain.members[rank]
            if contents.shape[member] == LIST:
                pieces = contents.pieces[member]
                if index - chain.keeps[rank] < len(pieces):
                    yield pieces[index - chain.keeps[rank]]
            else:
                yield from self._pieces_of(member, path)
            return
        if shape != TEXT:
            yield from self._pieces_of(value, path)
            return
        if path:
            return
        yield from self._text_pieces(value, start, end)

    def _pieces_of(self, value: int, path: str) -> Iterator[Piece]:
        pieces = self.contents.pieces[value]
        if len(pieces) > _FEW:
            pieces = self._by_path(value, path)
        for piece in pieces:
            below = piece.start < 0 and path.startswith(f"{piece.path}/")
            if piece.path == path or below:
                yield piece

    def _by_path(self, value: int, path: str) -> tuple[Piece, ...]:
        """The pieces of a value that stand at a path, or hold it, without looking at the others."""
        if value not in self._paths:
            found: dict[str, tuple[Piece, ...]] = {}
            for piece in self.contents.pieces[value]:
                found[piece.path] = (*found.get(piece.path, ()), piece)
            whole = {
                piece.path.count("/") for piece in self.contents.pieces[value] if piece.start < 0
            }
            self._paths[value] = found, sorted(whole)
        by_path, depths = self._paths[value]
        steps = path.split("/")
        above = ["/".join(steps[: depth + 1]) for depth in depths if depth + 1 < len(steps)]
        return tuple(piece for each in (*above, path) for piece in by_path.get(each, ()))

    def _text_pieces(self, value: int, start: int, end: int) -> Iterator[Piece]:
        contents = self.contents
        chain = contents.chains[contents.chain[value]]
        limit = end
        rank = _adding(chain, contents.rank[value], limit)
        while limit > start:
            keep = chain.keeps[rank]
            for piece in contents.pieces[chain.members[rank]]:
                if piece.start < limit and piece.end > start:
                    yield piece if piece.end <= limit else piece._replace(end=limit)
            if keep <= start:
                return
            limit = min(limit, keep)
            if rank == 0:
                stem = contents.stem_of(chain.members[0])
                if stem is not None:
                    yield stem._replace(end=limit)
                return
            rank = _adding(chain, rank - 1, limit)


def _adding(chain: Chain, rank: int, limit: int) -> int:
    """The last member up to a rank that adds something before a limit; the first at least."""
    return max(bisect_left(chain.keeps, limit, 0, rank + 1) - 1, 0)


def _item(path: str) -> int:
    """Rank of the list item that a path leads into."""
    return int(path[1:].split("/", 1)[0])


def _outwards(piece: Piece, inner: Stand) -> Stand | None:
    """A stretch of the value that stands at a piece, as a stretch of the piece's holder."""
    if piece.start < 0:
        return inner._replace(path=piece.path + inner.path)
    if inner.path.startswith("/"):  # the beginning of a list that was taken over
        return inner if _item(inner.path) < piece.end else None
    shift = piece.start - piece.low
    start = max(inner.start + shift, piece.start)
    end = min(inner.end + shift, piece.end)
    if start >= end:
        return None
    return Stand(inner.path, start, end, inner.low + start - shift - inner.start)
