"""One row of the tree of runners in words: what ran, how it ended, and what the record adds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explainkit.view.composition_links import CHOOSING, COMPOSITIONS, KEEPERS, ToldLink
from explainkit.view.composition_tree import ToldTree, TreeRow
from explainkit.view.composition_words import (
    SHAPES,
    end_of,
    end_words,
    shown_value,
    took_words,
)
from explainkit.view.words import counted, flat

if TYPE_CHECKING:
    from collections import Counter

    from explainkit.store import Recording

NAME = 60
BRANCH = 40
ANSWER = 80
KINDS = 6
"""Types of folded links that a row names; further ones are one number."""
_MANY = {"model": "models", "policy": "policies"}


@dataclass(frozen=True, slots=True)
class RowWords:
    """A row in words, every one of them on one line and without control characters.

    Attributes:
        what: Type and name of the link, and of which branch it is the runner.
        shape: The shape of its end.
        end: Its end.
        notes: What else is known of it, in order.
        answer: Its answer, cut; empty for none.
    """

    what: str
    shape: str
    end: str
    notes: tuple[str, ...]
    answer: str


def row_words(recording: "Recording", tree: ToldTree, row: TreeRow) -> RowWords:
    """Put a row in words."""
    link, end = row.link, end_of(row.link)
    notes = [took_words(link.seconds), *_decided(link), *_handed_on(tree, link), *_folded(row)]
    answer = shown_value(recording, link.output, ANSWER) if end == "answered" else ""
    return RowWords(
        what=f"{flat(link.kind, 30)} {flat(link.name, NAME)}{_branch(link)}",
        shape=SHAPES.get(end, "?"),
        end=end_words(recording, link, terminal=tree.terminal_of(link)),
        notes=tuple(note for note in notes if note),
        answer=answer,
    )


def hidden_words(hidden: "Counter[str]") -> str:
    """Rows that are not shown: `… 12 more: 10 answered, 2 error`."""
    ends = ", ".join(f"{count:,} {flat(end, 30)}" for end, count in sorted(hidden.items()))
    return f"… {counted(hidden.total(), 'more link')}: {ends}"


def _branch(link: ToldLink) -> str:
    told = link.branch and link.branch != link.name
    return f" as {flat(link.branch, BRANCH)}" if told else ""


def _decided(link: ToldLink) -> list[str]:
    if link.kind not in CHOOSING or link.chosen is None:
        return []
    rest = [flat(each, 30) for each in link.options if each != link.chosen]
    others = f"; not started: {flat(', '.join(rest[:8]), 120)}" if rest else ""
    return [f"chose {flat(link.chosen, 30)}{others}"]


def _handed_on(tree: ToldTree, link: ToldLink) -> list[str]:
    source = tree.links.at.get(link.source) if link.source is not None else None
    if source is None or link.kind not in COMPOSITIONS:
        return []
    child = next((each for each in reversed(link.below) if each <= source.seq), None)
    closed = None if child is None else tree.links.at[child].closed
    later = closed is None or any(seq > closed for seq in link.below)
    after = "" if later else "; nothing started after it"
    return [f"handed on from {flat(source.name, NAME)}{after}"]


def _folded(row: TreeRow) -> list[str]:
    if not row.folded:
        return []
    shown = [_count(kind, count) for kind, count in row.folded[:KINDS]]
    more = sum(count for _, count in row.folded[KINDS:])
    shown += [f"{more:,} others"] if more else []
    where = "in it: " if row.link.kind in KEEPERS else "below: "
    return [where + ", ".join(shown)]


def _count(kind: str, count: int) -> str:
    kind = flat(kind, 30)
    return counted(count, kind, _MANY.get(kind))
