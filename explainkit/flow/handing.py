"""What a composition tells the link of its child, and learns from it: where values stand."""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Hand:
    """A value on its way to a child, and the answer on its way back.

    A place counts only for the very object that it was said of, so a child that records nothing,
    or another runner inside of it, never makes a place wrong.

    Attributes:
        value: What the child is given.
        origins: The occurrences that all of it was made from.
        parts: Segments: which node of it came from where.
        branch: The name that the composition has for the child; empty for none.
        answer: What the child's link closed with.
        place: The occurrence of that answer; None when nothing recorded it.
    """

    value: Any
    origins: Sequence[dict[str, Any]] = ()
    parts: Sequence[dict[str, Any]] = ()
    branch: str = ""
    answer: Any = None
    place: dict[str, Any] | None = None

    def origins_of(self, value: Any) -> Sequence[dict[str, Any]]:
        """Where a value comes from; nothing is said of any other object."""
        return self.origins if value is self.value else ()

    def parts_of(self, value: Any) -> Sequence[dict[str, Any]]:
        """Where the nodes of a value come from; nothing is said of any other object."""
        return self.parts if value is self.value else ()

    def attrs_of(self, value: Any) -> dict[str, Any]:
        """Which branch a link says that it is; nothing for one that is given another value."""
        return {"branch": self.branch} if self.branch and value is self.value else {}

    def closed(self, answer: Any, seq: int) -> None:
        """The record in which the child's link closed with an answer."""
        self.answer, self.place = answer, {"seq": seq, "slot": "output"}

    def place_of(self, answer: Any) -> dict[str, Any] | None:
        """Where an answer stands in the record."""
        return self.place if answer is self.answer else None


HAND: ContextVar[Hand | None] = ContextVar("explainkit_hand", default=None)
"""What the composition around says to the next link; that link takes it away."""
