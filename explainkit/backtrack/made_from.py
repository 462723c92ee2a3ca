"""Which links each link was made from, because a bisection asks about links, not about places."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from explainkit.graph.edges import GRADES

if TYPE_CHECKING:
    from explainkit.graph import Evidence
    from explainkit.store import Recording

Row = Mapping[str, Any]
Stretch = tuple[str, int, int]
"""Path, start and end in a value; the end -1 means the rest."""


@dataclass(frozen=True)
class LinkSources:
    """The links of a run, and the versions of its answer, as a graph of what was made from what.

    Attributes:
        inputs: For each link or version the links and versions that it was made from, in the order
            in which they ended.
        target: The version that the reader got, or the link whose output it is as it stands; of a
            run without an answer its last link; None when no link ended.
        versions: Which of them are versions of the answer, each with its number.
        by_order: Those whose only known source is what ended before them.
        same: A key for links that made the very same call.
    """

    inputs: Mapping[int, tuple[int, ...]]
    target: int | None
    versions: Mapping[int, int]
    by_order: frozenset[int]
    same: Mapping[int, Any]


def link_sources(evidence: "Evidence", *, slot: str = "answer") -> LinkSources:
    """Work out what each link, and each version of the answer, was made from.

    A link is made from the links whose outputs its inputs hold (declared or by the same
    characters, also by way of a context or of what an earlier link was given), and from the links
    that ran inside of it. Of a link whose inputs tell nothing, it is what ended before it beside
    it, else what the link around it was made from. A version that is the output of one link, as it
    stands, is that link.

    Args:
        evidence: The index of the run.
        slot: Which answer.
    """
    links = _Links(evidence.recording)
    made = _Making(links, _givers(evidence, links))
    for seq in links.opened:
        made.link(seq)
    target = made.answer(evidence.recording, slot)
    ends = {**links.ended, **{seq: seq for seq in made.versions}}
    order = sorted(made.inputs, key=ends.__getitem__)
    return LinkSources(
        {seq: tuple(sorted(made.inputs[seq], key=ends.__getitem__)) for seq in order},
        target if target is not None else next(reversed(order), None),
        made.versions,
        frozenset(made.by_order),
        {seq: links.call(seq) for seq in order if seq not in made.versions},
    )


class _Links:
    """The links of a run by what is needed here."""

    def __init__(self, recording: "Recording") -> None:
        self._values = recording.values
        self.opened: dict[int, Row] = {row["seq"]: row for row in recording.rows("link_opened")}
        closing = [row for row in recording.rows("link_closed") if row.get("link") in self.opened]
        self.closed: dict[int, Row] = {row["link"]: row for row in closing}
        self.ended = {link: int(row["seq"]) for link, row in self.closed.items()}
        self.of_end = {seq: link for link, seq in self.ended.items()}
        self.are_given_things = any(row.get("inputs") for row in self.opened.values())

    def says(self, link: int, value: str | None) -> bool:
        """Whether a link gave a value as it stands, by itself or as the text of a message."""
        output = self.closed[link].get("output")
        if output is None or value is None or output == value:
            return output == value
        given = self._values.object(output)
        text = given.get("content") if isinstance(given, Mapping) else None
        return isinstance(text, str) and text == self._values.object(value)

    def call(self, link: int) -> tuple[Any, ...]:
        """The same for links that made the same call with the same result."""
        row, end = self.opened[link], self.closed[link]
        inputs = tuple((each.get("slot"), each.get("value")) for each in row.get("inputs") or ())
        return (
            *(row.get("name"), row.get("code"), inputs),
            end.get("output") or end.get("error"),
        )

    def last_before(self, seq: int, among: Iterable[int]) -> int | None:
        """The link that ended last before a record."""
        over = [link for link in among if self.ended.get(link, seq) < seq]
        return max(over, key=self.ended.__getitem__, default=None)


class _Making:
    """What each link and version was made from, filled in the order of the records."""

    def __init__(self, links: _Links, givers: Mapping[int, set[int]]) -> None:
        self.inputs: dict[int, set[int]] = {}
        self.versions: dict[int, int] = {}
        self.by_order: set[int] = set()
        self._links = links
        self._givers = givers
        self._outside: dict[int, set[int]] = {}
        self._beside: dict[Any, list[int]] = {}

    def link(self, seq: int) -> None:
        """Add a link; those that opened before it are there."""
        links, parent = self._links, self._links.opened[seq].get("parent")
        outside = self.given(seq)
        if not outside and (links.opened[seq].get("inputs") or not links.are_given_things):
            outside = self._before(seq, parent)
            if outside:
                self.by_order.add(seq)
        self._outside[seq] = outside
        self._beside.setdefault(parent, []).append(seq)
        if seq in links.ended:
            self.inputs[seq] = set(outside)
            inside = parent in links.ended and links.ended[seq] < links.ended[parent]
            if inside and parent in self.inputs:
                self.inputs[parent].add(seq)

    def answer(self, recording: "Recording", slot: str) -> int | None:
        """Add the versions of an answer; gives the effective one, or the link that it is."""
        fold = recording.effective(slot)
        if fold is None:
            return None
        if fold.inferred:
            return self._links.of_end.get(fold.final.seq)
        before: int | None = None
        for each in fold.versions:
            sources = self.given(each.seq)
            if before is None:
                sources = sources or self._last_before(each.seq)
                if len(sources) == 1 and self._links.says(min(sources), each.value):
                    before = min(sources)
                    continue
            else:
                sources.add(before)
            self.inputs[each.seq], self.versions[each.seq] = sources, each.version
            before = each.seq
        return before

    def _last_before(self, seq: int) -> set[int]:
        """What ended last before an answer that shows no source."""
        last = self._links.last_before(seq, self._links.opened)
        if last is None:
            return set()
        self.by_order.add(seq)
        return {last}

    def given(self, seq: int) -> set[int]:
        """Links whose outputs a record holds, that ended before it."""
        ended = self._links.ended
        return {link for link in self._givers.get(seq, ()) if ended[link] < seq}

    def _before(self, seq: int, parent: Any) -> set[int]:
        """What ended beside it before it; of the first one, what its parent was made from."""
        beside = self._beside.setdefault(parent, [])
        last = self._links.last_before(seq, beside)
        if last is None:
            return self._outside.get(parent, set())
        going_on = [one for one in beside if self._links.ended.get(one, seq) >= seq]
        self._beside[parent] = [last, *going_on]  # the others cannot be the last one any more
        return {last}


def _givers(evidence: "Evidence", links: _Links) -> dict[int, set[int]]:
    """For each record the links whose outputs it holds, by strong evidence.

    What holds something hands it on: a context, an answer, and also what an earlier link was given,
    as the messages of a conversation are.
    """
    table, seqs = evidence.edges, evidence.places.seq
    held: dict[int, list[tuple[Stretch, frozenset[int]]]] = {}
    found: dict[int, set[int]] = {}
    strongest = GRADES.index("value")
    for row in np.flatnonzero(table.strong & (table.grade <= strongest)).tolist():
        edge = table.edge(row)
        if edge.role in ("overrides", "judges"):
            continue  # the version before is an input by itself
        shown, seq = edge.evidence, seqs[edge.source]
        if seq in links.of_end:
            givers = frozenset({links.of_end[seq]})
        else:
            carried: Stretch = (shown.source_path, shown.source_start, shown.source_end)
            parts = (each for at, each in held.get(edge.source, ()) if _touches(at, carried))
            givers = frozenset().union(*parts)
        if givers:
            place: Stretch = (shown.target_path, shown.target_start, shown.target_end)
            held.setdefault(edge.target, []).append((place, givers))
            found.setdefault(seqs[edge.target], set()).update(givers)
    return found


def _touches(one: Stretch, other: Stretch) -> bool:
    """Whether two stretches of a value have characters in common, or one holds the other."""
    if one[0] == other[0]:
        ends = [sys.maxsize if each[2] < 0 else each[2] for each in (one, other)]
        return one[1] < ends[1] and other[1] < ends[0]
    return f"{one[0]}/".startswith(f"{other[0]}/") or f"{other[0]}/".startswith(f"{one[0]}/")
