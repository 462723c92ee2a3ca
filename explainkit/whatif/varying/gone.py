"""Which texts must not reach a model any more once something was taken away."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from explainkit.text.sentence_bounds import sentences
from explainkit.whatif.varying.edits import node_at
from explainkit.whatif.varying.targets import Target

SHORT: Final = 8
"""Code points below which a text stands in many places by chance (ours)."""

_MARKS: Final = frozenset(("role", "type", "kind"))
"""Keys whose texts say what a thing is, and stand in many of them."""


def gone_with(target: Target, versions: tuple[Any, Any], kind: str) -> list[str]:
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
        found = _around(leaf, target.part.start, target.part.end or 0)
    else:
        found = list(_probes(target.value))
    rest = list(texts_in(after))
    return [
        text
        for text in found
        if not any(text in each for each in rest) and (kind != "link" or len(text) >= SHORT)
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


def _around(leaf: Any, start: int, end: int) -> list[str]:
    """The sentences that words lie in: the words alone may stand elsewhere with every right."""
    if not isinstance(leaf, str):
        return []
    found = [leaf[a:b] for a, b in sentences(leaf) if a < end and start < b]
    return found or [leaf[start:end]]


def _probes(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        telling = {key: each for key, each in value.items() if key not in _MARKS}
        yield from sorted(texts_in(telling), key=len)[-1:]
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _probes(each)
    elif isinstance(value, str):
        yield value
