"""Which part of a run a change touched, as a person says it: an item with its first words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from explainkit.errors import ExplainkitError
from explainkit.safety.pointers import untoken
from explainkit.view.story.material import Material, entries, text, whole
from explainkit.view.story.wording import called, quoted, series
from explainkit.view.words import flat
from explainkit.whatif.varying.item_names import excerpt_of

WORDS: Final = 60
"""Code points of changed words."""
FIRST: Final = 40
"""Code points of the first words of an item."""
_DEEP: Final = 4
"""Steps into a value that are named."""
_DIGITS: Final = 9
"""No place in a list is as long."""
_ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Changed:
    """The part that a change touched.

    Attributes:
        words: The part with what holds it: ``item 1 of “search” (“Opening hours…”)``.
        holder: What holds it: ``“search”``.
        place: Where it stands: ``what “ask” gave``, ``“rate” of “prices”``.
        item: Which item of a list it is, counted from 1; None when it is something else.
        old: What stood there, where a sentence can carry it.
    """

    words: str
    holder: str
    place: str
    item: int | None = None
    old: str = ""


def changed_of(material: Material, asked: Mapping[str, Any]) -> Changed:
    """The part that one recorded intervention touched.

    Args:
        material: The run.
        asked: The intervention.
    """
    seq, path = whole(asked.get("seq")), text(asked.get("path"))
    start, end = whole(asked.get("start")), whole(asked.get("end"))
    if text(asked.get("slot")):  # a part of what the run was given, named as the boards name it
        place = called(text(asked.get("name")))
        return Changed(f"words in {place}" if start is not None else place, place, place)
    holder = _holder(material, asked)
    if not path and start is None:
        gave = f"what {holder} gave" if seq in material.rows else holder
        return Changed(gave if text(asked.get("verb")) == "remove" else holder, holder, gave)
    steps = [untoken(step) for step in path.split("/")[1:]]
    value, ranks = _inside(_value(material, seq), steps)
    gave = f"what {holder} gave" if seq in material.rows else holder
    place = _of(steps, ranks, holder) if steps else gave
    if start is not None:
        held = value[start:end] if isinstance(value, str) else ""
        old = quoted(held, WORDS) if held.strip() else "some words"
        return Changed(f"{old} in {place}", holder, place, old=old)
    item = int(steps[0]) + 1 if ranks == [True] else None
    if value is _ABSENT:
        return Changed(place, holder, place, item)
    excerpt = excerpt_of(value) or flat(type(value).__name__, FIRST)
    old = "" if isinstance(value, dict | list | tuple) else excerpt
    return Changed(f"{place} ({excerpt})", holder, place, item, old)


def _holder(material: Material, asked: Mapping[str, Any]) -> str:
    seq, names = whole(asked.get("seq")), entries(asked.get("names"))
    if seq in material.rows:
        return material.call_words(seq)
    told = text(asked.get("name")) or text(asked.get("by"))
    if told:
        return called(told)
    return series([called(text(name)) for name in names], 4) if names else "a part of it"


def _of(steps: list[str], ranks: list[bool], holder: str) -> str:
    """A place in a value in words: ``“rate” of item 2 of “rates”``."""
    words = [
        f"item {int(step) + 1}" if rank else called(step)
        for step, rank in zip(steps, ranks, strict=True)
    ]
    shown = words if len(words) <= _DEEP else [*words[:2], *words[-2:]]
    return " of ".join([*shown[::-1], holder])


def _value(material: Material, seq: int | None) -> Any:
    """What a record holds, as it was before the change."""
    if seq is None:
        return _ABSENT
    if seq not in material.changed:
        material.changed[seq] = _read(material, seq)
    return material.changed[seq]


def _read(material: Material, seq: int) -> Any:
    try:
        row: Mapping[str, Any] = material.recording.raw(seq)
        if seq in material.rows:
            row = material.closed.get(seq, {})
        digest = row.get("value") or row.get("output")
        return material.recording.values.object(digest) if isinstance(digest, str) else _ABSENT
    except ExplainkitError:
        return _ABSENT


def _inside(value: Any, steps: list[str]) -> tuple[Any, list[bool]]:
    """What stands at a place, and which steps to it are places in lists."""
    ranks = []
    for name in steps:
        rank = isinstance(value, list | tuple) and name.isascii() and name.isdecimal()
        ranks.append(rank and len(name) < _DIGITS)
        if ranks[-1]:
            value = value[int(name)] if int(name) < len(value) else _ABSENT
        elif isinstance(value, dict):
            value = value[name] if name in value else _named(value, name)
        else:
            value = _ABSENT
    return value, ranks


def _named(value: Mapping[Any, Any], name: str) -> Any:
    """What stands under a key that is no text, by how it is written."""
    return next((each for key, each in value.items() if str(key) == name), _ABSENT)
