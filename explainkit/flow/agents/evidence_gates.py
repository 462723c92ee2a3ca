"""Whether the names and numbers of an answer stand in what the Agent was given."""

import difflib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from explainkit.flow.agents.chat_messages import as_text
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.safety.described import repr_of
from explainkit.text.names import find_names
from explainkit.text.numbers import Quantity, find_quantities, same_quantity
from explainkit.text.sentence_bounds import sentences
from explainkit.text.units import Unit, find_units

GateMode: TypeAlias = Literal["assist", "guard", "rails"]
GATE_MODES: tuple[GateMode, ...] = ("assist", "guard", "rails")
_NEAREST = 3
_WHOLE = ("id", "date", "url", "email")
_DEEPEST = 100
_TYPED = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-"})  # noqa: RUF001
"""Signs inside of names that only differ in how they were typed."""


@dataclass(frozen=True, slots=True)
class Support:
    """What a gate found.

    Attributes:
        values: Values of the answer that no evidence holds, in order, each once.
        candidates: For each, what the evidence holds that is nearest.
    """

    values: tuple[str, ...]
    candidates: dict[str, tuple[str, ...]]

    @property
    def issues(self) -> list[dict[str, str]]:
        """The same as issues of a verdict."""
        return [
            {"code": "UNSUPPORTED", "message": f'"{value}" is in no evidence{self._near(value)}'}
            for value in self.values
        ]

    @property
    def request(self) -> str:
        """What the model is told when it is to revise its answer."""
        listed = "; ".join(f"{value}{self._near(value)}" for value in self.values)
        return (
            f"Your answer holds values that nothing you were given holds: {listed}. "
            "Give the answer again with values from what you were given only."
        )

    def _near(self, value: str) -> str:
        near = self.candidates.get(value, ())
        return f" (nearest: {', '.join(near)})" if near else ""


def support_of(answer: Any, evidence: Sequence[Any]) -> Support:
    """Look for each name, number, id, date and address of an answer in the evidence.

    Numbers agree by value, with a unit on one side only counting as agreement; everything else by
    its words, without regard to case. A single capitalised word that opens a sentence is no name.

    Args:
        answer: A text, or a value with a JSON form.
        evidence: Texts and values with a JSON form.

    Example:
        >>> support_of("Mia Li gets 450 EUR.", ["Pay Mia Li 540 EUR."])
        Support(values=('450 EUR',), candidates={'450 EUR': ('540 EUR',)})
    """
    held = _Held([_composed(text) for each in evidence for text in _told(each)])
    values: dict[str, tuple[str, ...]] = {}
    for text in _said(answer):
        for said, near in held.missing(_composed(text)):
            values.setdefault(said, near)
    found = {value: near for value, near in values.items() if near}
    return Support(tuple(values), found)


class _Held:
    """What the evidence holds."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._folded = "\n".join(_folded(text) for text in texts)
        self._numbers = [each for text in texts for each in find_quantities(text)]
        self._units: dict[tuple[str, str], str] = {}
        self._names: dict[str, None] = {}
        for text in texts:
            for unit in find_units(text):
                self._units.setdefault((unit.kind, unit.key), text[unit.start : unit.end])
            self._names |= {name: None for _, _, name in find_names(text)}

    def missing(self, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
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


def _said(answer: Any) -> Iterator[str]:
    """The texts of an answer; of JSON the leaves alone, for its keys are nobody's claim."""
    data = _data(answer)
    if isinstance(data, dict | list):
        yield from _leaves(data, 0)
    else:
        yield answer if isinstance(answer, str) else _written(data)


def _told(evidence: Any) -> Iterator[str]:
    """The texts of evidence; JSON counts by its leaves too, so `"n":7` holds a number."""
    data = _data(evidence)
    if isinstance(data, dict | list):
        yield from _leaves(data, 0)
    yield evidence if isinstance(evidence, str) else as_text(data)


def _data(value: Any) -> Any:
    """A value as JSON data; a text of JSON is read."""
    try:
        if isinstance(value, str):
            return json.loads(value) if value.lstrip()[:1] in ("{", "[") else value
        return json_form(value)
    except (NoJsonForm, ValueError, RecursionError):
        return value if isinstance(value, str) else repr_of(value, limit=2000).text


def _leaves(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST or value is None or isinstance(value, bool):
        return
    if isinstance(value, dict):
        for each in value.values():
            yield from _leaves(each, depth + 1)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each, depth + 1)
    else:
        yield value if isinstance(value, str) else _written(value)


def _written(value: Any) -> str:
    """A number in digits; Python itself refuses to write an integer of very many."""
    return str(Decimal(value)) if type(value) is int else str(value)
