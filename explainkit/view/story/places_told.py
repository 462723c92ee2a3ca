"""Places of a walk as a person says them: ``item 1 of what the retrieval “search” gave``."""

from itertools import pairwise
from typing import Final

from explainkit.backtrack.results import ContextUse, Place
from explainkit.safety.pointers import untoken
from explainkit.view.story.material import kind_noun
from explainkit.view.story.wording import called, quoted, series
from explainkit.view.words import flat

MADE: Final = ("output of ", "error of ")
"""How the labels of what a link made begin."""
_FORM: Final = ("/id", "/role", "/type")
"""Parts of a message that its form asks for."""
_PLAIN: Final = frozenset({"content", "text", "value", "data", "body", "page_content", "items"})
"""Keys that hold what a value is about, and say nothing themselves."""
_SAYS: Final = frozenset({"model", "agent"})
_UNNAMED: Final = frozenset({"model", "context", "event", "function", "input", "override"})
"""Types that say nothing beside the name."""
_STEPS: Final = 3
_YEAR: Final = 4


def is_form(place: Place) -> bool:
    """Whether a place is a part of a message that its form asks for, such as its role."""
    return place.path.endswith(_FORM)


def is_made(use: ContextUse) -> bool:
    """Whether a source is what a link put out."""
    return use.name.startswith(MADE)


def place_words(use: ContextUse, place: Place | None) -> str:
    """What holds some words, and which part of it.

    Args:
        use: The source.
        place: The place in it; without one, all of it.
    """
    kind = "" if use.type in _UNNAMED else f"{kind_noun(use.type)} "
    if use.name.startswith("error of "):
        holder = f"the error of {kind}{called(use.name.removeprefix('error of '))}"
    elif is_made(use):
        verb = "said" if use.type in _SAYS else "gave"
        holder = f"what {kind}{called(use.name.removeprefix('output of '))} {verb}"
    elif use.type == "input":
        slot, _, name = use.name.partition(" of ")
        holder = f"what {called(name)} was given" if name else f"the input {called(slot)}"
        if name and slot != "input":
            holder += f" as {called(slot)}"
    elif kind:
        holder = f"{kind}{called(use.name)}"
    else:
        holder = called(use.name)
    steps = [] if place is None else _steps(place.path)
    return " of ".join([*steps[::-1], holder])


def _steps(path: str) -> list[str]:
    """The items and the last name of a path, from the outside in."""
    keys = [untoken(step) for step in path.split("/")[1:]]
    found = [
        f"{'call' if before == 'tool_calls' else 'item'} {int(key) + 1}" if _is_rank(key) else ""
        for before, key in pairwise(["", *keys])
    ]
    names = [at for at, key in enumerate(keys) if not found[at] and key not in _PLAIN]
    if names:
        found[names[-1]] = called(keys[names[-1]])
    told = [each for each in found if each]
    return told if len(told) <= _STEPS else [told[0], *told[-2:]]


def _is_rank(key: str) -> bool:
    # A year is a key of an object: of the value itself a place does not tell.
    return key.isascii() and key.isdecimal() and len(key) < _YEAR


def way_words(use: ContextUse) -> str:
    """Why a piece was let in, and who read it; nothing for what no reason is on record of."""
    way = [f"it was let in for the reason {quoted(use.allowed, 80)}"] if use.allowed else []
    if use.through:
        way.append(f"it came by way of {series([_by_way(each) for each in use.through], 2)}")
    way += [f"{series([called(each) for each in use.read], 2)} read it"] if use.read else []
    return f"; {series(way)}" if way else ""


def _by_way(label: str) -> str:
    """A step of a way, of which the part in its value does not matter."""
    slot, _, name = label.partition(" of ")
    return f"what {called(name)} gave" if name and slot.startswith("output") else flat(label, 60)


def longest(places: tuple[Place, ...] | list[Place]) -> Place | None:
    """The place of the most words; leaves stand for a value that holds several of them."""
    leaves = [place for place in places if not any(_is_in(each, place) for each in places)]
    return max(leaves, key=lambda place: (len(place.text), -place.start), default=None)


def _is_in(inner: Place, outer: Place) -> bool:
    same = (inner.seq, inner.slot) == (outer.seq, outer.slot)
    return same and inner.path.startswith(f"{outer.path}/")
