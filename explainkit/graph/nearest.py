"""Which earlier holder of a value gave it to a later place: the nearest that the place could see.

Scopes decide. What a link received is visible inside it; what it put out, and every record made
in a link, is visible in the link around. A place receives from inside its own scope or from the
scopes around that one, its *parent chain*.
"""

from collections.abc import Sequence
from typing import Final

from explainkit.graph.links import Links
from explainkit.graph.places import (
    ANSWER,
    ARGUMENT,
    CONTEXT,
    ERROR,
    EVENT,
    INPUT,
    OUTPUT,
    OVERRIDE,
    QUESTION,
    Places,
)

LOOKED_AT: Final = 256
"""Holders looked at before the nearest seen so far is taken."""

_RECEIVED: Final = frozenset((INPUT, ARGUMENT))
_ASKED: Final = frozenset((INPUT, ARGUMENT, QUESTION))
_MADE: Final = frozenset((OUTPUT, ERROR, EVENT))
_SIDE_BY_SIDE: Final = "parallel"
"""Type of the links whose branches run side by side."""
NEVER: Final = 3
"""Level of a holder that did not give anything."""


class Nearest:
    """Chooses holders by scope, kind and time.

    Attributes:
        left_out: Contexts that nothing can come from.
        picks: Slots of the answers that Agents read of their picks, by place.
        receipts: Places of what a machine says of a pick by itself: it comes from nowhere.
    """

    __slots__ = ("_links", "_places", "_scopes", "left_out", "picks", "receipts")

    def __init__(self, places: Places, links: Links) -> None:
        self._places = places
        self._links = links
        self._scopes: tuple[int, frozenset[int]] = (-2, frozenset())
        self.left_out: set[int] = set()
        self.picks: dict[int, str] = {}
        self.receipts: set[int] = set()

    def choose(self, target: int, holders: Sequence[int], *, whole: bool) -> int | None:
        """The nearest holder that may have given its content to a later place.

        Args:
            target: The place that received.
            holders: Earlier places that hold the content, ascending.
            whole: The whole value is equal, not only a stretch of it.
        """
        best: int | None = None
        rank = NEVER
        for node in reversed(holders[-LOOKED_AT:]):
            level = self.level(target, node, whole=whole)
            if level < rank:
                best, rank = node, level
                if level == 0:
                    break
        return best

    def first(self, target: int, holders: Sequence[int]) -> int | None:
        """The earliest holder that may have given its content, when it did not only receive it."""
        for node in holders[:LOOKED_AT]:
            if self.level(target, node, whole=False) < 2:
                return node
        return None

    def level(self, target: int, source: int, *, whole: bool) -> int:
        """How well a holder explains a later place.

        Returns:
            0 in its parent chain, 1 elsewhere in the run, 2 a value that another link only
            received as well, 3 not at all.
        """
        places = self._places
        if source >= target or source in self.left_out or target in self.receipts:
            return NEVER
        if self.picks.get(source, slot := self.picks.get(target)) != slot and slot is not None:
            return NEVER  # what is said of one pick is not made from what was said of another
        kind, gave = places.kind[target], places.kind[source]
        if kind == OUTPUT:
            return self._of_output(target, source)
        if kind in (CONTEXT, EVENT) and gave not in _MADE:
            # Equal words in a context and the question were born twice, unless all is one value.
            near = whole and gave in (QUESTION, ARGUMENT, INPUT) and self._sees(target, source)
            return 0 if near else NEVER
        if kind in (QUESTION, ARGUMENT):
            return 0 if whole and gave == QUESTION else NEVER
        if kind == ERROR:
            return NEVER
        if self._sees(target, source):
            return 0
        if self._is_beside(target, source):
            return NEVER
        if gave in _RECEIVED:
            return 2 if kind not in (ANSWER, OVERRIDE) else NEVER
        return 1

    def _of_output(self, target: int, source: int) -> int:
        places = self._places
        link = places.inside[target]
        if places.visible[source] == link and places.seq[source] >= link:
            return 0
        row = self._links.row(link)
        if row is None or (self._links.inputs[row] and self._links.type_of(row) == "model"):
            # A model can say only what it read; anything else it says it introduces.
            return NEVER
        # A tool that knows the words of the question elsewhere has them from elsewhere.
        if places.kind[source] in _ASKED or self._is_beside(target, source):
            return NEVER
        return 1

    def _is_beside(self, target: int, source: int) -> bool:
        """Whether two places lie in branches that ran side by side, of which none saw another."""
        links, inside = self._links, self._places.inside
        around = set(links.scopes(inside[target]))
        shared = next((seq for seq in links.scopes(inside[source]) if seq in around), -1)
        row = links.row(shared) if shared >= 0 else None
        if row is None or links.type_of(row) != _SIDE_BY_SIDE:
            return False
        return shared not in (inside[target], inside[source])

    def _sees(self, target: int, source: int) -> bool:
        inside = self._places.inside[target]
        if self._scopes[0] != inside:
            self._scopes = (inside, frozenset(self._links.scopes(inside)))
        return self._places.visible[source] in self._scopes[1]
