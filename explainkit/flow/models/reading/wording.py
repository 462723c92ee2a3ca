"""Words as the reader compares them: light stems, stop words left out, everyday relations kept."""

import re
from dataclasses import dataclass
from functools import lru_cache

# An id such as `B-17` or `X4711` is one word; otherwise letters and digits, apostrophes inside.
_TOKEN = re.compile(r"[^\W\d_]+-?\d[\w-]*|[^\W_]+(?:['’][^\W_]+)*")
_VOWEL = re.compile(r"[aeiouy]")

NEGATIONS = frozenset("no not never none nothing nobody nowhere neither nor cannot without".split())

STOP_WORDS = NEGATIONS | frozenset(
    """
    a an the this that these those some any each every all both either such same other another
    i me my mine we us our ours you your yours he him his she her hers it its they them their
    theirs one ones who whom whose which what when where why how there here
    am is are was were be been being do does did done doing have has had having can could may
    might must shall should will would ought
    and or but if then else than so because since while as of at by for from in into on onto off
    out over under up down to too with within about after before between during per via
    much many more most less least few fewer very just only also again still yet now already
    please tell say said know answer question give gives gave given get gets got gotten getting
    let want like happen happens happened come comes came go goes going went long
    """.split()
)

_IRREGULAR = dict(
    pair.split("=")
    for pair in """
    paid=pay sent=send bought=buy sold=sell took=take taken=take made=make found=find held=hold
    kept=keep wrote=write written=write began=begin begun=begin ran=run spoke=speak spoken=speak
    chose=choose chosen=choose lost=lose met=meet built=build told=tell children=child men=man
    women=woman people=person feet=foot
    """.split()
)

# Words that answer for each other in everyday English; each line is one meaning.
_RELATED = """
    late delay lateness
    back refund return repay reimburse reimbursement compensation compensate owe
    cost price charge fee
    begin start commence open
    end finish close
    buy purchase
    need require requirement
    allow permit permission
    big large
    quick fast speed
    person human
    sum total
    author write writer
    live reside residence
"""

_OPPOSITES = [
    (frozenset(left.split()), frozenset(right.split()))
    for left, right in (
        ("open opens opened", "closed close closes shut"),
        ("allowed permitted allow permit", "forbidden prohibited forbid banned"),
        ("valid", "invalid expired"),
        ("early", "late delayed"),
        ("included include includes", "excluded exclude excludes"),
        ("true right correct", "false wrong incorrect"),
        ("full", "empty"),
    )
]


@dataclass(frozen=True, slots=True)
class Word:
    """A word at a place: its characters, and the meaning by which it is compared."""

    text: str
    meaning: str
    start: int
    end: int

    @property
    def is_content(self) -> bool:
        """Whether it carries meaning of its own."""
        return self.text.casefold() not in STOP_WORDS


def words(text: str) -> list[Word]:
    """Find the words of a text, in order."""
    return [Word(m[0], meaning(m[0]), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def content(text: str) -> dict[str, Word]:
    """Find the first word of each meaning in a text, in order, stop words left out."""
    found: dict[str, Word] = {}
    for word in words(text):
        if word.is_content:
            found.setdefault(word.meaning, word)
    return found


def is_negated(text: str) -> bool:
    """Whether a text says no to something."""
    return any(
        word.text.casefold() in NEGATIONS or word.text.casefold().endswith(("n't", "n’t"))
        for word in words(text)
    )


def are_opposed(one: str, other: str) -> bool:
    """Whether one text says the opposite word of the other ("open" and "closed")."""
    first = {word.text.casefold() for word in words(one)}
    second = {word.text.casefold() for word in words(other)}
    return any(
        (first & left and second & right and not second & left)
        or (first & right and second & left and not second & right)
        for left, right in _OPPOSITES
    )


@lru_cache(maxsize=8192)
def meaning(word: str) -> str:
    """Reduce a word to what it is compared by.

    Example:
        >>> meaning("closes") == meaning("Closing") == meaning("finished")
        True
    """
    stem = _stem(word)
    return _RELATIONS.get(stem, stem)


def _stem(word: str) -> str:
    stem = word.casefold().replace("’", "'").removesuffix("'s")
    stem = _IRREGULAR.get(stem, stem)
    stem = _without_plural(stem)
    stem = _without_ending(stem)
    return stem.removesuffix("e") if len(stem) > 3 else stem


def _without_plural(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    if len(word) > 4 and word.endswith("ied"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest) and not rest.endswith("e"):
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word


_RELATIONS = {
    _stem(word): _stem(line.split()[0])
    for line in _RELATED.strip().splitlines()
    for word in line.split()
}
