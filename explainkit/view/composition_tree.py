"""The tree of the runners of a run: what ran in what, and what is folded into it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explainkit.view.composition_ends import Ending, ending_of
from explainkit.view.composition_links import KEEPERS, RUNNERS, ToldLink, ToldLinks, links_of
from explainkit.view.composition_words import end_of

if TYPE_CHECKING:
    from explainkit.store import Recording


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A link that stands in the tree.

    Attributes:
        link: The link.
        depth: How many rows it lies in.
        above: Position of the row around it; -1 for none.
        folded: How many links of each type lie in it without rows of their own.
        on_path: Whether the run's end went through it.
    """

    link: ToldLink
    depth: int
    above: int
    folded: tuple[tuple[str, int], ...]
    on_path: bool


@dataclass(frozen=True, slots=True)
class ToldTree:
    """The runners of a run, each before what ran in it.

    Attributes:
        name: Name of the run.
        status: How the run ended, in the record's word.
        rows: The rows.
        links: All links.
        ending: What the run ended on, without an answer.
    """

    name: str
    status: str
    rows: tuple[TreeRow, ...]
    links: ToldLinks
    ending: Ending | None

    def terminal_of(self, link: ToldLink) -> str | None:
        """Kind of the verdict that a link handed on."""
        while link.terminal is None and link.source is not None and link.source > link.seq:
            source = self.links.at.get(link.source)
            if source is None:
                break
            link = source
        return link.terminal


@dataclass(frozen=True, slots=True)
class Shown:
    """The rows that fit.

    Attributes:
        rows: Positions, ascending.
        hidden: For each row that has some, the ends of the rows in it that are not shown, counted
            by the record's word; -1 is the run.
    """

    rows: tuple[int, ...]
    hidden: dict[int, Counter[str]]


def tree_of(recording: "Recording") -> ToldTree:
    """Read the tree of a run, or of the beginning of one.

    In Agents and machines only runners have rows; what else lies in them is counted.
    """
    links = links_of(recording)
    ending = ending_of(recording, links)
    path = _path(ending)
    rows: list[TreeRow] = []
    folded: list[Counter[str]] = []
    # What lies deeper comes first off the stack; a folded link hands its row on to its children.
    waiting = [(seq, -1, False) for seq in reversed(links.roots)]
    while waiting:
        seq, above, kept = waiting.pop()
        link = links.at[seq]
        if kept and link.kind not in RUNNERS:
            folded[above][link.kind] += 1
        else:
            depth = 0 if above < 0 else rows[above].depth + 1
            rows.append(TreeRow(link, depth, above, (), seq in path))
            folded.append(Counter())
            above = len(rows) - 1
            kept = kept or link.kind in KEEPERS
        waiting += [(each, above, kept) for each in reversed(link.below)]
    whole = tuple(
        TreeRow(row.link, row.depth, row.above, tuple(counts.items()), row.on_path)
        for row, counts in zip(rows, folded, strict=True)
    )
    return ToldTree(recording.name, recording.status, whole, links, ending)


def shown_rows(rows: Sequence[TreeRow], most: int) -> Shown:
    """Choose rows so that no more than `most` lines are needed: those of the end's path first.

    Then those that lie in fewest others, and of these the ones without an answer. A row with
    hidden ones in it takes one line more, which counts them.
    """
    if len(rows) <= most:
        return Shown(tuple(range(len(rows))), {})
    order = sorted(range(len(rows)), key=lambda at: _rank(rows[at]))
    count = most
    while count > 0:
        found = _chosen(rows, order[:count])
        excess = len(found.rows) + len(found.hidden) - most
        if excess <= 0:
            return found
        count -= max(1, excess // 2)  # a row less may need a line that counts it
    return _chosen(rows, ())


def _rank(row: TreeRow) -> tuple[bool, int, bool]:
    return not row.on_path, row.depth, end_of(row.link) == "answered"


def _chosen(rows: Sequence[TreeRow], chosen: Sequence[int]) -> Shown:
    kept = set(chosen)
    hidden: defaultdict[int, Counter[str]] = defaultdict(Counter)
    anchors: list[int] = []
    for at, row in enumerate(rows):
        above = anchors[row.above] if row.above >= 0 else -1
        anchors.append(at if at in kept else above)
        if at not in kept:
            hidden[above][end_of(row.link)] += 1
    return Shown(tuple(sorted(kept)), dict(hidden))


def _path(ending: Ending | None) -> frozenset[int]:
    found: set[int] = set()
    for each in (ending, *ending.branches) if ending is not None else ():
        if each.link is not None:
            found |= {each.link.seq, *(link.seq for link in each.carriers)}
    return frozenset(found)
