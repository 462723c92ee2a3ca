"""How a sentence of an answer stands to the sentences that its words were carried from."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

from explainkit.backtrack.supporting import is_inside
from explainkit.text.saying import negation_beside
from explainkit.text.sentence_bounds import sentences
from explainkit.text.telling_words import Figure, Said, figures, phrases, said_in

AROUND: Final = 240
"""Code points beside carried words that are read with them."""
_MOST_TOKENS: Final = 600
"""Tokens of a sentence, and of what is beside its words, that are put side by side."""
_NEAR: Final = 3
"""Tokens of a place in which figures of unlike units may stand for each other."""
_LONG: Final = 4
"""Characters from which a figure is looked for within the words of a source."""
_WHOLE: Final = frozenset({"clock", "date", "id", "url", "email"})
"""Figures of which a part is nothing."""


class Beside(NamedTuple):
    """A stretch of a source around words that it gave.

    Attributes:
        text: The stretch.
        start: First code point of the words in it.
        end: One past their last one.
        gave: The stretch of the sentence that they became.
        is_cut: The text does not hold all of the words.
    """

    text: str
    start: int
    end: int
    gave: tuple[int, int]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Likened:
    """What of a sentence its sources say, in words.

    Attributes:
        held: Phrases that they say, figures and names first.
        missing: Phrases that they do not say.
        disagree: Figures for which they have another one in the same place, with where they stand.
        turned: Negations that stand on one side only.
    """

    held: tuple[str, ...]
    missing: tuple[str, ...]
    disagree: tuple[tuple[int, str], ...]
    turned: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the sources say all of it, in the same sense."""
        return not (self.missing or self.disagree or self.turned)


def likened(
    sentence: str,
    asked: tuple[int, int],
    sources: Sequence[Beside],
    carried: Sequence[tuple[int, int]] = (),
) -> Likened:
    """Compare a sentence with what stands around its words in their sources.

    A word counts as said when it was carried from where it stands, or when a source says it in the
    same order beside carried words; a figure also where a source says it elsewhere in that
    sentence, unless another figure of its kind stands in its place.

    Args:
        sentence: The sentence.
        asked: The part of it that is asked about.
        sources: What stands around its words, the longest first.
        carried: The stretches of it that were carried from other sources than these.
    """
    found = _Likening(_Side(sentence), asked, carried)
    for source in sources:
        found.add(source)
    return found.told()


class _Likening:
    """A sentence that source after source is put beside."""

    def __init__(
        self, side: "_Side", asked: tuple[int, int], carried: Sequence[tuple[int, int]]
    ) -> None:
        self._side = side
        self._asked = asked
        starts = side.said.starts
        self._within = [asked[0] <= start < asked[1] for start in starts]
        self._held = [is_inside(start, carried) for start in starts]
        self._turned: dict[str, None] = {}
        self._others: dict[Figure, str] = {}
        """Figures that some source puts otherwise, and how the first of them does."""
        self._where: dict[Figure, set[str]] = {}
        """By which sentences of sources."""

    def add(self, source: Beside) -> None:
        """Put a source beside it."""
        side, theirs = self._side, _Side(_sentences_around(source))
        alone = side.all_of(*source.gave)
        if alone is not None and theirs.text in self._where.get(alone, ()):
            return  # the figure stands elsewhere in a sentence that has another one in its place
        side.hold_carried(self._held, source, theirs)
        if max(len(side.said.keys), len(theirs.said.keys)) > _MOST_TOKENS:
            return
        pairs = SequenceMatcher(None, theirs.said.keys, side.said.keys, autojunk=False)
        side.hold_pairs(self._held, theirs)
        for block in pairs.get_matching_blocks():
            self._held[block.b : block.b + block.size] = [True] * block.size
            self._turned |= dict.fromkeys(_turned(side, theirs, block, self._within))
        self._figures(pairs, theirs)

    def _figures(self, pairs: "SequenceMatcher[int]", theirs: "_Side") -> None:
        for mine, other in _in_its_place(pairs, self._side, theirs):
            if _is_same(mine, other):
                self._side.mark(self._held, mine, True)  # "ten" for "10"
                continue
            self._where.setdefault(mine, set()).add(theirs.text)
            self._others.setdefault(mine, theirs.text[other.start : other.end])
        for figure in self._side.figures:
            says = figure.key in theirs.keys or self._side.is_in(figure, theirs)
            if says and theirs.text not in self._where.get(figure, ()):
                self._side.mark(self._held, figure, True)

    def told(self) -> Likened:
        """What came of it."""
        side, held, sentence = self._side, self._held, self._side.text
        put_otherwise = [each for each in self._others if not side.is_held(held, each)]
        for figure in side.figures:
            if not side.is_held(held, figure) and (
                figure in put_otherwise or figure.kind in _WHOLE or side.is_spelt(figure)
            ):
                side.mark(held, figure, False)
                side.let_go_of_what_is_counted(held, figure)
        known = [a and b for a, b in zip(self._within, held, strict=True)]
        missing = [a and not b for a, b in zip(self._within, held, strict=True)]
        negating = {word.partition("“")[2].partition("”")[0].casefold() for word in self._turned}
        absent = phrases(sentence, side.said, missing, side.figures)
        return Likened(
            tuple(phrases(sentence, side.said, known, side.figures)),
            tuple(each for each in absent if each.casefold() not in negating),
            tuple(
                (
                    each.start,
                    f"{sentence[each.start : each.end]}, but upstream {self._others[each]}",
                )
                for each in sorted(put_otherwise)
                if self._asked[0] <= each.start < self._asked[1]
            ),
            tuple(self._turned),
        )


class _Side:
    """A text with its tokens and figures."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.said: Said = said_in(text)
        self.figures = figures(text)
        self.keys = {each.key for each in self.figures}

    def tokens(self, figure: Figure) -> list[int]:
        """Its tokens, by their numbers."""
        return [
            at for at, start in enumerate(self.said.starts) if figure.start <= start < figure.end
        ]

    def mark(self, held: list[bool], figure: Figure, known: bool) -> None:
        """Say of all tokens of a figure whether they are held."""
        for at in self.tokens(figure):
            held[at] = known

    def all_of(self, low: int, high: int) -> Figure | None:
        """The figure that is all that a stretch tells."""
        said = self.said
        telling = [
            start
            for start, tells in zip(said.starts, said.tells, strict=True)
            if tells and low <= start < high
        ]
        for each in self.figures if telling else ():
            if each.start <= telling[0] and telling[-1] < each.end:
                return each
        return None

    def hold_pairs(self, held: list[bool], theirs: "_Side") -> None:
        """Hold telling words that stand beside each other on both sides, in whatever order.

        Of figures it is told elsewhere, for which another one may stand in their place.
        """
        pairs = set(pairwise(theirs.said.keys))
        tells = self.said.tells
        figures = {at for figure in self.figures for at in self.tokens(figure)}
        for at, pair in enumerate(pairwise(self.said.keys)):
            if tells[at] and tells[at + 1] and pair in pairs:
                for each in {at, at + 1} - figures:
                    held[each] = True

    def is_in(self, figure: Figure, theirs: "_Side") -> bool:
        """Whether a long figure is written in a word of the other text, as a part of an id."""
        text = self.text[figure.start : figure.end]
        return len(text) >= _LONG and text.casefold() in theirs.text.casefold()

    def is_spelt(self, figure: Figure) -> bool:
        """Whether a figure is written in letters."""
        return self.text[figure.start].isalpha()

    def is_held(self, held: Sequence[bool], figure: Figure) -> bool:
        """Whether all of a figure is held."""
        return all(held[at] for at in self.tokens(figure))

    def let_go_of_what_is_counted(self, held: list[bool], figure: Figure) -> None:
        """“half of the fare” is not said where “the fare” is."""
        found = re.match(r"\s+(?:of|de)\b(?:\s+(?:the|la|le))?\s+(?=\w)", self.text[figure.end :])
        if found is None:
            return
        start = figure.end + found.end()
        for at, begin in enumerate(self.said.starts):
            if begin == start:
                held[at] = False

    def hold_carried(self, held: list[bool], source: Beside, theirs: "_Side") -> None:
        """Hold the tokens that a source gave; of a number without its unit the number only."""
        known = set(theirs.said.keys)
        low, high = source.gave
        for at, (start, key) in enumerate(zip(self.said.starts, self.said.keys, strict=True)):
            if low <= start < high and (source.is_cut or key in known):
                held[at] = True

    def among(self, first: int, last: int) -> list[Figure]:
        """The figures that have a token among some."""
        if first >= last:
            return []
        low, high = self.said.starts[first], self.said.ends[last - 1]
        return [each for each in self.figures if each.start < high and each.end > low]


def _sentences_around(source: Beside) -> str:
    """The sentences of a stretch that hold the words."""
    ranges = [
        (start, end)
        for start, end in sentences(source.text)
        if start < source.end and end > source.start
    ]
    return source.text[ranges[0][0] : ranges[-1][1]] if ranges else source.text


def _turned(mine: _Side, theirs: _Side, block: Match, within: Sequence[bool]) -> Iterator[str]:
    """A negation beside the words of a block that the other side does not have."""
    own = range(block.b, block.b + block.size)
    if not any(mine.said.tells[at] and within[at] for at in own):
        return
    here = _negation(mine, block.b, block.size)
    there = _negation(theirs, block.a, block.size)
    if (here is None) == (there is None):
        return
    yield f"“{here}” stands here only" if there is None else f"“{there}” stands upstream only"


def _negation(side: _Side, first: int, size: int) -> str | None:
    said = side.said
    return negation_beside(side.text, said.starts[first], said.ends[first + size - 1])


def _in_its_place(
    pairs: "SequenceMatcher[int]", mine: _Side, theirs: _Side
) -> Iterator[tuple[Figure, Figure]]:
    """Figures that stand where the other text has another one of their kind.

    What stands beside them is the same on both sides: two words or more, or one that tells
    something on each side.
    """
    codes = pairs.get_opcodes()
    for at, (what, first, last, begin, end) in enumerate(codes):
        if what != "replace" or not _is_framed(mine, codes, at):
            continue
        ours, others = mine.among(begin, end), theirs.among(first, last)
        if len(ours) == len(others):
            near = max(last - first, end - begin) <= _NEAR
            yield from (
                (one, other)
                for one, other in zip(ours, others, strict=True)
                if _is_comparable(one, other, near=near)
            )


def _is_framed(mine: _Side, codes: Sequence[tuple[str, int, int, int, int]], at: int) -> bool:
    """Whether enough of the same stands beside a place."""
    beside = [codes[each] for each in (at - 1, at + 1) if 0 <= each < len(codes)]
    equal = [range(code[3], code[4]) for code in beside if code[0] == "equal"]
    telling = [sum(mine.said.tells[each] for each in block) for block in equal]
    pairs = zip(equal, telling, strict=True)
    return any(len(block) > 1 and tells for block, tells in pairs) or (
        len(telling) > 1 and all(telling)
    )


def _is_same(one: Figure, other: Figure) -> bool:
    """Whether two figures of the same place have one value; a unit may be left out."""
    (value, _, unit), (known, _, its) = (each.key.partition(" ") for each in (one, other))
    return one.key == other.key or (value == known and not (unit and its))


def _is_half_a_day_apart(one: Figure, other: Figure) -> bool:
    """Whether two times may be the same one, of which one does not say which half of the day."""
    (hour, _, rest), (known, _, its) = (each.key.partition(":") for each in (one, other))
    return rest == its and int(hour) % 12 == int(known) % 12


def _is_comparable(one: Figure, other: Figure, *, near: bool) -> bool:
    """Whether one may stand for the other: of one kind, or numbers of which a unit is left out."""
    if one.kind == "clock" == other.kind:
        return not _is_half_a_day_apart(one, other)
    if one.kind == other.kind:
        return True
    if not (one.kind.startswith("number") and other.kind.startswith("number")):
        return False
    value, known = (each.key.partition(" ")[0] for each in (one, other))
    return value == known or (near and "number" in (one.kind, other.kind))
