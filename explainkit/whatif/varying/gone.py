"""Which texts must not reach a model any more once something was taken away."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from explainkit.text.sentence_bounds import sentences
from explainkit.whatif.varying.edits import node_at
from explainkit.whatif.varying.pointed_parts import Target

SHORT: Final = 8
"""Code points below which a text stands in many places by chance (ours)."""

_MARKS: Final = frozenset(("role", "type", "kind"))
"""Keys whose texts say what a thing is, and stand in many of them."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A text that was taken away.

    Attributes:
        text: The text.
        beside: The other texts and numbers of a row that it is the longest text of: who holds the
            text without them does not hold the row.
        seq: The point that gave it: what was asked before that is no way of it.
    """

    text: str
    beside: tuple[str, ...] = ()
    seq: int | None = None


def gone_with(target: Target, versions: tuple[Any, Any], kind: str) -> list[Gone]:
    """Texts whose absence from what was sent shows that a change was applied.

    For words of a text these are the sentences that held them; for a row or a message its longest
    text. What still stands in the rest of the same value is no sign of another way, and neither
    are short texts of what a link gave, which others may hold by chance.

    Args:
        target: What was taken away or replaced.
        versions: The value that holds it, before and after.
        kind: The kind of point that gives the value.
    """
    before, after = versions
    if target.part.start is not None:
        leaf = node_at(before, target.part.steps)
        found = [Gone(each) for each in _around(leaf, target.part.start, target.part.end or 0)]
    else:
        found = list(_probes(target.value))
    rest = list(texts_in(after))
    return [
        replace(one, seq=None if target.slot else target.seq)
        for one in found
        if not any(one.text in each for each in rest) and (kind != "link" or len(one.text) >= SHORT)
    ]


def texts_in(value: Any) -> list[str]:
    """Every text in a value, keys left out.

    Example:
        >>> texts_in({"a": ["x", 1], "b": "y"})
        ['x', 'y']
    """
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for each in value.values() for text in texts_in(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in texts_in(each)]
    return []


def words_in(value: Any) -> list[str]:
    """Every text and number in a value, keys left out.

    Example:
        >>> words_in({"a": ["x", 1], "b": "y"})
        ['x', 'y', '1']
    """
    return [*texts_in(value), *_numbers_in(value)]


def _around(leaf: Any, start: int, end: int) -> list[str]:
    """The sentences that words lie in: the words alone may stand elsewhere with every right."""
    if not isinstance(leaf, str):
        return []
    found = [leaf[a:b] for a, b in sentences(leaf) if a < end and start < b]
    return found or [leaf[start:end]]


def _probes(value: Any) -> Iterator[Gone]:
    if isinstance(value, Mapping):
        telling = _telling(value)
        texts = sorted(texts_in(telling), key=len)
        if texts:
            yield Gone(texts[-1], (*texts[:-1], *_numbers_in(telling)))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _probes(each)
    elif isinstance(value, str):
        yield Gone(value)


def _telling(value: Any) -> Any:
    """A value without the texts that say what a thing is, at any depth."""
    if isinstance(value, Mapping):
        return {key: _telling(each) for key, each in value.items() if key not in _MARKS}
    return [_telling(each) for each in value] if isinstance(value, list | tuple) else value


def _numbers_in(value: Any) -> list[str]:
    """Every number in a value, as it is written."""
    if isinstance(value, Mapping):
        return [one for each in value.values() for one in _numbers_in(each)]
    if isinstance(value, list | tuple):
        return [one for each in value for one in _numbers_in(each)]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return [str(value)] if is_number else []
