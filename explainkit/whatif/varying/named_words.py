"""Where words stand in a value: in its texts, or as a number that they write."""

from dataclasses import dataclass
from typing import Any

from explainkit.safety.pointers import token
from explainkit.whatif.varying.edits import MISSING, Part, node_at
from explainkit.whatif.varying.named_numbers import numbers_named


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Where words stand.

    Attributes:
        path: The text or number, as a JSON Pointer.
        start: Their first character in the text; None for the whole of what stands there.
    """

    path: str
    start: int | None

    def told(self, words: str) -> str:
        """It, for a person who has to choose."""
        stretch = "" if self.start is None else f"({self.start}, {self.start + len(words)})"
        return f"{self.path!r} {stretch}".strip() if self.path else stretch or "the whole"


def places_of(value: Any, words: str) -> list[NamedPlace]:
    """Where words stand; an address of a value that holds no such words names what stands there.

    Args:
        value: A value.
        words: Words, a number as it is written, or an address such as `/1/sold`.

    Example:
        >>> places_of({"a": "80 pieces", "b": 80}, "80")
        [NamedPlace(path='/a', start=0), NamedPlace(path='/b', start=None)]
        >>> places_of([{"sold": 80}], "/0/sold")
        [NamedPlace(path='/0/sold', start=None)]
    """
    found = [NamedPlace(path, at) for path, leaf in _leaves(value, "") for at in _all(leaf, words)]
    found += [NamedPlace(path, None) for path, _ in numbers_named(value, words)]
    is_address = not found and words.startswith("/") and not isinstance(value, str)
    if is_address and node_at(value, Part(words).steps) is not MISSING:
        return [NamedPlace(words, None)]
    return found


def _leaves(value: Any, path: str) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(path, value)]
    if isinstance(value, dict):
        inner = [(f"{path}/{token(str(key))}", each) for key, each in value.items()]
    elif isinstance(value, list | tuple):
        inner = [(f"{path}/{at}", each) for at, each in enumerate(value)]
    else:
        return []
    return [leaf for at, each in inner for leaf in _leaves(each, at)]


def _all(text: str, words: str) -> list[int]:
    found, at = [], text.find(words)
    while at >= 0:
        found.append(at)
        at = text.find(words, at + len(words))
    return found
