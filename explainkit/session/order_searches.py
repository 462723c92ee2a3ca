"""The order that an answer depends on, as a person holds it."""

from collections.abc import Hashable
from typing import TYPE_CHECKING

from explainkit.session.measured_searches import MeasuredSearch, Search
from explainkit.whatif.searching import FoundOrder, find_order, planned_size
from explainkit.whatif.varying import Plan, plan_of

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun
    from explainkit.session.whatifs import WhatIf
    from explainkit.whatif.inquiries import Inquiry
    from explainkit.whatif.varying.orders import Ordered


class OrderSearch(MeasuredSearch):
    """A search for an order of texts, rows or messages that flips the answer."""

    found: FoundOrder

    def __init__(
        self, run: "AskedRun", measuring: "Inquiry", ordered: "Ordered", *, after: int, first: int
    ) -> None:
        """Begin; nothing is measured yet.

        Args:
            run: The run.
            measuring: What it has in common with the other what-ifs of the search.
            ordered: What stands in an order.
            after: Changes that the search tested before, whose shares of the level are spent.
            first: How many the first block of its shares has.
        """
        super().__init__(run, measuring)
        self._ordered = ordered
        self._after = after
        self._first = first

    @property
    def tested(self) -> int:
        """Orders that were tested."""
        return len(self._asked)

    @property
    def pair(self) -> tuple[str, ...]:
        """The names of the two whose order decides; empty where two could not be told."""
        pair = self.found.pair
        return () if pair is None else tuple(self._ordered.names[at] for at in pair)

    @property
    def whatif(self) -> "WhatIf | None":
        """The what-if of the order that flips; None where none was found."""
        return self.whatif_of(self.found.order) if self.found.order else None

    def lines(self) -> list[str]:
        """What was found."""
        names = self._ordered.names
        said = []
        for move in self.found.moves:
            passed = names[move.passed[-1]]
            if len(move.passed) == 1 < len(move.moved):
                first = names[move.moved[0]]
                said.append(f"{first} before {passed}: with {passed} before it the answer flips.")
                continue
            moved = ", ".join(names[at] for at in move.moved)
            it = "it" if len(move.moved) == 1 else "them"
            said.append(f"{moved} before {passed}: with {it} behind {passed} the answer flips.")
        return [*said, str(self.whatif)] if said else []

    def _search(self) -> Search:
        return find_order(len(self._ordered.names))

    def _plan(self, chosen: tuple[int, ...]) -> Plan:
        origin = self._measuring.origin
        return plan_of(origin.recording, origin.recorded, [self._ordered.reorder(chosen)])

    def _key(self, chosen: tuple[int, ...]) -> Hashable:
        return chosen

    def _planned(self, before: int) -> int:
        return planned_size(self._after + before, first=self._first) - self._after
