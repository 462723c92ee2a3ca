"""The evidence of a run as arrows between records, because a drawing shows records, not slots."""

from typing import TYPE_CHECKING

import numpy as np

from explainkit.graph.edges import GRADES, ROLES
from explainkit.view.chart import RawEdge

if TYPE_CHECKING:
    from explainkit.graph import Evidence


def edges_of(evidence: "Evidence", *, compared: bool = True) -> list[RawEdge]:
    """One arrow for each pair of records that data moved between, with its strongest grade.

    Args:
        evidence: The index of the run; characters are compared if they were not yet.
        compared: Without it, only what needs no look at characters.

    Returns:
        Arrows from the earlier record to the later one, in order; loose evidence is left out.
    """
    table = evidence.edges if compared else evidence.base
    seqs = np.asarray(evidence.places.seq, np.int64)
    rows = np.flatnonzero(table.strong)
    source, target = seqs[table.source[rows]], seqs[table.target[rows]]
    moved = source != target
    rows, source, target = rows[moved], source[moved], target[moved]
    if not len(rows):
        return []
    order = np.lexsort((table.grade[rows], target, source))
    rows, source, target = rows[order], source[order], target[order]
    first = np.flatnonzero(
        np.concatenate(([True], (np.diff(source) != 0) | (np.diff(target) != 0)))
    )
    counts = np.diff(np.append(first, len(rows)))
    return [
        RawEdge(a, b, ROLES[role], GRADES[grade], count=count)
        for a, b, role, grade, count in zip(
            source[first].tolist(),
            target[first].tolist(),
            table.role[rows[first]].tolist(),
            table.grade[rows[first]].tolist(),
            counts.tolist(),
            strict=True,
        )
    ]
