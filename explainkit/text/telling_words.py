"""Which words of a sentence tell something, and its figures, which a reader looks for first.

>>> text = "For 60 minutes you get half of the fare within a week."
>>> phrases(text, said_in(text), [True] * 12)
['60 minutes', 'half of the fare', 'week']
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from explainkit.text.names import find_names
from explainkit.text.tokens import FIELD, tokenize
from explainkit.text.units import MONTH_WORDS, find_units

_SMALL: Final = frozenset(
    """a an the this that these those i me my you your he him his she her it its we us our they
    them their who whom whose which what there here is are was were be been being am do does did
    done has have had having will would shall should can could get gets got to of in on at by for
    from with as into onto about between among through across upon than then so if or and also any
    per within thus therefore s t ll ve re dear
    mr mrs ms dr prof
    der die das den dem des ein eine einen einem einer und oder ist sind war zu im am in von mit
    le la les un une des du de et ou est sont el los las una y o es son il lo gli di e""".split()
)
"""Words that say little by themselves; negations and words that compare are none of them."""
_LINKING: Final = frozenset("of the a an or de du la le les der des and".split())
_FIGURES: Final = {
    word: Decimal(value)
    for word, value in zip(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
        ninety hundred thousand half halves quarter quarters third thirds double twice once
        triple""".split(),
        [
            *range(21), 30, 40, 50, 60, 70, 80, 90, 100, 1000, "0.5", "0.5", "0.25", "0.25",
            "0.3333", "0.3333", 2, 2, 1, 3,
        ],
        strict=True,
    )
}  # fmt: skip
_CLOCK: Final = re.compile(
    r"(?<![\w:.])(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\w:])(?:\s?([ap])\.?m\b\.?)?", re.IGNORECASE
)


_MONTH: Final = "|".join(sorted(MONTH_WORDS, key=len, reverse=True))
_DAY: Final = re.compile(
    rf"(?<![\w.,])(?:(\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?({_MONTH})\b"
    rf"|\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?(?=[\s,]*(?:[.,;:!?)]|$)))",
    re.IGNORECASE,
)


class Figure(NamedTuple):
    """A number, date, clock time, id or address of a text, or a number in letters.

    Attributes:
        start: First code point.
        end: One past the last.
        key: Equal for those that mean the same.
        kind: Those of one kind can disagree: ``number euro``, ``date``, ``clock``, ``id``.
    """

    start: int
    end: int
    key: str
    kind: str


def figures(text: str) -> list[Figure]:
    """The figures of a text, in order, none inside another.

    Example:
        >>> [(each.key, each.kind) for each in figures("Ten days, or 1,234.5 km at 2:30 PM.")]
        [('10', 'number'), ('1234.5 kilometre', 'number kilometre'), ('14:30', 'clock')]
    """
    found = [Figure(*each.span(), _clock_key(each), "clock") for each in _CLOCK.finditer(text)]
    found += [Figure(*each.span(), _day_key(each), "day") for each in _DAY.finditer(text)]
    found += [
        Figure(unit.start, unit.end, unit.key, _kind(unit.kind, unit.key))
        for unit in find_units(text)
        if unit.kind != "quote"
    ]
    found += _in_letters(text)
    kept: list[Figure] = []
    for each in sorted(found, key=lambda figure: (figure.start, -figure.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _clock_key(found: re.Match[str]) -> str:
    """Hours and minutes of the day; seconds where there are some."""
    hour, half = int(found[1]), (found[4] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = f":{found[3]}" if found[3] and found[3] != "00" else ""
    return f"{hour:02}:{found[2]}{seconds}"


def days_in(text: str) -> list[tuple[int, int]]:
    """Where days without a year stand in a text.

    Example:
        >>> days_in("It comes on 14 March.")
        [(12, 20)]
    """
    return [each.span() for each in _DAY.finditer(text)]


def _day_key(found: re.Match[str]) -> str:
    day, month = (found[1], found[2]) if found[1] else (found[4], found[3])
    return f"{int(day)} {month[:3].casefold()}"


def _kind(kind: str, key: str) -> str:
    return f"number {key.partition(' ')[2]}".strip() if kind == "number" else kind


_WORDS: Final = re.compile(
    rf"\b(?:{'|'.join(_FIGURES)})(?:[ -](?:{'|'.join(_FIGURES)}))*\b", re.IGNORECASE
)


def _in_letters(text: str) -> list[Figure]:
    found = []
    for each in _WORDS.finditer(text):
        value = Decimal(0)
        for word in re.split(r"[ -]", each[0].casefold()):
            next_one = _FIGURES[word]
            grows = value and (next_one < 1 or next_one >= 100)
            value = value * next_one if grows else value + next_one
        key = format(value.normalize() + Decimal(0), "f")
        found.append(Figure(*each.span(), key, "number"))
    return found


class Said(NamedTuple):
    """The tokens of a text, with those that tell something.

    Attributes:
        starts: Their first code points.
        ends: One past their last ones.
        keys: Equal for tokens that fold to the same form.
        tells: Whether each says something by itself.
    """

    starts: list[int]
    ends: list[int]
    keys: list[int]
    tells: list[bool]


def said_in(text: str) -> Said:
    """The tokens of a text, and which of them tell something: all words, where none would.

    Example:
        >>> said_in("It is not due.").tells
        [False, False, True, True]
    """
    tokens = tokenize(text)
    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
    tells = [
        kind != FIELD and _tells(text[start:end])
        for start, end, kind in zip(starts, ends, tokens.kinds.tolist(), strict=True)
    ]
    if not any(tells):
        tells = [any(map(str.isalnum, text[a:b])) for a, b in zip(starts, ends, strict=True)]
    return Said(starts, ends, tokens.keys.tolist(), tells)


def _tells(word: str) -> bool:
    return word.casefold() not in _SMALL and any(map(str.isalnum, word))


def share_words(one: str, other: str) -> bool:
    """Whether two texts have a word in common that tells something.

    Example:
        >>> share_words("half of the fare", "The fare is paid.")
        True
        >>> share_words("half of it", "six of us")
        False
    """
    said, known = said_in(one), said_in(other)
    told = {key for key, tells in zip(known.keys, known.tells, strict=True) if tells}
    return any(tells and key in told for key, tells in zip(said.keys, said.tells, strict=True))


def phrases(
    text: str, said: Said, wanted: Sequence[bool], known: Sequence[Figure] | None = None
) -> list[str]:
    """The wanted words of a sentence as short phrases: figures and names first, each once.

    Args:
        text: The sentence.
        said: Its tokens.
        wanted: Whether each of them is wanted.
        known: Its figures, when they were found already.
    """
    known = figures(text) if known is None else known
    spelt = [(each.start, each.end) for each in known if text[each.start].isalpha()]
    apart = [(each.start, each.end) for each in known if not text[each.start].isalpha()]
    firsts = [each.start for each in known]
    for start, end, _ in find_names(text):
        at = bisect_right(firsts, end - 1) - 1
        if at < 0 or known[at].end <= start:  # "March" is no name in "3 March"
            apart.append((start, end))
    facts = _numbered(said.starts, sorted(apart))
    letters = _numbered(said.starts, spelt)
    found: dict[str, tuple[int, int, int]] = {}
    for first, last in _runs(text, said, wanted, facts):
        start, end = said.starts[first], said.ends[last]
        in_letters = any(each >= 0 for each in letters[first : last + 1])
        rank = 0 if facts[first] >= 0 else 1 if in_letters else 2
        found.setdefault(text[start:end].casefold(), (rank, start, end))
    return [" ".join(text[start:end].split()) for _, start, end in sorted(found.values())]


def _runs(text: str, said: Said, wanted: Sequence[bool], facts: list[int]) -> list[tuple[int, int]]:
    """First and last tokens of each phrase; a figure or a name is one by itself."""
    found: list[tuple[int, int]] = []
    goes_on = False
    for at in range(len(said.starts)):
        gap = text[said.ends[at - 1] : said.starts[at]] if at else ""
        one_fact = at > 0 and facts[at] >= 0 and facts[at] == facts[at - 1]
        goes_on = goes_on and (one_fact or not gap.strip())
        if not said.tells[at] and facts[at] < 0:
            word = text[said.starts[at] : said.ends[at]].casefold()
            goes_on = goes_on and (one_fact or word in _LINKING)
        elif not wanted[at]:
            goes_on = False
        elif goes_on and facts[at] == facts[found[-1][1]]:
            found[-1] = (found[-1][0], at)
        else:
            found.append((at, at))
            goes_on = True
    return found


def _numbered(starts: list[int], ranges: Sequence[tuple[int, int]]) -> list[int]:
    """For each token the number of the range that it begins in; -1 for none."""
    firsts = [start for start, _ in ranges]
    found = []
    for start in starts:
        at = bisect_right(firsts, start) - 1
        found.append(at if at >= 0 and start < ranges[at][1] else -1)
    return found
