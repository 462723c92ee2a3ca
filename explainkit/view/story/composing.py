"""Puts a story together: the beginning, what happened, the end, what came after, the gaps."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from explainkit.errors import ExplainkitError
from explainkit.graph.cycles import uncollected
from explainkit.view.story.bounding import told_all, told_shortly
from explainkit.view.story.ends_told import ending, opening
from explainkit.view.story.facts_told import FollowSlot
from explainkit.view.story.gaps_told import gaps
from explainkit.view.story.items_told import origins_of_items, own_parts
from explainkit.view.story.material import Material, mapping, text
from explainkit.view.story.origins_told import origins
from explainkit.view.story.reading import happenings_of
from explainkit.view.story.sentences import Happening, Sentence, finished
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording

BODY: Final = 11
"""Sentences about what happened between the question and the end."""
AFTER: Final = 5
"""Sentences about what came after the end."""
WALKS: Final = 2
"""Failed answers whose words are walked back."""


@dataclass(frozen=True, slots=True)
class ToldStory:
    """A story, and what it was made from.

    Attributes:
        sentences: In order.
        happenings: Everything that happened, told or only counted.
    """

    sentences: tuple[Sentence, ...]
    happenings: tuple[Happening, ...]

    @property
    def folded(self) -> int:
        """How many happenings the sentences only count."""
        return sum(each.folded for each in self.sentences if each.kind not in ("missing", "origin"))

    def of(self, seq: int) -> tuple[Sentence, ...]:
        """What is told from one record, by itself; nothing for a record that only holds content."""
        single = told_all(each for each in self.happenings if seq in each.seq)
        others = ("start", "end", "origin", "missing")
        return (*single, *(s for s in self.sentences if s.kind in others and seq in s.seq))


def story_told(recording: "Recording", walk: FollowSlot, *, full: bool = False) -> ToldStory:
    """Tell a run from its records.

    Args:
        recording: The run: finished, paused, crashed, running, or read in from another tool.
        walk: Gives the backtrack of an answer slot, or of some words of it; asked only for answers
            that failed, and for items of answer flows.
        full: Tell every happening by itself.
    """
    with uncollected():
        return _told(Material(recording), walk, full=full)


def _told(material: Material, walk: FollowSlot, *, full: bool) -> ToldStory:
    found = happenings_of(material)
    last = material.recording.run_length
    within = [each for each in found if each.seq[0] < last]
    after = [each for each in found if each.seq[0] >= last]
    sentences = [
        *opening(material),
        *(told_all(within) if full else told_shortly(within, BODY)),
        *ending(material),
        *(told_all(after) if full else told_shortly(after, AFTER)),
        *_origins(material, walk),
        *gaps(material),
    ]
    return ToldStory(tuple(sentences), tuple(found))


def _origins(material: Material, walk: FollowSlot) -> Iterator[Sentence]:
    failed = _failed(material)
    for slot in failed[:WALKS]:
        words = material.slot_words(slot)
        try:
            found = walk(slot)
            if found is not None:
                yield from origins(
                    found,
                    found.ended or words,
                    partial(walk, slot),
                    own=own_parts(material, slot),
                    measured=_measured(material, slot),
                )
        except ExplainkitError as error:
            why = finished(f"where words of {words} came from cannot be told: {flat(str(error))}")
            yield Sentence((), why, "origin")
    if material.recording.status == "answered":
        with suppress(ExplainkitError):
            yield from origins_of_items(material, failed, walk)


def _measured(material: Material, slot: str) -> bool:
    """Whether a change of something was applied and re-run for an answer."""
    findings = material.recording.rows("finding")
    told = (mapping(row.get("detail")) for row in findings if row.get("word") != "not applied")
    return any(mapping(each.get("family")).get("slot") == slot for each in told)


def _failed(material: Material) -> list[str]:
    """The slots whose last version was judged as failed; the run's own when it gave no answer."""
    if material.ending is not None:
        return ["answer"]
    found: dict[str, None] = {}
    for row in material.recording.rows("verdict"):
        slot = text(row.get("slot"))
        # Nobody gave an inferred answer; what is judged of it is of its only version.
        version = material.final.get(slot, 1 if slot == "answer" else 0)
        if row.get("status") == "failed" and slot and row.get("version") == version:
            found[slot] = None
    return sorted(found, key=lambda slot: (slot != "answer", not slot.startswith("item:")))
