"""The texts and numbers of a recorded value, and what an edit of one of them means."""

from collections.abc import Iterator
from typing import Any, Final

from explainkit.errors import InterventionError
from explainkit.safety import visible
from explainkit.safety.pointers import token
from explainkit.view.explorer.causes.doors import Address

Leaf = str | int | float
EDITED: Final = 8_000
"""Code points of a text that can be edited; what follows stays as it is."""


def leaves_of(value: Any, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """Every text and number of a value with its JSON Pointer.

    Example:
        >>> list(leaves_of({"fare": 80, "note": ["half", True]}))
        [('/fare', 80), ('/note/0', 'half')]
    """
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield path, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from leaves_of(each, f"{path}/{token(str(key))}")
    elif isinstance(value, list | tuple):
        for at, each in enumerate(value):
            yield from leaves_of(each, f"{path}/{at}")


def shown_for_editing(leaf: Leaf) -> str:
    """What stands in the box: one character for each code point of the stored text."""
    return visible(leaf[:EDITED]) if isinstance(leaf, str) else str(leaf)


def edit_of(seq: int, path: str, leaf: Leaf, edited: str) -> tuple[Address, Leaf | None]:
    """What a person changed in a box: where, and what stands there instead.

    Args:
        seq: The record.
        path: The leaf.
        leaf: What was recorded.
        edited: What stands in the box now.

    Returns:
        The smallest stretch of whole words that differs, and its new words; None takes it away.

    Raises:
        InterventionError: Nothing differs, or a number became none.

    Example:
        >>> where, new = edit_of(5, "", "we pay back half of it", "we pay back none of it")
        >>> where.text, new
        ('half', 'none')
    """
    if not isinstance(leaf, str):
        return Address(seq, path, 0, 1, str(leaf)), _number(leaf, edited)
    shown = shown_for_editing(leaf)
    if edited == shown:
        raise InterventionError(
            "The text in the box is the recorded one. Change some of its words."
        )
    start = _alike(shown, edited)
    tail = _alike(shown[start:][::-1], edited[start:][::-1])
    end, new = len(shown) - tail, edited[start : len(edited) - tail]
    low, high = _whole_words(shown, start, end, new)
    if low == high:
        raise InterventionError("An empty text has no words to change.")
    # What was not touched keeps its own characters, whatever the box shows for them.
    new = leaf[low:start] + new + leaf[end:high]
    return Address(seq, path, low, high, leaf[low:high]), new or None


def _whole_words(text: str, start: int, end: int, new: str) -> tuple[int, int]:
    """A stretch widened so that it parts no word; new words alone take a neighbour along."""
    first, last = (text[start:end] or new)[:1], (text[start:end] or new)[-1:]
    low, high = start, end
    if first.isalnum() or new[:1].isalnum():
        low = _word_start(text, start)
    if last.isalnum() or new[-1:].isalnum():
        high = _word_end(text, end)
    if low == high and low:
        low = _word_start(text, len(text[:low].rstrip()))
    if low == high:
        high = _word_end(text, high + len(text[high:]) - len(text[high:].lstrip()))
    return (low, high) if low < high or not text else (max(0, low - 1), min(len(text), high + 1))


def _word_start(text: str, at: int) -> int:
    while at and text[at - 1].isalnum():
        at -= 1
    return at


def _word_end(text: str, at: int) -> int:
    while at < len(text) and text[at].isalnum():
        at += 1
    return at


def _alike(one: str, other: str) -> int:
    """How many first characters are the same."""
    size = min(len(one), len(other))
    return next((at for at in range(size) if one[at] != other[at]), size)


def _number(leaf: float, edited: str) -> int | float:
    words = edited.strip().replace("_", "")
    try:
        number: int | float = int(words)
    except ValueError:
        try:
            number = float(words)
        except ValueError:
            raise InterventionError(
                f"{edited[:60]!r} is no number; {leaf!r} was recorded here. Write one such as 60."
            ) from None
    if number == leaf:
        raise InterventionError(f"{leaf!r} is what was recorded here. Write another number.")
    return number
