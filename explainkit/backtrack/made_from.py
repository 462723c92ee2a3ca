"""Which links each link was made from, because a bisection asks about links, not about places."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from explainkit.graph import Evidence


@dataclass(frozen=True)
class LinkSources:
    """The links of a run as a graph of what was made from what.

    Attributes:
        inputs: For each link the links that it was made from, in order.
        target: The link that the answer came from; None when no link gave anything.
        by_order: Links whose only known source is the link before them.
        same: A key for links that made the very same call.
    """

    inputs: Mapping[int, tuple[int, ...]]
    target: int | None
    by_order: frozenset[int]
    same: Mapping[int, Any]


def link_sources(evidence: "Evidence") -> LinkSources:
    """Work out what each link was made from.

    A link is made from the links whose outputs its inputs hold (declared or by the same
    characters), and from the links that ran inside of it. A link of which nothing of that is known
    counts as made from the link before it.

    Args:
        evidence: The index of the run.
    """
    recording = evidence.recording
    closed = {row["seq"]: row for row in recording.rows("link_closed")}
    ended = {row["link"]: seq for seq, row in closed.items() if "link" in row}
    opened = {row["seq"]: row for row in recording.rows("link_opened")}
    found: dict[int, dict[int, None]] = {seq: {} for seq in opened if seq in ended}
    answered: dict[int, None] = {}
    answers = {row["seq"] for row in recording.rows("answer", "override")}
    for source, held in _moves(evidence):
        giver = closed[source]["link"] if source in closed else None
        if giver not in found:
            continue
        if held in answers:
            answered[giver] = None
        elif held in found and held != giver and ended[giver] < ended[held]:
            found[held][giver] = None
    for seq, row in opened.items():
        parent = row.get("parent")
        if seq in found and parent in found and ended[seq] < ended[parent]:
            found[parent][seq] = None
    by_order = _chained(found, opened, ended)
    order = sorted(found, key=ended.__getitem__)
    last = order[-1] if order else None
    target = max(answered, key=ended.__getitem__) if answered else last
    return LinkSources(
        {seq: tuple(sorted(found[seq])) for seq in order},
        target,
        by_order,
        {seq: _call(opened[seq], closed[ended[seq]]) for seq in order},
    )


def _moves(evidence: "Evidence") -> list[tuple[int, int]]:
    """Pairs of records between which content moved, by strong evidence, each once."""
    table = evidence.edges
    seqs = np.asarray(evidence.places.seq, np.int64)
    rows = np.flatnonzero(table.strong)
    pairs = np.stack((seqs[table.source[rows]], seqs[table.target[rows]]), axis=1)
    return [(int(a), int(b)) for a, b in np.unique(pairs, axis=0)] if len(rows) else []


def _chained(
    found: dict[int, dict[int, None]], opened: Mapping[int, Any], ended: Mapping[int, int]
) -> frozenset[int]:
    """Tie links without a known source to the one before them in the same link."""
    before: dict[Any, int] = {}
    tied: set[int] = set()
    for seq in sorted(found):
        parent = opened[seq].get("parent")
        last = before.get(parent)
        if not found[seq] and last is not None and ended[last] < ended[seq]:
            found[seq][last] = None
            tied.add(seq)
        before[parent] = seq
    return frozenset(tied)


def _call(row: Mapping[str, Any], end: Mapping[str, Any]) -> Any:
    inputs = tuple((each.get("slot"), each.get("value")) for each in row.get("inputs") or ())
    return row.get("name"), row.get("code"), inputs, end.get("output") or end.get("error")
