"""How alike texts are and what supports a sentence, where no characters were carried over.

`lexical_overlap` ranks exposures and is only a proxy; `coverage` says for each sentence of an
answer which characters stand in which source, and which numbers disagree with the place they seem
to be from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.batches import tokenize_all
from explainkit.text.matching import Index, Match, build_index
from explainkit.text.numbers import Quantity, find_quantities, same_quantity
from explainkit.text.sentence_bounds import sentences
from explainkit.text.tokens import tokenize

_AROUND: Final = 160  # characters beside a match that are its context


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Inverse document frequency of the tokens of some texts.

    Attributes:
        keys: Token keys, ascending, uint64[v].
        weights: log((1 + texts) / (1 + texts with the token)) + 1, float64[v].
        unseen: Weight of a token of none of the texts.
    """

    keys: NDArray[np.uint64]
    weights: NDArray[np.float64]
    unseen: float

    def of(self, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return the weight of each key."""
        if not len(self.keys):
            return np.full(len(keys), self.unseen)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.weights[place], self.unseen)


def weigh(texts: Sequence[str]) -> Weights:
    """Count in how many of the texts each token stands.

    Args:
        texts: The corpus, such as all texts of a run.

    Returns:
        Weights for `lexical_overlap`.
    """
    table = tokenize_all(texts)
    distinct = [
        np.unique(table.keys[table.bounds[at] : table.bounds[at + 1]]) for at in range(len(texts))
    ]
    stacked = np.concatenate(distinct) if distinct else np.zeros(0, np.uint64)
    keys, counts = np.unique(stacked, return_counts=True)
    total = len(texts) + 1
    return Weights(keys, np.log(total / (counts + 1)) + 1, float(np.log(total)) + 1)


def lexical_overlap(a: str, b: str, *, weights: Weights | None = None) -> float:
    """Return which share of the words of `a`, by weight, stands in `b`: 0.0 to 1.0.

    Args:
        a: The text to explain.
        b: A text that may explain it.
        weights: From `weigh`; without them all words count the same.

    >>> lexical_overlap("half of the fare", "The fare is doubled")
    0.5
    """
    left, right = np.unique(tokenize(a).keys), tokenize(b).keys
    if not len(left):
        return 0.0
    weight = weights.of(left) if weights else np.ones(len(left))
    return float(weight[np.isin(left, right)].sum() / weight.sum())


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A number of a sentence that no source has, and the other one in the place it is like.

    Attributes:
        said: The quantity in the sentence; offsets in the answer.
        source: Index of the source.
        read: The quantity there; offsets in the source.
    """

    said: Quantity
    source: int
    read: Quantity


@dataclass(frozen=True, slots=True)
class Support:
    """What supports one sentence.

    Attributes:
        start: Offset of the sentence in the answer.
        end: Offset after it.
        spans: Strong matches with sources; `target` offsets are in the answer.
        share: Share of the words of the sentence inside these matches, 0.0 to 1.0.
        disagreements: Numbers that the sources put otherwise.
    """

    start: int
    end: int
    spans: tuple[Match, ...]
    share: float
    disagreements: tuple[Disagreement, ...]


def support(sentence: str, sources: Sequence[str]) -> Support:
    """Return what supports one sentence; for many sentences use `coverage`."""
    index = build_index([*sources, sentence])
    matches = index.between(len(sources), range(len(sources)))
    return _supported(index, sentence, (0, len(sentence)), matches)


def coverage(answer: str, sources: Sequence[str]) -> list[Support]:
    """Return, for each sentence of an answer, what supports it.

    Args:
        answer: The answer.
        sources: Texts upstream of it.

    Returns:
        One entry per sentence, in order; a sentence without spans is unsupported.
    """
    index = build_index([*sources, answer])
    matches = index.between(len(sources), range(len(sources)))
    matches.sort(key=lambda match: (match.target_start, -match.target_end, match.source))
    found, low = [], 0
    longest = max((match.target_end - match.target_start for match in matches), default=0)
    for start, end in sentences(answer):
        while low < len(matches) and matches[low].target_start + longest <= start:
            low += 1
        inside = []
        for match in matches[low:]:
            if match.target_start >= end:
                break
            if match.target_end > start:
                inside.append(match)
        found.append(_supported(index, answer, (start, end), inside))
    return found


def _supported(
    index: Index, answer: str, where: tuple[int, int], matches: Sequence[Match]
) -> Support:
    start, end = where
    spans = tuple(match for match in matches if match.strong)
    tokens = tokenize(answer[start:end])
    covered = np.zeros(len(tokens), bool)
    for span in spans:
        covered |= (tokens.starts + start >= span.target_start) & (
            tokens.ends + start <= span.target_end
        )
    share = float(covered.mean()) if len(tokens) else 0.0
    return Support(start, end, spans, share, tuple(_disagreements(index, answer, where, matches)))


def _disagreements(
    index: Index, answer: str, where: tuple[int, int], matches: Sequence[Match]
) -> Iterable[Disagreement]:
    start, end = where
    for said in find_quantities(answer[start:end]):
        if any(place[0] < len(index.texts) - 1 for place in index.find(said.text)):
            continue
        moved = Quantity(
            said.value, said.unit, said.start + start, said.end + start, said.text,
            said.significant,
        )  # fmt: skip
        for match in sorted(matches, key=lambda match: -match.bits):
            other = _other_value(index.texts[match.source], match, said, answer, moved)
            if other:
                yield Disagreement(moved, match.source, other)
                break


def _other_value(
    source: str, match: Match, said: Quantity, answer: str, moved: Quantity
) -> Quantity | None:
    """Return the quantity of the same kind beside the same words in the source."""
    low = max(0, match.source_start - _AROUND)
    gap_after = moved.start - match.target_end
    gap_before = match.target_start - moved.end
    for read in find_quantities(source[low : match.source_end + _AROUND]):
        if read.unit != said.unit or same_quantity(read, said):
            continue
        at, to = read.start + low, read.end + low
        follows = 0 <= gap_after <= 2 and 0 <= at - match.source_end <= 2
        precedes = 0 <= gap_before <= 2 and 0 <= match.source_start - to <= 2
        if follows or precedes:
            return Quantity(read.value, read.unit, at, to, read.text, read.significant)
    return None
