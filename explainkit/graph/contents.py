"""What every stored value is made of, so that shared text is looked at only once.

A value's characters live in *atoms*: distinct texts that are stored as such. A text stored as
parts, a list stored as items and a container that refers to other values only say where the atoms
stand. Texts that extend each other, and lists that do, form a *chain*: what a member added is in
every later member as well, up to the point where the next one cut it.
"""

from array import array
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from explainkit.safety.pointers import token
from explainkit.safety.surrogates import tagged_text

TEXT, LIST, OTHER = range(3)
_END: Final = 1 << 30
MOST_LEAVES: Final = 1 << 22
"""Leaves that one value may unfold to."""
MOST_CHARACTERS: Final = 1 << 29
"""Code points that one text may unfold to."""


class Piece(NamedTuple):
    """Where an atom, or another value, stands in a value.

    Attributes:
        path: JSON Pointer of the leaf (text) or of the place (other value).
        start: First code point in the leaf; -1 when a whole value stands at ``path``.
        end: One past the last.
        ref: Number of the atom or of the value.
        low: First code point in the atom or in the other text.
        atom: Whether ``ref`` is an atom.
    """

    path: str
    start: int
    end: int
    ref: int
    low: int
    atom: bool


class Held(NamedTuple):
    """A piece and the value that it belongs to."""

    value: int
    piece: Piece


class Chain:
    """Texts or lists that extend each other.

    Attributes:
        members: Numbers of the values.
        keeps: How many units of the one before each member kept; never falls.
        children: For each chain that stands in it, the pieces that hold it, in order.
        parents: Chains that this one stands in.
    """

    __slots__ = ("children", "keeps", "members", "parents")

    def __init__(self, first: int, keep: int) -> None:
        self.members = array("i", [first])
        self.keeps = array("i", [keep])
        self.children: dict[int, list[Held]] = {}
        self.parents: list[int] = []


class Contents:
    """The stored values of a run.

    Attributes:
        atoms: Distinct texts, in order of first appearance.
        owners: For each atom, the pieces that hold it.
        pieces: For each value, what it adds to the member before it.
        shape: For each value ``TEXT``, ``LIST`` (stored as its items) or ``OTHER``.
        length: Code points of a text, items of a list, else 0.
        chain: For each value, the number of its chain.
        rank: Its place in the chain.
        chains: The chains.
        damaged: Values that could not be read.
    """

    def __init__(self, rows: Iterator[dict[str, Any]]) -> None:
        self.numbers: dict[str, int] = {}
        self.atoms: list[str] = []
        self.owners: list[list[Held]] = []
        self.pieces: list[tuple[Piece, ...]] = []
        self.shape = bytearray()
        self.length = array("q")
        self.chain = array("i")
        self.rank = array("i")
        self.chains: list[Chain] = []
        self._atom_ids: dict[str, int] = {}
        self.damaged = 0
        self._weight = array("q")
        for row in rows:
            digest = row.get("digest")
            if isinstance(digest, str) and digest not in self.numbers:
                self._read(row)
        del self._atom_ids

    def _read(self, row: dict[str, Any]) -> None:
        """Add a value; one that a hostile or damaged file misshaped counts as empty."""
        number = len(self.pieces)
        try:
            self._add(row)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            self.damaged += 1
            for column in (self.pieces, self.shape, self.length, self.chain, self.rank):
                del column[number:]
            self._add({"digest": row["digest"], "data": None})
        self._weight.append(self._leaf_count(number))

    def _leaf_count(self, number: int) -> int:
        count = sum(1 if piece.atom else self._weight[piece.ref] for piece in self.pieces[number])
        rank = self.rank[number]
        if rank:
            count += self._weight[self.chains[self.chain[number]].members[rank - 1]]
        return count

    def _add(self, row: dict[str, Any]) -> None:
        number = len(self.pieces)
        self.numbers[row["digest"]] = number
        if row.get("parts") is not None:
            self._text(number, row["parts"])
        elif row.get("items") is not None:
            self._list(number, row["items"], row.get("base"))
        elif isinstance(row.get("data"), str):
            self._text(number, [row["data"]])
        elif (text := tagged_text(row.get("data"))) is not None:
            self._text(number, [text])
        else:
            data = row.get("data")
            self.shape.append(OTHER)
            self.length.append(len(data) if isinstance(data, list) else 0)
            self._start_chain(number, 0)
            self._hold(number, list(self._leaves(data)))

    def _text(self, number: int, parts: list[Any]) -> None:
        pieces: list[Piece] = []
        at = keep = 0
        before = -1
        for part in parts:
            if isinstance(part, str):
                pieces.append(Piece("", at, at + len(part), self._atom(part), 0, atom=True))
                at += len(part)
                continue
            child = self.numbers.get(part["digest"], -1)
            if child < 0 or self.shape[child] != TEXT:
                continue  # a damaged file: what is missing cannot be looked at
            low = part.get("start") or 0
            high = self.length[child] if part.get("end") is None else part["end"]
            if at == 0 and low == 0:
                before, keep = child, high
            else:
                pieces.append(Piece("", at, at + high - low, child, low, atom=False))
            at += high - low
        self.shape.append(TEXT)
        self.length.append(at)
        self._extend(number, before, keep)
        self._hold(number, [piece for piece in pieces if piece.end > piece.start])

    def _list(self, number: int, items: list[str], base: str | None) -> None:
        before = -1 if base is None else self.numbers.get(base, -1)
        keep = 0 if before < 0 else self.length[before]
        self.shape.append(LIST)
        self.length.append(keep + len(items))
        self._extend(number, before, keep)
        self._hold(
            number,
            [
                Piece(f"/{keep + at}", -1, -1, self.numbers[item], 0, atom=False)
                if item in self.numbers
                else Piece(f"/{keep + at}", 0, 0, self._atom(""), 0, atom=True)
                for at, item in enumerate(items)
            ],
        )

    def _leaves(self, data: Any) -> Iterator[Piece]:
        """Texts, numbers and referred values of a tagged JSON value, in order."""
        stack: list[tuple[str, Any]] = [("", data)]
        while stack:
            path, node = stack.pop()
            text = tagged_text(node)
            node = node if text is None else text
            if isinstance(node, dict):
                if len(node) == 1 and isinstance(node.get("$value"), str):
                    child = self.numbers.get(node["$value"])
                    if child is not None:
                        yield Piece(path, -1, -1, child, 0, atom=False)
                        continue
                stack.extend((f"{path}/{token(key)}", node[key]) for key in reversed(node))
            elif isinstance(node, list):
                stack.extend((f"{path}/{at}", node[at]) for at in range(len(node) - 1, -1, -1))
            elif isinstance(node, str):
                if node:
                    yield Piece(path, 0, len(node), self._atom(node), 0, atom=True)
            elif node is not None and not isinstance(node, bool):
                shown = str(node)
                yield Piece(path, 0, len(shown), self._atom(shown), 0, atom=True)

    def _atom(self, text: str) -> int:
        found = self._atom_ids.get(text)
        if found is None:
            found = self._atom_ids[text] = len(self.atoms)
            self.atoms.append(text)
            self.owners.append([])
        return found

    def _hold(self, number: int, pieces: list[Piece]) -> None:
        """Take in what a value adds.

        Raises:
            ValueError: It unfolds to more than anybody recorded: the file is a bomb.
        """
        weight = sum(1 if piece.atom else self._weight[piece.ref] for piece in pieces)
        if weight > MOST_LEAVES or self.length[number] > MOST_CHARACTERS:
            raise ValueError("too much")
        self.pieces.append(tuple(pieces))
        own = self.chain[number]
        for piece in pieces:
            held = Held(number, piece)
            if piece.atom:
                self.owners[piece.ref].append(held)
            else:
                self._nest(own, self.chain[piece.ref], held)

    def _nest(self, own: int, child: int, held: Held) -> None:
        inside = self.chains[own].children
        if child not in inside:
            inside[child] = []
            if child != own:
                self.chains[child].parents.append(own)
        inside[child].append(held)

    def _extend(self, number: int, before: int, keep: int) -> None:
        """Put a value behind the one whose beginning it repeats; a fork begins a new chain."""
        if before < 0 or keep == 0:
            self._start_chain(number, 0)
            return
        chain = self.chains[self.chain[before]]
        if chain.members[-1] == before and chain.keeps[-1] <= keep:
            self.chain.append(self.chain[before])
            self.rank.append(len(chain.members))
            chain.members.append(number)
            chain.keeps.append(keep)
            return
        stem = self._stem(before, keep)
        self._start_chain(number, keep)
        piece = Piece("", 0, keep, stem, 0, atom=False)
        self._nest(self.chain[number], self.chain[stem], Held(number, piece))

    def _stem(self, before: int, keep: int) -> int:
        """The earliest value that already has the first ``keep`` units of another."""
        while True:
            chain = self.chains[self.chain[before]]
            rank = self.rank[before]
            while rank > 0 and chain.keeps[rank] >= keep:
                rank -= 1
            before = chain.members[rank]
            stem = self.stem_of(before)
            if rank > 0 or stem is None or stem.end < keep:
                return before
            before = stem.ref

    def stem_of(self, value: int) -> Piece | None:
        """For the first member of a forked chain, the beginning that it took over."""
        chain = self.chains[self.chain[value]]
        if not chain.keeps[0]:
            return None
        for held in (held for each in chain.children.values() for held in each):
            if held.value == chain.members[0] and held.piece.path == "" and held.piece.start == 0:
                return held.piece
        return None

    def _start_chain(self, number: int, keep: int) -> None:
        self.chain.append(len(self.chains))
        self.rank.append(0)
        self.chains.append(Chain(number, keep))

    def room(self, holder: int, value: int) -> int:
        """How many units of a member a later member of its chain still holds; -1 for none.

        Args:
            holder: Number of a value.
            value: Number of a value of the same chain.
        """
        rank, later = self.rank[value], self.rank[holder]
        if later < rank:
            return -1
        return _END if later == rank else self.chains[self.chain[value]].keeps[rank + 1]
