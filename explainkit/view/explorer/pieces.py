"""Texts as plain JSON, neutralised and cut, so that a canvas has nothing left to decide."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final

from explainkit.safety import behind_symbols, visible
from explainkit.view.passages import Passage, Range, passage

Json = dict[str, Any]
LINE: Final = 2_000
"""Code points of a text that is not a passage; what is cut shows as an ellipsis."""


def pieces_of(shown: Passage) -> list[list[Any]]:
    r"""``[text, mark, code points left out before]``; a last one may hold only a count.

    A text with symbols has a number of an origin behind it, 0, and the code points that they are.

    Example:
        >>> pieces_of(passage("half of the fare", [(0, 4, "span")], limit=8))
        [['half', 'span', 0], [' o', '', 0], ['', '', 10]]
        >>> pieces_of(passage("a\u200bb", limit=8))
        [['a⌀b', '', 0, 0, [8203]]]
    """
    found: list[list[Any]] = []
    for each in shown.pieces:
        found.append([visible(each.text), each.mark, each.skipped])
        if hidden := behind_symbols(each.text):
            found[-1] += [0, hidden]
    if shown.skipped:
        found.append(["", "", shown.skipped])
    return found


def strip_of(
    text: str, marks: Sequence[Range] = (), *, limit: int, first: int = 0
) -> list[list[Any]]:
    r"""A text for selection: ``[shown, start, length, mark, skipped]``.

    One character of ``shown`` is one code point of the text, whatever it holds: what is invisible
    has a symbol of its own. The code points behind symbols follow, where there are any.

    Args:
        text: The text, or a part of it.
        marks: Ranges in this text.
        limit: Code points to show at most.
        first: Where the text begins in the whole one.

    Example:
        >>> strip_of("a\u200bb", [(2, 3, "span")], limit=9)
        [['a⌀', 0, 2, '', 0, [8203]], ['b', 2, 1, 'span', 0]]
    """
    shown = passage(text, marks, limit=limit)
    found: list[list[Any]] = []
    at = 0
    for each in shown.pieces:
        at += each.skipped
        found.append([visible(each.text), first + at, len(each.text), each.mark, each.skipped])
        if hidden := behind_symbols(each.text):
            found[-1].append(hidden)
        at += len(each.text)
    if shown.skipped:
        found.append(["", first + at, 0, "", shown.skipped])
    return found


def line_of(text: str, limit: int = LINE) -> str:
    """A text with its line ends, neutralised and cut."""
    return visible(text) if len(text) <= limit else f"{visible(text[: limit - 1])}…"


def told(value: Any) -> Any:
    """Frozen data as JSON: fields under their own names, passages as pieces, texts neutralised."""
    if isinstance(value, Passage):
        return pieces_of(value)
    if isinstance(value, str):
        return line_of(value)
    if isinstance(value, Mapping):
        return {str(key): told(each) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return dict(_fields(value))
    if isinstance(value, Sequence):
        return [told(each) for each in value]
    return value


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    for each in fields(value):
        yield each.name, told(getattr(value, each.name))
