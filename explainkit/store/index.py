"""Where each record of a file stands, in a few bytes a record, so that a million links fit."""

from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from explainkit.records import KINDS

if TYPE_CHECKING:
    from explainkit.store.damage import Damage

OTHER = 255
"""Code of all kinds beyond the first 255: the line itself says which."""

VALUE = KINDS.index("value")


class Index:
    """Positions, lengths and kinds of the records of one file.

    Attributes:
        first: ``seq`` of the first record.
        starts: Byte offset of each record's line.
        lengths: Bytes of each record's line, without the newline.
        codes: Kind of each record, as an index into ``names`` (or ``OTHER``).
        names: Kinds by code.
        values: ``seq`` of each value record.
        words: First 64 bits of each value record's digest.
        lines: Lines of the file that belong to the valid prefix, header and marks included.
        head: SHA-256 before the end line, when there is a right one.
        status: Status that the end line gives.
        verified: Number of leading records that a right hash covers.
        anchor: SHA-256 over the valid prefix up to the end line.
        damage: What is wrong.
    """

    __slots__ = (
        "_codes", "anchor", "codes", "damage", "first", "head", "lengths", "lines", "names",
        "starts", "status", "values", "verified", "words",
    )  # fmt: skip

    def __init__(self, first: int = 0) -> None:
        self.first = first
        self.starts = array("q")
        self.lengths = array("I")
        self.codes = array("B")
        self.names = list(KINDS)
        self.values = array("q")
        self.words = array("Q")
        self.lines = 0
        self.head: str | None = None
        self.status: str | None = None
        self.verified = 0
        self.anchor = ""
        self.damage: list[Damage] = []
        self._codes = {name: code for code, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.starts)

    def copy(self) -> "Index":
        """The same, to go on with."""
        copied = Index(self.first)
        for name in ("starts", "lengths", "codes", "names", "values", "words", "damage"):
            setattr(copied, name, getattr(self, name)[:])
        for name in ("lines", "head", "status", "verified", "anchor"):
            setattr(copied, name, getattr(self, name))
        copied._codes = dict(self._codes)
        return copied

    def add(self, kind: str, start: int, length: int, digest: str | None) -> None:
        """Append the next record."""
        if digest is not None:
            self.values.append(self.first + len(self.starts))
            self.words.append(int(digest[:16], 16))
        self.starts.append(start)
        self.lengths.append(length)
        self.codes.append(self.code(kind))

    def code(self, kind: str) -> int:
        """Code of a kind, new when it was not met before."""
        code = self._codes.get(kind)
        if code is None:
            if len(self.names) >= OTHER:
                return OTHER
            code = self._codes[kind] = len(self.names)
            self.names.append(kind)
        return code

    def cut(self, count: int) -> None:
        """Keep the first ``count`` records only."""
        del self.starts[count:], self.lengths[count:], self.codes[count:]
        while self.values and self.values[-1] >= self.first + count:
            self.values.pop()
            self.words.pop()

    def of_kinds(self, kinds: Iterable[str]) -> Iterator[int]:
        """Places (from 0) of the records of some kinds; without any, of all but values."""
        wanted = frozenset(self._codes.get(kind, OTHER) for kind in kinds)
        if not wanted:
            return (place for place, code in enumerate(self.codes) if code != VALUE)
        return (place for place, code in enumerate(self.codes) if code in wanted)
