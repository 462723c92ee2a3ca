"""Whether the names and numbers of one text stand in others, so that none of them is invented."""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from explainkit.text.names import find_names
from explainkit.text.numbers import Quantity, find_quantities, same_quantity
from explainkit.text.sentence_bounds import sentences
from explainkit.text.units import Unit, find_units

if TYPE_CHECKING:
    from decimal import Decimal

_NEAREST: Final = 3
_WHOLE: Final = ("id", "date", "url", "email")
_TYPED: Final = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-"})  # noqa: RUF001
"""Signs inside of names that only differ in how they were typed."""


class Grounds:
    """The names, numbers, ids, dates and addresses of some texts, and how to tell what others add.

    Numbers agree by value, with a unit on one side only counting as agreement; everything else by
    its words, without regard to case and to how accents, apostrophes and hyphens were typed. A
    single capitalised word that opens a sentence is no name.

    Args:
        texts: What counts.

    Example:
        >>> list(Grounds(["Pay Mia Li 540 EUR."]).missing("Mia Li gets 450 EUR."))
        [('450 EUR', ('540 EUR',))]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        texts = [_composed(text) for text in texts]
        self._folded = "\n".join(_folded(text) for text in texts)
        self._numbers = [each for text in texts for each in find_quantities(text)]
        self._units: dict[tuple[str, str], str] = {}
        self._names: dict[str, None] = {}
        for text in texts:
            for unit in find_units(text):
                self._units.setdefault((unit.kind, unit.key), text[unit.start : unit.end])
            self._names |= {name: None for _, _, name in find_names(text)}

    def missing(self, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Give what stands in a text and not in these, in order, each with what comes nearest."""
        text = _composed(text)
        units = [unit for unit in find_units(text) if unit.kind in (*_WHOLE, "number")]
        numbers = {each.start: each for each in find_quantities(text)}
        found: list[tuple[int, str, tuple[str, ...]]] = []
        for unit in units:
            said = text[unit.start : unit.end]
            number = numbers.get(unit.start) if unit.kind == "number" else None
            if number is not None and not self._has_number(number):
                found.append((unit.start, said, self._near_number(number)))
            elif unit.kind in _WHOLE and not self._has_unit(unit, said):
                found.append((unit.start, said, self._near_unit(unit, said)))
        openings = {_first_word(text, start, end) for start, end in sentences(text)}
        for start, name in _names_between(text, units):
            # Any word is capitalised where a sentence opens, so it may be no part of the name.
            rest = name.partition(" ")[2] if start in openings else ""
            if not self._stands(name) and not (rest and self._stands(rest)):
                found.append((start, name, self._near(name, list(self._names))))
        yield from ((said, near) for _, said, near in sorted(found))

    def _has_number(self, number: Quantity) -> bool:
        return any(same_quantity(number, each) for each in self._numbers)

    def _has_unit(self, unit: Unit, said: str) -> bool:
        return (unit.kind, unit.key) in self._units or self._stands(said)

    def _stands(self, words: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(_folded(words))}(?!\w)", self._folded) is not None

    def _near_number(self, number: Quantity) -> tuple[str, ...]:
        apart: dict[str, tuple[bool, Decimal]] = {}
        for each in self._numbers:
            apart.setdefault(each.text, (each.unit != number.unit, abs(each.value - number.value)))
        return tuple(sorted(apart, key=lambda text: (apart[text], text))[:_NEAREST])

    def _near_unit(self, unit: Unit, said: str) -> tuple[str, ...]:
        return self._near(
            said, [text for (kind, _), text in self._units.items() if kind == unit.kind]
        )

    def _near(self, said: str, among: Sequence[str]) -> tuple[str, ...]:
        by_form: dict[str, str] = {}
        for each in among:
            by_form.setdefault(_folded(each), each)
        near = difflib.get_close_matches(_folded(said), list(by_form), n=_NEAREST, cutoff=0.4)
        return tuple(by_form[form] for form in near)


def _names_between(text: str, units: Sequence[Unit]) -> Iterator[tuple[int, str]]:
    """The names of a text, without words that belong to a number, a date or an id."""
    for start, _, name in find_names(text):
        kept: list[tuple[int, str]] = []
        for word in re.finditer(r"\S+", name):
            low, high = start + word.start(), start + word.end()
            if not any(unit.start < high and unit.end > low for unit in units):
                kept.append((low, word[0]))
        if kept:
            yield kept[0][0], " ".join(word for _, word in kept)


def _first_word(text: str, start: int, end: int) -> int:
    found = re.search(r"\w", text[start:end])
    return start + found.start() if found else start


def _folded(text: str) -> str:
    return " ".join(text.casefold().translate(_TYPED).split())


def _composed(text: str) -> str:
    """A text with each accent in its letter; one that stands apart would cut a name in two."""
    return unicodedata.normalize("NFC", text)
