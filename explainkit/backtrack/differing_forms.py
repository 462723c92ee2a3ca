"""How two stretches differ that were matched as the same: case, marks, white space, numbers."""

import unicodedata
from collections.abc import Iterable
from typing import Final

from explainkit.text.telling_words import Figure, figures

_COMPARED: Final = 4_000
"""Code points of a stretch up to which it is compared."""


def form_words(before: str, after: str) -> str | None:
    """How the same words, or the same number, are written differently on two sides.

    Args:
        before: Where they came from.
        after: Where they are.

    Returns:
        What is the same and what is not; ``None`` where the characters are the same, apart from
        marks and white space around them, and where other words were made of them.

    Example:
        >>> form_words("We pay half", "we pay  half,")
        'the same words in other case and white space'
        >>> form_words("1234.50", "1,234.5"), form_words("half", "half")
        ('the same number in another form', None)
    """
    if before == after or max(len(before), len(after)) > _COMPARED:
        return None
    composed = [unicodedata.normalize("NFC", text) for text in (before, after)]
    one, other = map(_bare, composed)
    if one == other:
        same = composed == [before, after]
        return None if same or not one else "the same letters in another encoding"
    if _letters(one).casefold() == _letters(other).casefold():
        return f"the same words in other {' and '.join(_changes(one, other))}"
    ours, theirs = figures(one), figures(other)
    if [each.key for each in ours] != [each.key for each in theirs] or not ours:
        return None
    rest = _without(one, ours).casefold(), _without(other, theirs).casefold()
    if _letters(rest[0]) != _letters(rest[1]):
        return None
    if _letters(rest[0]):
        return "the same words with a number in another form"
    what = "date" if ours[0].kind in ("date", "day") else "number"
    return f"the same {what} in another form"


def forms_of(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The forms of several pairs that differ, each once.

    Args:
        pairs: What stands on both sides.
    """
    found = (form_words(before, after) for before, after in pairs)
    return tuple(dict.fromkeys(each for each in found if each is not None))


def _changes(one: str, other: str) -> list[str]:
    """What differs between texts of the same letters; white space only where no mark does."""
    found = ["case"] if _letters(one) != _letters(other) else []
    marks = [
        [each for each in text if not each.isalnum() and not each.isspace()]
        for text in (one, other)
    ]
    if marks[0] != marks[1]:
        return [*found, "marks"]
    spaced = one.casefold() != other.casefold()
    return [*found, "white space"] if spaced else found


def _bare(text: str) -> str:
    """A text without what stands around its letters and digits."""
    at = [place for place, each in enumerate(text) if each.isalnum()]
    return text[at[0] : at[-1] + 1] if at else ""


def _letters(text: str) -> str:
    return "".join(each for each in text if each.isalnum())


def _without(text: str, known: Iterable[Figure]) -> str:
    """A text without its figures."""
    left, at = [], 0
    for each in known:
        left.append(text[at : each.start])
        at = each.end
    return " ".join([*left, text[at:]])
