"""Where the facts of what an answer flow delivered came from, item by item."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from explainkit.backtrack.results import Walk
from explainkit.safety.pointers import token
from explainkit.view.story.choices_told import batch
from explainkit.view.story.facts_told import FollowSlot, facts_of, origin_of, told_facts
from explainkit.view.story.material import Material, mapping
from explainkit.view.story.sentences import Sentence, finished
from explainkit.view.story.wording import number, value_of

ITEMS: Final = 3
"""Items whose facts are followed."""
_TRIED: Final = 3 * ITEMS
"""Items that are walked back at most, of which some may show no fact."""
_FACTS: Final = 2
"""Facts of an item that are followed."""


def origins_of_items(
    material: Material, but: Sequence[str], walk: FollowSlot
) -> Iterator[Sentence]:
    """A sentence for each of the first items that hold a fact; the others are counted.

    Args:
        material: The run.
        but: Slots that are told elsewhere.
        walk: Gives the backtrack of an answer slot, or of some words of it.
    """
    slots = [slot for slot in material.final if slot.startswith("item:") and slot not in but]
    told = 0
    for slot in [slot for slot in slots if _may_hold_facts(material, slot)][:_TRIED]:
        found = walk(slot) if told < ITEMS else None
        sentence = None if found is None else _origin(material, slot, found, walk)
        if sentence is not None:
            told += 1
            yield sentence
    left = len(slots) - told
    if told and left:
        words = f"where the values of {number(left, 'further item')} came from is not told here"
        text = f'{words}; run.backtrack(slot="item:...") follows one'
        yield Sentence((), finished(text), "origin", left)


def _may_hold_facts(material: Material, slot: str) -> bool:
    """Whether the last value of an item is no text, or one that holds a fact."""
    value = value_of(material.recording, material.delivered(slot))
    return not isinstance(value, str) or bool(facts_of(value))


def _origin(material: Material, slot: str, found: Walk, walk: FollowSlot) -> Sentence | None:
    follow, own = partial(walk, slot), own_parts(material, slot)
    origins = []
    for start, end in facts_of(found.answer)[:_FACTS]:
        walked = follow((start, end))
        origin = None if walked is None else origin_of(walked, found.answer[start:end], own)
        if origin is not None:
            origins.append(origin)
    sentences = told_facts(origins, 0, material.slot_words(slot), {})
    return sentences[0] if sentences else None


def own_parts(material: Material, slot: str) -> tuple[str, ...]:
    """The parts of what a flow was given, and of what its ports gave, that are of an item."""
    name = slot.partition(":")[2] if slot.startswith("item:") else ""
    for seq, row in material.rows.items():
        if name and row.get("type") == "answer-flow":
            ids = [mapping(each).get("id") for each in batch(material, seq)]
            if name in ids:
                return f"/items/{ids.index(name)}", f"/{token(name)}"
    return ()
