"""An item of a list by one name in every place: `item 1 of search (hours-2023)`."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from explainkit.safety import visible
from explainkit.safety.decoding import Opaque
from explainkit.whatif.varying.edits import MISSING

EXCERPT: Final = 40
"""Code points of an item that stand beside its place."""
ORDER: Final = 6
"""Items of a new order that are named."""
IDS: Final = ("id", "name", "title", "key")
"""Fields that say which item it is, the most telling first."""
_TELLING: Final = re.compile(r"[^\W\d_]{3}")
"""An id of digits, or of a letter and a number, tells a person less than words do."""
ITEM: Final = "item"
SENTENCE: Final = "sentence"


def item_words(at: int, holder: str, value: Any = MISSING, *, kind: str = ITEM) -> str:
    """What an item is called: its place counted from 1, what holds it, and what tells it apart.

    Args:
        at: Its position, counted from 0.
        holder: What holds it.
        value: What it is; nothing is said of it when it is not given.
        kind: ``item`` or ``sentence``.

    Example:
        >>> item_words(0, "search", {"id": "hours-2023", "text": "Opening hours"})
        'item 1 of search (hours-2023)'
        >>> item_words(1, "rules", "A fare is paid back after thirty minutes, on request.")
        'item 2 of rules (“A fare is paid back after thirty…”)'
    """
    excerpt = excerpt_of(value)
    return f"{kind} {at + 1} of {holder}{f' ({excerpt})' if excerpt else ''}"


def place_words(holder: str, value: Any, steps: Sequence[str]) -> str:
    """A place in a value in words, with what tells its item from others.

    Args:
        holder: What the value is called.
        value: The value.
        steps: The keys and positions that lead there.

    Example:
        >>> found = {"hits": [{"id": "hours-2023", "text": "Opening hours"}]}
        >>> place_words("search", found, ["hits", "0", "text"])
        'text of item 1 of hits of search (hours-2023)'
    """
    words, excerpt = [holder], ""
    for step in steps:
        if isinstance(value, list | tuple) and step.isdecimal():
            at = int(step)
            value = value[at] if at < len(value) else MISSING
            words.append(f"{ITEM} {at + 1}")
            excerpt = excerpt_of(value)
            continue
        words.append(first_words(step))
        value = value.get(step, MISSING) if isinstance(value, dict) else MISSING
    return " of ".join(reversed(words)) + (f" ({excerpt})" if excerpt else "")


def steps_to_item(value: Any, steps: Sequence[str]) -> int:
    """How many steps lead to the innermost item of a list on the way to a place; 0 without one.

    Args:
        value: What the steps go into.
        steps: The keys and positions.
    """
    last = 0
    for count, step in enumerate(steps, start=1):
        is_item = isinstance(value, list | tuple) and step.isdecimal() and int(step) < len(value)
        if is_item:
            last, value = count, value[int(step)]
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return last


def moved_items(order: Sequence[int]) -> str:
    """A new order of items in words; empty where it is the old one.

    Args:
        order: Their old positions, counted from 0, in the new order.

    Example:
        >>> moved_items([2, 0, 1]), moved_items([1, 2, 0]), moved_items([1, 0, 3, 2])
        ('item 3 before item 1', 'item 1 behind item 3', 'items 2, 1, 4, 3')
    """
    late = next((at for at, each in enumerate(order) if each != at), None)
    if late is None:
        return ""
    moved = order[late]
    if _is_rising([each for each in order if each != moved]):
        return f"item {moved + 1} before item {late + 1}"
    if _is_rising([each for each in order if each != late]):
        return f"item {late + 1} behind item {order[order.index(late) - 1] + 1}"
    named = ", ".join(str(each + 1) for each in order[:ORDER])
    more = f" and {len(order) - ORDER:,} more" if len(order) > ORDER else ""
    return f"items {named}{more}"


def _is_rising(order: Sequence[int]) -> bool:
    return all(one < other for one, other in pairwise(order))


def excerpt_of(value: Any) -> str:
    """What tells an item from others: its id, else its first words; empty for a nameless one.

    Args:
        value: The item; of an object the longest of its texts speaks.
    """
    if isinstance(value, Opaque):
        value = value.fields or value.repr
    if isinstance(value, dict):
        for name in IDS:
            told = value.get(name)
            if isinstance(told, str) and len(told) <= EXCERPT and _TELLING.search(told):
                return _line(told)
        texts = [each for each in value.values() if isinstance(each, str) and each.strip()]
        value = max(texts, key=len, default=None)
    if isinstance(value, str):
        return f"“{first_words(value)}”" if value.strip() else "an empty text"
    if isinstance(value, bool | int | float):
        return _line(str(value))[:EXCERPT]
    return ""


def first_words(text: str, limit: int = EXCERPT) -> str:
    """The beginning of a text on one line, whole words; an ellipsis says that more follows.

    Args:
        text: Any text.
        limit: Code points, the ellipsis included.

    Example:
        >>> first_words("half of   the fare", 12), first_words("half of the fare", 16)
        ('half of the…', 'half of the fare')
    """
    line = _line(text[: 4 * limit + 16])
    if len(line) <= limit and len(text) <= 4 * limit + 16:
        return line
    kept = line[: limit - 1]
    if not line[limit - 1 : limit].isspace():
        whole = kept.rpartition(" ")[0]
        kept = whole if len(whole) > limit // 2 else kept
    return f"{kept.rstrip()}…"


def _line(text: str) -> str:
    return " ".join(visible(text).split())
