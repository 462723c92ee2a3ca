"""A part of what a recorded point gave, as a user pointed at it, and what it is called."""

from dataclasses import dataclass
from typing import Any

from explainkit.safety import shorten, shorten_at_words
from explainkit.whatif.varying.edits import Part
from explainkit.whatif.varying.item_names import (
    SENTENCE,
    item_words,
    place_words,
    steps_to_item,
)


@dataclass(frozen=True, slots=True)
class Target:
    """A part of what a recorded point gave.

    Attributes:
        seq: The point.
        part: Which part of its value.
        name: The point's name.
        value: The part as it was recorded.
        is_number: A number was named by what is written: it may be another one, and not missing.
        slot: The argument, where it is a part of what the run itself was given.
        whole: All that the point gave, where this is a part of it.
        sentence: Which sentence of a text it is, where it was named by its number.
    """

    seq: int
    part: Part
    name: str
    value: Any
    is_number: bool = False
    slot: str | None = None
    whole: Any = None
    sentence: int | None = None

    @property
    def words(self) -> str:
        """What it is, for a person."""
        place = self.name  # that of a part of what the run was given says which one it is
        if self.slot is None:
            place = place_words(self.name, self.whole, self.part.steps)
        return place if self._is_item else f"{shorten_at_words(repr(self.value), 60)} in {place}"

    def displayed_in(self, holder: str) -> str:
        """What it is called in a search, in a form that can be handed back.

        Args:
            holder: A name of the point that no other has.
        """
        if self.sentence is not None:
            return item_words(self.sentence, holder, self.value, kind=SENTENCE)
        if self.slot is not None:
            holder = self.name
        steps = () if self.slot is not None else self.part.steps
        item = place_words(holder, self.whole, steps[: steps_to_item(self.whole, steps)])
        return item if self._is_item else f"{shorten(repr(self.value), 80)} of {item}"

    @property
    def _is_item(self) -> bool:
        """Whether it is all of what a point gave, or an item of a list."""
        steps = () if self.slot is not None else self.part.steps
        return self.part.start is None and steps_to_item(self.whole, steps) == len(steps)

    @property
    def told(self) -> dict[str, Any]:
        """What it is, for the record."""
        told: dict[str, Any] = {"seq": self.seq, "name": self.name}
        if self.slot is not None:
            told["slot"] = self.slot
        if self.part.path:
            told["path"] = self.part.path
        if self.part.start is not None:
            told |= {"start": self.part.start, "end": self.part.end}
        return told
