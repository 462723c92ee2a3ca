"""The outline: every record that has a box, found by name, kind, number and text, in windows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from explainkit.view.explorer.material import Material
from explainkit.view.explorer.pieces import Json, line_of
from explainkit.view.explorer.searching import Texts
from explainkit.view.words import flat

MOST_ROWS: Final = 500
"""Rows of one window at most."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What rows are asked for.

    Attributes:
        query: Words that a name, a kind or a text holds, or the number of a record; empty for all.
        kinds: Kinds of boxes; empty for all.
        grades: Grades of evidence to or from a record; empty for all.
        verdicts: Statuses of verdicts on a record; empty for all.
    """

    query: str = ""
    kinds: tuple[str, ...] = ()
    grades: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()


class Outline:
    """Answers which records there are."""

    def __init__(self, material: Material, clock: Callable[[], float]) -> None:
        """List the records of a run."""
        self._material = material
        self._texts = Texts(material, clock)
        self._found: tuple[Wanted, list[int], dict[int, str], str] | None = None

    def rows(self, wanted: Wanted, start: int, count: int) -> Json:
        """A window of the rows that are wanted, and how many there are.

        Args:
            wanted: Which.
            start: The first row of the window.
            count: How many; at most 500.
        """
        seqs, how, note = self._matching(wanted)
        count = min(max(count, 0), MOST_ROWS)
        start = min(max(start, 0), max(len(seqs) - 1, 0))
        return {
            "total": len(seqs),
            "of": len(self._material.order),
            "start": start,
            "rows": [
                self._row(seq, how.get(seq, ""), graded=bool(wanted.grades))
                for seq in seqs[start : start + count]
            ],
            "note": note,
        }

    def rows_of(self, first: Iterable[int], most: int = 0) -> tuple[int, list[Json]]:
        """How many rows there are, and so many of them: those of some records before others."""
        order = self._material.order
        if len(order) <= most:
            return len(order), [self._row(seq, "", graded=True) for seq in order]
        chosen = list(dict.fromkeys([*first, *order[:most]]))[:most]
        return len(order), [self._row(seq, "", graded=True) for seq in sorted(chosen)]

    def _matching(self, wanted: Wanted) -> tuple[Sequence[int], dict[int, str], str]:
        if self._found is not None and self._found[0] == wanted:
            return self._found[1:]
        seqs: Iterable[int] = self._filtered(wanted)
        how: dict[int, str] = {}
        note = ""
        if wanted.query.strip():
            kept = list(seqs)
            how, note = self._texts.search(wanted.query, kept)
            seqs = [seq for seq in kept if seq in how]
        found = list(seqs)
        # A search that ran out of time is not kept: asked again, it goes on from where it was.
        self._found = None if note else (wanted, found, how, note)
        return found, how, note

    def _filtered(self, wanted: Wanted) -> list[int]:
        material = self._material
        nodes = material.boxes.nodes
        seqs = material.order
        if wanted.kinds:
            kinds = frozenset(wanted.kinds)
            seqs = [seq for seq in seqs if nodes[seq].kind in kinds]
        if wanted.grades:
            grades = frozenset(wanted.grades)
            seqs = [seq for seq in seqs if grades.intersection(material.grades.get(seq, ()))]
        if wanted.verdicts:
            statuses = frozenset(wanted.verdicts)
            seqs = [seq for seq in seqs if statuses.intersection(material.judged.get(seq, ()))]
        return seqs

    def _row(self, seq: int, how: str, *, graded: bool = False) -> Json:
        node = self._material.boxes.nodes[seq]
        # Grades need all characters compared, so they are told only where they are asked about.
        grades = {"grades": list(self._material.grades.get(seq, ()))} if graded else {}
        return {
            **grades,
            "seq": seq,
            "kind": node.kind,
            "word": flat(node.word, 60),
            "label": flat(node.label, 160),
            "depth": self._material.depth[seq],
            "verdicts": [line_of(each, 40) for each in self._material.judged.get(seq, ())][:4],
            "found": how,
        }
