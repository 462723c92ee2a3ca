"""Every place of a run that holds a value, and every record, as one numbered table.

A number is a place's rank in time: records in order of ``seq``, and within one record first the
record, then its values. Edges between places therefore always go to a larger number.
"""

from array import array
from bisect import bisect_left
from typing import Final

RECORDS: Final = (
    "run", "link", "verdict", "lost", "note", "decision", "transition", "reply", "finding",
    "unknown", "event", "override",
)  # fmt: skip
"""Kinds of a record's own place; an event or override has one only when it holds no value."""
VALUES: Final = (
    "question", "argument", "input", "output", "error", "context", "event", "answer", "override",
    "receipt",
)  # fmt: skip
KINDS: Final = (*RECORDS, *VALUES)
FIRST_VALUE: Final = len(RECORDS)
"""Codes from here on hold a value."""
QUESTION, ARGUMENT, INPUT, OUTPUT, ERROR, CONTEXT, EVENT, ANSWER, OVERRIDE, RECEIPT = range(
    FIRST_VALUE, len(KINDS)
)
ROOT: Final = -1
"""Scope of what lies in no link."""


class Places:
    """The table of places.

    Attributes:
        seq: Record of each place.
        slot: Number of its slot's name in ``slots``; -1 for a record's own place.
        kind: Code of its kind, an index into ``KINDS``.
        digest: Number of its value's digest in ``digests``; -1 without a value.
        inside: ``seq`` of the link from whose inside it receives, or ``ROOT``.
        visible: ``seq`` of the link inside which later places can take from it, or ``ROOT``.
    """

    __slots__ = (
        "_digest_ids", "_slot_ids", "digest", "digests", "inside", "kind", "seq", "slot", "slots",
        "visible",
    )  # fmt: skip

    def __init__(self) -> None:
        self.seq = array("i")
        self.slot = array("i")
        self.kind = array("B")
        self.digest = array("i")
        self.inside = array("i")
        self.visible = array("i")
        self.slots: list[str] = []
        self.digests: list[str] = []
        self._slot_ids: dict[str, int] = {}
        self._digest_ids: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.seq)

    def add_record(self, seq: int, kind: int, scope: int) -> int:
        """Append a record's own place and return its number."""
        return self._add(seq, -1, kind, -1, scope, scope)

    def add_value(
        self, seq: int, slot: str, kind: int, digest: str, *, inside: int, visible: int
    ) -> int:
        """Append a place that holds a value and return its number."""
        slot_id = self._slot_ids.get(slot)
        if slot_id is None:
            slot_id = self._slot_ids[slot] = len(self.slots)
            self.slots.append(slot)
        digest_id = self._digest_ids.get(digest)
        if digest_id is None:
            digest_id = self._digest_ids[digest] = len(self.digests)
            self.digests.append(digest)
        return self._add(seq, slot_id, kind, digest_id, inside, visible)

    def _add(self, seq: int, slot: int, kind: int, digest: int, inside: int, visible: int) -> int:
        self.seq.append(seq)
        self.slot.append(slot)
        self.kind.append(kind)
        self.digest.append(digest)
        self.inside.append(inside)
        self.visible.append(visible)
        return len(self.seq) - 1

    def find(self, seq: int, slot: str | None = None) -> int | None:
        """Number of a record's place, or of one of its slots; ``None`` when there is none."""
        slot_id = -1 if slot is None else self._slot_ids.get(slot, -2)
        node = bisect_left(self.seq, seq)
        while node < len(self.seq) and self.seq[node] == seq:
            if self.slot[node] == slot_id:
                return node
            node += 1
        return None

    def of_seq(self, seq: int) -> range:
        """Numbers of all places of a record."""
        first = bisect_left(self.seq, seq)
        last = first
        while last < len(self.seq) and self.seq[last] == seq:
            last += 1
        return range(first, last)

    def id(self, node: int) -> str:
        """Name of a place in the graph: ``"<seq>"`` or ``"<seq>:<slot>"``."""
        slot = self.slot[node]
        return str(self.seq[node]) if slot < 0 else f"{self.seq[node]}:{self.slots[slot]}"

    def slot_name(self, node: int) -> str:
        """Name of the slot; empty for a record's own place."""
        slot = self.slot[node]
        return "" if slot < 0 else self.slots[slot]

    def digest_of(self, node: int) -> str | None:
        """Digest of the value that a place holds."""
        digest = self.digest[node]
        return None if digest < 0 else self.digests[digest]

    def kind_of(self, node: int) -> str:
        """Word for the kind of a place."""
        return KINDS[self.kind[node]]

    @property
    def nbytes(self) -> int:
        """Bytes of the columns."""
        columns = (self.seq, self.slot, self.kind, self.digest, self.inside, self.visible)
        return sum(len(column) * column.itemsize for column in columns)
