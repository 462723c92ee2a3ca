"""Which characters of a text came from which earlier text: the ground of every value edge.

Build an index over the distinct texts of a run in order of first appearance, with prefixes that a
text shares with the one before it in its slot stripped; then ask for all matches, for the matches
between chosen texts, or for the places of a span.

    >>> index = build_index(["The tariff pays nothing under 60 minutes.",
    ...                      "We know: the TARIFF pays  nothing under 60 min, sorry."])
    >>> [(m.source, m.source_start, m.source_end, m.target_start, m.target_end, m.strong)
    ...  for m in all_matches(index).rows()]
    [(0, 0, 40, 9, 46, True)]
    >>> index.find("60 minutes")
    [(0, 30, 40), (1, 40, 46)]

A match is a run of equal tokens: case, white space and punctuation are folded, numbers compared by
value. `bits` is minus the logarithm of how often chance alone would give such a run here.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.chosen import Holders
from explainkit.text.dates import Dated, dated, day_bits, respelt
from explainkit.text.index import TokenIndex, index_tokens
from explainkit.text.occurrences import find_span
from explainkit.text.phrases import nearest_phrases
from explainkit.text.possible import may_be_strong
from explainkit.text.runs import STRONG_BITS, Floats, Runs, joined, settled
from explainkit.text.seeds import PIECES, Repeats, repeats
from explainkit.text.units import find_dates
from explainkit.text.worth import Worth, weigh_tokens

__all__ = ["Index", "Match", "MatchTable", "all_matches", "build_index", "nearest_phrases"]

_SEEDS_AT_ONCE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Match:
    """One common run of two texts; offsets are code points.

    Attributes:
        source: Index of the text that holds it, the earlier one in `all_matches`.
        source_start: First character in the source.
        source_end: After the last character in the source.
        target: Index of the text that was asked about.
        target_start: First character in the target.
        target_end: After the last character in the target.
        bits: Information against chance.
        strong: Whether chance is all but excluded.
    """

    source: int
    source_start: int
    source_end: int
    target: int
    target_start: int
    target_end: int
    bits: float
    strong: bool


@dataclass(frozen=True, slots=True, eq=False)
class MatchTable:
    """Matches as columns, ordered by target, target_start, falling length, source.

    Attributes:
        source: int32[m].
        source_start: int32[m].
        source_end: int32[m].
        target: int32[m].
        target_start: int32[m].
        target_end: int32[m].
        bits: float32[m].
        discount: Bits taken off because many texts of the run hold the words, float32[m].
        strong: bool[m].
        nearest: The source is the nearest earlier text that holds (part of) the run, bool[m].
        first: The source is the first text that holds (part of) the run, bool[m].
        left_out: Places not looked up because their words stand over 64 times in one text; runs
            that began at an earlier repeat may cover them.
    """

    source: NDArray[np.int32]
    source_start: NDArray[np.int32]
    source_end: NDArray[np.int32]
    target: NDArray[np.int32]
    target_start: NDArray[np.int32]
    target_end: NDArray[np.int32]
    bits: NDArray[np.float32]
    discount: NDArray[np.float32]
    strong: NDArray[np.bool_]
    nearest: NDArray[np.bool_]
    first: NDArray[np.bool_]
    left_out: int

    def __len__(self) -> int:
        return len(self.source)

    def rows(self) -> Iterator[Match]:
        """Yield the matches one by one."""
        columns = (
            self.source, self.source_start, self.source_end, self.target, self.target_start,
            self.target_end, self.bits, self.strong,
        )  # fmt: skip
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield Match(*row)


class Index:
    """The texts of one run, ready to be searched. Make it with `build_index`."""

    def __init__(self, tokens: TokenIndex) -> None:
        """Wrap a token table."""
        self._tokens = tokens
        self._worth: Worth | None = None
        self._dates: list[Dated] | None = None
        self._days: dict[str, dict[int, Dated]] = {}  # of each day the first date in each text
        self._holders: list[Holders] | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts, in the order given."""
        return self._tokens.texts

    def links(self) -> MatchTable:
        """Return every match of a text with an earlier one; see `all_matches`."""
        found = self._repeats()
        self._worth = weigh_tokens(self._tokens, found)
        parts: list[Runs] = []
        for part in found:
            parts.append(joined(self._tokens, part.nearest, near=True, first=False))
            parts.append(joined(self._tokens, part.first, near=False, first=True))
        left_out = sum(part.left_out for part in found)
        del found
        table = self._table(*settled(self._tokens, self._worth, parts), left_out=left_out)
        return _with_dates(table, self._dated())

    def _repeats(self) -> list[Repeats]:
        tokens = self._tokens
        return [
            repeats(tokens, *make(tokens, 0, tokens.size), length)
            for length, make in PIECES.items()
        ]

    def _dated(self) -> list[Dated]:
        if self._dates is None:
            self._dates = dated(self._tokens)
            for date in self._dates:
                self._days.setdefault(date.day, {}).setdefault(date.text, date)
        return self._dates

    def _weighed(self) -> Worth:
        if self._worth is None:
            self._worth = weigh_tokens(self._tokens, self._repeats())
        return self._worth

    def may_be_strong(
        self, target: int, ranges: Iterable[tuple[int, int]], sources: Sequence[int]
    ) -> bool:
        """Return whether `between` may find a strong match in some stretches; False is sure.

        Args:
            target: Index of the text asked about.
            ranges: First code point and one past the last of each stretch.
            sources: Indexes of other texts.
        """
        if may_be_strong(self._tokens, self._weighed(), target, ranges, sources):
            return True
        dates = self._dated()  # a date may be spelt in other tokens
        at = bisect_left(dates, target, key=lambda date: date.text)
        return at < len(dates) and dates[at].text == target

    def between(self, target: int, sources: Sequence[int]) -> list[Match]:
        """Return the matches of one text with each of the given texts.

        Args:
            target: Index of the text asked about.
            sources: Indexes of other texts, earlier or later, each once.

        Returns:
            Matches ordered by source as given, then by place in the target. Overlapping matches
            from different sources are all there.
        """
        rank = {source: at for at, source in enumerate(sources) if source != target}
        found = list(self._days_between(target, rank))
        bounds = self._tokens.bounds
        most = max(1, _SEEDS_AT_ONCE // max(1, int(bounds[target + 1] - bounds[target])))
        others = list(rank)
        for low in range(0, len(others), most):
            found.extend(self._runs_between(target, others[low : low + most]))
        found.sort(key=lambda each: (rank[each.source], each.target_start, -each.target_end))
        return found

    def _runs_between(self, target: int, sources: list[int]) -> Iterator[Match]:
        chosen = np.zeros(len(self.texts), bool)
        chosen[sources] = True
        parts = [
            joined(self._tokens, holders.seeds(target, chosen), near=False, first=False)
            for holders in self._every_piece()
        ]
        if any(len(part.target) for part in parts):
            runs = settled(self._tokens, self._weighed(), parts, each_source=True)
            yield from self._table(*runs).rows()

    def _every_piece(self) -> list[Holders]:
        if self._holders is None:
            self._holders = [Holders(self._tokens, length=length) for length in PIECES]
        return self._holders

    def _days_between(self, target: int, sources: Container[int]) -> Iterator[Match]:
        """Yield the dates of a text that the other texts spell otherwise."""
        dates = self._dated()
        bits = day_bits(dates)
        low = bisect_left(dates, target, key=lambda date: date.text)
        for date in dates[low : bisect_right(dates, target, lo=low, key=lambda date: date.text)]:
            for source, other in self._days[date.day].items():
                if source in sources and other.spelling != date.spelling:
                    yield Match(
                        source, other.start, other.end, target, date.start, date.end, bits,
                        bits >= STRONG_BITS,
                    )  # fmt: skip

    def find(self, text: str) -> list[tuple[int, int, int]]:
        """Return every place where a span stands, as `(text, start, end)`.

        Case, white space and punctuation are folded; numbers match by value and unit. A span that
        begins or ends within a word is found too.
        """
        places = find_span(self._tokens, text)
        wanted = text.strip()
        days = [day for start, end, day in find_dates(wanted) if end - start == len(wanted)]
        if not days:
            return places
        dates = self._dated()
        return sorted({*places, *((d.text, d.start, d.end) for d in dates if d.day == days[0])})

    def _table(self, runs: Runs, bits: Floats, *, left_out: int = 0) -> MatchTable:
        tokens = self._tokens
        last, source_last = runs.target + runs.length - 1, runs.source + runs.length - 1
        return MatchTable(
            source=tokens.documents(runs.source).astype(np.int32),
            source_start=tokens.starts[runs.source],
            source_end=tokens.ends[source_last],
            target=tokens.documents(runs.target).astype(np.int32),
            target_start=tokens.starts[runs.target],
            target_end=tokens.ends[last],
            bits=bits.astype(np.float32),
            discount=self._weighed().discount(runs.target, runs.length).astype(np.float32),
            strong=bits >= STRONG_BITS,
            nearest=runs.near,
            first=runs.first,
            left_out=left_out,
        )


def _with_dates(table: MatchTable, dates: list[Dated]) -> MatchTable:
    """Add the dates that an earlier text spells otherwise."""
    found = list(respelt(dates))
    if not found:
        return table
    bits = day_bits(dates)
    sources, targets, near, first = zip(*found, strict=True)
    added: dict[str, list[int] | list[float] | list[bool]] = {
        "source": [date.text for date in sources],
        "source_start": [date.start for date in sources],
        "source_end": [date.end for date in sources],
        "target": [date.text for date in targets],
        "target_start": [date.start for date in targets],
        "target_end": [date.end for date in targets],
        "bits": [bits] * len(found),
        "discount": [0.0] * len(found),
        "strong": [bits >= STRONG_BITS] * len(found),
        "nearest": list(near),
        "first": list(first),
    }
    columns = {}
    for name, values in added.items():
        column = getattr(table, name)
        columns[name] = np.concatenate((column, np.array(values, column.dtype)))
    order = np.lexsort(
        (columns["source"], -columns["target_end"], columns["target_start"], columns["target"])
    )
    return MatchTable(
        **{name: column[order] for name, column in columns.items()}, left_out=table.left_out
    )


def build_index(texts: Sequence[str]) -> Index:
    """Index the distinct texts of a run.

    Args:
        texts: Distinct texts in order of first appearance. Strip what a text repeats from the one
            before it in its slot, or a fact in many prompts looks like boilerplate.

    Returns:
        The index; it keeps the texts.
    """
    return Index(index_tokens(texts))


def all_matches(index: Index) -> MatchTable:
    """Return every match of a text with an earlier one.

    For each region of a text: the nearest earlier text that holds it, and the first text that
    holds it. The number of matches grows with the length of the texts, never with the number of
    pairs.

    Args:
        index: From `build_index`.

    Returns:
        The matches as columns.
    """
    return index.links()
