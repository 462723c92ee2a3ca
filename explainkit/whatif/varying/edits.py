"""Edits of a value by address: words cut out of a text, items dropped, leaves replaced."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final

from explainkit.errors import InterventionError
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.safety.pointers import untoken

MISSING: Final = object()
"""Nothing stands at an address."""

Edit = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a value.

    Attributes:
        path: JSON Pointer of a node; empty for the whole value.
        start: First code point of a stretch of a text; None for the whole node.
        end: One past the last.
        text: The stretch as it was recorded, looked for when it stands elsewhere now.
    """

    path: str = ""
    start: int | None = None
    end: int | None = None
    text: str = ""

    @property
    def steps(self) -> tuple[str, ...]:
        """The keys that lead to the node."""
        return tuple(untoken(step) for step in self.path.split("/")[1:]) if self.path else ()

    @property
    def place(self) -> tuple[list[tuple[bool, str]], int]:
        """A key that sorts parts of one value by where they stand."""
        return [(step.isdecimal(), step.zfill(12)) for step in self.steps], self.start or 0

    def overlaps(self, other: "Part") -> bool:
        """Whether both touch the same characters or nodes."""
        short, long = sorted((self.steps, other.steps), key=len)
        if long[: len(short)] != short:
            return False
        if self.path != other.path or self.start is None or other.start is None:
            return True
        return self.start < (other.end or 0) and other.start < (self.end or 0)


def removed(part: Part) -> Edit:
    """An edit that takes a part away: a stretch is cut, a list item dropped, a text emptied.

    Args:
        part: What is taken away.

    Returns:
        A function of the value; it raises `InterventionError` for a number or anything else that
        cannot be missing, and `LookupError` when the part is not there.

    Example:
        >>> removed(Part("/1"))(["a", "b", "c"])
        ['a', 'c']
        >>> removed(Part("", 0, 4, "half"))("half of the fare")
        ' of the fare'
    """
    if part.start is not None:
        return lambda value: _at(value, part.steps, lambda leaf: _cut(leaf, part, ""))
    if part.steps:
        parent, last = part.steps[:-1], part.steps[-1]
        return lambda value: _at(value, parent, lambda node: _dropped(node, last))
    return _emptied


def replaced(part: Part, new: Any) -> Edit:
    """An edit that puts something else in the place of a part.

    Args:
        part: What is replaced.
        new: What stands there instead; a text where a stretch is replaced.

    Example:
        >>> replaced(Part("/fare"), 3)({"fare": 2})
        {'fare': 3}
    """
    if part.start is not None:
        return lambda value: _at(value, part.steps, lambda leaf: _cut(leaf, part, str(new)))
    return lambda value: _at(value, part.steps, lambda _: own_copy(new))


def own_copy(value: Any) -> Any:
    """A copy of what a user gave, for a re-run that may change it; itself where there is none."""
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - a live object of a user may refuse in any way
        return value


def reordered(part: Part, order: Sequence[int]) -> Edit:
    """An edit that puts the items of a list in another order.

    Args:
        part: The list.
        order: Positions in the order in which they shall stand; each once.

    Example:
        >>> reordered(Part(), (1, 0))(["a", "b"])
        ['b', 'a']
    """

    def arranged(node: Any) -> Any:
        if not isinstance(node, list | tuple):
            raise InterventionError(
                f"reorder= needs a list; {_shown(node)} is of type {_kind(node)}. Give the names "
                'of contexts instead: reorder=["first", "second"].'
            )
        if sorted(order) != list(range(len(node))):
            raise InterventionError(
                f"reorder={list(order)!r:.80} does not name each of the {len(node)} positions "
                f"once. Give a permutation of 0 to {len(node) - 1}."
            )
        if list(order) == sorted(order):
            raise InterventionError(
                f"reorder={list(order)!r:.80} is the order in which they stand already. Give the "
                "positions in the order that they shall have."
            )
        return type(node)(node[at] for at in order)

    return lambda value: _at(value, part.steps, arranged)


def node_at(value: Any, steps: Sequence[str]) -> Any:
    """What stands at an address; `MISSING` when nothing does."""
    for step in steps:
        if isinstance(value, dict):
            found = [key for key in value if str(key) == step]
            value = value[found[0]] if found else MISSING
        elif isinstance(value, list | tuple) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return MISSING
        if value is MISSING:
            return MISSING
    return value


def _at(value: Any, steps: Sequence[str], change: Edit) -> Any:
    """The value with one node changed; nothing that was given is changed in place."""
    if not steps:
        return change(value)
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        keys = [key for key in value if str(key) == step]
        if keys:
            return {**value, keys[0]: _at(value[keys[0]], rest, change)}
    elif isinstance(value, list | tuple) and step.isdecimal() and int(step) < len(value):
        at = int(step)
        return type(value)([*value[:at], _at(value[at], rest, change), *value[at + 1 :]])
    elif _has_field(value, step):  # a live argument, which is on record as its fields
        return replace(value, **{step: _at(getattr(value, step), rest, change)})
    raise LookupError(step)


def _has_field(value: Any, name: str) -> bool:
    if not is_dataclass(value) or isinstance(value, type):
        return False
    return any(each.name == name and each.init for each in fields(value))


def _cut(leaf: Any, part: Part, new: str) -> Any:
    if _is_stream(leaf):
        return _cut_items(leaf, *_bounds("".join(leaf), part), new)
    if not isinstance(leaf, str):
        raise InterventionError(
            f"{_shown(leaf)} is of type {_kind(leaf)}, no text to change words in. "
            "Use replace= for the whole of it."
        )
    start, end = _bounds(leaf, part)
    return leaf[:start] + new + leaf[end:]


def _bounds(text: str, part: Part) -> tuple[int, int]:
    """Where a stretch begins and ends now, which may be elsewhere than on record."""
    start, end = part.start or 0, part.end or 0
    if part.text and text[start:end] != part.text:
        start = text.find(part.text)
        if start < 0:
            raise LookupError(part.text)
        end = start + len(part.text)
    return start, end


def _is_stream(value: Any) -> bool:
    """Whether a value is what a generator gave: on record it is one text."""
    return isinstance(value, list) and bool(value) and all(isinstance(x, str) for x in value)


def _cut_items(items: list[str], start: int, end: int, new: str) -> list[str]:
    """The items of a stream with a stretch of their text replaced; what is empty then is left out.

    Example:
        >>> _cut_items(["We pay ", "half.", " Now."], 7, 11, "all")
        ['We pay ', 'all.', ' Now.']
    """
    changed, at = list[str](), 0
    for item in items:
        low, high = max(start - at, 0), min(end - at, len(item))
        put = new if start >= at else ""  # it stands where the stretch began
        left = item if low >= high else item[:low] + put + item[high:]
        changed += [left] if left else []
        at += len(item)
    return changed


def _dropped(node: Any, last: str) -> Any:
    if isinstance(node, list | tuple):
        if last.isdecimal() and int(last) < len(node):
            return type(node)([*node[: int(last)], *node[int(last) + 1 :]])
        raise LookupError(last)
    if isinstance(node, dict):
        keys = [key for key in node if str(key) == last]
        if not keys:
            raise LookupError(last)
        return {**node, keys[0]: _emptied(node[keys[0]])}
    if _has_field(node, last):
        return replace(node, **{last: _emptied(getattr(node, last))})
    raise LookupError(last)


def _emptied(value: Any) -> Any:
    if isinstance(value, str):
        return ""
    if isinstance(value, list | tuple):
        return type(value)()
    raise InterventionError(
        f"{_shown(value)} cannot be missing: it is of type {_kind(value)}. "
        "Use replace= and say what shall stand there."
    )


def _shown(value: Any) -> str:
    return shorten(repr(value), 60)


def _kind(value: Any) -> str:
    return value.called if isinstance(value, Opaque) else type(value).__name__
